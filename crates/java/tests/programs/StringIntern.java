// Interning: literals, constants across classes, computed strings.
public class StringIntern {
    static final String FIELD = "shared";

    static class Other {
        static final String FIELD = "sha" + "red";
        static String computed = new StringBuilder("sha").append("red").toString();
    }

    public static void main(String[] args) {
        String literal = "shared";
        String built = new String("shared");
        String half = "sha";
        System.out.println((literal == FIELD) + " " + (FIELD == Other.FIELD) + " " + (literal == built) + " " + literal.equals(built));
        System.out.println((half + "red" == literal) + " " + ((half + "red").intern() == literal) + " " + (Other.computed == literal) + " "
            + (Other.computed.intern() == literal));
        String fresh = String.valueOf(new char[] {'f', 'r', '3', 's', 'h'});
        System.out.println((fresh.intern() == "fr3sh") + " " + (fresh.intern() == fresh.intern()));
        System.out.println("".intern() == new String().intern());
        String copy = literal.substring(0);
        System.out.println((copy == literal) + " " + (literal.concat("") == literal) + " " + (literal.trim() == literal) + " "
            + (literal.replace('x', 'y') == literal) + " " + (literal.toString() == literal) + " " + (String.valueOf(literal) == literal));
    }
}
