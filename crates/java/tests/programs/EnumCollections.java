// EnumMap and EnumSet.
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.Map;

public class EnumCollections {
    enum Day { MON, TUE, WED, THU, FRI, SAT, SUN }

    public static void main(String[] args) {
        EnumMap<Day, String> map = new EnumMap<>(Day.class);
        map.put(Day.SUN, "rest");
        map.put(Day.MON, "work");
        map.put(Day.WED, null);
        System.out.println(map + " " + map.size() + " " + map.containsKey(Day.WED) + " " + map.get(Day.TUE) + " " + map.containsKey(null));
        map.merge(Day.MON, " hard", String::concat);
        map.computeIfAbsent(Day.FRI, d -> d.name().toLowerCase(java.util.Locale.ROOT));
        map.remove(Day.WED);
        for (Map.Entry<Day, String> e : map.entrySet()) {
            System.out.println(e.getKey() + "=" + e.getValue());
        }
        System.out.println(map.keySet() + " " + map.values() + " " + map.equals(Map.copyOf(map)));
        EnumSet<Day> weekend = EnumSet.of(Day.SUN, Day.SAT);
        EnumSet<Day> week = EnumSet.complementOf(weekend);
        System.out.println(weekend + " " + week + " " + EnumSet.range(Day.TUE, Day.THU) + " " + EnumSet.noneOf(Day.class) + " "
            + EnumSet.allOf(Day.class).size());
        week.removeAll(EnumSet.of(Day.MON, Day.FRI, Day.SUN));
        week.add(Day.SUN);
        System.out.println(week + " " + week.contains(Day.SUN) + " " + week.containsAll(EnumSet.of(Day.TUE, Day.SUN)));
        week.retainAll(weekend);
        System.out.println(week);
        Iterator<Day> it = weekend.iterator();
        it.next();
        it.remove();
        System.out.println(weekend + " " + EnumSet.copyOf(java.util.List.of(Day.FRI, Day.MON)));
        try {
            map.put(null, "x");
        } catch (NullPointerException e) {
            System.out.println("no null");
        }
    }
}
