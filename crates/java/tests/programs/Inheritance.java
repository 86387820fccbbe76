// Overriding, hiding of fields and statics, super calls, protected access, covariant returns.
public class Inheritance {
    static class A {
        String name = "A.name";
        static String who() {
            return "A.who";
        }

        String get() {
            return name;
        }

        String call() {
            return "A.call " + get() + " " + hidden() + " " + who();
        }

        private String hidden() {
            return "A.hidden";
        }

        A self() {
            return this;
        }

        protected Object value() {
            return 1;
        }

        String over(Object o) {
            return "A.object";
        }

        String over(String s) {
            return "A.string";
        }
    }

    static class B extends A {
        String name = "B.name";
        static String who() {
            return "B.who";
        }

        @Override
        String get() {
            return name + "<" + super.get() + "<" + super.name + "<" + ((A) this).name;
        }

        String hidden() {
            return "B.hidden";
        }

        @Override
        B self() {
            return this;
        }

        @Override
        public String value() {
            return "text " + super.value();
        }

        @Override
        String over(Object o) {
            return "B.object";
        }
    }

    static class C extends B {
        @Override
        String get() {
            return "C>" + super.get();
        }

        String grand() {
            return super.call();
        }
    }

    public static void main(String[] args) {
        A a = new A();
        A b = new B();
        A c = new C();
        for (A x : new A[] {a, b, c}) {
            System.out.println(x.name + " | " + x.get() + " | " + x.call() + " | " + x.value() + " | " + x.self().getClass().getName());
            Object text = "text";
            System.out.println(x.over(text) + " " + x.over("text") + " " + x.over(null));
        }
        System.out.println(((B) c).name + " " + ((A) c).name + " " + ((C) c).grand() + " " + ((B) c).hidden());
        System.out.println(A.who() + " " + B.who() + " " + C.who());
        System.out.println(new C().self().self().name);
        System.out.println(b.getClass().getSuperclass().getSimpleName() + " " + (b instanceof A) + " " + (a instanceof B));
    }
}
