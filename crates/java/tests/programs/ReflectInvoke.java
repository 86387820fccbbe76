// Reflection: calling methods and constructors, reading and writing fields, errors of both.
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

public class ReflectInvoke {
    static class Target {
        private int number = 5;
        long wide = 6;
        double real = 0.5;
        boolean flag;
        char letter = 'a';
        String text = "t";
        static int shared = 10;
        final int fixed;

        Target() {
            this(1);
        }

        private Target(int fixed) {
            this.fixed = fixed;
            if (fixed < 0) {
                throw new IllegalArgumentException("negative");
            }
        }

        private int add(int a, long b) {
            return (int) (number + a + b);
        }

        static String join(String sep, Object... parts) {
            return parts.length + sep;
        }

        void fail(String why) throws Exception {
            throw new Exception(why);
        }

        public String virtual() {
            return "target";
        }
    }

    static class Sub extends Target {
        @Override
        public String virtual() {
            return "sub";
        }
    }

    abstract static class Abstract {}

    interface Action {
        Object run() throws Exception;
    }

    static void show(Action a) {
        try {
            System.out.println(a.run());
        } catch (InvocationTargetException e) {
            System.out.println("target threw " + e.getCause());
        } catch (Exception e) {
            System.out.println(e.getClass().getName());
        }
    }

    public static void main(String[] args) throws Exception {
        Target t = new Target();
        Method add = Target.class.getDeclaredMethod("add", int.class, long.class);
        add.setAccessible(true);
        show(() -> add.invoke(t, 1, 2L));
        show(() -> add.invoke(t, (short) 1, 2));
        show(() -> add.invoke(t, "x", 2L));
        show(() -> add.invoke(t, 1));
        show(() -> add.invoke(null, 1, 2L));
        show(() -> add.invoke("wrong", 1, 2L));
        show(() -> add.invoke(t, null, 2L));
        Method join = Target.class.getDeclaredMethod("join", String.class, Object[].class);
        show(() -> join.invoke(null, "-", new Object[] {1, 2, 3}));
        Method fail = Target.class.getDeclaredMethod("fail", String.class);
        show(() -> fail.invoke(t, "because"));
        Method virtual = Target.class.getMethod("virtual");
        show(() -> virtual.invoke(t) + " " + virtual.invoke(new Sub()));
        Constructor<Target> made = Target.class.getDeclaredConstructor(int.class);
        show(() -> made.newInstance(9).fixed);
        show(() -> made.newInstance(-9).fixed);
        show(() -> Target.class.getDeclaredConstructor().newInstance().number);
        show(() -> Abstract.class.getDeclaredConstructor().newInstance());
        Field number = Target.class.getDeclaredField("number");
        show(() -> {
            number.setInt(t, 50);
            return number.get(t) + " " + number.getInt(t) + " " + number.getLong(t) + " " + t.number;
        });
        show(() -> {
            number.set(t, "text");
            return "set";
        });
        for (String name : new String[] {"wide", "real", "flag", "letter", "text", "shared", "fixed"}) {
            Field f = Target.class.getDeclaredField(name);
            System.out.println(name + " " + f.getType() + " " + f.get(t));
        }
        Target.class.getDeclaredField("wide").set(t, 7);
        Target.class.getDeclaredField("real").setDouble(t, 1.5);
        Target.class.getDeclaredField("flag").setBoolean(t, true);
        Target.class.getDeclaredField("letter").set(t, 'z');
        Target.class.getDeclaredField("text").set(t, null);
        Target.class.getDeclaredField("shared").setInt(null, 11);
        System.out.println(t.wide + " " + t.real + " " + t.flag + " " + t.letter + " " + t.text + " " + Target.shared);
        show(() -> {
            Target.class.getDeclaredField("fixed").setInt(t, 3);
            return "set";
        });
        show(() -> Math.class.getMethod("max", int.class, int.class).invoke(null, 3, 4));
        show(() -> String.class.getMethod("substring", int.class, int.class).invoke("reflection", 2, 6));
        show(() -> Class.forName("java.util.ArrayList").getDeclaredConstructor().newInstance());
    }
}
