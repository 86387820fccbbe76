//! Native methods that the machine does not have, in words for people: what a program wanted when it came to
//! one. The names of internals say little; the classes of the library that the program called do.

use super::machine::{Machine, Trap};
use crate::class::{Loader, Method};
use crate::gap::Gap;

/// What classes are for, by the beginnings of their names; the first that fits counts.
const SUBJECTS: &[(&str, &str)] = &[
    ("java/net/", "the network"),
    ("javax/net/", "the network"),
    ("java/nio/channels/File", "files"),
    ("java/nio/channels/AsynchronousFile", "files"),
    ("java/nio/channels/", "the network"),
    ("sun/nio/ch/FileChannelImpl", "files"),
    ("sun/nio/ch/", "the network"),
    ("sun/net/", "the network"),
    ("java/io/File", "files"),
    ("java/io/RandomAccessFile", "files"),
    ("java/io/UnixFileSystem", "files"),
    ("java/nio/file/", "files"),
    ("sun/nio/fs/", "files"),
    ("java/lang/Process", "other processes"),
    ("jdk/internal/misc/Signal", "signals"),
    ("sun/misc/Signal", "signals"),
    ("java/lang/foreign/", "memory outside of objects"),
    ("jdk/internal/foreign/", "memory outside of objects"),
    ("java/nio/", "memory outside of objects"),
    ("jdk/internal/misc/Unsafe", "memory outside of objects"),
];

impl Machine<'_> {
    /// A native method that the machine does not have. What it is about is told by the class of the library
    /// nearest to the program's own code that is known for something.
    pub(super) fn unsupported_native(&self, method: &Method) -> Trap {
        let classes = &self.vm.classes;
        let frames = &self.thread().frames;
        let is_own = |class| self.vm.class(class).loader == Loader::App;
        let first = frames.iter().rposition(|frame| is_own(frame.method.class)).map_or(0, |own| own + 1);
        let callers = frames[first..].iter().map(|frame| frame.method.class);
        let subject = callers.chain([method.class]).find_map(|class| {
            let name = classes.name(class);
            SUBJECTS.iter().find(|(beginning, _)| name.starts_with(beginning)).map(|&(_, subject)| subject)
        });
        let name = classes.java_name(method.class);
        let [called, descriptor] =
            [method.name, method.descriptor].map(|symbol| classes.symbols.text(symbol));
        let frame = self.thread().top();
        let place = self.shown_place(frame.method.id, frame.pc);
        Gap::Native { subject, method: format!("{name}.{called}{descriptor}"), place }.into()
    }
}
