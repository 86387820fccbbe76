// The computed text of NullPointerException.
public class NpeMessages {
    static class Node {
        Node next;
        int value;
        int[] data;
        String name;

        Node follow() {
            return next;
        }

        String label() {
            return name;
        }
    }

    static Node root;
    static int[] numbers;
    static long[][] table = new long[2][];

    interface Action {
        void run();
    }

    static void show(Action action) {
        try {
            action.run();
            System.out.println("fine");
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }

    static Node none() {
        return null;
    }

    static void parameter(Node given, String text, int[] array, int index) {
        try {
            System.out.println(text.length());
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            given.value = 4;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            array[index] = 3;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(array[index + 1]);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        show(() -> root.follow());
        show(() -> System.out.println(root.value));
        show(() -> root.value = 3);
        show(() -> System.out.println(numbers[0]));
        show(() -> numbers[1] = 3);
        show(() -> System.out.println(numbers.length));
        show(() -> System.out.println(table[1][0]));
        show(() -> table[0][1] = 5);
        show(() -> none().follow());
        show(() -> System.out.println(none().next.next.value));
        show(() -> new Node().next.follow());
        show(() -> new Node().follow().label());
        show(() -> System.out.println(new Node().label().length()));
        show(() -> new Node().data[3]++);
        show(() -> System.out.println(new Node().next.data[2]));
        show(() -> {
            throw null;
        });
        show(() -> {
            synchronized (root) {
                System.out.println("unreachable");
            }
        });
        show(() -> {
            Integer boxed = null;
            int plain = boxed;
        });
        show(() -> {
            Object[][] grid = new Object[1][1];
            System.out.println(grid[0][0].toString());
        });
        show(() -> {
            String local = null;
            switch (local) {
                case "a":
                    break;
                default:
                    System.out.println("unreachable");
            }
        });
        show(() -> {
            throw new NullPointerException("own text");
        });
        show(() -> {
            throw new NullPointerException();
        });
        show(() -> java.util.Objects.requireNonNull(null));
        show(() -> java.util.Objects.requireNonNull(null, "must be there"));
        parameter(null, null, null, 1);
    }
}
