// Serialisation round trips: graphs, transient fields, custom hooks, enums, records, externalizable.
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.NotSerializableException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class ObjectStreams {
    static class Base {
        int base = 1;

        Base() {
            base = 77;
        }
    }

    static class Node extends Base implements Serializable {
        private static final long serialVersionUID = 1L;
        final String name;
        transient int skipped = 5;
        Node next;
        int[] data = {1, 2, 3};
        long l = 1L << 40;
        double d = 0.5;
        char c = 'x';
        boolean z = true;

        Node(String name) {
            this.name = name;
        }
    }

    static class Hooked implements Serializable {
        private static final long serialVersionUID = 2L;
        transient List<String> log = new ArrayList<>();
        int value = 3;

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeInt(99);
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            log = new ArrayList<>(List.of("read " + in.readInt()));
            if (value < 0) {
                throw new InvalidObjectException("negative");
            }
        }
    }

    static class Single implements Serializable {
        private static final long serialVersionUID = 3L;
        static final Single ONE = new Single();

        private Object readResolve() {
            return ONE;
        }
    }

    public static class Ext implements Externalizable {
        int v;

        public Ext() {}

        @Override
        public void writeExternal(ObjectOutput out) throws IOException {
            out.writeInt(v * 2);
        }

        @Override
        public void readExternal(ObjectInput in) throws IOException {
            v = in.readInt();
        }
    }

    enum Kind { A, B }

    record Point(int x, String y) implements Serializable {}

    @SuppressWarnings("unchecked")
    static <T> T copy(T t) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(t);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (T) in.readObject();
        }
    }

    public static void main(String[] args) throws Exception {
        Node a = new Node("a");
        Node b = new Node("b");
        a.next = b;
        b.next = a;
        a.base = 1000;
        a.data[0] = 42;
        Node copy = copy(a);
        System.out.println(copy.name + copy.next.name + (copy.next.next == copy) + " " + copy.base + " " + copy.skipped + " " + copy.data[0] + " " + copy.l + copy.d + copy.c
            + copy.z);
        System.out.println(copy(new Hooked()).log + " " + copy(new Hooked()).value);
        System.out.println((copy(Single.ONE) == Single.ONE) + " " + (copy(Kind.B) == Kind.B) + " " + copy(new Point(1, "y")) + " " + copy(new Point(1, "y")).equals(new Point(1,
            "y")));
        Ext e = new Ext();
        e.v = 21;
        System.out.println(copy(e).v);
        Map<String, List<Integer>> m = new HashMap<>();
        m.put("one", new ArrayList<>(List.of(1, 2)));
        m.put("two", List.of(3));
        System.out.println(copy(m).equals(m) + " " + copy(List.of(1, "x", 2.5)) + " " + copy(new int[][] {{1}, {2, 3}})[1][1] + " " + copy("text") + " " + copy(5L) + " "
            + copy((Object) null));
        Object[] shared = {b, b};
        Object[] back = copy(shared);
        System.out.println(back[0] == back[1]);
        try {
            copy(new Object[] {new Base()});
        } catch (NotSerializableException x) {
            System.out.println(x.getMessage());
        }
        try {
            Hooked bad = new Hooked();
            bad.value = -1;
            copy(bad);
        } catch (InvalidObjectException x) {
            System.out.println(x.getMessage());
        }
    }
}
