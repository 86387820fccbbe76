// java.lang.reflect.Proxy.
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

public class DynamicProxy {
    interface Service {
        int add(int a, long b);

        String name();

        void fail() throws java.io.IOException;

        default String twice(String s) {
            return s + s + name();
        }

        double[] spread(Object... all);
    }

    static class Real implements Service {
        @Override
        public int add(int a, long b) {
            return (int) (a + b);
        }

        @Override
        public String name() {
            return "real";
        }

        @Override
        public void fail() throws java.io.IOException {
            throw new java.io.IOException("real failure");
        }

        @Override
        public double[] spread(Object... all) {
            return new double[all.length];
        }
    }

    public static void main(String[] args) throws Exception {
        List<String> log = new ArrayList<>();
        Real real = new Real();
        InvocationHandler logging = (proxy, method, params) -> {
            log.add(method.getName() + Arrays.deepToString(params));
            try {
                return method.invoke(real, params);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        Service s = (Service) Proxy.newProxyInstance(DynamicProxy.class.getClassLoader(), new Class<?>[] {Service.class, Runnable.class}, logging);
        System.out.println(s.add(1, 2L) + " " + s.name() + " " + s.twice("t") + " " + s.spread(1, "x").length);
        try {
            s.fail();
        } catch (java.io.IOException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(log);
        System.out.println((s instanceof Runnable) + " " + Proxy.isProxyClass(s.getClass()) + " " + (Proxy.getInvocationHandler(s) == logging) + " " + s.equals(real));
        Service nulls = (Service) Proxy.newProxyInstance(DynamicProxy.class.getClassLoader(), new Class<?>[] {Service.class}, (p, m, a) -> null);
        System.out.println(nulls.name());
        try {
            nulls.add(1, 1);
        } catch (NullPointerException e) {
            System.out.println("null result");
        }
        Service wrong = (Service) Proxy.newProxyInstance(DynamicProxy.class.getClassLoader(), new Class<?>[] {Service.class}, (p, m, a) -> {
            if (m.getName().equals("name")) {
                return 5;
            }
            throw new Exception("undeclared");
        });
        try {
            wrong.name();
        } catch (ClassCastException e) {
            System.out.println("wrong result");
        }
        try {
            wrong.add(1, 2);
        } catch (UndeclaredThrowableException e) {
            System.out.println(e.getCause().getMessage());
        }
        Comparable<String> c = proxy(Comparable.class, (p, m, a) -> ((String) a[0]).length());
        System.out.println(c.compareTo("four"));
    }

    @SuppressWarnings("unchecked")
    static <T> T proxy(Class<?> face, InvocationHandler h) {
        return (T) Proxy.newProxyInstance(DynamicProxy.class.getClassLoader(), new Class<?>[] {face}, h);
    }
}
