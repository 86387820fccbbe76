// instanceof and casts with arrays, interfaces of arrays, null.
import java.io.Serializable;

public class InstanceofArrays {
    static String of(Object o) {
        StringBuilder s = new StringBuilder();
        s.append(o instanceof Object ? "Object " : "");
        s.append(o instanceof Object[] ? "Object[] " : "");
        s.append(o instanceof Object[][] ? "Object[][] " : "");
        s.append(o instanceof int[] ? "int[] " : "");
        s.append(o instanceof int[][] ? "int[][] " : "");
        s.append(o instanceof String[] ? "String[] " : "");
        s.append(o instanceof Number[] ? "Number[] " : "");
        s.append(o instanceof Integer[] ? "Integer[] " : "");
        s.append(o instanceof Comparable[] ? "Comparable[] " : "");
        s.append(o instanceof Cloneable ? "Cloneable " : "");
        s.append(o instanceof Serializable ? "Serializable " : "");
        s.append(o instanceof Cloneable[] ? "Cloneable[] " : "");
        s.append(o instanceof Serializable[][] ? "Serializable[][] " : "");
        s.append(o instanceof char[] ? "char[] " : "");
        return s.toString();
    }

    public static void main(String[] args) {
        Object[] all = {null, new Object(), "text", 1, new Object[0], new Object[0][0], new int[0], new int[0][0], new int[0][0][0],
            new String[0], new String[0][0], new Integer[0], new Number[0], new Integer[0][0], new char[0], new boolean[0][0],
            new Cloneable[0], new Comparable[0][0]};
        for (Object o : all) {
            System.out.println((o == null ? null : o.getClass().getTypeName()) + ": " + of(o));
        }
        Object[] covariant = new Integer[] {1, 2};
        System.out.println(covariant.getClass() == Integer[].class);
        System.out.println(((Comparable[]) covariant).length + " " + ((Object) covariant instanceof Number[] n ? n[1].intValue() : -1));
        int[][] grid = {{1}, {2}};
        Object[] rows = grid;
        System.out.println(rows[1] instanceof int[] r ? r[0] : -1);
        System.out.println(new int[0].getClass() == new int[5].getClass());
        System.out.println(int[].class.getSuperclass().getName() + " " + int[].class.getInterfaces().length + " "
            + String[].class.getInterfaces()[0].getName());
    }
}
