// expect: holds
// outcomes: 1 2|2 2|1 1
// A final field is written by reflection after the object was shared: reads of it are seen apart.
import java.lang.reflect.Field;

public class FinalByReflection {
    final Integer value;

    FinalByReflection(Integer value) {
        this.value = value;
    }

    public static void main(String[] args) throws Exception {
        FinalByReflection shared = new FinalByReflection(1);
        Field field = FinalByReflection.class.getDeclaredField("value");
        field.setAccessible(true);
        Thread writer = new Thread(() -> {
            try {
                field.set(shared, 2);
            } catch (IllegalAccessException refused) {
                throw new AssertionError(refused);
            }
        });
        writer.start();
        int first = shared.value;
        int second = shared.value;
        System.out.println(first + " " + second);
    }
}
