import static org.junit.Assert.assertEquals;

import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.ExpectedException;
import org.junit.rules.ExternalResource;

public class RuleTest {
    static class Opened extends ExternalResource {
        boolean isOpen;

        @Override
        protected void before() {
            isOpen = true;
        }

        @Override
        protected void after() {
            isOpen = false;
        }
    }

    @Rule
    public final Opened opened = new Opened();

    @Rule
    public final ExpectedException expected = ExpectedException.none();

    int count;

    @Before
    public void begin() {
        count = 0;
    }

    @After
    public void end() {
        assertEquals(true, opened.isOpen);
    }

    @Test
    public void fails() throws Exception {
        Thread other = new Thread(() -> count++);
        other.start();
        count++;
        other.join();
        assertEquals(2, count);
    }

    @Test
    public void holds() {
        assertEquals(true, opened.isOpen);
    }

    @Test
    public void holdsWhenThrown() {
        expected.expect(IllegalStateException.class);
        throw new IllegalStateException("as expected");
    }

    @Test
    public void failsUnthrown() {
        expected.expect(IllegalStateException.class);
    }

    @Test(timeout = 100)
    public void holdsInTime() throws Exception {
        Thread other = new Thread(() -> {
            synchronized (this) {
                count++;
            }
        });
        other.start();
        synchronized (this) {
            count++;
        }
        other.join();
        assertEquals(2, count);
    }
}
