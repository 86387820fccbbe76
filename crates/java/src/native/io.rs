//! The console, and what there is of a file system: files to be read, as they were when the program first
//! looked at them.

use super::Effect::{Own, Pure, Shared};
use super::effect::{Fixed, OwnView, PureView, SharedView};
use super::{
    Answer, NOTHING, Table, YES, ZERO, apart, give_bool, give_int, give_long, give_new, int, required,
};
use crate::gap::Gap;
use crate::source::files::Found;
use crate::vm::heap::Ref;
use crate::vm::machine::{Exec, Trap, exception};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The entries.
pub const TABLE: Table = &[
    ("java/io/PrintStream.write(Ljava/lang/String;)V", Shared(|m, args| print_string(m, args, ""))),
    ("java/io/PrintStream.writeln(Ljava/lang/String;)V", Shared(|m, args| print_string(m, args, "\n"))),
    ("java/io/PrintStream.implWrite(Ljava/lang/String;)V", Shared(|m, args| print_string(m, args, ""))),
    ("java/io/PrintStream.implWriteln(Ljava/lang/String;)V", Shared(|m, args| print_string(m, args, "\n"))),
    ("java/io/PrintStream.write([C)V", Shared(|m, args| print_chars(m, args, ""))),
    ("java/io/PrintStream.writeln([C)V", Shared(|m, args| print_chars(m, args, "\n"))),
    ("java/io/PrintStream.write([BII)V", Shared(print_bytes)),
    ("java/io/PrintStream.write(I)V", Shared(print_byte)),
    (
        "java/io/PrintStream.newLine()V",
        Shared(|m, args| match m.console(args[0] as Ref) {
            Some(is_error) => print_to(m, args[0] as Ref, is_error, "\n".into()),
            None => Ok(Answer::Bytecode),
        }),
    ),
    (
        "java/io/PrintStream.flush()V",
        Shared(|m, args| match m.console(args[0] as Ref) {
            Some(_) => Ok(Answer::Void),
            None => Ok(Answer::Bytecode),
        }),
    ),
    (
        "java/io/PrintStream.checkError()Z",
        Shared(|m, args| match m.console(args[0] as Ref) {
            Some(_) => give_bool(false),
            None => Ok(Answer::Bytecode),
        }),
    ),
    ("java/io/PrintStream.close()V", Shared(close_stream)),
    ("java/io/FileOutputStream.writeBytes([BIIZ)V", Shared(write_bytes)),
    ("java/io/FileOutputStream.write(IZ)V", Shared(write_byte)),
    (
        "java/io/FileOutputStream.open0(Ljava/lang/String;Z)V",
        Pure(|m, args| Err(no_file(&m.text(args[1] as Ref), "writing to"))),
    ),
    ("java/io/FileInputStream.open0(Ljava/lang/String;)V", Shared(open)),
    ("java/io/FileInputStream.read0()I", Shared(read_one)),
    ("java/io/FileInputStream.readBytes([BII)I", Shared(read_some)),
    ("java/io/FileInputStream.length0()J", Shared(file_length)),
    ("java/io/FileInputStream.position0()J", Shared(position)),
    ("java/io/FileInputStream.skip0(J)J", Shared(skip)),
    ("java/io/FileInputStream.available0()I", Shared(available)),
    ("java/io/FileInputStream.isRegularFile0(Ljava/io/FileDescriptor;)Z", YES),
    ("java/io/FileDescriptor.getHandle(I)J", Pure(|_, _| give_long(-1))),
    ("java/io/FileDescriptor.getAppend(I)Z", ZERO),
    ("java/io/FileDescriptor.close0()V", Shared(close_descriptor)),
    ("java/io/FileDescriptor.sync()V", NOTHING),
    ("java/io/Console.istty()Z", ZERO),
    ("sun/nio/fs/UnixNativeDispatcher.init()I", ZERO),
    ("sun/nio/fs/UnixNativeDispatcher.getcwd()[B", Own(|m, _| give_new(m.new_bytes(b"/")))),
    ("java/io/FileCleanable.register(Ljava/io/FileDescriptor;)V", NOTHING),
    ("java/io/FileCleanable.unregister(Ljava/io/FileDescriptor;)V", NOTHING),
    (
        "java/io/UnixFileSystem.canonicalize0(Ljava/lang/String;)Ljava/lang/String;",
        Pure(|_, args| Ok(Answer::Word(args[1]))),
    ),
    ("java/io/UnixFileSystem.getBooleanAttributes0(Ljava/io/File;)I", Pure(attributes)),
    ("java/io/UnixFileSystem.getLength(Ljava/io/File;)J", Pure(length)),
    ("java/io/UnixFileSystem.checkAccess(Ljava/io/File;I)Z", Pure(may_access)),
];

