//! Class files that `javac` wrote, and damaged ones.

use super::*;
use crate::class::decode::decode;
use crate::source::jdk::Jdk;

/// All classes of `java.base` are read, every method is decoded, and lines and variables lie within the code.
#[test]
fn the_class_library_is_read() {
    let jdk = Jdk::find(None).expect("a JDK is installed (cargo xtask test installs one)");
    let (mut n_classes, mut n_methods, mut n_ops) = (0, 0, 0);
    for (name, bytes) in jdk.classes_of("java.base") {
        let file = ClassFile::from_bytes(&bytes).unwrap_or_else(|problem| panic!("{name}: {problem}"));
        assert_eq!(format!("{}.class", file.class_name().unwrap().to_str_lossy()), name);
        for method in &file.methods {
            let Some(body) = method.body() else { continue };
            let code = decode(body).unwrap_or_else(|problem| panic!("{name}: {problem}"));
            assert!(code.ops.len() >= body.n_instructions());
            n_ops += code.ops.len();
            n_methods += 1;
        }
        n_classes += 1;
    }
    println!("{n_classes} classes, {n_methods} methods, {n_ops} operations");
    assert!(n_classes > 5_000 && n_methods > 40_000 && n_ops > 1_000_000);
}

/// A file that is cut off is an error wherever it is cut; one with changed bytes is an error or another
/// class, and its methods are decoded or refused.
#[test]
fn damaged_files_are_no_panics() {
    let jdk = Jdk::find(None).expect("a JDK is installed (cargo xtask test installs one)");
    for name in ["java/lang/Integer", "java/util/HashMap", "java/lang/Runtime$Version"] {
        let bytes = jdk.class(name).expect("the class library has it");
        for len in (0..bytes.len()).step_by(1 + bytes.len() / 500) {
            assert!(ClassFile::from_bytes(&bytes[..len]).is_err(), "{name} cut to {len} bytes");
        }
        let mut n_refused = 0;
        for at in (0..bytes.len()).step_by(4) {
            let mut other = bytes.clone();
            other[at] ^= [0x01, 0x80, 0xff][at / 4 % 3];
            match ClassFile::from_bytes(&other) {
                Ok(file) => file.methods.iter().filter_map(Member::body).for_each(|body| drop(decode(body))),
                Err(_) => n_refused += 1,
            }
        }
        assert!(
            n_refused > bytes.len() / 80,
            "{n_refused} of {} changes of {name} are noticed",
            bytes.len() / 4
        );
    }
}

/// The code of a method that does nothing else, in a class file by hand.
fn class_with(code: &[u8], attributes: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61, 0, 7];
    for text in ["A", "Code", "Record", "f"] {
        bytes.extend([1, 0, text.len() as u8]);
        bytes.extend(text.bytes());
    }
    bytes.extend([7, 0, 1, 1, 0, 3]);
    bytes.extend(b"()V");
    // Class A, without superclass, interfaces and fields, with the method `f`.
    bytes.extend([0, 0x21, 0, 5, 0, 0, 0, 0, 0, 0, 0, 1, 0, 8, 0, 4, 0, 6, 0, 1, 0, 2]);
    let mut body = vec![0, 2, 0, 2];
    body.extend((code.len() as u32).to_be_bytes());
    body.extend(code);
    body.extend([0, 0]);
    body.extend(attributes);
    bytes.extend((body.len() as u32).to_be_bytes());
    bytes.extend(body);
    bytes.extend([0, 0]);
    bytes
}

#[test]
fn jumps_lead_to_instructions() {
    let read = |code: &[u8]| ClassFile::from_bytes(&class_with(code, &[0, 0]));
    // goto the return; goto before the code, behind it, and into an instruction.
    assert!(read(&[0xa7, 0, 3, 0xb1]).is_ok());
    for offset in [-1_i16, 1, 2, 4, 300] {
        let [high, low] = offset.to_be_bytes();
        assert!(read(&[0xa7, high, low, 0xb1]).is_err(), "{offset}");
    }
    // No instruction, half an instruction, `wide` before one that has no wide form.
    for code in [[0xcb, 0xb1].as_slice(), &[0xb1, 0x11, 1], &[0xc4, 0x60, 0, 1, 0xb1], &[0xbc, 3, 0xb1]] {
        assert!(read(code).is_err(), "{code:?}");
    }
    // A table of two billion entries, and one with its entries.
    let table = |high: u8| [0xaa, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 0, high, 0, 0, 0, 0, 0, 0, 20, 0xb1];
    assert!(read(&table(0x7f)).is_err());
    let file = read(&table(0)).unwrap();
    let code = decode(file.methods[0].body().unwrap()).unwrap();
    assert_eq!(code.ops.len(), 2);
}

/// Attributes do not nest without end: inside of code, `Code` means nothing.
#[test]
fn code_inside_of_code_is_skipped() {
    let mut inner = vec![0, 0];
    for _ in 0..20_000 {
        let mut outer = vec![0, 1, 0, 2];
        outer.extend((inner.len() as u32).to_be_bytes());
        outer.extend(&inner);
        inner = outer;
        if inner.len() > 100_000 {
            break;
        }
    }
    assert!(ClassFile::from_bytes(&class_with(&[0xb1], &inner)).is_ok());
}
