//! Memory outside of objects: what uses it wrongly in some schedule ends the process, with a message.

use crate::Sandbox;
use crate::java::{assert_has, compiled};

const PROGRAM: &str = "import java.lang.reflect.Field;
import sun.misc.Unsafe;

public class Memory {
    static Unsafe unsafe;
    static long block;

    public static void main(String[] args) throws Exception {
        Field field = Unsafe.class.getDeclaredField(\"theUnsafe\");
        field.setAccessible(true);
        unsafe = (Unsafe) field.get(null);
        block = unsafe.allocateMemory(8);
        switch (args[0]) {
            case \"freed\" -> {
                Thread other = new Thread(() -> unsafe.putInt(block, 1));
                other.start();
                unsafe.freeMemory(block);
                other.join();
            }
            case \"joined\" -> {
                Thread other = new Thread(() -> unsafe.putInt(block, 1));
                other.start();
                other.join();
                unsafe.freeMemory(block);
            }
            case \"twice\" -> {
                unsafe.freeMemory(block);
                unsafe.freeMemory(block);
            }
            case \"beyond\" -> unsafe.getInt(block + 6);
            case \"copied\" -> unsafe.copyMemory(block, block + 4, 8);
            case \"filled\" -> unsafe.setMemory(block - 1, 4, (byte) 0);
        }
    }
}
";

#[test]
fn wrong_uses_of_memory_are_violations() {
    let sandbox = Sandbox::new();
    let path = compiled(&sandbox, "Memory", PROGRAM);
    for (how, expected) in [
        ("freed", "which is not allocated"),
        ("twice", "is given back, where none is allocated"),
        ("beyond", "4 bytes at 6 of 8 bytes of memory"),
        ("copied", "8 bytes at 4 of 8 bytes of memory"),
        ("filled", "which is not allocated"),
    ] {
        let run = sandbox.run(&["check", "-cp", &path, "Memory", "--", how]);
        assert_eq!(run.code, 1, "{how}: {run:?}");
        assert_has(&run.out, &["A fatal error: ", expected, "violated: Memory: safety", "134"]);
    }
    let run = sandbox.run(&["check", "-q", "-cp", &path, "Memory", "--", "joined"]);
    assert!(run.code == 0 && run.out.starts_with("holds"), "{run:?}");
}
