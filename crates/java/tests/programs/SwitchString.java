// Switch on strings, with colliding hash codes.
public class SwitchString {
    static int of(String s) {
        switch (s) {
            case "Aa": return 1;
            case "BB": return 2;
            case "AaAa": return 3;
            case "BBBB": return 4;
            case "AaBB": return 5;
            case "": return 6;
            case "long text with spaces": return 7;
            case "\u00e9": return 8;
            default: return 0;
        }
    }

    static String day(String name) {
        return switch (name.toLowerCase(java.util.Locale.ROOT)) {
            case "sat", "sun" -> "weekend";
            case "mon", "tue", "wed", "thu", "fri" -> {
                String r = "work";
                yield r + "day";
            }
            default -> throw new IllegalArgumentException("no day: " + name);
        };
    }

    public static void main(String[] args) {
        System.out.println("Aa".hashCode() == "BB".hashCode());
        for (String s : new String[] {"Aa", "BB", "AaAa", "BBBB", "AaBB", "BBAa", "", "long text with spaces", "\u00e9", "x"}) {
            System.out.println(s.length() + " " + of(s) + " " + of(new String(s.toCharArray())));
        }
        for (String s : new String[] {"Sat", "MON", "fri", "xyz"}) {
            try {
                System.out.println(day(s));
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
        try {
            of(null);
        } catch (NullPointerException e) {
            System.out.println("null");
        }
    }
}
