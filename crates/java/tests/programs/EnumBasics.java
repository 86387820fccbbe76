// Enums: values, valueOf, ordinal, compareTo, constructors, static members, in interfaces.
import java.util.Arrays;

public class EnumBasics {
    enum Planet {
        MERCURY(3.303e+23, 2.4397e6), EARTH(5.976e+24, 6.37814e6), JUPITER(1.9e+27, 7.1492e7);

        private static final double G = 6.67300E-11;
        private final double mass;
        private final double radius;

        Planet(double mass, double radius) {
            this.mass = mass;
            this.radius = radius;
        }

        double gravity() {
            return G * mass / (radius * radius);
        }
    }

    interface Coded {
        int code();
    }

    enum Level implements Coded {
        LOW, MIDDLE {
            @Override
            public int code() {
                return 50;
            }
        },
        HIGH;

        static int count;

        static {
            for (Level l : values()) {
                count += l.ordinal();
            }
        }

        @Override
        public int code() {
            return ordinal() * 100;
        }

        Level next() {
            return values()[(ordinal() + 1) % values().length];
        }

        @Override
        public String toString() {
            return name().charAt(0) + name().substring(1).toLowerCase(java.util.Locale.ROOT);
        }
    }

    enum Lonely { INSTANCE; int state; }

    enum None {}

    public static void main(String[] args) {
        for (Planet p : Planet.values()) {
            System.out.println(p + " " + p.ordinal() + " " + p.gravity());
        }
        for (Level l : Level.values()) {
            System.out.println(l + " " + l.name() + " " + l.code() + " " + l.next() + " " + l.getDeclaringClass().getSimpleName() + " "
                + (l.getClass() == Level.class) + " " + l.compareTo(Level.MIDDLE));
        }
        System.out.println(Level.count + " " + Level.valueOf("HIGH") + " " + Enum.valueOf(Level.class, "LOW"));
        for (String bad : new String[] {"high", "", null}) {
            try {
                Level.valueOf(bad);
            } catch (IllegalArgumentException | NullPointerException e) {
                System.out.println(e.getMessage());
            }
        }
        Lonely.INSTANCE.state = 5;
        System.out.println(Lonely.valueOf("INSTANCE").state + " " + None.values().length);
        System.out.println(Level.values() == Level.values());
        System.out.println(Level.LOW.equals(Level.LOW) + " " + (Level.LOW == Level.HIGH));
        System.out.println(Arrays.toString(Level.class.getEnumConstants()) + " " + Level.class.isEnum() + " "
            + Level.MIDDLE.getClass().isEnum());
        Level[] shuffled = {Level.HIGH, Level.LOW, Level.MIDDLE};
        Arrays.sort(shuffled);
        System.out.println(Arrays.toString(shuffled));
    }
}
