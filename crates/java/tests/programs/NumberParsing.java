// Parsing of numbers, good and bad, with the messages.
public class NumberParsing {
    interface Parser {
        Object parse(String s);
    }

    static void all(String name, Parser p, String... inputs) {
        for (String s : inputs) {
            try {
                System.out.println(name + " '" + s + "' = " + p.parse(s));
            } catch (NumberFormatException e) {
                System.out.println(name + " '" + s + "' " + e.getMessage());
            } catch (NullPointerException e) {
                System.out.println(name + " null pointer");
            }
        }
    }

    public static void main(String[] args) {
        String[] ints = {"0", "-0", "+5", "2147483647", "2147483648", "-2147483648", "-2147483649", "", "-", "+", " 1", "1 ", "1_000", "0x1f",
            "12a", "99999999999", null};
        all("int", Integer::parseInt, ints);
        all("long", Long::parseLong, "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1L", "", null);
        all("byte", Byte::parseByte, "127", "128", "-128", "-129");
        all("short", Short::parseShort, "32767", "32768");
        all("int16", s -> Integer.parseInt(s, 16), "ff", "FF", "-7f", "fg", "80000000");
        all("int2", s -> Integer.parseInt(s, 2), "1010", "2", "-11");
        all("double", Double::parseDouble, "1", "1.5", "-1.5e3", ".5", "5.", "1e400", "1e-400", "NaN", "-Infinity", "0x1p3", "0x1.8p-1", " 2.5 ",
            "1d", "1.0f", "1e", "e1", "", "1,5", "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "1.7976931348623157e308",
            "1.7976931348623159e308", "9007199254740993", "0.1", "123456789012345678901234567890", "2.2250738585072011e-308", "++1", null);
        all("float", Float::parseFloat, "1.1", "16777217", "3.4028235e38", "3.4028236e38", "1e-46", "0.1f", "x", "1.00000017881393432617187499",
            "1.00000017881393432617187500", "1.00000017881393432617187501");
        all("boolean", Boolean::parseBoolean, "true", "TRUE", "yes", "", null);
        all("decode", Integer::decode, "0x7fffffff", "-0x80000000", "#10", "017", "08", "0x", "-", "--1");
        all("unsigned", Integer::parseUnsignedInt, "4294967295", "4294967296", "-1");
        all("radix", s -> Integer.parseInt("1", Integer.parseInt(s)), "1", "37", "36");
    }
}
