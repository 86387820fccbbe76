//! Classes and fields of the class library that the machine itself must know.

use crate::class::descriptor::Kind;
use crate::class::registry::Classes;
use crate::class::{ClassId, MethodId, flags};
use crate::error::Error;

/// A static field.
#[derive(Clone, Copy, Debug)]
pub struct StaticField {
    /// The class that declares it.
    pub class: ClassId,
    /// Its slot among the class's.
    pub slot: u32,
}

/// The fields of a thread that its end sets to `null`, as `Thread.exit` does it; later class libraries have
/// fewer of them.
const CLEARED: [&str; 7] = [
    "group",
    "target",
    "threadLocals",
    "inheritableThreadLocals",
    "inheritedAccessControlContext",
    "blocker",
    "uncaughtExceptionHandler",
];

/// Them.
#[derive(Debug)]
#[allow(missing_docs, reason = "each name says which class or field it is")]
pub struct Known {
    pub object: ClassId,
    pub class: ClassId,
    pub string: ClassId,
    pub thread: ClassId,
    pub throwable: ClassId,
    pub byte_array: ClassId,
    pub int_array: ClassId,
    pub string_array: ClassId,
    pub object_array: ClassId,
    pub assertion_error: ClassId,
    pub n_class_slots: u32,
    pub class_component: u32,
    pub string_value: u32,
    pub string_coder: u32,
    pub throwable_message: u32,
    pub throwable_backtrace: u32,
    pub throwable_depth: u32,
    pub throwable_stack: u32,
    pub throwable_cause: u32,
    pub throwable_suppressed: u32,
    /// Where the name of a thread is.
    pub thread_name: u32,
    pub thread_interrupted: u32,
    pub thread_eetop: u32,
    /// From JDK 19 on status and daemon flag are in an object of their own.
    pub thread_holder: Option<u32>,
    pub thread_status: u32,
    pub thread_daemon: u32,
    pub class_module: u32,
    pub print_stream: ClassId,
    pub buffered_output: ClassId,
    pub file_output: ClassId,
    /// From JDK 21 on the file streams of the consoles have a class of their own.
    pub system_output: ClassId,
    pub filter_out: u32,
    pub file_output_fd: u32,
    /// From JDK 19 to 23: the lock of a print stream, which is its monitor before and after that.
    pub print_stream_lock: Option<u32>,
    pub descriptor_fd: u32,
    pub cloneable: ClassId,
    /// From JDK 19 on.
    pub base_virtual_thread: Option<ClassId>,
    pub thread_run: MethodId,
    pub dispatch_uncaught: MethodId,
    pub lock: Option<ClassId>,
    pub synchronizer: Option<ClassId>,
    pub lock_owner: u32,
    pub park_blocker: u32,
    /// Who is to be told about an interrupt.
    pub thread_blocker: Option<u32>,
    /// What a thread that ends has no more.
    pub thread_cleared: Box<[u32]>,
    pub unassigned_stack: Option<StaticField>,
    pub suppressed_sentinel: Option<StaticField>,
    pub shutdown_hooks: Option<StaticField>,
    pub n_hooks: u32,
    /// Up to JDK 18.
    pub thread_number: Option<StaticField>,
    /// Up to JDK 18.
    pub thread_identifier: Option<StaticField>,
    pub default_handler: Option<StaticField>,
    pub system_loader: Option<StaticField>,
    /// See `vm::loaders` and `vm::constraints` for this and the next three.
    pub loader_space: u32,
    pub loader_classes: u32,
    pub loader_bound: u32,
    pub loaders: Option<StaticField>,
    pub blocks: Option<StaticField>,
    /// The classes of arrays of primitive values, in the order of [`Kind::PRIMITIVE`].
    pub primitive_arrays: [ClassId; 8],
}

