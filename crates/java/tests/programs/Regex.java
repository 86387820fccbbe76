// java.util.regex: groups, quantifiers, look-around, replacement, splitting, flags, errors.
import java.util.Arrays;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

public class Regex {
    static void all(String regex, String text) {
        Matcher m = Pattern.compile(regex).matcher(text);
        StringBuilder b = new StringBuilder();
        while (m.find()) {
            b.append('[').append(m.start()).append('-').append(m.end()).append(' ').append(m.group());
            for (int g = 1; g <= m.groupCount(); g++) {
                b.append(' ').append(g).append('=').append(m.group(g));
            }
            b.append(']');
        }
        System.out.println(regex + " on " + text + ": " + b);
    }

    public static void main(String[] args) {
        all("a+", "aa b aaa");
        all("(\\w+)@(\\w+)\\.com", "joe@site.com, ann@work.com, bad@x.org");
        all("(a)|(b)", "abc");
        all("a*?b", "aaab b");
        all("a*", "baa");
        all("\\b\\w", "some words here");
        all("(?<=\\$)\\d+(?!\\d|%)", "$10 20 $30% $405");
        all("(\\w)\\1", "hello book");
        all("[^a-c&&[a-f]]+", "abcdefg");
        all("(?i)HeLLo", "hello HELLO");
        all("(?x) \\d  # digit \n \\s*", "1 2  3");
        all("^\\w+$", "one\ntwo");
        all("(?m)^\\w+$", "one\ntwo");
        all("(?s)a.b", "a\nb");
        all("x{2,3}", "xxxxxxx");
        all("(?:ab)+c", "ababc abc ac");
        all("(a+)+b", "aaaab");
        all("\\p{Upper}\\p{Lower}+", "Some Words in Title");
        all("\\p{IsAlphabetic}+|\\p{Punct}", "ab,cd!1");
        all("a++b|a+c", "aac aab");
        all("\\Qa.b\\E", "a.b axb");
        Matcher m = Pattern.compile("(?<year>\\d{4})-(?<month>\\d\\d)").matcher("on 2024-05 and 1999-12");
        while (m.find()) {
            System.out.println(m.group("year") + "/" + m.group("month") + " at " + m.start("month"));
        }
        System.out.println("a1b22".replaceAll("(\\d+)", "<$1>") + " " + "x.y".replaceAll("\\.", Matcher.quoteReplacement("$")));
        System.out.println(Pattern.compile("\\d").matcher("a1b2").replaceAll(r -> "" + (Integer.parseInt(r.group()) + 5)));
        System.out.println(Arrays.toString(Pattern.compile("\\s*,\\s*").split("a , b,c ,  d")));
        System.out.println(Pattern.matches("[0-9a-f]+", "12ab") + " " + Pattern.compile("b").asPredicate().test("abc") + " "
            + Pattern.compile("b").asMatchPredicate().test("abc"));
        Matcher look = Pattern.compile("ab").matcher("abab");
        System.out.println(look.lookingAt() + " " + look.matches() + " " + look.reset("ab").matches() + " " + look.hitEnd());
        System.out.println(Pattern.compile("o").matcher("foo boo").results().map(MatchResult::start).toList());
        StringBuilder sb = new StringBuilder();
        Matcher app = Pattern.compile("cat").matcher("one cat two cats");
        while (app.find()) {
            app.appendReplacement(sb, "dog");
        }
        app.appendTail(sb);
        System.out.println(sb);
        for (String bad : new String[] {"(", "[a", "a{2", "*", "\\k<x>", "(?<n>a)(?<n>b)"}) {
            try {
                Pattern.compile(bad);
                System.out.println("compiled " + bad);
            } catch (PatternSyntaxException e) {
                System.out.println(e.getDescription() + " at " + e.getIndex());
            }
        }
        try {
            Pattern.compile("a").matcher("a").group();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Pattern.quote("a.b") + " " + Pattern.compile("x", Pattern.CASE_INSENSITIVE).flags() + " " + Pattern.compile("[a-z]"));
    }
}
