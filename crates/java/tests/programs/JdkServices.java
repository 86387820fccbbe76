// Services that modules of the JDK provide: each provider once, those of the program's own class path none.
import java.nio.charset.spi.CharsetProvider;
import java.util.List;
import java.util.ServiceLoader;
import java.util.random.RandomGenerator;
import java.util.spi.ToolProvider;

public class JdkServices {
    interface Own {}

    static <S> void show(Class<S> service) {
        List<String> names = ServiceLoader.load(service).stream().map(provider -> provider.type().getName()).sorted().toList();
        System.out.println(service.getSimpleName() + " " + names);
    }

    public static void main(String[] args) {
        show(RandomGenerator.class);
        show(CharsetProvider.class);
        show(Own.class);
        System.out.println(RandomGenerator.of("L64X128MixRandom").getClass().getSimpleName() + " " + ServiceLoader.load(ToolProvider.class).iterator().hasNext());
        System.out.println(RandomGenerator.of("SplittableRandom").isDeprecated());
    }
}
