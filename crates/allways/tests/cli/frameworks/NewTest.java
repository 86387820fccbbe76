import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@NewTest.Prepared
class NewTest {
    @Retention(RetentionPolicy.RUNTIME)
    @ExtendWith(Five.class)
    @interface Prepared {}

    static class Five implements BeforeEachCallback, ParameterResolver {
        @Override
        public void beforeEach(ExtensionContext context) {
            five = 5;
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == StringBuilder.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return new StringBuilder("given");
        }
    }

    static int five;
    int count;

    @Test
    void holds() {
        assertEquals(5, five);
        assertThrows(IllegalStateException.class, () -> { throw new IllegalStateException(); });
    }

    @Test
    void holdsWhenGiven(StringBuilder text) {
        assertEquals("given", text.toString());
    }

    @Test
    void failsNotGiven(Thread thread) {}

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void holdsForEach(int n) {
        assertTrue(n < 4);
    }

    @ParameterizedTest
    @CsvSource({"1,1", "2,4", "3,8"})
    void failsForOne(int side, int area) {
        assertEquals(area, side * side);
    }

    static Stream<Arguments> letters() {
        return Stream.of(Arguments.of(1, "a"), Arguments.of(2, "b"));
    }

    @ParameterizedTest
    @MethodSource("letters")
    void holdsForLetters(int number, String letter) {
        assertEquals(number, letter.charAt(0) - 'a' + 1);
    }

    @RepeatedTest(2)
    void holdsAgain(RepetitionInfo repetition) {
        assertTrue(repetition.getCurrentRepetition() < 3);
    }

    @TestFactory
    Stream<DynamicTest> failsInOneMade() {
        return Stream.of(1, 2).map(n -> DynamicTest.dynamicTest("made " + n, () -> assertTrue(n < 2)));
    }

    @Test
    @Timeout(1)
    void failsInARace() throws Exception {
        Thread other = new Thread(() -> count++);
        other.start();
        count++;
        other.join();
        assertEquals(2, count);
    }

    @Disabled
    @Test
    void never() {
        throw new AssertionError();
    }

    @Nested
    class Inner {
        @BeforeEach
        void begin() {
            count = 1;
        }

        @Test
        void holds() {
            assertEquals(1, count);
        }

        @Test
        void fails() {
            assertEquals(2, count);
        }
    }
}
