// expect: holds
// outcomes: 00|01|11
// Data first, flag second; the reader reads the flag first: never flag without data.
public class MessagePassing {
    static int data;
    static int flag;
    static int readFlag;
    static int readData;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            data = 1;
            flag = 1;
        });
        Thread b = new Thread(() -> {
            readFlag = flag;
            readData = data;
        });
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println("" + readFlag + readData);
    }
}