/// Prints text to a print stream.
fn print_to(m: &mut SharedView<'_, '_>, stream: Ref, is_error: bool, text: String) -> Exec<Answer> {
    m.print(Some(stream), is_error, None, |_| Ok(text))?;
    Ok(Answer::Void)
}

fn slot(m: &PureView<'_, '_>, class: &str, field: &str) -> Exec<u32> {
    m.vm.classes.slot(class, field).ok_or_else(|| Gap::Library(format!("{class}.{field}")).into())
}

/// UTF-16 as text, with a question mark for what is none, as an encoder of the class library does.
fn printable(units: &[u16]) -> String {
    char::decode_utf16(units.iter().copied()).map(|unit| unit.unwrap_or('?')).collect()
}

fn print_string(m: &mut SharedView<'_, '_>, args: &[u64], end: &str) -> Exec<Answer> {
    let Some(is_error) = m.console(args[0] as Ref) else { return Ok(Answer::Bytecode) };
    let string = required(args[1])?;
    let (bytes, coder) = m.content(string);
    let mut text = printable(&crate::vm::strings::decode(bytes, u64::from(coder)));
    text.push_str(end);
    print_to(m, args[0] as Ref, is_error, text)
}

fn print_chars(m: &mut SharedView<'_, '_>, args: &[u64], end: &str) -> Exec<Answer> {
    let Some(is_error) = m.console(args[0] as Ref) else { return Ok(Answer::Bytecode) };
    let array = required(args[1])?;
    let printed = m.print(Some(args[0] as Ref), is_error, Some(array), |m| {
        Ok(printable(&crate::vm::strings::decode(m.printed_bytes(array), 1)) + end)
    });
    own_code_if_apart(printed)
}

/// What comes of printing an array through a print stream: its own code, under its own lock, where other
/// threads must see the elements read one by one.
fn own_code_if_apart(printed: Exec<()>) -> Exec<Answer> {
    match printed {
        Ok(()) => Ok(Answer::Void),
        Err(Trap::Apart(..)) => Ok(Answer::Bytecode),
        Err(trap) => Err(trap),
    }
}

fn print_bytes(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let Some(is_error) = m.console(args[0] as Ref) else { return Ok(Answer::Bytecode) };
    print_part(m, Some(args[0] as Ref), is_error, args)
}

fn print_byte(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let Some(is_error) = m.console(args[0] as Ref) else { return Ok(Answer::Bytecode) };
    let text = String::from_utf8_lossy(&[args[1] as u8]).into_owned();
    print_to(m, args[0] as Ref, is_error, text)
}

