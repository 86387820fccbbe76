// Encodings: UTF-8, UTF-16, Latin-1, ASCII; surrogates, malformed bytes, normal forms.
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Arrays;

public class Unicode {
    static String points(String s) {
        StringBuilder b = new StringBuilder();
        s.codePoints().forEach(c -> b.append(Integer.toHexString(c)).append(' '));
        return b.toString().trim();
    }

    static String hex(byte[] bytes) {
        StringBuilder b = new StringBuilder();
        for (byte x : bytes) {
            b.append(Character.forDigit(x >> 4 & 15, 16)).append(Character.forDigit(x & 15, 16));
        }
        return b.toString();
    }

    public static void main(String[] args) {
        String[] texts = {"plain", "caf\u00e9", "\u20ac", "\ud83d\ude00", "mix\u00e9\u20ac\ud83d\ude00", "\ud83d", "\ude00x", "", "\u0000\u007f\u0080\u07ff\u0800\uffff"};
        Charset[] sets = {StandardCharsets.UTF_8, StandardCharsets.UTF_16, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE, StandardCharsets.ISO_8859_1,
            StandardCharsets.US_ASCII};
        for (String t : texts) {
            System.out.println(points(t) + " length " + t.length() + " points " + t.codePointCount(0, t.length()));
            for (Charset c : sets) {
                byte[] bytes = t.getBytes(c);
                System.out.println("  " + c + " " + hex(bytes) + " " + new String(bytes, c).equals(t));
            }
        }
        byte[][] malformed = {{(byte) 0xc3}, {(byte) 0xc3, 0x28}, {(byte) 0xe2, (byte) 0x82}, {(byte) 0xff, 65}, {(byte) 0xc0, (byte) 0x80}, {(byte) 0xed, (byte) 0xa0,
            (byte) 0x80}, {(byte) 0xf0, (byte) 0x9f, (byte) 0x98, (byte) 0x80}, {65, (byte) 0x80, 66}};
        for (byte[] m : malformed) {
            String decoded = new String(m, StandardCharsets.UTF_8);
            String strict;
            try {
                strict = points(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(m)).toString());
            } catch (CharacterCodingException e) {
                strict = e.getClass().getSimpleName();
            }
            System.out.println(hex(m) + " " + points(decoded) + " | " + strict);
        }
        String composed = "\u00e9";
        String decomposed = "e\u0301";
        System.out.println(composed.equals(decomposed) + " " + Normalizer.normalize(decomposed, Normalizer.Form.NFC).equals(composed) + " " + points(Normalizer.normalize(
            "\u00e9\ufb01\u00c5", Normalizer.Form.NFKD)) + " " + Normalizer.isNormalized(composed, Normalizer.Form.NFD));
        System.out.println(points(new StringBuilder().appendCodePoint(0x1f600).append('x').reverse().toString()) + " " + points("\u00df\ufb03".toUpperCase(java.util.Locale
            .ROOT)) + " " + points("\u03a3A\u03a3".toLowerCase(java.util.Locale.ROOT)) + " " + "\u00e9".equalsIgnoreCase("\u00c9"));
        System.out.println(Charset.forName("utf8") + " " + Charset.isSupported("UTF-8") + " " + StandardCharsets.US_ASCII.newEncoder().canEncode('\u00e9') + " "
            + Arrays.toString(StandardCharsets.UTF_8.encode("\u00e9").array()).length());
        char[] chars = {'\ud83d', '\ude00', 'a'};
        System.out.println(Character.codePointAt(chars, 0) + " " + Character.codePointBefore(chars, 2) + " " + Character.codePointCount(chars, 0, 3));
    }
}
