//! Classes and fields of the class library that the machine itself must know.

use crate::class::ClassId;
use crate::class::registry::Classes;

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
}

impl Known {
    /// Finds them.
    ///
    /// # Errors
    /// If the class library lacks one.
    pub fn find(classes: &Classes) -> Result<Self, String> {
        let class = |name: &str| {
            classes.load(name).map_err(|error| format!("the class library lacks {name}: {}", error.message))
        };
        let slot = |class: &str, field: &str| {
            classes
                .slot(class, field)
                .ok_or_else(|| format!("the class library's {class} has no field {field}"))
        };
        let mirror = class("java/lang/Class")?;
        let thread_holder = classes.slot("java/lang/Thread", "holder");
        let holder =
            if thread_holder.is_some() { "java/lang/Thread$FieldHolder" } else { "java/lang/Thread" };
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
        })
    }
}