/// Prints a part of an array of bytes: the array, where the part begins, and how many bytes it has.
fn print_part(m: &mut SharedView<'_, '_>, stream: Option<Ref>, is_error: bool, args: &[u64]) -> Exec<Answer> {
    let array = required(args[1])?;
    let part = usize::try_from(int(args[2])).ok().zip(usize::try_from(int(args[3])).ok());
    let part = part.and_then(|(from, len)| Some(from..from.checked_add(len)?));
    let Some(part) = part.filter(|part| part.end <= m.array_len(array)) else {
        return Err(Trap::Exception("java/lang/IndexOutOfBoundsException", None));
    };
    let printed = m.print(stream, is_error, Some(array), |m| {
        Ok(String::from_utf8_lossy(&m.printed_bytes(array)[part]).into_owned())
    });
    if stream.is_some() {
        return own_code_if_apart(printed);
    }
    printed?;
    Ok(Answer::Void)
}

/// The descriptor object of a file stream.
fn descriptor(m: &PureView<'_, '_>, stream: Ref) -> Exec<Ref> {
    Ok(m.fixed(stream, Fixed::StreamDescriptor)? as Ref)
}

/// The places of a descriptor's number and position.
fn descriptor_slots(m: &PureView<'_, '_>) -> Exec<[u32; 2]> {
    Ok([slot(m, "java/io/FileDescriptor", "fd")?, slot(m, "java/io/FileDescriptor", "handle")?])
}

/// Whether a stream writes to a console, and then whether that is standard error.
fn standard_output(m: &mut SharedView<'_, '_>, stream: Ref) -> Exec<bool> {
    let descriptor = descriptor(m, stream)?;
    if let Some(is_error) = m.standard(descriptor) {
        return Ok(is_error);
    }
    let [number, _] = descriptor_slots(m)?;
    match int(m.read(descriptor, number)?) {
        -1 => Err(exception("java/io/IOException", "Stream Closed")),
        _ => Err(Trap::Unsupported("writing to a file".into())),
    }
}

fn write_bytes(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let is_error = standard_output(m, args[0] as Ref)?;
    print_part(m, None, is_error, args)
}

fn write_byte(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let is_error = standard_output(m, args[0] as Ref)?;
    let text = String::from_utf8_lossy(&[args[1] as u8]).into_owned();
    m.print(None, is_error, None, |_| Ok(text))?;
    Ok(Answer::Void)
}

/// A print stream is about to be closed.
fn close_stream(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    if m.console(args[0] as Ref).is_some() {
        m.closes_console();
    }
    Ok(Answer::Bytecode)
}

fn close_descriptor(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let descriptor = args[0] as Ref;
    if m.standard(descriptor).is_some() {
        m.closes_console();
    }
    let [number, _] = descriptor_slots(m)?;
    m.with_fields(descriptor, [number], |_, [number]| {
        *number = u64::from(u32::MAX);
        Ok(())
    })?;
    Ok(Answer::Void)
}

fn no_file(path: &str, what: &'static str) -> Trap {
    Gap::File { what, path: path.to_owned(), problem: None }.into()
}

/// Whether a path leads to a file of the JDK or of the class path, which a program can do no harm to and
/// which never change.
fn is_library(m: &PureView<'_, '_>, path: &Path) -> bool {
    let sources = &m.vm.classes.sources;
    (path.starts_with(sources.jdk.home()) || sources.path.has_file(path))
        && path.components().all(|part| part.as_os_str() != "..")
}

/// What is at a path. Files of the program's own are as they were when it first looked at them.
pub(super) fn look(m: &PureView<'_, '_>, text: &str) -> Exec<Found> {
    let path = Path::new(text);
    let found = if is_library(m, path) {
        match std::fs::metadata(path) {
            Ok(found) if found.is_dir() => Found::Directory,
            Ok(_) => Found::File(Arc::default()),
            Err(_) => Found::Missing,
        }
    } else {
        m.vm.classes.sources.files.look(path)
    };
    match found {
        Found::Other(problem) => {
            Err(Gap::File { what: "reading", path: text.to_owned(), problem: Some(problem.to_string()) }
                .into())
        }
        found => Ok(found),
    }
}

/// The path of a `java.io.File`.
fn path_text(m: &PureView<'_, '_>, file: Ref) -> Exec<String> {
    Ok(m.text(m.fixed(file, Fixed::FilePath)? as Ref))
}

