// StringBuilder and StringBuffer: append, insert, delete, replace, reverse, growth.
public class StringBuilderOps {
    public static void main(String[] args) {
        StringBuilder b = new StringBuilder();
        b.append(1).append(2L).append(3f).append(4d).append('5').append("6").append(true).append((Object) null).append((String) null)
            .append(new char[] {'7', '8'}).append(new char[] {'a', 'b', 'c'}, 1, 1).append("xyz", 1, 2).append(new StringBuilder("sb"))
            .appendCodePoint(0x41);
        System.out.println(b + " " + b.length());
        b.insert(0, "start ").insert(6, 99).insert(b.length(), '!').insert(3, 1.5).insert(0, true).insert(1, new char[] {'-', '-'});
        System.out.println(b);
        b.delete(0, 6).deleteCharAt(0).replace(0, 2, "REPLACED").setCharAt(1, 'e');
        System.out.println(b);
        System.out.println(b.indexOf("9") + " " + b.lastIndexOf("9") + " " + b.indexOf("none") + " " + b.charAt(3) + " " + b.substring(2, 5)
            + " " + b.substring(b.length() - 3));
        System.out.println(new StringBuilder("abc").reverse() + " " + new StringBuilder("").reverse() + " "
            + new StringBuilder("a\ud83d\ude00b").reverse().toString().equals("b\ud83d\ude00a"));
        b.setLength(3);
        System.out.println(b + "|" + b.length());
        b.setLength(5);
        System.out.println((int) b.charAt(4));
        StringBuilder wide = new StringBuilder("latin");
        wide.append('\u20ac').append("more").insert(0, '\u00e9');
        System.out.println(wide.length() + " " + (int) wide.charAt(0) + " " + (int) wide.charAt(6) + " " + wide.indexOf("\u20acm"));
        wide.deleteCharAt(6).deleteCharAt(0);
        System.out.println(wide + " " + wide.toString().equals("latinmore"));
        StringBuilder big = new StringBuilder(1);
        for (int i = 0; i < 300; i++) {
            big.append(i % 10);
        }
        System.out.println(big.length() + " " + big.toString().hashCode() + " " + (big.capacity() >= 300));
        System.out.println(new StringBuilder("a").compareTo(new StringBuilder("b")) + " " + new StringBuilder("a").equals(new StringBuilder("a"))
            + " " + "a".contentEquals(new StringBuilder("a")));
        StringBuffer f = new StringBuffer("buffer");
        f.append(1).insert(0, 'x').reverse();
        System.out.println(f + " " + f.length());
        for (int k = 0; k < 4; k++) {
            try {
                switch (k) {
                    case 0 -> new StringBuilder("abc").insert(4, "x");
                    case 1 -> new StringBuilder("abc").delete(2, 1);
                    case 2 -> new StringBuilder("abc").setCharAt(3, 'x');
                    default -> System.out.println(new StringBuilder("abc").delete(1, 100));
                }
            } catch (StringIndexOutOfBoundsException e) {
                System.out.println(e.getMessage());
            }
        }
        StringBuilder self = new StringBuilder("ab");
        self.append(self).append(self);
        System.out.println(self + " " + self.chars().filter(c -> c == 'a').count());
    }
}
