// Methods of String, on Latin-1 and on wider strings.
import java.util.Arrays;
import java.util.Locale;

public class StringMethods {
    static String show(String s) {
        StringBuilder b = new StringBuilder("\"");
        for (char c : s.toCharArray()) {
            if (c < 32 || c > 126) {
                b.append(String.format("\\u%04x", (int) c));
            } else {
                b.append(c);
            }
        }
        return b.append('"').toString();
    }

    static void basics(String s) {
        System.out.println(show(s) + " length " + s.length() + " empty " + s.isEmpty() + " blank " + s.isBlank() + " trim " + show(s.trim())
            + " strip " + show(s.strip()) + " lead " + show(s.stripLeading()) + " trail " + show(s.stripTrailing()) + " upper "
            + show(s.toUpperCase(Locale.ROOT)) + " lower " + show(s.toLowerCase(Locale.ROOT)) + " twice " + show(s.repeat(2)) + " hash "
            + s.hashCode());
    }

    public static void main(String[] args) {
        for (String s : new String[] {"", " ", "abc", "  a b  ", "\tx\n", "MiXeD", "\u00e9\u00c9", "\u20ac1", "stra\u00dfe", "\ud83d\ude00!",
            "\u2003em\u2003"}) {
            basics(s);
        }
        String s = "the quick brown fox jumps over the lazy dog";
        System.out.println(s.indexOf("the") + " " + s.indexOf("the", 1) + " " + s.lastIndexOf("the") + " " + s.lastIndexOf("the", 30) + " "
            + s.indexOf('q') + " " + s.indexOf('z', 40) + " " + s.lastIndexOf('o') + " " + s.lastIndexOf('o', 15) + " " + s.indexOf("") + " "
            + s.lastIndexOf("") + " " + s.indexOf("\u20ac"));
        System.out.println(s.substring(4, 9) + "|" + s.substring(40) + "|" + s.substring(43) + "|" + s.subSequence(0, 3) + "|" + s.charAt(4));
        System.out.println(s.startsWith("the") + " " + s.startsWith("quick", 4) + " " + s.endsWith("dog") + " " + s.contains("fox") + " "
            + s.contains("") + " " + s.matches(".*fox.*") + " " + s.regionMatches(true, 4, "QUICK", 0, 5) + " " + s.regionMatches(4, "QUICK", 0, 5));
        System.out.println(s.replace('o', '0') + " " + s.replace("the", "a") + " " + s.replaceAll("[aeiou]", "") + " "
            + s.replaceFirst("\\w+", "<$0>") + " " + "aaa".replace("aa", "b") + " " + "abc".replace("", "-"));
        System.out.println(Arrays.toString(s.split(" ")) + Arrays.toString(s.split(" ", 3)) + Arrays.toString("a,b,,c,,".split(","))
            + Arrays.toString("a,b,,c,,".split(",", -1)) + Arrays.toString("".split(",")) + Arrays.toString("abc".split(""))
            + Arrays.toString(",a".split(",")) + Arrays.toString("a1b22c".split("\\d+")) + Arrays.toString("a.b".split(".")));
        System.out.println("abc".compareTo("abd") + " " + "abc".compareTo("ab") + " " + "A".compareTo("a") + " " + "A".compareToIgnoreCase("a")
            + " " + "\u20ac".compareTo("a") + " " + "abc".equalsIgnoreCase("ABC") + " " + "abc".contentEquals(new StringBuilder("abc")) + " "
            + "abc".equals(null));
        System.out.println("abc".concat("def") + " " + String.valueOf(new char[] {'x', 'y'}) + String.valueOf(true) + String.valueOf(1.5f)
            + String.valueOf((Object) null) + String.copyValueOf(new char[] {'a', 'b', 'c'}, 1, 2) + new String(new char[] {'p', 'q'}, 1, 1));
        System.out.println("hello".chars().sum() + " " + "a\nb\r\nc".lines().toList() + " " + String.join("/", Arrays.asList("a", null, "c")));
        System.out.println("%d-%s".formatted(1, "x") + " " + "x".compareTo("xyz") + " " + new String("abc".toCharArray()).intern());
        char[] target = new char[6];
        Arrays.fill(target, '.');
        "abcdef".getChars(1, 4, target, 2);
        System.out.println(target);
        System.out.println("text".transform(t -> t + "!") + " " + "a-b".strip().indent(1).length() + " " + "TITLE".toLowerCase(Locale.ENGLISH)
            + " " + show("\u0130".toLowerCase(Locale.ROOT)) + " " + show("I".toLowerCase(Locale.forLanguageTag("tr"))));
        System.out.println(show("\ud83d\ude00x".substring(1)) + " " + "\ud83d\ude00x".codePointAt(0) + " " + "\ud83d\ude00x".codePointCount(0, 3) + " "
            + "\ud83d\ude00x".offsetByCodePoints(0, 1) + " " + "\ud83d\ude00x".indexOf(0x1f600) + " " + show(new String(new int[] {0x1f601, 65}, 0, 2)));
        for (int n : new int[] {-1, 0}) {
            try {
                System.out.println("[" + "ab".repeat(n) + "]");
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
