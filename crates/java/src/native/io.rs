//! The console, and what little there is of a file system: the files of the JDK itself and of the class path, to be read.

use super::string::{bytes_of, content};
use super::{Answer, Table, give_bool, give_int, give_long, give_ref, int, nothing, required};
use crate::class::ClassId;
use crate::vm::heap::Ref;
use crate::vm::machine::{Exec, Machine, Trap, exception};
use crate::vm::view::{Mode, Resource};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// The entries.
pub const TABLE: Table = &[
    ("java/io/PrintStream.write(Ljava/lang/String;)V", |m, args| print_string(m, args, "")),
    ("java/io/PrintStream.writeln(Ljava/lang/String;)V", |m, args| print_string(m, args, "\n")),
    ("java/io/PrintStream.implWrite(Ljava/lang/String;)V", |m, args| print_string(m, args, "")),
    ("java/io/PrintStream.implWriteln(Ljava/lang/String;)V", |m, args| print_string(m, args, "\n")),
    ("java/io/PrintStream.write([C)V", |m, args| print_chars(m, args, "")),
    ("java/io/PrintStream.writeln([C)V", |m, args| print_chars(m, args, "\n")),
    ("java/io/PrintStream.write([BII)V", print_bytes),
    ("java/io/PrintStream.write(I)V", print_byte),
    ("java/io/PrintStream.newLine()V", |m, args| match console(m, args[0] as Ref) {
        Some(is_error) => print_to(m, args[0] as Ref, is_error, "\n"),
        None => Ok(Answer::Bytecode),
    }),
    ("java/io/PrintStream.flush()V", |m, args| match console(m, args[0] as Ref) {
        Some(_) => Ok(Answer::Void),
        None => Ok(Answer::Bytecode),
    }),
    ("java/io/PrintStream.checkError()Z", |m, args| match console(m, args[0] as Ref) {
        Some(_) => give_bool(false),
        None => Ok(Answer::Bytecode),
    }),
    ("java/io/FileOutputStream.writeBytes([BIIZ)V", write_bytes),
    ("java/io/FileOutputStream.write(IZ)V", |m, args| {
        let is_error = standard_output(m, args[0] as Ref)?;
        let text = String::from_utf8_lossy(&[args[1] as u8]).into_owned();
        print(m, is_error, &text)
    }),
    ("java/io/FileOutputStream.open0(Ljava/lang/String;Z)V", |m, args| {
        Err(no_file(&m.text(args[1] as Ref), "writing to"))
    }),
    ("java/io/FileInputStream.open0(Ljava/lang/String;)V", open),
    ("java/io/FileInputStream.read0()I", read_one),
    ("java/io/FileInputStream.readBytes([BII)I", read_some),
    ("java/io/FileInputStream.length0()J", file_length),
    ("java/io/FileInputStream.position0()J", |m, args| {
        let (fd, _) = descriptor(m, args[0] as Ref, "java/io/FileInputStream")?;
        give_long(m.process.heap.slot(fd, slot(m, "java/io/FileDescriptor", "handle")?) as i64)
    }),
    ("java/io/FileInputStream.skip0(J)J", |m, args| {
        let (fd, _) = descriptor(m, args[0] as Ref, "java/io/FileInputStream")?;
        m.access(Resource::Whole(fd), Mode::Write)?;
        let handle = slot(m, "java/io/FileDescriptor", "handle")?;
        let at = m.process.heap.slot(fd, handle);
        m.process.heap.set_slot(fd, handle, at.wrapping_add(args[1]));
        Ok(Answer::Wide(args[1]))
    }),
    ("java/io/FileInputStream.available0()I", available),
    ("java/io/FileInputStream.isRegularFile0(Ljava/io/FileDescriptor;)Z", super::yes),
    ("java/io/FileDescriptor.getHandle(I)J", |_, _| give_long(-1)),
    ("java/io/FileDescriptor.getAppend(I)Z", super::zero),
    ("java/io/FileDescriptor.close0()V", |m, args| {
        let slot = slot(m, "java/io/FileDescriptor", "fd")?;
        m.access(Resource::Whole(args[0] as Ref), Mode::Write)?;
        m.process.heap.set_slot(args[0] as Ref, slot, u64::from(u32::MAX));
        Ok(Answer::Void)
    }),
    ("java/io/FileDescriptor.sync()V", nothing),
    ("java/io/Console.istty()Z", super::zero),
    ("sun/nio/fs/UnixNativeDispatcher.init()I", super::zero),
    ("sun/nio/fs/UnixNativeDispatcher.getcwd()[B", |m, _| give_ref(m.new_bytes(b"/"))),
    ("java/io/FileCleanable.register(Ljava/io/FileDescriptor;)V", nothing),
    ("java/io/FileCleanable.unregister(Ljava/io/FileDescriptor;)V", nothing),
    ("java/io/UnixFileSystem.canonicalize0(Ljava/lang/String;)Ljava/lang/String;", |_, args| {
        Ok(Answer::Word(args[1]))
    }),
    ("java/io/UnixFileSystem.getBooleanAttributes0(Ljava/io/File;)I", attributes),
    ("java/io/UnixFileSystem.getLength(Ljava/io/File;)J", |m, args| {
        let path = library_file(m, args[1] as Ref)?;
        give_long(std::fs::metadata(path).map_or(0, |found| found.len() as i64))
    }),
    ("java/io/UnixFileSystem.checkAccess(Ljava/io/File;I)Z", |m, args| {
        let path = library_file(m, args[1] as Ref)?;
        give_bool(args[2] == 4 && path.exists())
    }),
];

