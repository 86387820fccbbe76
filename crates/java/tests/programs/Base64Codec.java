// Base64 and checksums written in Java.
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.CRC32C;

public class Base64Codec {
    public static void main(String[] args) {
        for (String s : new String[] {"", "f", "fo", "foo", "foob", "fooba", "foobar", "\u00ff\u00fe?>"}) {
            byte[] raw = s.getBytes(StandardCharsets.ISO_8859_1);
            String e = Base64.getEncoder().encodeToString(raw);
            String u = Base64.getUrlEncoder().withoutPadding().encodeToString(raw);
            System.out.println(raw.length + " " + e + " " + u + " " + Arrays.equals(raw, Base64.getDecoder().decode(e)) + " " + Arrays.equals(raw, Base64.getUrlDecoder()
                .decode(u)));
        }
        byte[] many = new byte[100];
        for (int i = 0; i < many.length; i++) {
            many[i] = (byte) (i * 7);
        }
        System.out.println(Base64.getMimeEncoder().encodeToString(many).replace("\r\n", "|"));
        for (String bad : new String[] {"A", "AB=C", "A*==", "AAA=="}) {
            try {
                System.out.println(Base64.getDecoder().decode(bad).length);
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
        CRC32C c = new CRC32C();
        c.update(many, 0, many.length);
        System.out.println(Long.toHexString(c.getValue()));
    }
}
