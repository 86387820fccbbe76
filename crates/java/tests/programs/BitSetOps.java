// BitSet.
import java.util.Arrays;
import java.util.BitSet;

public class BitSetOps {
    public static void main(String[] args) {
        BitSet a = new BitSet();
        a.set(1);
        a.set(5, 9);
        a.set(64);
        a.set(200);
        BitSet b = new BitSet(300);
        b.set(6);
        b.set(7, false);
        b.set(64, 130);
        System.out.println(a + " " + b + " " + a.cardinality() + " " + b.cardinality() + " " + a.length() + " " + a.size() + " " + b.isEmpty());
        BitSet and = (BitSet) a.clone();
        and.and(b);
        BitSet or = (BitSet) a.clone();
        or.or(b);
        BitSet xor = (BitSet) a.clone();
        xor.xor(b);
        BitSet not = (BitSet) a.clone();
        not.andNot(b);
        System.out.println(and + " " + or.cardinality() + " " + xor.cardinality() + " " + not + " " + a.intersects(b));
        System.out.println(a.nextSetBit(2) + " " + a.nextClearBit(5) + " " + a.previousSetBit(63) + " " + a.previousClearBit(8) + " " + a.nextSetBit(201));
        a.flip(0, 4);
        a.clear(200);
        System.out.println(a + " " + a.get(2) + " " + a.get(1000) + " " + a.get(0, 7) + " " + Arrays.toString(a.toLongArray()));
        System.out.println(BitSet.valueOf(new long[] {5, 1}) + " " + a.stream().sum() + " " + a.equals(a.clone()) + " " + a.hashCode());
        BitSet sieve = new BitSet(100);
        sieve.set(2, 100);
        for (int p = sieve.nextSetBit(0); p >= 0; p = sieve.nextSetBit(p + 1)) {
            for (int q = p * p; q < 100; q += p) {
                sieve.clear(q);
            }
        }
        System.out.println(sieve);
        try {
            a.set(-1);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
