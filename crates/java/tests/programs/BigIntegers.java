// BigInteger.
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Random;

public class BigIntegers {
    public static void main(String[] args) {
        BigInteger f = BigInteger.ONE;
        for (int i = 2; i <= 40; i++) {
            f = f.multiply(BigInteger.valueOf(i));
        }
        System.out.println(f + " " + f.bitLength() + " " + f.bitCount() + " " + f.getLowestSetBit() + " " + f.signum() + " " + f.toString(16) + " " + f.toString(36));
        BigInteger a = new BigInteger("123456789012345678901234567890");
        BigInteger b = new BigInteger("-987654321098765432109");
        System.out.println(a.add(b) + " " + a.subtract(b) + " " + a.multiply(b) + " " + a.divide(b) + " " + a.mod(b.negate()) + " " + a.remainder(b) + " "
            + b.remainder(a) + " " + Arrays.toString(a.divideAndRemainder(b)) + " " + a.gcd(b) + " " + a.pow(5) + " " + b.abs() + " " + a.negate());
        System.out.println(a.and(b) + " " + a.or(b) + " " + a.xor(b) + " " + a.not() + " " + a.shiftLeft(70) + " " + a.shiftRight(50) + " " + b.shiftRight(50) + " "
            + a.testBit(3) + " " + a.setBit(200).bitLength() + " " + a.clearBit(1) + " " + a.flipBit(0));
        System.out.println(a.compareTo(b) + " " + a.equals(new BigInteger("123456789012345678901234567890")) + " " + a.hashCode() + " " + b.hashCode() + " "
            + a.max(b).equals(a) + " " + a.min(b).equals(b));
        System.out.println(a.intValue() + " " + a.longValue() + " " + a.doubleValue() + " " + b.floatValue() + " " + Arrays.toString(b.toByteArray()) + " "
            + new BigInteger(new byte[] {-1, 0}) + " " + new BigInteger(1, new byte[] {-1, 0}) + " " + new BigInteger("ff", 16) + " " + new BigInteger("-zz", 36));
        System.out.println(BigInteger.TWO.modPow(new BigInteger("1000"), new BigInteger("1000000007")) + " " + BigInteger.valueOf(3).modInverse(BigInteger.valueOf(11))
            + " " + BigInteger.valueOf(97).isProbablePrime(20) + " " + new BigInteger("1000000007").isProbablePrime(10) + " " + BigInteger.valueOf(91).isProbablePrime(120)
            + " " + BigInteger.valueOf(1000000).sqrt() + " " + a.sqrt());
        BigInteger x = BigInteger.ONE;
        BigInteger y = BigInteger.ONE;
        for (int i = 0; i < 200; i++) {
            BigInteger t = x.add(y);
            x = y;
            y = t;
        }
        System.out.println(y + " " + y.mod(BigInteger.TEN) + " " + new BigInteger(100, new Random(5)));
        BigInteger large = BigInteger.TWO.pow(3000).subtract(BigInteger.ONE);
        System.out.println(large.multiply(large).hashCode() + " " + large.toString().length() + " " + large.divide(a.pow(10)).hashCode());
        for (int k = 0; k < 5; k++) {
            try {
                switch (k) {
                    case 0 -> a.divide(BigInteger.ZERO);
                    case 1 -> new BigInteger("12x");
                    case 2 -> a.mod(b);
                    case 3 -> a.longValueExact();
                    default -> BigInteger.TWO.modInverse(BigInteger.valueOf(4));
                }
            } catch (ArithmeticException | NumberFormatException e) {
                System.out.println(e);
            }
        }
    }
}
