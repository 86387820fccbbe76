//! All 202 instructions are executed, and give what `java` gives.
//!
//! Compilers write no `nop`, `swap`, `jsr` and the like, so the programs are assembled here, one method a
//! family; a Java class prints what they compute. Builds with assertions note which operations have run, and
//! the test counts the instructions they came from.

use crate::assemble::{Assembler, mnemonic};
use crate::litmus::{Searched, outcomes};
use crate::programs::{by_java, by_machine};
use crate::{compile, programs};
use allways_java::{ClassPath, Options, Program, Setup};
use allways_search::{StoreKind, Strategy};
use std::collections::BTreeSet;
use std::fmt::Write;

const SHOW: &str = r#"
public class Show {
    public int number = 7;
    public static void i(int x) { System.out.println("int " + x); }
    public static void l(long x) { System.out.println("long " + x); }
    public static void f(float x) { System.out.println("float " + x + " " + Float.floatToIntBits(x)); }
    public static void d(double x) { System.out.println("double " + x + " " + Double.doubleToLongBits(x)); }
    public static void a(Object x) { System.out.println("object " + x); }
    public static void main(String[] args) throws Throwable {
        java.util.function.IntUnaryOperator dynamic = x -> x + args.length;
        System.out.println("dynamic " + dynamic.applyAsInt(41));
        for (java.lang.reflect.Method method : new java.lang.reflect.Method[] {
            FAMILIES
        }) {
            if (args.length > 0 && !method.getName().equals(args[0])) continue;
            System.out.println(method.getName());
            method.invoke(null);
        }
    }
}
"#;

