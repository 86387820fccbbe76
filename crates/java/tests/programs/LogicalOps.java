// Short-circuit and full evaluation of boolean operators, precedence, conditional chains.
public class LogicalOps {
    static StringBuilder log = new StringBuilder();

    static boolean t(String s) {
        log.append(s);
        return true;
    }

    static boolean f(String s) {
        log.append(s);
        return false;
    }

    static void show(boolean b) {
        System.out.println(b + " " + log);
        log.setLength(0);
    }

    static int sign(int x) {
        return x < 0 ? -1 : x > 0 ? 1 : 0;
    }

    public static void main(String[] args) {
        show(t("a") && t("b"));
        show(f("a") && t("b"));
        show(t("a") || t("b"));
        show(f("a") || t("b"));
        show(f("a") & t("b"));
        show(t("a") | f("b"));
        show(t("a") ^ t("b"));
        show(!t("a") || !f("b") && t("c"));
        show(f("a") && t("b") || t("c") && t("d"));
        show((t("a") || f("b")) && (f("c") || f("d")));
        show(t("a") ? f("b") : t("c"));
        show(f("a") ? f("b") : f("c") ? t("d") : t("e"));
        boolean x = false;
        x |= t("a");
        x &= f("b");
        x ^= t("c");
        show(x);
        show((x = false) || x == false && !x);
        System.out.println(sign(-5) + " " + sign(0) + " " + sign(9));
        int i = 5;
        boolean r = i++ > 5 || i++ > 5 && i++ > 7;
        System.out.println(r + " " + i);
        System.out.println(1 + 2 * 3 % 4 - 5 / 2 + (7 & 3 | 8 ^ 2) + (1 << 2 + 1) + (-8 >> 1 >>> 28));
        boolean p = true;
        boolean q = false;
        System.out.println((p == q | p != q) + " " + (p ? q ? 1 : 2 : q ? 3 : 4) + " " + (p & !q ^ q));
    }
}