fn attributes(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let text = path_text(m, required(args[1])?)?;
    // Exists, is a regular file, is a directory: the bits of `java.io.FileSystem`.
    give_int(match look(m, &text)? {
        Found::File(_) => 1 | 2,
        Found::Directory => 1 | 4,
        Found::Missing | Found::Other(_) => 0,
    })
}

fn length(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let text = path_text(m, required(args[1])?)?;
    look(m, &text)?;
    give_long(size_of(m, &text) as i64)
}

/// The size of a file; zero if it is none.
pub(super) fn size_of(m: &PureView<'_, '_>, text: &str) -> u64 {
    if is_library(m, Path::new(text)) {
        return std::fs::metadata(text).map_or(0, |found| found.len());
    }
    match m.vm.classes.sources.files.look(Path::new(text)) {
        Found::File(bytes) => bytes.len() as u64,
        _ => 0,
    }
}

/// All bytes of a file that is there.
pub(super) fn whole(m: &PureView<'_, '_>, text: &str) -> Exec<Vec<u8>> {
    if is_library(m, Path::new(text)) {
        return std::fs::read(text).map_err(|_| no_file(text, "reading"));
    }
    match look(m, text)? {
        Found::File(bytes) => Ok(bytes.to_vec()),
        _ => Err(no_file(text, "reading")),
    }
}

fn may_access(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let text = path_text(m, required(args[1])?)?;
    let is_there = look(m, &text)? != Found::Missing;
    // Files can be read, those of the JDK and the class path cannot be written; who else may do what is not
    // known.
    match args[2] {
        4 => give_bool(is_there),
        _ if is_library(m, Path::new(&text)) || !is_there => give_bool(false),
        _ => Err(no_file(&text, "the right to write or to execute")),
    }
}

fn open(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let text = m.text(required(args[1])?);
    let refused = |why| Err(exception("java/io/FileNotFoundException", format!("{text} ({why})")));
    match look(m, &text)? {
        Found::Missing | Found::Other(_) => return refused("No such file or directory"),
        Found::Directory => return refused("Is a directory"),
        Found::File(_) => {}
    }
    let descriptor = descriptor(m, args[0] as Ref)?;
    let opened = m.vm.classes.sources.files.open(&text);
    let slots = descriptor_slots(m)?;
    m.with_fields(descriptor, slots, |_, fields| {
        *fields = [u64::from(opened), 0];
        Ok(())
    })?;
    Ok(Answer::Void)
}

/// The path of an open file; nothing if the number is that of the console, or of no open file.
fn path_of(m: &PureView<'_, '_>, number: i32) -> Option<PathBuf> {
    m.vm.classes.sources.files.opened(number as u32).map(Path::to_path_buf)
}

/// Reads from where a file is, which is moved.
fn read_from(m: &PureView<'_, '_>, number: i32, at: &mut u64, len: usize) -> Exec<Vec<u8>> {
    let Some(path) = path_of(m, number) else {
        return Err(exception("java/io/IOException", "Stream Closed"));
    };
    if !is_library(m, &path)
        && let Found::File(all) = m.vm.classes.sources.files.look(&path)
    {
        let from = usize::try_from(*at).unwrap_or(usize::MAX).min(all.len());
        let bytes = all[from..from.saturating_add(len).min(all.len())].to_vec();
        *at += bytes.len() as u64;
        return Ok(bytes);
    }
    let mut bytes = vec![0; len];
    let file = std::fs::File::open(&path).map_err(|_| no_file(&path.display().to_string(), "reading"))?;
    let mut n = 0;
    while n < len {
        match file.read_at(&mut bytes[n..], *at + n as u64) {
            Ok(0) | Err(_) => break,
            Ok(more) => n += more,
        }
    }
    bytes.truncate(n);
    *at += n as u64;
    Ok(bytes)
}

