// Switch on enums, as statement and as expression.
public class SwitchEnum {
    enum Colour { RED, GREEN, BLUE, BLACK }

    static String statement(Colour c) {
        String r = "";
        switch (c) {
            case RED:
                r += "warm";
                break;
            case BLUE:
                r += "cold";
            case GREEN:
                r += "cool";
                break;
            default:
                r += "none";
        }
        return r;
    }

    static int expression(Colour c) {
        return switch (c) {
            case RED -> 0xff0000;
            case GREEN -> 0x00ff00;
            case BLUE -> 0x0000ff;
            case BLACK -> 0;
        };
    }

    static boolean isWarm(Colour c) {
        return switch (c) {
            case RED: yield true;
            case BLUE, GREEN: yield false;
            default:
                if (c.ordinal() > 2) {
                    yield c.name().length() == 5;
                }
                yield false;
        };
    }

    public static void main(String[] args) {
        for (Colour c : Colour.values()) {
            System.out.println(c + " " + statement(c) + " " + Integer.toHexString(expression(c)) + " " + isWarm(c));
        }
        try {
            statement(null);
        } catch (NullPointerException e) {
            System.out.println("null refused");
        }
        switch (Thread.State.NEW) {
            case RUNNABLE -> System.out.println("running");
            case NEW -> System.out.println("new");
            default -> System.out.println("other");
        }
    }
}
