// expect: holds
// outcomes: o o|o x|x x
import java.lang.reflect.Method;
/** The arguments of a reflected call are read from the first to the last. */
public class ReflectedArguments {
    static final Object[] GIVEN = {"o", "o"};

    public static String show(Object a, Object b) {
        return a + " " + b;
    }

    public static void main(String[] args) throws Exception {
        Method method = ReflectedArguments.class.getMethod("show", Object.class, Object.class);
        Thread other = new Thread(() -> {
            GIVEN[1] = "x";
            GIVEN[0] = "x";
        });
        other.start();
        Object shown = method.invoke(null, GIVEN);
        other.join();
        System.out.println(shown);
    }
}