/// Prints text.
fn print(m: &mut Machine<'_>, is_error: bool, text: &str) -> Exec<Answer> {
    m.access(Resource::Output, Mode::Write)?;
    m.print(is_error, text);
    Ok(Answer::Void)
}

/// Prints text to a print stream.
fn print_to(m: &mut Machine<'_>, stream: Ref, is_error: bool, text: &str) -> Exec<Answer> {
    if m.vm.known().print_stream_lock.is_some() {
        return print(m, is_error, text);
    }
    m.access(Resource::Stream(stream), Mode::Write)?;
    m.print(is_error, text);
    Ok(Answer::Void)
}

fn slot(m: &Machine<'_>, class: &str, field: &str) -> Exec<u32> {
    m.vm.classes.slot(class, field).ok_or_else(|| Trap::Unsupported(format!("a {class} without {field}")))
}

/// Whether a print stream is one of the two consoles, and then whether it is standard error: a `PrintStream` on a
/// `BufferedOutputStream` on a `FileOutputStream` to one of them, as `System` makes them.
fn console(m: &Machine<'_>, stream: Ref) -> Option<bool> {
    let known = m.vm.known();
    let is = |object: Ref, class: ClassId| object != 0 && m.process.heap.get(object).class == class;
    if !is(stream, known.print_stream) {
        return None;
    }
    let buffered = m.process.heap.slot(stream, known.filter_out) as Ref;
    if !is(buffered, known.buffered_output) {
        return None;
    }
    let file = m.process.heap.slot(buffered, known.filter_out) as Ref;
    if !is(file, known.file_output) && !is(file, known.system_output) {
        return None;
    }
    let descriptor = m.process.heap.slot(file, known.file_output_fd) as Ref;
    match m.process.heap.slot(descriptor, known.descriptor_fd) {
        1 => Some(false),
        2 => Some(true),
        _ => None,
    }
}

/// UTF-16 as text, with a question mark for what is none, as an encoder of the class library does.
fn printable(units: &[u16]) -> String {
    char::decode_utf16(units.iter().copied()).map(|unit| unit.unwrap_or('?')).collect()
}

fn print_string(m: &mut Machine<'_>, args: &[u64], end: &str) -> Exec<Answer> {
    let Some(is_error) = console(m, args[0] as Ref) else { return Ok(Answer::Bytecode) };
    let string = required(args[1])?;
    let (bytes, coder) = content(m, string);
    let mut text = printable(&crate::vm::strings::decode(bytes, u64::from(coder)));
    text.push_str(end);
    print_to(m, args[0] as Ref, is_error, &text)
}

