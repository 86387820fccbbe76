// Character: classes, conversions, digits, surrogates.
public class Characters {
    static String flags(int c) {
        return (Character.isLetter(c) ? "L" : "-") + (Character.isDigit(c) ? "D" : "-") + (Character.isLetterOrDigit(c) ? "A" : "-")
            + (Character.isUpperCase(c) ? "U" : "-") + (Character.isLowerCase(c) ? "l" : "-") + (Character.isWhitespace(c) ? "W" : "-")
            + (Character.isSpaceChar(c) ? "S" : "-") + (Character.isISOControl(c) ? "C" : "-") + (Character.isJavaIdentifierStart(c) ? "J" : "-")
            + (Character.isJavaIdentifierPart(c) ? "P" : "-") + (Character.isTitleCase(c) ? "T" : "-") + (Character.isAlphabetic(c) ? "a" : "-")
            + (Character.isIdeographic(c) ? "I" : "-") + (Character.isMirrored(c) ? "M" : "-") + (Character.isDefined(c) ? "d" : "-");
    }

    public static void main(String[] args) {
        int[] points = {0, 9, 10, 32, 36, '0', '9', 'A', 'Z', '_', 'a', 'z', '(', 127, 0xa0, 0xb5, 0xdf, 0xe9, 0x130, 0x131, 0x1c5, 0x3a3, 0x660,
            0x2003, 0x20ac, 0x2160, 0x4e00, 0xd800, 0xdc00, 0xfeff, 0xffff, 0x1d400, 0x1f600, 0x10ffff};
        for (int c : points) {
            System.out.println(Integer.toHexString(c) + " " + flags(c) + " " + Character.getType(c) + " " + Character.getNumericValue(c) + " "
                + Integer.toHexString(Character.toUpperCase(c)) + " " + Integer.toHexString(Character.toLowerCase(c)) + " "
                + Integer.toHexString(Character.toTitleCase(c)) + " " + Character.charCount(c) + " " + Character.digit(c, 16));
        }
        System.out.println(Character.forDigit(11, 16) + " " + (int) Character.forDigit(40, 16) + " " + Character.digit('z', 36) + " "
            + Character.digit('9', 8) + " " + Character.MAX_RADIX);
        System.out.println(Character.isSurrogate('\ud83d') + " " + Character.isHighSurrogate('\ud83d') + " " + Character.isLowSurrogate('\ude00')
            + " " + Character.toCodePoint('\ud83d', '\ude00') + " " + Character.isSurrogatePair('a', 'b') + " " + (int) Character.highSurrogate(0x1f600)
            + " " + (int) Character.lowSurrogate(0x1f600) + " " + Character.isSupplementaryCodePoint(65536) + " "
            + Character.isValidCodePoint(0x110000));
        System.out.println(Character.toString(97) + Character.valueOf('b') + Character.toChars(99)[0] + " " + Character.compare('a', 'b') + " "
            + (int) Character.reverseBytes('\u1234') + " " + Character.BYTES + " " + (int) Character.MAX_VALUE + " " + Character.hashCode('x'));
        System.out.println(Character.UnicodeBlock.of('a') + " " + Character.getName('a') + " " + Character.UnicodeScript.of(0x3b1));
        char c = 'a';
        c += 2;
        c++;
        System.out.println(c + " " + (char) (c + 1) + " " + (c + 1) + " " + (c > 'b') + " " + "abc".indexOf(c) + " " + c-- + c);
    }
}
