import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.Collection;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

@RunWith(Parameterized.class)
public class SquareTest {
    @Parameterized.Parameters(name = "{0} and {1}")
    public static Collection<Object[]> data() {
        return Arrays.asList(new Object[][] {{1, 1}, {2, 4}, {3, 9}});
    }

    final int side;
    final int area;

    public SquareTest(int side, int area) {
        this.side = side;
        this.area = area;
    }

    @Test
    public void holds() {
        assertEquals(area, side * side);
    }

    @Test
    public void fails() {
        assertTrue(side < 3);
    }
}