fn print_chars(m: &mut Machine<'_>, args: &[u64], end: &str) -> Exec<Answer> {
    let Some(is_error) = console(m, args[0] as Ref) else { return Ok(Answer::Bytecode) };
    let mut text = printable(&crate::vm::strings::decode(bytes_of(m, required(args[1])?), 1));
    text.push_str(end);
    print_to(m, args[0] as Ref, is_error, &text)
}

fn print_bytes(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let Some(is_error) = console(m, args[0] as Ref) else { return Ok(Answer::Bytecode) };
    let text = bytes_between(m, required(args[1])?, int(args[2]), int(args[3]))?;
    print_to(m, args[0] as Ref, is_error, &text)
}

fn print_byte(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let Some(is_error) = console(m, args[0] as Ref) else { return Ok(Answer::Bytecode) };
    let text = String::from_utf8_lossy(&[args[1] as u8]).into_owned();
    print_to(m, args[0] as Ref, is_error, &text)
}

fn bytes_between(m: &Machine<'_>, array: Ref, from: i32, len: i32) -> Exec<String> {
    let bytes = bytes_of(m, array);
    let range = usize::try_from(from).ok().zip(usize::try_from(len).ok());
    match range.and_then(|(from, len)| bytes.get(from..from.checked_add(len)?)) {
        Some(part) => Ok(String::from_utf8_lossy(part).into_owned()),
        None => Err(Trap::Exception("java/lang/IndexOutOfBoundsException", None)),
    }
}

/// The descriptor object of a file stream and its number.
fn descriptor(m: &Machine<'_>, stream: Ref, class: &str) -> Exec<(Ref, i32)> {
    let fd = m.process.heap.slot(stream, slot(m, class, "fd")?) as Ref;
    Ok((fd, int(m.process.heap.slot(fd, slot(m, "java/io/FileDescriptor", "fd")?))))
}

fn standard_output(m: &Machine<'_>, stream: Ref) -> Exec<bool> {
    match descriptor(m, stream, "java/io/FileOutputStream")?.1 {
        1 => Ok(false),
        2 => Ok(true),
        -1 => Err(exception("java/io/IOException", "Stream Closed")),
        _ => Err(Trap::Unsupported("writing to a file".into())),
    }
}

fn write_bytes(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let is_error = standard_output(m, args[0] as Ref)?;
    let text = bytes_between(m, required(args[1])?, int(args[2]), int(args[3]))?;
    print(m, is_error, &text)
}

fn no_file(path: &str, what: &str) -> Trap {
    Trap::Unsupported(format!("{what} the file {path}"))
}

/// Whether a path leads to a file of the JDK or of the class path, which a program can do no harm to and which never change.
fn is_library(m: &Machine<'_>, path: &Path) -> bool {
    let sources = &m.vm.classes.sources;
    (path.starts_with(sources.jdk.home()) || sources.path.has_file(path))
        && path.components().all(|part| part.as_os_str() != "..")
}

/// The path of a `java.io.File` of the JDK or the class path.
fn library_file(m: &Machine<'_>, file: Ref) -> Exec<PathBuf> {
    let path = m.process.heap.slot(file, slot(m, "java/io/File", "path")?) as Ref;
    let text = m.text(path);
    let path = PathBuf::from(&text);
    if is_library(m, &path) { Ok(path) } else { Err(no_file(&text, "a look at")) }
}

fn attributes(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let path = library_file(m, required(args[1])?)?;
    // Exists, is a regular file, is a directory: the bits of `java.io.FileSystem`.
    give_int(match std::fs::metadata(path) {
        Ok(found) if found.is_file() => 1 | 2,
        Ok(found) if found.is_dir() => 1 | 4,
        Ok(_) => 1,
        Err(_) => 0,
    })
}

/// The first number for files that can be read: they are numbered by the symbols of their paths.
const FIRST_FILE: i32 = 1_000;

