// Text blocks: indentation, escapes, line joining, trailing blanks.
public class TextBlocks {
    public static void main(String[] args) {
        String plain = """
            first
              second
            third
            """;
        System.out.print(plain);
        String noEnd = """
            one
            two""";
        System.out.println(noEnd + "|");
        String shifted = """
            a
           b
          c
         """;
        System.out.print(shifted);
        String joined = """
            one \
            line \
            only""";
        System.out.println(joined);
        String quotes = """
            say "hi" and \"""triple\""" and \\ and \t tab
            trailing\s\s
            oct \101 unicode \u0041
            """;
        System.out.print(quotes.replace(' ', '_'));
        System.out.println(plain.lines().count() + " " + plain.length() + " " + """
            x""".equals("x"));
        String formatted = """
            %s has %d
            """.formatted("bag", 3);
        System.out.print(formatted);
        System.out.print("  a\n    b\n".indent(2) + "  a\n    b".stripIndent() + "\n" + "a\\tb\\n".translateEscapes());
    }
}
