// Reference objects while their referents are strongly held.
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;

public class References {
    public static void main(String[] args) {
        Object strong = new Object();
        WeakReference<Object> weak = new WeakReference<>(strong);
        SoftReference<Object> soft = new SoftReference<>(strong);
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        PhantomReference<Object> phantom = new PhantomReference<>(strong, queue);
        System.out.println((weak.get() == strong) + " " + (soft.get() == strong) + " " + phantom.get() + " " + queue.poll() + " " + weak.refersTo(strong));
        weak.clear();
        System.out.println(weak.get() + " " + weak.refersTo(null));
        WeakReference<Object> queued = new WeakReference<>(strong, queue);
        System.out.println(queued.enqueue() + " " + (queue.poll() == queued) + " " + queued.enqueue() + " " + queued.get());
        Map<Object, String> m = new WeakHashMap<>();
        m.put(strong, "kept");
        m.put("literal", "also");
        System.out.println(m.size() + " " + m.get(strong) + " " + m.remove("literal") + " " + m.containsKey("literal"));
        java.lang.ref.Reference.reachabilityFence(strong);
        System.out.println(Runtime.getRuntime().availableProcessors() > 0);
        System.out.println(Runtime.getRuntime().totalMemory() > 0 && Runtime.getRuntime().maxMemory() > 0);
    }
}
