// ClassCastException and its text, for classes, interfaces and arrays of the program.
import java.util.ArrayList;
import java.util.List;

public class ClassCastMessages {
    interface Swims {}

    static class Animal {}

    static class Fish extends Animal implements Swims {}

    static class Dog extends Animal {}

    static String text(RuntimeException e) {
        // The class loader's name carries its hash: it is cut out.
        return e.getMessage().replaceAll("@[0-9a-f]+", "@");
    }

    interface Action {
        Object run();
    }

    static void show(Action action) {
        try {
            Object o = action.run();
            System.out.println("fine " + (o == null ? null : o.getClass().getName()));
        } catch (ClassCastException e) {
            System.out.println(text(e));
        }
    }

    @SuppressWarnings("unchecked")
    static <T> T unsafe(Object o) {
        return (T) o;
    }

    public static void main(String[] args) {
        Object fish = new Fish();
        Object dog = new Dog();
        Object text = "text";
        Object none = null;
        show(() -> (Fish) fish);
        show(() -> (Animal) fish);
        show(() -> (Swims) fish);
        show(() -> (Dog) none);
        show(() -> (Fish) dog);
        show(() -> (Swims) dog);
        show(() -> (Animal) text);
        show(() -> (Integer) text);
        show(() -> (String) fish);
        show(() -> (Object[]) fish);
        show(() -> (int[]) (Object) new long[0]);
        show(() -> (Object[]) (Object) new long[0]);
        show(() -> (Object[]) (Object) new long[0][0]);
        show(() -> (String[]) new Object[0]);
        show(() -> (Animal[]) (Object) new Dog[0]);
        show(() -> (Fish[]) (Object) new Dog[0]);
        show(() -> (Runnable) text);
        show(() -> (Comparable<?>) text);
        show(() -> Fish.class.cast(fish));
        show(() -> Fish.class.cast(dog));
        List<Object> raw = new ArrayList<>();
        raw.add(1);
        List<String> strings = unsafe(raw);
        show(() -> {
            String s = strings.get(0);
            return s;
        });
        show(() -> {
            Integer i = NpeFree.<Integer>give("x");
            return i;
        });
        show(() -> strings.size());
    }

    static class NpeFree {
        static <T> T give(Object o) {
            return unsafe(o);
        }
    }
}
