// Character streams over strings: readers, writers, line numbers, pushback.
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.CharArrayWriter;
import java.io.IOException;
import java.io.LineNumberReader;
import java.io.PrintWriter;
import java.io.PushbackReader;
import java.io.StreamTokenizer;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;

public class ReadersWriters {
    public static void main(String[] args) throws IOException {
        BufferedReader r = new BufferedReader(new StringReader("first\nsecond\r\nthird\rlast"), 4);
        for (String line = r.readLine(); line != null; line = r.readLine()) {
            System.out.println("[" + line + "]");
        }
        System.out.println(r.read() + " " + new BufferedReader(new StringReader("a\nb\n\nc")).lines().toList());
        StringReader s = new StringReader("abcdef");
        s.skip(1);
        s.mark(10);
        char[] buf = new char[3];
        System.out.println((char) s.read() + " " + s.read(buf) + " " + new String(buf) + " " + s.read(buf, 1, 2) + " " + new String(buf));
        s.reset();
        System.out.println((char) s.read());
        s.close();
        try {
            s.read();
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
        StringWriter out = new StringWriter();
        try (BufferedWriter w = new BufferedWriter(out, 5)) {
            w.write("hello world");
            w.append('!').append("xyz", 1, 2);
            w.write(65);
            w.write("abcdef", 2, 3);
        }
        System.out.println(out + " " + out.getBuffer().length());
        StringWriter text = new StringWriter();
        PrintWriter p = new PrintWriter(text, true);
        p.print(1);
        p.print('c');
        p.print(2.5);
        p.print((Object) null);
        p.print(new char[] {'x', 'y'});
        p.printf(java.util.Locale.ROOT, " %05.1f ", 3.14159);
        p.println(true);
        System.out.println(text.toString().trim() + " " + p.checkError());
        LineNumberReader l = new LineNumberReader(new StringReader("x\ny\nz"));
        l.readLine();
        l.readLine();
        System.out.println(l.getLineNumber());
        PushbackReader push = new PushbackReader(new StringReader("12+3"), 2);
        int c = push.read();
        push.unread(c);
        push.unread('-');
        System.out.println((char) push.read() + "" + (char) push.read() + (char) push.read());
        CharArrayWriter ca = new CharArrayWriter();
        new StringReader("transferred").transferTo(ca);
        System.out.println(ca + " " + ca.size());
        StreamTokenizer t = new StreamTokenizer(new StringReader("x = 3.5 * (y + 'str') // comment"));
        t.slashSlashComments(true);
        StringBuilder b = new StringBuilder();
        while (t.nextToken() != StreamTokenizer.TT_EOF) {
            b.append(t.ttype == StreamTokenizer.TT_NUMBER ? "N" + t.nval : t.ttype == StreamTokenizer.TT_WORD ? "W" + t.sval : t.ttype == '\'' ? "S" + t.sval : "C"
                + (char) t.ttype).append(' ');
        }
        System.out.println(b);
        System.out.println(new UncheckedIOException(new IOException("inner")).getMessage());
    }
}
