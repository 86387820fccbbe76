//! A JDK whose class library is not whole is an error about the JDK. It never is an exception in the program.

use crate::compile;
use allways_java::{ClassPath, Options, Program, Setup};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The class library of the JDK that `java` belongs to.
fn library() -> PathBuf {
    let output = Command::new("java").args(["-XshowSettings:properties", "-version"]).output();
    let text = String::from_utf8_lossy(&output.expect("java is installed").stderr).into_owned();
    let home = text.lines().find_map(|line| line.trim().strip_prefix("java.home = "));
    Path::new(home.expect("java tells its home")).join("lib/modules")
}

/// The beginning of the class library: its header and index.
fn index(library: &Path) -> Vec<u8> {
    let mut file = File::open(library).expect("it can be read");
    let mut bytes = vec![0; 28];
    file.read_exact(&mut bytes).expect("it has a header");
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize;
    let len = 28 + 8 * word(16) + word(20) + word(24);
    bytes.resize(len, 0);
    file.read_exact(&mut bytes[28..]).expect("it has an index");
    bytes
}

/// What the machine says about a JDK whose class library begins with `bytes` and has `len` bytes, zeros from
/// there on.
fn answer(directory: &Path, bytes: &[u8], len: u64) -> String {
    let library = directory.join("lib/modules");
    std::fs::create_dir_all(directory.join("lib")).expect("the directory is writable");
    let mut file = File::create(&library).expect("the directory is writable");
    file.write_all(bytes).expect("there is room");
    file.set_len(len).expect("there is room");
    drop(file);
    let mut path = ClassPath::default();
    path.push(directory).expect("it is there");
    let setup = Setup {
        jdk: Some(directory),
        main: "Main",
        args: &[],
        options: Options::default(),
        sources: Vec::new(),
    };
    match Program::new(&setup, path) {
        Ok(_) => "a program".into(),
        Err(problem) => problem.to_string(),
    }
}

#[test]
fn a_damaged_class_library_is_an_error_about_the_jdk() {
    let library = library();
    let len = std::fs::metadata(&library).expect("it is there").len();
    let index = index(&library);
    let directory = compile::directory("damaged-jdk");
    let cut = |at: u64| answer(&directory, &index[..index.len().min(at as usize)], at);
    for at in [0, 3, 27, 28, 1_000, index.len() as u64 / 2, index.len() as u64, len / 2, len - len / 100] {
        let said = cut(at);
        assert!(said.contains("lib/modules is damaged"), "cut to {at} bytes: {said}");
    }
    // One letter of a name, somewhere in the middle of the names.
    let mut other = index.clone();
    let at = index.len() - index.len() / 10;
    let at = at + other[at..].iter().position(u8::is_ascii_lowercase).expect("names have letters");
    other[at] ^= 1;
    let said = answer(&directory, &other, len);
    assert!(said.contains("lib/modules is damaged"), "another letter: {said}");
    // The index is whole, the classes are not.
    let said = answer(&directory, &index, len);
    assert!(said.contains("is damaged: java/lang/"), "no contents: {said}");
    let said = answer(&directory, b"no class library at all, but long enough", 40);
    assert!(said.contains("is no class library"), "{said}");
}

/// A class that is damaged but needed late is no exception that a program could catch.
#[test]
fn a_damaged_class_is_no_exception() {
    let library = library();
    let directory = compile::directory("damaged-class");
    std::fs::create_dir_all(directory.join("lib")).expect("the directory is writable");
    let target = directory.join("lib/modules");
    std::fs::copy(&library, &target).expect("there is room");
    let bytes = std::fs::read(&target).expect("it can be read");
    // The class is found by the name of its source; its first bytes are those of any class.
    let name = b"Adler32.java";
    let at = bytes.windows(name.len()).position(|window| window == name).expect("the class is there");
    let begin = bytes[..at].windows(4).rposition(|window| window == [0xca, 0xfe, 0xba, 0xbe]);
    let begin = begin.expect("a class begins so") as u64;
    drop(bytes);
    let mut file = File::options().write(true).open(&target).expect("it can be written");
    file.seek(SeekFrom::Start(begin)).expect("it is that long");
    file.write_all(&[0; 8]).expect("it can be written");
    drop(file);
    let source = directory.join("Main.java");
    let program = "public class Main { public static void main(String[] args) {\n\
         try { new java.util.zip.Adler32(); } catch (Throwable t) { System.out.println(t); } } }\n";
    std::fs::write(&source, program).expect("it can be written");
    compile::javac(&[source], &directory);
    let mut path = ClassPath::default();
    path.push(&directory).expect("it is there");
    let setup = Setup {
        jdk: Some(&directory),
        main: "Main",
        args: &[],
        options: Options::default(),
        sources: Vec::new(),
    };
    let said = match Program::new(&setup, path) {
        Ok(program) => program.run_once(|_, text| print!("{text}")).expect_err("the class is damaged"),
        Err(problem) => problem,
    }
    .to_string();
    let _ = std::fs::remove_file(&target);
    assert!(said.contains("is damaged: java/util/zip/Adler32"), "{said}");
}
