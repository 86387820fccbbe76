// Digests, checksums, encodings, identifiers, random numbers with seeds.
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

public class Digests {
    public static void main(String[] args) throws Exception {
        byte[] data = "The quick brown fox jumps over the lazy dog".getBytes(StandardCharsets.US_ASCII);
        for (String name : new String[] {"MD5", "SHA-1", "SHA-256", "SHA-512", "SHA3-256"}) {
            System.out.println(name + " " + HexFormat.of().formatHex(MessageDigest.getInstance(name).digest(data)));
        }
        try {
            MessageDigest.getInstance("none");
        } catch (NoSuchAlgorithmException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(HexFormat.ofDelimiter(":").withUpperCase().formatHex(data, 0, 6));
        CRC32 crc = new CRC32();
        crc.update(data);
        Adler32 adler = new Adler32();
        adler.update(data, 2, 20);
        CRC32C crcc = new CRC32C();
        crcc.update(data);
        System.out.println(Long.toHexString(crc.getValue()) + " " + adler.getValue() + " " + crcc.getValue());
        System.out.println(UUID.nameUUIDFromBytes(data) + " " + UUID.fromString("123e4567-e89b-12d3-a456-426614174000").version() + " " + new UUID(1, 2).hashCode());
        System.out.println(Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[] {-1, -2, -3, 0}) + " " + new String(Base64.getMimeDecoder().decode("aGVs\r\nbG8=")));
        System.out.println(Base64.getMimeEncoder(20, "\n".getBytes()).encodeToString(data));
        Random random = new Random(42);
        System.out.println(random.nextInt() + " " + random.nextInt(10) + " " + random.nextLong() + " " + random.nextDouble() + " " + random.nextGaussian() + " " + random.nextBoolean());
        System.out.println(random.ints(5, 0, 100).boxed().collect(Collectors.toList()) + " " + new SplittableRandom(7).nextInt(1000));
        List<Integer> cards = Arrays.asList(1, 2, 3, 4, 5, 6, 7, 8);
        Collections.shuffle(cards, new Random(3));
        System.out.println(cards);
        ByteBuffer buffer = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN).putInt(0x01020304).putLong(-5).putShort((short) 9);
        buffer.flip();
        System.out.println(buffer + " " + buffer.get() + " " + buffer.order(ByteOrder.BIG_ENDIAN).getShort() + " " + Arrays.toString(Arrays.copyOf(buffer.array(), 8)));
        System.out.println(Arrays.toString("h\u00e4\u20ac\ud83d\ude00".getBytes(StandardCharsets.UTF_8)) + " " + "h\u00e4".getBytes(StandardCharsets.UTF_16).length + " " + new String(new byte[] {(byte) 0xc3, 0x28}, StandardCharsets.UTF_8).codePointAt(0));
        System.out.println(Integer.reverse(6) + " " + Integer.bitCount(255) + " " + Long.numberOfTrailingZeros(64) + " " + Integer.highestOneBit(100) + " " + Integer.rotateLeft(0x80000001, 4) + " " + Integer.reverseBytes(1) + " " + (-17 >>> 28) + " " + (-17 >> 2) + " " + (1 << 33) + " " + (5 & ~1 ^ 3) + " " + (byte) 200 + " " + (char) 97 + " " + (int) 3.99e10 + " " + (long) Float.NaN + " " + -7 / 2 + " " + -7 % 3 + " " + Math.floorMod(-7, 3));
    }
}