/// The assembled families: name, code, handlers.
type Family = (String, String, Vec<[&'static str; 4]>);

/// Turns `.i` into a call that prints an `int`, and so on.
fn with_prints(text: &str) -> String {
    let words = text.split_ascii_whitespace().map(|word| match word {
        ".i" => "invokestatic Show.i:(I)V",
        ".l" => "invokestatic Show.l:(J)V",
        ".f" => "invokestatic Show.f:(F)V",
        ".d" => "invokestatic Show.d:(D)V",
        ".a" => "invokestatic Show.a:(Ljava/lang/Object;)V",
        word => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

const CONSTANTS: &str = "nop aconst_null .a iconst_m1 .i iconst_0 .i iconst_1 .i iconst_2 .i iconst_3 .i iconst_4 .i \
    iconst_5 .i lconst_0 .l lconst_1 .l fconst_0 .f fconst_1 .f fconst_2 .f dconst_0 .d dconst_1 .d bipush -128 .i \
    sipush -32768 .i ldc int:70000 .i ldc string:early .a ldc class:java/lang/String .a ldc float:2.5 .f \
    ldc_w float:-0.0 .f ldc_w string:late .a ldc2_w long:-9223372036854775808 .l ldc2_w double:5e-324 .d return";

/// Every form of loading and storing, for each kind of value.
fn locals() -> String {
    let mut text = String::new();
    for (kind, value) in [
        ("i", "bipush 42"),
        ("l", "ldc2_w long:1311768467463790320"),
        ("f", "ldc_w float:3.25"),
        ("d", "ldc2_w double:-1e300"),
        ("a", "ldc_w string:kept"),
    ] {
        for n in 0..4 {
            let _ = write!(text, "{value} {kind}store_{n} {kind}load_{n} .{kind} ");
        }
        let _ = write!(text, "{value} {kind}store 200 {kind}load 200 .{kind} ");
        let _ = write!(text, "{value} wide {kind}store 600 wide {kind}load 600 .{kind} ");
    }
    text.push_str("bipush 10 istore 5 iinc 5 -128 iload 5 .i bipush 10 wide istore 300 wide iinc 300 30000 wide iload 300 .i return");
    text
}

/// Every kind of array, its elements zero at first.
fn arrays() -> String {
    let mut text = String::new();
    for (code, value, kind, show) in [
        (4, "iconst_3", "b", "i"),
        (5, "iconst_m1", "c", "i"),
        (6, "ldc_w float:-7.5", "f", "f"),
        (7, "ldc2_w double:0.1", "d", "d"),
        (8, "sipush 511", "b", "i"),
        (9, "ldc_w int:98304", "s", "i"),
        (10, "ldc_w int:-2147483648", "i", "i"),
        (11, "ldc2_w long:-3", "l", "l"),
    ] {
        let _ = write!(
            text,
            "iconst_2 newarray {code} astore_0 aload_0 iconst_1 {value} {kind}astore aload_0 iconst_0 {kind}aload .{show} \
             aload_0 iconst_1 {kind}aload .{show} aload_0 arraylength .i "
        );
    }
    text.push_str(
        "iconst_3 anewarray java/lang/String astore_0 aload_0 iconst_2 ldc_w string:element aastore aload_0 iconst_2 aaload .a \
         aload_0 iconst_0 aaload .a iconst_2 iconst_3 multianewarray [[J 2 astore_0 aload_0 iconst_1 aaload checkcast [J \
         arraylength .i iconst_4 iconst_2 iconst_1 multianewarray [[[Ljava/lang/String; 2 iconst_1 aaload arraylength .i pop return",
    );
    text
}

const STACK: &str = "iconst_1 iconst_2 pop .i iconst_1 iconst_2 iconst_3 pop2 .i iconst_1 lconst_1 pop2 .i \
    iconst_4 dup .i .i iconst_1 iconst_2 dup_x1 .i .i .i iconst_1 iconst_2 iconst_3 dup_x2 .i .i .i .i \
    lconst_1 iconst_3 dup_x2 .i .l .i iconst_1 iconst_2 dup2 .i .i .i .i lconst_1 dup2 .l .l \
    iconst_1 iconst_2 iconst_3 dup2_x1 .i .i .i .i .i iconst_5 ldc2_w long:77 dup2_x1 .l .i .l \
    iconst_1 iconst_2 iconst_3 iconst_4 dup2_x2 .i .i .i .i .i .i iconst_1 iconst_2 ldc2_w double:0.5 dup2_x2 .d .i .i .d \
    ldc2_w long:9 iconst_1 iconst_2 dup2_x2 .i .i .l .i .i ldc2_w long:8 dconst_1 dup2_x2 .d .l .d \
    iconst_1 ldc_w string:under swap .i .a return";

/// Every operation on each pair of these values.
fn arithmetic() -> String {
    let kinds: [(&str, &str, &[&str], &[&str]); 4] = [
        (
            "i",
            "ldc_w int:",
            &["7", "-7", "2147483647", "-2147483648"],
            &["add", "sub", "mul", "div", "rem", "and", "or", "xor", "shl", "shr", "ushr"],
        ),
        (
            "l",
            "ldc2_w long:",
            &["9", "-9", "9223372036854775807", "-9223372036854775808"],
            &["add", "sub", "mul", "div", "rem", "and", "or", "xor"],
        ),
        (
            "f",
            "ldc_w float:",
            &["2.5", "-1.1", "0", "-0.0", "inf", "NaN", "3e38"],
            &["add", "sub", "mul", "div", "rem"],
        ),
        (
            "d",
            "ldc2_w double:",
            &["2.5", "-1.1", "0", "-0.0", "inf", "NaN", "1.7e308"],
            &["add", "sub", "mul", "div", "rem"],
        ),
    ];
    let mut text = String::new();
    for (kind, push, values, operations) in kinds {
        for a in values {
            for b in values {
                for operation in operations {
                    let _ = write!(text, "{push}{a} {push}{b} {kind}{operation} .{kind} ");
                }
            }
            let _ = write!(text, "{push}{a} {kind}neg .{kind} ");
            if kind == "l" {
                for operation in ["shl", "shr", "ushr"] {
                    let _ = write!(text, "{push}{a} bipush 67 l{operation} .l ");
                }
            }
        }
    }
    text + "return"
}

/// Every conversion, of values that fit and values that do not.
fn conversions() -> String {
    let mut text = String::new();
    let sources: [(&str, &str, &[&str], &str); 4] = [
        ("i", "ldc_w int:", &["-1", "65", "200", "100000", "16777217", "2147483647"], "lfdbcs"),
        ("l", "ldc2_w long:", &["-1", "4294967297", "9007199254740993", "9223372036854775807"], "ifd"),
        ("f", "ldc_w float:", &["-1.9", "3e38", "NaN", "-inf", "0.1"], "ild"),
        ("d", "ldc2_w double:", &["-1.9", "1e300", "NaN", "-inf", "0.1", "1e-50"], "ilf"),
    ];
    for (kind, push, values, targets) in sources {
        for value in values {
            for target in targets.chars() {
                let show = if "bcs".contains(target) { 'i' } else { target };
                let _ = write!(text, "{push}{value} {kind}2{target} .{show} ");
            }
        }
    }
    text + "return"
}

/// Every comparison and conditional jump, taken and not.
fn jumps() -> String {
    let mut text = String::new();
    let mut n = 0;
    let mut branch = |text: &mut String, before: &str, jump: &str| {
        n += 1;
        let _ = write!(
            text,
            "{before} {jump} yes{n} ldc_w string:stays goto end{n} yes{n}: ldc_w string:{jump} end{n}: .a "
        );
    };
    for jump in ["ifeq", "ifne", "iflt", "ifge", "ifgt", "ifle"] {
        for value in ["iconst_m1", "iconst_0", "iconst_1"] {
            branch(&mut text, value, jump);
        }
    }
    for jump in ["if_icmpeq", "if_icmpne", "if_icmplt", "if_icmpge", "if_icmpgt", "if_icmple"] {
        for value in ["iconst_2", "iconst_3", "iconst_4"] {
            branch(&mut text, &format!("{value} iconst_3"), jump);
        }
    }
    for jump in ["if_acmpeq", "if_acmpne"] {
        branch(&mut text, "ldc_w string:a ldc_w string:a", jump);
        branch(&mut text, "ldc_w string:a aconst_null", jump);
    }
    for jump in ["ifnull", "ifnonnull"] {
        branch(&mut text, "aconst_null", jump);
        branch(&mut text, "ldc_w string:a", jump);
    }
    for (kind, push) in [("f", "ldc_w float:"), ("d", "ldc2_w double:")] {
        for (a, b) in [("1", "2"), ("2", "1"), ("1", "1"), ("NaN", "1"), ("0", "-0.0")] {
            let _ = write!(text, "{push}{a} {push}{b} {kind}cmpl .i {push}{a} {push}{b} {kind}cmpg .i ");
        }
    }
    for (a, b) in [("1", "2"), ("2", "1"), ("5", "5"), ("-9223372036854775808", "1")] {
        let _ = write!(text, "ldc2_w long:{a} ldc2_w long:{b} lcmp .i ");
    }
    text + "goto_w far near: iconst_1 .i return far: iconst_2 .i goto near"
}

const SUBROUTINES: &str = "iconst_0 istore_1 jsr first jsr_w first iload_1 .i jsr second iload_1 .i \
    ldc_w string:text astore_2 jsr leaves aload_2 .a return \
    first: astore_0 iinc 1 10 iload_1 .i ret 0 second: wide astore 500 iinc 1 1 jsr third iload_1 .i wide ret 500 \
    third: astore 4 iinc 1 5 ret 4 leaves: astore_3 ldc_w string:inside .a ret 3";

/// A subroutine that is called with a string in a variable, and with a number in it.
const KEPT: &str = "ldc_w string:text astore_2 jsr leaves aload_2 .a bipush 77 istore_2 jsr leaves iload_2 .i return \
    leaves: astore_3 ldc_w string:inside .a ret 3";

const SWITCHES: &str = "iconst_m1 istore_0 again: iload_0 .i iload_0 tableswitch other 3 0 zero one two \
    zero: ldc_w string:zero .a goto next one: ldc_w string:one .a goto next two: ldc_w string:two .a goto next \
    other: ldc_w string:other .a next: iload_0 lookupswitch none 2 -1 minus 3 three minus: ldc_w string:minus .a goto on \
    three: ldc_w string:three .a goto on none: ldc_w string:none .a on: iinc 0 1 iload_0 iconst_5 if_icmplt again return";

const OBJECTS: &str = "new Show dup invokespecial Show.<init>:()V astore_0 aload_0 getfield Show.number:I .i \
    aload_0 bipush 9 putfield Show.number:I aload_0 getfield Show.number:I .i iconst_3 putstatic Opcodes.count:I \
    getstatic Opcodes.count:I .i ldc_w string:text invokevirtual java/lang/String.length:()I .i \
    ldc_w string:sequence invokeinterface java/lang/CharSequence.length:()I .i aload_0 instanceof Show .i \
    aload_0 instanceof java/lang/String .i aconst_null instanceof Show .i aload_0 checkcast Show getfield Show.number:I .i \
    aload_0 monitorenter iconst_1 .i aload_0 monitorexit \
    invokestatic Opcodes.anInt:()I .i invokestatic Opcodes.aLong:()J .l invokestatic Opcodes.aFloat:()F .f \
    invokestatic Opcodes.aDouble:()D .d invokestatic Opcodes.anObject:()Ljava/lang/Object; .a \
    from: iconst_1 iconst_0 idiv .i to: return caught: invokevirtual java/lang/Throwable.getMessage:()Ljava/lang/String; .a \
    start: new java/lang/IllegalStateException dup ldc_w string:thrown \
    invokespecial java/lang/IllegalStateException.<init>:(Ljava/lang/String;)V athrow end: pop return \
    again: invokevirtual java/lang/Throwable.getMessage:()Ljava/lang/String; .a \
    castfrom: aload_0 checkcast java/lang/String .a castto: return \
    cast: invokevirtual java/lang/Throwable.getMessage:()Ljava/lang/String; .a return";

fn families() -> Vec<Family> {
    let handlers = vec![
        ["from", "to", "caught", "java/lang/ArithmeticException"],
        ["start", "end", "again", "java/lang/IllegalStateException"],
        ["castfrom", "castto", "cast", "*"],
    ];
    let plain = |name: &str, text: String| (name.to_owned(), text, Vec::new());
    vec![
        plain("constants", CONSTANTS.to_owned()),
        plain("locals", locals()),
        plain("arrays", arrays()),
        plain("stack", STACK.to_owned()),
        plain("arithmetic", without_division_by_zero(&arithmetic())),
        plain("conversions", conversions()),
        plain("jumps", jumps()),
        plain("subroutines", SUBROUTINES.to_owned()),
        plain("kept", KEPT.to_owned()),
        plain("switches", SWITCHES.to_owned()),
        ("objects".to_owned(), OBJECTS.to_owned(), handlers),
    ]
}

/// The pairs of integers have no zero among them; this only says so where it matters.
fn without_division_by_zero(text: &str) -> String {
    assert!(!text.contains("int:0 ") && !text.contains("long:0 "), "integers are not divided by zero here");
    text.to_owned()
}

#[test]
fn all_202_instructions_run_as_in_java() {
    let directory = compile::directory("opcodes");
    let families = families();
    let mut assembler = Assembler::new("Opcodes");
    assembler.field("count", "I", 0x9);
    for (name, text, handlers) in &families {
        assembler.method(name, "()V", 0x9, &with_prints(text), handlers);
    }
    for (name, descriptor, text) in [
        ("anInt", "()I", "bipush 11 ireturn"),
        ("aLong", "()J", "ldc2_w long:12 lreturn"),
        ("aFloat", "()F", "ldc_w float:13.5 freturn"),
        ("aDouble", "()D", "ldc2_w double:14.5 dreturn"),
        ("anObject", "()Ljava/lang/Object;", "ldc_w string:fifteen areturn"),
    ] {
        assembler.method(name, descriptor, 0x9, text, &[]);
    }
    std::fs::write(directory.join("Opcodes.class"), assembler.finish()).expect("the directory is writable");
    let calls: Vec<String> = families
        .iter()
        .map(|family| format!("Class.forName(\"Opcodes\").getMethod(\"{}\")", family.0))
        .collect();
    let source = directory.join("Show.java");
    std::fs::write(&source, SHOW.replace("FAMILIES", &calls.join(",\n"))).expect("the directory is writable");
    compile::javac(&[source], &directory);

    let mut path = ClassPath::default();
    path.push(&directory).expect("the directory is there");
    let setup =
        Setup { jdk: None, main: "Show", args: &[], options: Options::default(), sources: Vec::new() };
    let program = Program::new(&setup, path).expect("the program loads");
    let expected = by_java(&directory, "Show");
    assert_eq!(expected.status, 0, "java runs the assembled code: {}", expected.error);
    let found = by_machine(&program, "Show");
    assert!(found.as_ref() == Ok(&expected), "{}", programs::difference(&found, &expected));

    // The states within subroutines are written down and set up again.
    let options =
        Options { every_access: true, until_conflict: false, keep_output: true, ..Options::default() };
    for family in ["subroutines", "kept"] {
        let program = program.sibling("Show", &[family.to_owned()], options).expect("the program loads");
        let printed = match outcomes(&program, Strategy::Dfs, StoreKind::Collapse, 1, 200_000) {
            Searched::All(found, _) => found.into_iter().map(|end| end.output).collect::<Vec<_>>(),
            Searched::TooMany => panic!("{family} has too many states"),
            Searched::Unsupported(what) => panic!("{family}: {what}"),
        };
        let (_, lines) = expected.output.split_once(&format!("\n{family}\n")).expect("it was printed");
        let n_lines = lines.lines().take_while(|line| line.contains(' ')).count();
        let lines: String = lines.split_inclusive('\n').take(n_lines).collect();
        assert_eq!(printed, [format!("dynamic 42\n{family}\n{lines}")]);
    }

    if cfg!(debug_assertions) {
        let executed: BTreeSet<u8> = ["Show", "Opcodes"]
            .iter()
            .flat_map(|class| program.vm().classes.executed(class).expect("builds with assertions count"))
            .collect();
        let missing: Vec<&str> =
            (0..=0xc9).filter(|opcode| !executed.contains(opcode)).map(mnemonic).collect();
        println!("{} of 202 instructions executed", executed.len());
        assert!(missing.is_empty(), "not executed: {}", missing.join(" "));
        assert_eq!(executed.len(), 202);
    }
}
