//! Reading by `java.nio.file.Files`: what it says of paths, whole files, and streams, which are those of
//! `java.io`. The rest (channels, directories, attributes, writing) leads to native methods that the machine
//! lacks.

use super::Effect::{Own, Pure};
use super::effect::{Fixed, OwnView, PureView};
use super::io::{look, size_of, whole};
use super::{Answer, Table, give_bool, give_long, give_new, required};
use crate::class::code::Op;
use crate::class::descriptor::Kind;
use crate::gap::Gap;
use crate::source::files::Found;
use crate::vm::dynamic::assemble::Assembler;
use crate::vm::heap::{Data, Ref};
use crate::vm::machine::{Exec, exception};
use crate::vm::thread::Role;

/// The entries.
pub const TABLE: Table = &[
    ("java/nio/file/Files.exists", Pure(|m, args| about(m, args, |found| found != Found::Missing))),
    ("java/nio/file/Files.notExists", Pure(|m, args| about(m, args, |found| found == Found::Missing))),
    ("java/nio/file/Files.isDirectory", Pure(|m, args| about(m, args, |found| found == Found::Directory))),
    (
        "java/nio/file/Files.isRegularFile",
        Pure(|m, args| about(m, args, |found| matches!(found, Found::File(_)))),
    ),
    (
        "java/nio/file/Files.isReadable",
        Pure(|m, args| match path(m, args[0])? {
            Some(text) => give_bool(look(m, &text)? != Found::Missing),
            None => Ok(Answer::Bytecode),
        }),
    ),
    ("java/nio/file/Files.size", Own(size)),
    ("java/nio/file/Files.readAllBytes(Ljava/nio/file/Path;)[B", Own(read_all)),
    ("java/nio/file/Files.newInputStream", Own(open)),
    (
        "java/nio/file/Files.lines(Ljava/nio/file/Path;Ljava/nio/charset/Charset;)Ljava/util/stream/Stream;",
        Own(lines),
    ),
];

/// The text of a path of the machine's own file system; `None` for paths of others.
fn path(m: &PureView<'_, '_>, path: u64) -> Exec<Option<String>> {
    let path = required(path)?;
    if m.vm.classes.name(m.class_of(path)) != "sun/nio/fs/UnixPath" {
        return Ok(None);
    }
    match m.made_array(m.fixed(path, Fixed::PathBytes)? as Ref) {
        Data::Bytes(bytes) if bytes.is_empty() => Ok(Some(".".into())),
        Data::Bytes(bytes) => Ok(Some(String::from_utf8_lossy(bytes).into_owned())),
        _ => Err(Gap::Named("a path of another form:", "sun.nio.fs.UnixPath".into()).into()),
    }
}

/// The path that a method without options is about.
fn plain_path(m: &PureView<'_, '_>, args: &[u64]) -> Exec<Option<String>> {
    let has_options = args[1] != 0 && m.array_len(args[1] as Ref) > 0;
    if has_options { Ok(None) } else { path(m, args[0]) }
}

/// Whether something is true of what is at a path.
fn about(m: &mut PureView<'_, '_>, args: &[u64], is_so: fn(Found) -> bool) -> Exec<Answer> {
    match plain_path(m, args)? {
        Some(text) => give_bool(is_so(look(m, &text)?)),
        None => Ok(Answer::Bytecode),
    }
}

/// Throws what says that there is no file.
fn missing(m: &OwnView<'_, '_>, path: &str) -> Exec<Answer> {
    let vm = m.vm;
    let thrower = vm.made.method("no such file".into(), |key| {
        let error = "java/nio/file/NoSuchFileException";
        let mut asm = Assembler::new(&vm.classes);
        asm.op(Op::NewOf(vm.load(error)?)).op(Op::Dup).load(Kind::Ref, 0);
        asm.call(error, "<init>", "(Ljava/lang/String;)V", false)?.op(Op::Throw);
        Ok(asm.add(key, vm.known().object, "<missing>", "(Ljava/lang/String;)V"))
    })?;
    Ok(Answer::Call(thrower, vec![u64::from(vm.literal_str(path))], Role::Plain))
}

fn size(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let Some(text) = path(m, args[0])? else { return Ok(Answer::Bytecode) };
    match look(m, &text)? {
        Found::Missing => missing(m, &text),
        Found::File(_) => give_long(size_of(m, &text) as i64),
        Found::Directory | Found::Other(_) => {
            Err(Gap::File { what: "the size of", path: text, problem: None }.into())
        }
    }
}

fn read_all(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let Some(text) = path(m, args[0])? else { return Ok(Answer::Bytecode) };
    match look(m, &text)? {
        Found::Missing => missing(m, &text),
        Found::File(_) => {
            let bytes = whole(m, &text)?;
            give_new(m.new_bytes(&bytes))
        }
        Found::Directory | Found::Other(_) => Err(exception("java/io/IOException", "Is a directory")),
    }
}

/// A stream of `java.io`. Of a directory it says at once what `java` says when it is read.
fn open(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let Some(text) = plain_path(m, args)? else { return Ok(Answer::Bytecode) };
    match look(m, &text)? {
        Found::Missing => return missing(m, &text),
        Found::File(_) => {}
        Found::Directory | Found::Other(_) => return Err(exception("java/io/IOException", "Is a directory")),
    }
    let vm = m.vm;
    let opener = vm.made.method("a stream of a file".into(), |key| {
        let stream = "java/io/FileInputStream";
        let mut asm = Assembler::new(&vm.classes);
        asm.op(Op::NewOf(vm.load(stream)?)).op(Op::Dup).load(Kind::Ref, 0);
        asm.call(stream, "<init>", "(Ljava/lang/String;)V", false)?.leave(Some(Kind::Ref));
        Ok(asm.add(key, vm.known().object, "<open>", "(Ljava/lang/String;)Ljava/io/InputStream;"))
    })?;
    Ok(Answer::Call(opener, vec![u64::from(vm.literal_str(&text))], Role::Plain))
}

/// Lines by a reader, as of files whose encoding is not known.
fn lines(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let vm = m.vm;
    let reader = vm.made.method("lines of a file".into(), |key| {
        let (files, path) = ("java/nio/file/Files", "Ljava/nio/file/Path;Ljava/nio/charset/Charset;");
        let mut asm = Assembler::new(&vm.classes);
        asm.load(Kind::Ref, 0).load(Kind::Ref, 1);
        asm.call(files, "newBufferedReader", &format!("({path})Ljava/io/BufferedReader;"), false)?;
        let stream = "(Ljava/io/BufferedReader;)Ljava/util/stream/Stream;";
        asm.call(files, "createBufferedReaderLinesStream", stream, false)?.leave(Some(Kind::Ref));
        Ok(asm.add(key, vm.known().object, "<lines>", &format!("({path})Ljava/util/stream/Stream;")))
    })?;
    Ok(Answer::Call(reader, args.to_vec(), Role::Plain))
}
