// Byte streams in memory: data streams, sequences, print streams, redirected System.out.
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

public class ByteStreams {
    public static void main(String[] args) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(2);
        DataOutputStream d = new DataOutputStream(bytes);
        d.writeBoolean(true);
        d.writeByte(-2);
        d.writeShort(-300);
        d.writeChar('\u20ac');
        d.writeInt(123456789);
        d.writeLong(Long.MIN_VALUE + 5);
        d.writeFloat(1.25f);
        d.writeDouble(Math.PI);
        d.writeUTF("utf \u00e9\u20ac\u0000");
        System.out.println(d.size() + " " + Arrays.hashCode(bytes.toByteArray()));
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        System.out.println(in.readBoolean() + " " + in.readByte() + " " + in.readShort() + " " + (int) in.readChar() + " " + in.readInt() + " " + in.readLong() + " "
            + in.readFloat() + " " + in.readDouble() + " " + in.readUTF().length() + " " + in.available() + " " + in.read());
        try {
            in.readInt();
        } catch (EOFException e) {
            System.out.println("end of file");
        }
        ByteArrayInputStream raw = new ByteArrayInputStream(new byte[] {1, 2, 3, -1, 5});
        System.out.println(raw.read() + " " + raw.skip(1) + " " + raw.available() + " " + raw.read(new byte[0]) + " " + Arrays.toString(raw.readNBytes(2)) + " "
            + Arrays.toString(raw.readAllBytes()) + " " + raw.read());
        InputStream seq = new SequenceInputStream(new ByteArrayInputStream("ab".getBytes(StandardCharsets.US_ASCII)), new ByteArrayInputStream(new byte[] {'c'}));
        BufferedInputStream buffered = new BufferedInputStream(seq, 2);
        buffered.mark(5);
        System.out.print((char) buffered.read());
        buffered.reset();
        System.out.println(new String(buffered.readAllBytes(), StandardCharsets.US_ASCII));
        ByteArrayOutputStream encoded = new ByteArrayOutputStream();
        try (OutputStreamWriter w = new OutputStreamWriter(encoded, StandardCharsets.UTF_8)) {
            w.write("\u00e9\ud83d\ude00");
        }
        System.out.println(encoded.size() + " " + new InputStreamReader(new ByteArrayInputStream(encoded.toByteArray()), StandardCharsets.UTF_8).read());
        PrintStream original = System.out;
        ByteArrayOutputStream captured = new ByteArrayOutputStream();
        System.setOut(new PrintStream(captured, true, StandardCharsets.UTF_8));
        System.out.println("captured " + 1);
        System.out.print('c');
        System.out.write('d');
        System.setOut(original);
        System.out.println("got " + captured.toString(StandardCharsets.UTF_8).replaceAll("\\R", "|"));
        OutputStream counting = new OutputStream() {
            int n;

            @Override
            public void write(int b) {
                n += b & 0xff;
            }

            @Override
            public String toString() {
                return "sum " + n;
            }
        };
        new ByteArrayInputStream(new byte[] {1, 2, -1}).transferTo(counting);
        System.out.println(counting);
        InputStream stdin = System.in;
        System.setIn(new ByteArrayInputStream("typed".getBytes(StandardCharsets.US_ASCII)));
        System.out.println((char) System.in.read() + " " + (stdin != System.in));
        System.err.println("to stderr");
    }
}
