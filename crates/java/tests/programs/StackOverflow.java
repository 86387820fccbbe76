// StackOverflowError is an error like others: caught, finally blocks run, the program goes on.
public class StackOverflow {
    static int depth;

    static int down(int n) {
        depth++;
        return down(n + 1) + 1;
    }

    static boolean even(long n) {
        return n == -1 || odd(n + 1);
    }

    static boolean odd(long n) {
        return n == -1 || even(n + 1);
    }

    public static void main(String[] args) {
        try {
            down(0);
            System.out.println("never");
        } catch (StackOverflowError e) {
            System.out.println("caught " + (depth > 500) + " " + e.getMessage());
        }
        boolean caught = false;
        try {
            even(0);
        } catch (VirtualMachineError e) {
            caught = e instanceof StackOverflowError && e.getStackTrace().length > 0
                && e.getStackTrace()[0].getClassName().equals("StackOverflow");
        } finally {
            System.out.println("finally " + caught);
        }
        depth = 0;
        try {
            down(0);
        } catch (Throwable t) {
            System.out.println(t.getClass().getName() + " " + (depth > 500));
        }
    }
}
