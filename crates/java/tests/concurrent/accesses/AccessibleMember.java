// expect: holds
// outcomes: denied|found
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;

/** A member is made accessible, and inaccessible again at once, while another thread makes a handle of it. */
public class AccessibleMember {
    static String result = "denied";

    public static void main(String[] args) throws Exception {
        Method hidden = Hidden.class.getDeclaredMethod("run");
        Thread changer = new Thread(() -> {
            hidden.setAccessible(true);
            hidden.setAccessible(false);
        });
        changer.start();
        try {
            MethodHandles.lookup().unreflect(hidden);
            result = "found";
        } catch (IllegalAccessException error) {
            result = "denied";
        }
        changer.join();
        System.out.println(result);
    }
}

class Hidden {
    private static void run() {
    }
}
