// expect: holds
// outcomes: 0 0|0 1|1 0|1 1
/** A string is made of bytes, which may be written meanwhile. */
public class BytesOfString {
    static final byte[] v = {'0', '0'};

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            v[0] = '1';
            v[1] = '1';
        });
        other.start();
        String copy = new String(v, 0);
        other.join();
        System.out.println(copy.charAt(0) + " " + copy.charAt(1));
    }
}
