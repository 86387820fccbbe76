// Choice of overloads, widening before boxing before varargs, null arguments, ternaries.
public class Overloading {
    static String f(byte x) { return "byte"; }
    static String f(short x) { return "short"; }
    static String f(char x) { return "char"; }
    static String f(int x) { return "int"; }
    static String f(long x) { return "long"; }
    static String f(float x) { return "float"; }
    static String f(double x) { return "double"; }
    static String f(boolean x) { return "boolean"; }
    static String f(Object x) { return "Object"; }
    static String f(String x) { return "String"; }
    static String g(long x) { return "long"; }
    static String g(Object x) { return "Object"; }
    static String g(double x) { return "double"; }
    static String h(Integer x) { return "Integer"; }
    static String h(long x) { return "long"; }
    static String k(CharSequence x) { return "CharSequence"; }
    static String k(Comparable<?> x, int... y) { return "Comparable"; }
    static String m(int x, double y) { return "int,double"; }
    static String m(double x, int y) { return "double,int"; }
    static String m(double x, double y) { return "double,double"; }

    public static void main(String[] args) {
        byte b = 1;
        short s = 1;
        System.out.println(f(b) + f(s) + f('c') + f(1) + f(1L) + f(1f) + f(1d) + f(true) + f("s") + f(new int[0]) + f(Integer.valueOf(1)));
        System.out.println(f(b + b) + f(s++) + f('a' + 1) + f(1 + 1L) + f(1L + 1f) + f(1f * 2d) + f(b == s) + f("" + b) + f((Object) "x"));
        System.out.println(f(null) + f(true ? 1 : 'c') + f(true ? b : s) + f(true ? b : 'c') + f(false ? 1 : 2.0) + f(true ? "s" : null));
        System.out.println(g(1) + g('c') + g(1f) + g(true) + g(Long.valueOf(1)) + h(1) + h('c') + h(b) + k("s") + m(1.0, 1.0) + m(1, 1.0));
        char c = 'a';
        c++;
        System.out.println(f(c) + f(c++) + f(+c) + f(-b) + f(~b) + f(b << 1L) + f(1L << b) + f((byte) 300) + (byte) 300);
        System.out.println((char) 97 + " " + (int) 'a' + " " + (char) ('a' + 1) + ('a' + 1) + (true ? 'a' : 0) + (true ? 'a' : args.length));
    }
}
