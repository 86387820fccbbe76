// expect: holds
// outcomes: 0|7
// A final field is read while the constructor that writes it runs: `this` got out before.
public class FinalLeaks {
    static volatile FinalLeaks leaked;
    final int value;

    FinalLeaks() {
        leaked = this;
        value = 7;
    }

    public static void main(String[] args) throws Exception {
        Thread reader = new Thread(() -> {
            FinalLeaks seen = leaked;
            if (seen != null) {
                System.out.println(seen.value);
            } else {
                System.out.println(7);
            }
        });
        reader.start();
        new FinalLeaks();
        reader.join();
    }
}
