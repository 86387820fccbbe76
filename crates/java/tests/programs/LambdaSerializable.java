// Lambdas with intersection types: serialisable, marker interfaces, and their round trip.
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.Comparator;
import java.util.function.Function;

public class LambdaSerializable {
    interface Marker {}

    interface SerFunction<A, B> extends Function<A, B>, Serializable {}

    static Object copy(Object o) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(o);
        }
        return new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
    }

    @SuppressWarnings("unchecked")
    public static void main(String[] args) throws Exception {
        Runnable r = (Runnable & Marker & Serializable) () -> System.out.println("marked");
        r.run();
        System.out.println((r instanceof Marker) + " " + (r instanceof Serializable));
        int add = 5;
        String text = "t";
        SerFunction<Integer, String> f = x -> text + (x + add);
        SerFunction<Integer, String> g = (SerFunction<Integer, String>) copy(f);
        System.out.println(f.apply(1) + " " + g.apply(2) + " " + (f != g));
        Comparator<String> c = (Comparator<String> & Serializable) String::compareToIgnoreCase;
        System.out.println(((Comparator<String>) copy(c)).compare("a", "B"));
        ((Runnable) copy(r)).run();
        try {
            copy((Runnable) () -> { });
        } catch (NotSerializableException e) {
            System.out.println("not serialisable");
        }
        System.out.println(((Comparator<String>) copy(Comparator.<String>naturalOrder().reversed())).compare("a", "b"));
    }
}
