// StringJoiner, StringTokenizer and joining of strings.
import java.util.List;
import java.util.StringJoiner;
import java.util.StringTokenizer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

public class StringJoinerSplit {
    public static void main(String[] args) {
        StringJoiner j = new StringJoiner(", ", "{", "}");
        System.out.println(j + " " + j.length());
        j.setEmptyValue("EMPTY");
        System.out.println(j);
        j.add("a").add(null).add("");
        System.out.println(j + " " + j.length());
        j.merge(new StringJoiner("-").add("x").add("y"));
        j.merge(new StringJoiner("!"));
        System.out.println(j);
        System.out.println(new StringJoiner(",").add("single") + "|" + new StringJoiner(","));
        StringTokenizer t = new StringTokenizer("a b\tc  d");
        System.out.print(t.countTokens() + ":");
        while (t.hasMoreTokens()) {
            System.out.print(" <" + t.nextToken() + ">");
        }
        System.out.println();
        t = new StringTokenizer("1+2*3", "+*", true);
        while (t.hasMoreElements()) {
            System.out.print(t.nextElement() + " ");
        }
        System.out.println();
        try {
            t.nextToken();
        } catch (java.util.NoSuchElementException e) {
            System.out.println("no more " + e.getMessage());
        }
        System.out.println(Stream.of("p", "q", "r").collect(Collectors.joining("|", "<", ">")) + " " + String.join("", List.of("m", "n")));
        System.out.println(Stream.<String>empty().collect(Collectors.joining("|", "<", ">")));
    }
}