impl Known {
    /// Finds them.
    ///
    /// # Errors
    /// If the class library lacks one.
    pub fn find(classes: &Classes) -> Result<Self, Error> {
        let class = |name: &str| classes.load(name).map_err(Error::LibraryClass);
        let slot = |class: &str, field: &str| {
            classes
                .slot(class, field)
                .ok_or_else(|| Error::LibraryLacks(format!("the field {class}.{field}")))
        };
        let method = |class: &str, name: &str, descriptor: &str| {
            classes
                .find_method(class, name, descriptor)
                .ok_or_else(|| Error::LibraryLacks(format!("the method {class}.{name}")))
        };
        let static_field = |class: &str, field: &str| {
            let id = classes.load(class).ok()?;
            let name = classes.symbols.find(field)?;
            let field =
                classes.get(id).fields.iter().find(|f| f.name == name && f.flags & flags::STATIC != 0)?;
            Some(StaticField { class: id, slot: field.slot })
        };
        let mirror = class("java/lang/Class")?;
        let thread_holder = classes.slot("java/lang/Thread", "holder");
        let holder =
            if thread_holder.is_some() { "java/lang/Thread$FieldHolder" } else { "java/lang/Thread" };
        let mut primitive_arrays = [mirror; 8];
        for (place, kind) in primitive_arrays.iter_mut().zip(Kind::PRIMITIVE) {
            *place = class(&format!("[{}", kind.letter()))?;
        }
        Ok(Self {
            object: class("java/lang/Object")?,
            class: mirror,
            string: class("java/lang/String")?,
            thread: class("java/lang/Thread")?,
            throwable: class("java/lang/Throwable")?,
            byte_array: class("[B")?,
            int_array: class("[I")?,
            string_array: class("[Ljava/lang/String;")?,
            object_array: class("[Ljava/lang/Object;")?,
            assertion_error: class("java/lang/AssertionError")?,
            n_class_slots: classes.get(mirror).instance.len() as u32,
            class_component: slot("java/lang/Class", "componentType")?,
            string_value: slot("java/lang/String", "value")?,
            string_coder: slot("java/lang/String", "coder")?,
            throwable_message: slot("java/lang/Throwable", "detailMessage")?,
            throwable_backtrace: slot("java/lang/Throwable", "backtrace")?,
            throwable_depth: slot("java/lang/Throwable", "depth")?,
            throwable_stack: slot("java/lang/Throwable", "stackTrace")?,
            throwable_cause: slot("java/lang/Throwable", "cause")?,
            throwable_suppressed: slot("java/lang/Throwable", "suppressedExceptions")?,
            thread_name: slot("java/lang/Thread", "name")?,
            thread_interrupted: slot("java/lang/Thread", "interrupted")?,
            thread_eetop: slot("java/lang/Thread", "eetop")?,
            thread_holder,
            thread_status: slot(holder, "threadStatus")?,
            thread_daemon: slot(holder, "daemon")?,
            class_module: slot("java/lang/Class", "module")?,
            print_stream: class("java/io/PrintStream")?,
            buffered_output: class("java/io/BufferedOutputStream")?,
            file_output: class("java/io/FileOutputStream")?,
            system_output: class("java/lang/System$Out").or_else(|_| class("java/io/FileOutputStream"))?,
            filter_out: slot("java/io/FilterOutputStream", "out")?,
            file_output_fd: slot("java/io/FileOutputStream", "fd")?,
            descriptor_fd: slot("java/io/FileDescriptor", "fd")?,
            primitive_arrays,
            print_stream_lock: classes.slot("java/io/PrintStream", "internalLock"),
            cloneable: class("java/lang/Cloneable")?,
            base_virtual_thread: class("java/lang/BaseVirtualThread").ok(),
            thread_run: method("java/lang/Thread", "run", "()V")?,
            dispatch_uncaught: method(
                "java/lang/Thread",
                "dispatchUncaughtException",
                "(Ljava/lang/Throwable;)V",
            )?,
            lock: classes.load("java/util/concurrent/locks/AbstractOwnableSynchronizer").ok(),
            synchronizer: classes.load("java/util/concurrent/locks/AbstractQueuedSynchronizer").ok(),
            lock_owner: slot(
                "java/util/concurrent/locks/AbstractOwnableSynchronizer",
                "exclusiveOwnerThread",
            )?,
            park_blocker: slot("java/lang/Thread", "parkBlocker")?,
            thread_blocker: classes.slot("java/lang/Thread", "blocker"),
            thread_cleared: CLEARED
                .into_iter()
                .filter_map(|field| classes.slot("java/lang/Thread", field))
                .collect(),
            unassigned_stack: static_field("java/lang/Throwable", "UNASSIGNED_STACK"),
            suppressed_sentinel: static_field("java/lang/Throwable", "SUPPRESSED_SENTINEL"),
            shutdown_hooks: static_field("java/lang/ApplicationShutdownHooks", "hooks"),
            n_hooks: slot("java/util/IdentityHashMap", "size")?,
            thread_number: static_field("java/lang/Thread", "threadInitNumber"),
            thread_identifier: static_field("java/lang/Thread", "threadSeqNumber"),
            default_handler: static_field("java/lang/Thread", "defaultUncaughtExceptionHandler"),
            system_loader: static_field("java/lang/ClassLoader", "scl"),
            loader_space: slot("java/lang/ClassLoader", "<space>")?,
            loader_classes: slot("java/lang/ClassLoader", "<classes>")?,
            loader_bound: slot("java/lang/ClassLoader", "<bound>")?,
            loaders: static_field("java/lang/ClassLoader", "<loaders>"),
            blocks: static_field("jdk/internal/misc/Unsafe", "<blocks>"),
        })
    }
}

impl Known {
    /// The class of arrays of a primitive kind.
    #[inline]
    #[must_use]
    pub fn primitive_array(&self, kind: Kind) -> ClassId {
        match kind {
            Kind::Boolean => self.primitive_arrays[0],
            Kind::Char => self.primitive_arrays[1],
            Kind::Float => self.primitive_arrays[2],
            Kind::Double => self.primitive_arrays[3],
            Kind::Byte => self.primitive_arrays[4],
            Kind::Short => self.primitive_arrays[5],
            Kind::Int => self.primitive_arrays[6],
            Kind::Long => self.primitive_arrays[7],
            Kind::Ref => self.object_array,
        }
    }
}
