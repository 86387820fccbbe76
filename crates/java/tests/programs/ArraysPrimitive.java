// Arrays of every primitive type: defaults, stores, loads, length, for-each, initialisers.
import java.util.Arrays;

public class ArraysPrimitive {
    public static void main(String[] args) {
        boolean[] z = new boolean[3];
        byte[] b = new byte[3];
        short[] s = new short[3];
        char[] c = new char[3];
        int[] i = new int[3];
        long[] l = new long[3];
        float[] f = new float[3];
        double[] d = new double[3];
        String[] t = new String[3];
        System.out.println(z[0] + " " + b[0] + " " + s[0] + " " + (int) c[0] + " " + i[0] + " " + l[0] + " " + f[0] + " " + d[0]
            + " " + t[0]);
        for (int k = 0; k < 3; k++) {
            z[k] = k % 2 == 0;
            b[k] = (byte) (k * 100);
            s[k] = (short) (k * 20000);
            c[k] = (char) ('a' + k);
            i[k] = k * 2000000000;
            l[k] = k * 5000000000L;
            f[k] = k / 3f;
            d[k] = k / 3d;
            t[k] = "t" + k;
        }
        System.out.println(Arrays.toString(z));
        System.out.println(Arrays.toString(b));
        System.out.println(Arrays.toString(s));
        System.out.println(Arrays.toString(c));
        System.out.println(c);
        System.out.println(Arrays.toString(i));
        System.out.println(Arrays.toString(l));
        System.out.println(Arrays.toString(f));
        System.out.println(Arrays.toString(d));
        System.out.println(Arrays.toString(t));
        int[] literal = {5, 4, 3, 2, 1,};
        int sum = 0;
        for (int v : literal) {
            sum = sum * 10 + v;
        }
        System.out.println(sum + " " + literal.length + " " + new int[0].length + " " + new int[] {}.length);
        int[] alias = literal;
        alias[0] = 99;
        int[] copy = literal.clone();
        copy[1] = 77;
        System.out.println(literal[0] + " " + literal[1] + " " + (alias == literal) + " " + (copy == literal) + " "
            + copy.equals(literal) + " " + Arrays.equals(copy, literal));
        Object o = literal;
        System.out.println(((int[]) o)[2] + " " + (o instanceof int[]) + " " + (o instanceof Object[]));
        char size = 4;
        byte small = 2;
        System.out.println(new long[size].length + " " + new long[small][].length);
        int swap[] = {1, 2}, single = 3;
        System.out.println(swap[0] + swap[1] + single);
        long total = 0;
        for (byte v : new byte[] {-1, -2, -3}) {
            total += v;
        }
        System.out.println(total);
    }
}
