// Scanner over strings.
import java.util.InputMismatchException;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Scanner;

public class ScannerStrings {
    public static void main(String[] args) {
        Scanner s = new Scanner("12 word 3.5 true\nnext line here\n-7 99999999999 0x1f").useLocale(Locale.ROOT);
        System.out.println(s.nextInt() + " " + s.next() + " " + s.nextDouble() + " " + s.nextBoolean() + " [" + s.nextLine() + "] [" + s.nextLine() + "] " + s.hasNextInt()
            + " " + s.nextInt() + " " + s.hasNextInt() + " " + s.hasNextLong() + " " + s.nextLong());
        try {
            s.nextInt();
        } catch (InputMismatchException e) {
            System.out.println("mismatch " + e.getMessage());
        }
        System.out.println(s.next() + " " + s.hasNext());
        try {
            s.next();
        } catch (NoSuchElementException e) {
            System.out.println("exhausted");
        }
        Scanner csv = new Scanner("a,b,,c").useDelimiter(",");
        while (csv.hasNext()) {
            System.out.print("<" + csv.next() + ">");
        }
        System.out.println();
        System.out.println(new Scanner("1 fish 2 fish").findInLine("(\\d+) fish") + " " + new Scanner("a1b2").useDelimiter("\\d").tokens().toList());
        int sum = 0;
        Scanner lines = new Scanner("1 2\n3\n\n4 5 6");
        int n = 0;
        while (lines.hasNextLine()) {
            Scanner line = new Scanner(lines.nextLine());
            while (line.hasNextInt()) {
                sum += line.nextInt();
            }
            n++;
        }
        System.out.println(n + " " + sum + " " + new Scanner("ff").nextInt(16) + " " + new Scanner("12345678901234567890").nextBigInteger());
    }
}
