// UUIDs from names, message digests.
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;

public class UuidDigest {
    public static void main(String[] args) throws Exception {
        UUID u = UUID.nameUUIDFromBytes("hello".getBytes(StandardCharsets.UTF_8));
        System.out.println(u + " " + u.version() + " " + u.variant() + " " + u.hashCode() + " " + u.getMostSignificantBits());
        UUID p = UUID.fromString("123e4567-e89b-12d3-a456-426614174000");
        System.out.println(p + " " + p.equals(new UUID(p.getMostSignificantBits(), p.getLeastSignificantBits())) + " " + u.compareTo(p) + " " + p.timestamp());
        try {
            UUID.fromString("nonsense");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        for (String name : new String[] {"MD5", "SHA-1", "SHA-256", "SHA-512"}) {
            MessageDigest d = MessageDigest.getInstance(name);
            System.out.println(name + " " + HexFormat.of().formatHex(d.digest("abc".getBytes(StandardCharsets.US_ASCII))));
            d.update(new byte[100]);
            d.update((byte) 1);
            System.out.println("  " + HexFormat.of().formatHex(d.digest()) + " " + d.getDigestLength());
        }
        try {
            MessageDigest.getInstance("NONE-1");
        } catch (NoSuchAlgorithmException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(MessageDigest.isEqual(new byte[] {1}, new byte[] {1}) + " " + HexFormat.ofDelimiter(":").withUpperCase().formatHex(new byte[] {1, -1}) + " "
            + HexFormat.of().parseHex("0aff").length);
    }
}