fn open(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let text = m.text(required(args[1])?);
    let path = PathBuf::from(&text);
    if !is_library(m, &path) {
        return Err(no_file(&text, "reading"));
    }
    if !path.is_file() {
        let message = format!("{text} (No such file or directory)");
        return Err(exception("java/io/FileNotFoundException", message));
    }
    let (fd, _) = descriptor(m, args[0] as Ref, "java/io/FileInputStream")?;
    let number = m.vm.classes.symbols.intern(&text).0 as i32 + FIRST_FILE;
    let (fd_slot, at_slot) =
        (slot(m, "java/io/FileDescriptor", "fd")?, slot(m, "java/io/FileDescriptor", "handle")?);
    m.process.heap.set_slot(fd, fd_slot, u64::from(number as u32));
    m.process.heap.set_slot(fd, at_slot, 0);
    Ok(Answer::Void)
}

/// Reads from where a stream is; standard input is empty.
fn read(m: &mut Machine<'_>, stream: Ref, len: usize) -> Exec<Vec<u8>> {
    let (fd, number) = descriptor(m, stream, "java/io/FileInputStream")?;
    if number == 0 {
        return Ok(Vec::new());
    }
    if number < FIRST_FILE {
        return Err(exception("java/io/IOException", "Stream Closed"));
    }
    m.access(Resource::Whole(fd), Mode::Write)?;
    let path = m.vm.classes.symbols.text(crate::class::symbol::Symbol((number - FIRST_FILE) as u32)).clone();
    let handle = slot(m, "java/io/FileDescriptor", "handle")?;
    let at = m.process.heap.slot(fd, handle);
    let mut bytes = vec![0; len];
    let file = std::fs::File::open(&*path).map_err(|_| no_file(&path, "reading"))?;
    let mut n = 0;
    while n < len {
        match file.read_at(&mut bytes[n..], at + n as u64) {
            Ok(0) | Err(_) => break,
            Ok(more) => n += more,
        }
    }
    bytes.truncate(n);
    m.process.heap.set_slot(fd, handle, at + n as u64);
    Ok(bytes)
}

fn read_one(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let bytes = read(m, args[0] as Ref, 1)?;
    give_int(bytes.first().map_or(-1, |&byte| i32::from(byte)))
}

fn read_some(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let array = required(args[1])?;
    let (from, len) = (int(args[2]), int(args[3]));
    if from < 0 || len < 0 || from as usize + len as usize > m.array_len(array) {
        return Err(Trap::Exception("java/lang/IndexOutOfBoundsException", None));
    }
    if len == 0 {
        return give_int(0);
    }
    let bytes = read(m, args[0] as Ref, len as usize)?;
    if bytes.is_empty() {
        return give_int(-1);
    }
    if let crate::vm::heap::Data::Bytes(target) = &mut m.process.heap.get_mut(array).data {
        target[from as usize..from as usize + bytes.len()].copy_from_slice(&bytes);
    }
    give_int(bytes.len() as i32)
}

fn size(m: &Machine<'_>, stream: Ref) -> Exec<(u64, u64)> {
    let (fd, number) = descriptor(m, stream, "java/io/FileInputStream")?;
    if number < FIRST_FILE {
        return Ok((0, 0));
    }
    let path = m.vm.classes.symbols.text(crate::class::symbol::Symbol((number - FIRST_FILE) as u32));
    let at = m.process.heap.slot(fd, slot(m, "java/io/FileDescriptor", "handle")?);
    Ok((std::fs::metadata(&**path).map_or(0, |found| found.len()), at))
}

fn file_length(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    give_long(size(m, args[0] as Ref)?.0 as i64)
}

fn available(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let (len, at) = size(m, args[0] as Ref)?;
    give_int(len.saturating_sub(at).min(i32::MAX as u64) as i32)
}

/// A stream over bytes, as `getResourceAsStream` gives it.
pub(super) fn stream_over(m: &mut Machine<'_>, bytes: &[u8]) -> Exec<Answer> {
    let class = m.vm.load("java/io/ByteArrayInputStream")?;
    m.ensure_initialized(class)?;
    let array = m.new_bytes(bytes);
    let stream = m.new_object(class);
    let (buf, count) =
        (slot(m, "java/io/ByteArrayInputStream", "buf")?, slot(m, "java/io/ByteArrayInputStream", "count")?);
    m.set_ref(stream, buf, array);
    m.process.heap.set_slot(stream, count, bytes.len() as u64);
    give_ref(stream)
}
