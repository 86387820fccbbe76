import static org.junit.Assert.assertEquals;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import org.junit.Test;

public class MockTest {
    public interface Service {
        int get(String key);
    }

    static class Real {
        int base = 3;

        int twice(int n) {
            return 2 * n + base;
        }
    }

    @Test
    public void holds() throws Exception {
        Service service = mock(Service.class);
        when(service.get("x")).thenReturn(7);
        assertEquals(7, service.get("x"));
        assertEquals(0, service.get("y"));
        verify(service).get("x");
    }

    @Test
    public void holdsForAClass() {
        Real real = mock(Real.class);
        when(real.twice(3)).thenReturn(9);
        assertEquals(0, real.twice(2));
        assertEquals(9, real.twice(3));
        assertEquals(5, spy(new Real()).twice(1));
    }

    @Test
    public void failsIfNotCalled() {
        Service service = mock(Service.class);
        service.get("x");
        verify(service, times(2)).get("x");
    }
}
