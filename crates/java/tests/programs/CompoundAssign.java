// Compound assignment on locals, fields, statics and array elements; order of evaluation.
public class CompoundAssign {
    static int calls;
    static int[] data = {10, 20, 30};
    int field = 7;
    long wide = 1;
    double real = 0.5;
    static String text = "t";

    static int next() {
        return calls++;
    }

    static int[] array() {
        System.out.print("array ");
        return data;
    }

    static int index(int i) {
        System.out.print("index ");
        return i;
    }

    static int value(int v) {
        System.out.print("value ");
        return v;
    }

    CompoundAssign self() {
        System.out.print("self ");
        return this;
    }

    public static void main(String[] args) {
        data[next()] += 5;
        data[next()] *= next();
        data[next() % 3] -= 1;
        System.out.println(data[0] + " " + data[1] + " " + data[2] + " calls " + calls);
        array()[index(1)] = value(99);
        System.out.println(data[1]);
        array()[index(2)] <<= value(2);
        System.out.println(data[2]);
        CompoundAssign o = new CompoundAssign();
        System.out.println(o.self().field++ + " " + ++o.self().field + " " + o.field);
        o.field ^= 0xff;
        o.field %= 100;
        o.wide <<= 40;
        o.wide |= 3;
        o.wide += 0.99;
        o.real *= 3;
        o.real -= 1e-3;
        System.out.println(o.field + " " + o.wide + " " + o.real);
        System.out.println(o.wide-- + " " + --o.wide + " " + o.real++ + " " + ++o.real);
        text += 1 + 2;
        text += 'c';
        text += null;
        text += 1.5f;
        text += new char[0].length;
        System.out.println(text);
        String[] words = {"a", "b"};
        words[0] += words[1] += "x";
        System.out.println(words[0] + " " + words[1]);
        int i = 1;
        i += i++ * 2 + i;
        System.out.println(i);
        int k = 3;
        k = k-- - --k;
        System.out.println(k);
        int a;
        int b;
        int c;
        a = b = c = 42;
        System.out.println(a + b + c);
        int x = 10;
        x -= 3 - (x = 2);
        System.out.println(x);
        Integer boxed = 5;
        boxed++;
        boxed += 10;
        Integer old = boxed--;
        System.out.println(boxed + " " + old);
        long[] longs = {5};
        longs[0]++;
        longs[0] *= longs[0]--;
        System.out.println(longs[0]);
        try {
            int[] gone = null;
            gone[index(0)] = value(1);
        } catch (NullPointerException e) {
            System.out.println("null after value");
        }
        try {
            data[index(5)] = value(1) / (calls - calls);
        } catch (ArithmeticException | ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
