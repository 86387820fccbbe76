// byte, short and char: storage, promotion, compound assignment, wrap-around.
public class SmallInts {
    static byte fieldByte = 127;
    static short fieldShort = 32767;
    static char fieldChar = 65535;
    static boolean fieldBool;
    byte b;
    short s;
    char c;
    boolean z;

    static byte asByte(int v) {
        return (byte) v;
    }

    static short asShort(int v) {
        return (short) v;
    }

    static char asChar(int v) {
        return (char) v;
    }

    public static void main(String[] args) {
        fieldByte++;
        fieldShort++;
        fieldChar++;
        fieldBool ^= true;
        System.out.println(fieldByte + " " + fieldShort + " " + (int) fieldChar + " " + fieldBool);
        SmallInts o = new SmallInts();
        o.b += 200;
        o.s -= 40000;
        o.c -= 1;
        o.z |= true;
        System.out.println(o.b + " " + o.s + " " + (int) o.c + " " + o.z);
        o.b *= 3.7;
        o.s /= 7;
        o.c >>= 1;
        System.out.println(o.b + " " + o.s + " " + (int) o.c);
        byte[] bytes = {1, -1, 127, -128};
        short[] shorts = {1, -1, 32767, -32768};
        char[] chars = {'a', 0, 65535, '\u1234'};
        boolean[] bools = new boolean[3];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] += 1;
            shorts[i]++;
            chars[i]--;
            System.out.println(bytes[i] + " " + shorts[i] + " " + (int) chars[i]);
        }
        bools[1] = !bools[1];
        bools[2] |= bools[1];
        System.out.println(bools[0] + " " + bools[1] + " " + bools[2]);
        for (int v : new int[] {0, 255, 256, 65535, 65536, -1, 0x12345}) {
            System.out.println(asByte(v) + " " + asShort(v) + " " + (int) asChar(v));
        }
        final byte k = 10;
        byte m = k + 5;
        System.out.println(m + " " + (m + 'a') + " " + (char) (m + 'a') + " " + (m == 15L) + " " + ('a' + 'b') + " " + (char) 98);
        System.out.println(Byte.toUnsignedInt((byte) -1) + " " + Short.toUnsignedInt((short) -1) + " " + Byte.parseByte("-77"));
        int counter = 5;
        counter = counter++ + ++counter;
        System.out.println(counter);
    }
}
