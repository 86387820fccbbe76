// exit: 3
// System.exit inside finally: nothing after it runs.
public class ExitInFinally {
    public static void main(String[] args) {
        try {
            throw new IllegalStateException("lost");
        } finally {
            System.out.println("leaving");
            try {
                System.exit(3);
            } finally {
                System.out.println("never");
            }
        }
    }
}
