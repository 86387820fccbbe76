// expect: holds
// outcomes: a a|a b|b b
/** What comes before an element that cannot be stored is copied, in ascending order. */
public class CopyChecked {
    static final Object[] from = {"b", "b", 1};
    static final String[] v = {"a", "a", "a"};

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            try {
                System.arraycopy(from, 0, v, 0, 3);
                throw new AssertionError();
            } catch (ArrayStoreException e) {
                String what = "arraycopy: element type mismatch: can not cast one of the elements of java.lang.Object[] to the type of the destination array, java.lang.String";
                if (!e.getMessage().equals(what) || e.getStackTrace()[0].getMethodName().startsWith("<")) {
                    throw new AssertionError(e.getMessage());
                }
            }
        });
        other.start();
        String second = v[1];
        String first = v[0];
        other.join();
        System.out.println(second + " " + first);
    }
}