/// Whether a descriptor is that of standard input, which is empty.
///
/// # Errors
/// If it is closed.
fn is_standard_input(m: &mut SharedView<'_, '_>, descriptor: Ref) -> Exec<bool> {
    if m.static_constant("java/io/FileDescriptor", "in") != Some(u64::from(descriptor)) {
        return Ok(false);
    }
    let [number, _] = descriptor_slots(m)?;
    match int(m.read(descriptor, number)?) {
        0 => Ok(true),
        _ => Err(exception("java/io/IOException", "Stream Closed")),
    }
}

fn read_one(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let descriptor = descriptor(m, args[0] as Ref)?;
    if is_standard_input(m, descriptor)? {
        return give_int(-1);
    }
    let slots = descriptor_slots(m)?;
    let bytes = m.with_fields(descriptor, slots, |m, [number, at]| read_from(m, int(*number), at, 1))?;
    give_int(bytes.first().map_or(-1, |&byte| i32::from(byte)))
}

fn read_some(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let array = required(args[1])?;
    let (from, len) = (int(args[2]), int(args[3]));
    if from < 0 || len < 0 || from as usize + len as usize > m.array_len(array) {
        return Err(Trap::Exception("java/lang/IndexOutOfBoundsException", None));
    }
    if len == 0 {
        return give_int(0);
    }
    let descriptor = descriptor(m, args[0] as Ref)?;
    if is_standard_input(m, descriptor)? {
        return give_int(-1);
    }
    let slots = descriptor_slots(m)?;
    let bytes =
        m.with_fields(descriptor, slots, |m, [number, at]| read_from(m, int(*number), at, len as usize))?;
    // The file has moved on; what was read is copied into the array like any other bytes.
    let read = m.new_bytes(&bytes).give();
    apart::deliver(
        m,
        read,
        (array, from as u32),
        apart::Order::Any,
        if bytes.is_empty() { -1 } else { bytes.len() as i32 },
    )
}

/// How large a stream's file is, and where the stream is in it.
fn size(m: &mut SharedView<'_, '_>, stream: Ref) -> Exec<(u64, u64)> {
    let (descriptor, slots) = (descriptor(m, stream)?, descriptor_slots(m)?);
    let [number, at] = m.read_fields(descriptor, slots)?;
    let Some(path) = path_of(m, int(number)) else { return Ok((0, 0)) };
    Ok((size_of(m, &path.to_string_lossy()), at))
}

fn file_length(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    give_long(size(m, args[0] as Ref)?.0 as i64)
}

fn available(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let (len, at) = size(m, args[0] as Ref)?;
    give_int(len.saturating_sub(at).min(i32::MAX as u64) as i32)
}

fn position(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let (descriptor, [_, at]) = (descriptor(m, args[0] as Ref)?, descriptor_slots(m)?);
    give_long(m.read(descriptor, at)? as i64)
}

fn skip(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let (descriptor, [_, at]) = (descriptor(m, args[0] as Ref)?, descriptor_slots(m)?);
    m.with_fields(descriptor, [at], |_, [at]| {
        *at = at.wrapping_add(args[1]);
        Ok(Answer::Wide(args[1]))
    })
}

/// A stream over bytes, as `getResourceAsStream` gives it.
pub(super) fn stream_over(m: &mut OwnView<'_, '_>, bytes: &[u8]) -> Exec<Answer> {
    let class = m.vm.load("java/io/ByteArrayInputStream")?;
    m.ensure_initialized(class)?;
    let array = m.new_bytes(bytes);
    let stream = m.new_object(class);
    let (buf, count) =
        (slot(m, "java/io/ByteArrayInputStream", "buf")?, slot(m, "java/io/ByteArrayInputStream", "count")?);
    m.set_ref(stream, buf, array.give());
    m.set(stream, count, bytes.len() as u64);
    give_new(stream)
}
