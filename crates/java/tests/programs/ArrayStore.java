// ArrayStoreException: covariance of arrays is checked at each store.
import java.util.Arrays;

public class ArrayStore {
    interface Shape {}

    static class Circle implements Shape {
        @Override
        public String toString() {
            return "circle";
        }
    }

    static class Ring extends Circle {
        @Override
        public String toString() {
            return "ring";
        }
    }

    static void put(Object[] array, int index, Object value) {
        try {
            array[index] = value;
            System.out.println("stored " + (value instanceof Object[] ? "array" : value));
        } catch (ArrayStoreException | ArrayIndexOutOfBoundsException e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) {
        put(new Object[1], 0, "text");
        put(new String[1], 0, "text");
        put(new String[1], 0, null);
        put(new String[1], 0, 1);
        put(new Integer[1], 0, 1L);
        put(new Number[1], 0, 1L);
        put(new Shape[1], 0, new Circle());
        put(new Shape[1], 0, new Ring());
        put(new Circle[1], 0, new Ring());
        put(new Ring[1], 0, new Circle());
        put(new Shape[1], 0, "text");
        put(new Comparable[1], 0, "text");
        put(new Object[1][], 0, new String[0]);
        put(new String[1][], 0, new String[0]);
        put(new String[1][], 0, new Object[0]);
        put(new int[1][], 0, "text");
        put(new Object[1], 0, new int[][] {{1}});
        put(new Cloneable[1], 0, new Object[] {new int[2]}.length == 1 ? new String[0] : null);
        put(new java.io.Serializable[1], 0, new Object[0]);
        put(new Shape[1][1], 0, new Ring[2]);
        put(new String[1], 5, 1);
        Object[] mixed = {1, "two", 3.0, 'c', null, new int[0].length};
        System.out.println(Arrays.toString(mixed));
        try {
            Object[] target = new Integer[6];
            System.arraycopy(mixed, 0, target, 0, 6);
        } catch (ArrayStoreException e) {
            System.out.println("copy refused");
        }
    }
}
