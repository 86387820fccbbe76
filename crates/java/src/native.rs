//! What the machine does itself: the native methods of the class library, and methods of it that are
//! replaced.
//!
//! A replacement may look at its arguments and let the method's own code run after all. What is not here
//! stops a search: a native method without an entry is `unsupported`, by name.
//!
//! Each entry declares its [`Effect`], which decides what of the machine it can get at. So a native method
//! that other threads could notice, or that depends on what they do, cannot forget to say so.

use crate::class::code::{Code, Op};
use crate::class::descriptor::Signature;
use crate::class::registry::Classes;
use crate::class::symbol::{Symbol, Symbols};
use crate::class::{Method, MethodId, flags};
use crate::numbered::Name;
use crate::vm::heap::Ref;
use crate::vm::machine::{Exec, Trap};
use crate::vm::thread::Role;
pub use effect::Effect;
use effect::{Fresh, PureView};
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

pub mod apart;
pub mod arrays;
pub mod choose;
pub mod class;
pub mod condition;
pub mod effect;
pub mod handles;
pub mod io;
pub mod lang;
pub mod limits;
pub mod loader;
pub mod math;
pub mod memory;
pub mod method_handles;
mod method_types;
pub mod modules;
pub mod net;
pub mod nio;
pub mod random;
pub mod reflect;
pub mod resource;
pub mod section;
pub mod several;
pub mod string;
pub mod system;
pub mod thread;
pub mod walk;
pub mod zip;

/// What a native method did.
#[derive(Debug, Clone)]
pub enum Answer {
    /// It gives nothing.
    Void,
    /// It gives a value of one slot.
    Word(u64),
    /// It gives a value of two slots.
    Wide(u64),
    /// The method's own code is to run.
    Bytecode,
    /// This method is to be called with these arguments; what it gives is the answer, or is dropped
    /// ([`Role::Detached`]).
    Call(MethodId, Vec<u64>, Role),
}

/// A table of native methods: class, name and descriptor in one string, such as
/// `java/lang/Object.hashCode()I`. Without a descriptor it is for all methods of the name. What each does is
/// declared by its effect.
pub type Table = &'static [(&'static str, Effect)];

/// Every table.
const TABLES: &[Table] = &[
    arrays::TABLE,
    choose::TABLE,
    class::TABLE,
    condition::TABLE,
    io::TABLE,
    lang::TABLE,
    limits::TABLE,
    loader::TABLE,
    math::TABLE,
    memory::TABLE,
    memory::BOOLEANS,
    memory::BYTES,
    memory::CHARS,
    memory::SHORTS,
    memory::INTS,
    memory::LONGS,
    memory::FLOATS,
    memory::DOUBLES,
    memory::REFERENCES,
    modules::TABLE,
    net::TABLE,
    nio::TABLE,
    random::TABLE,
    resource::TABLE,
    section::TABLE,
    string::TABLE,
    system::TABLE,
    thread::TABLE,
    walk::TABLE,
    zip::TABLE,
    handles::TABLE,
    handles::access::MODES,
    method_handles::TABLE,
    method_handles::COMBINATORS,
    method_handles::REFUSED,
    method_handles::LOOKUP_REFUSED,
    method_handles::PROXY_REFUSED,
    method_handles::combine::TABLE,
    reflect::array::TABLE,
    reflect::array::KINDS,
    reflect::facts::TABLE,
    reflect::invoke::TABLE,
    reflect::objects::TABLE,
    reflect::pool::TABLE,
    reflect::proxy::TABLE,
];

/// An `int` argument.
#[inline]
pub(crate) fn int(value: u64) -> i32 {
    value as u32 as i32
}

/// The answer is an `int`.
#[inline]
pub(crate) fn give_int(value: i32) -> Exec<Answer> {
    Ok(Answer::Word(u64::from(value as u32)))
}

/// The answer is a `boolean`.
#[inline]
pub(crate) fn give_bool(value: bool) -> Exec<Answer> {
    Ok(Answer::Word(u64::from(value)))
}

/// The answer is an object.
#[inline]
pub(crate) fn give_ref(value: Ref) -> Exec<Answer> {
    Ok(Answer::Word(u64::from(value)))
}

/// The answer is an object that was just made.
#[inline]
pub(crate) fn give_new(value: Fresh) -> Exec<Answer> {
    give_ref(value.give())
}

/// The answer is a `long`.
#[inline]
pub(crate) fn give_long(value: i64) -> Exec<Answer> {
    Ok(Answer::Wide(value as u64))
}

/// The answer is a `double`.
#[inline]
pub(crate) fn give_double(value: f64) -> Exec<Answer> {
    Ok(Answer::Wide(value.to_bits()))
}

/// An object that must be one.
#[inline]
pub(crate) fn required(value: u64) -> Exec<Ref> {
    match value as Ref {
        0 => Err(Trap::Exception("java/lang/NullPointerException", None)),
        object => Ok(object),
    }
}

/// Does nothing.
fn nothing(_: &mut PureView<'_, '_>, _: &[u64]) -> Exec<Answer> {
    Ok(Answer::Void)
}

/// Gives `false`, zero or `null`.
fn zero(_: &mut PureView<'_, '_>, _: &[u64]) -> Exec<Answer> {
    Ok(Answer::Word(0))
}

/// Gives `true`.
fn yes(_: &mut PureView<'_, '_>, _: &[u64]) -> Exec<Answer> {
    Ok(Answer::Word(1))
}

/// Does nothing.
pub(crate) const NOTHING: Effect = Effect::Pure(nothing);
/// Gives `false`, zero or `null`.
pub(crate) const ZERO: Effect = Effect::Pure(zero);
/// Gives `true`.
pub(crate) const YES: Effect = Effect::Pure(yes);

/// All native methods.
pub struct Natives {
    entries: HashMap<(Symbol, Symbol, Symbol), Effect>,
    by_name: HashMap<(Symbol, Symbol), Effect>,
    /// Methods of which the own code runs.
    own_code: HashSet<(Symbol, Symbol)>,
    nothing: OnceLock<MethodId>,
    begin: OnceLock<MethodId>,
    inflations: zip::Inflations,
}

impl Natives {
    /// Reads the tables.
    ///
    /// # Panics
    /// If a table has an entry that is not of the form `class.name(parameters)result` or `class.name`.
    #[must_use]
    pub fn new(symbols: &Symbols, own_code: &[&str]) -> Self {
        let mut entries = HashMap::new();
        let mut by_name = HashMap::new();
        for (name, entry) in TABLES.iter().flat_map(|table| table.iter()) {
            let (class, rest) = name.split_once('.').expect("an entry names its class");
            let Some(at) = rest.find('(') else {
                by_name.insert((symbols.intern(class), symbols.intern(rest)), *entry);
                continue;
            };
            let key = (symbols.intern(class), symbols.intern(&rest[..at]), symbols.intern(&rest[at..]));
            entries.insert(key, *entry);
        }
        Self {
            entries,
            by_name,
            own_code: own_code
                .iter()
                .map(|name| name.split_once('.').expect("a method is named with its class"))
                .map(|(class, name)| (symbols.intern(class), symbols.intern(name)))
                .collect(),
            nothing: OnceLock::new(),
            begin: OnceLock::new(),
            inflations: zip::Inflations::default(),
        }
    }

    /// The names of all entries with their effects, sorted.
    #[must_use]
    pub fn effects() -> Vec<(&'static str, &'static Effect)> {
        let entries = TABLES.iter().flat_map(|table| table.iter());
        let mut effects: Vec<_> = entries.map(|(name, effect)| (*name, effect)).collect();
        effects.sort_unstable_by_key(|entry| entry.0);
        effects
    }

    /// The entries that are there only to be refused by name, sorted: methods with code that this machine has
    /// no use for.
    #[must_use]
    pub fn refused() -> Vec<&'static str> {
        let tables = [
            method_handles::COMBINATORS,
            method_handles::REFUSED,
            method_handles::LOOKUP_REFUSED,
            method_handles::PROXY_REFUSED,
        ];
        let mut names: Vec<_> = tables.iter().flat_map(|table| table.iter().map(|entry| entry.0)).collect();
        names.sort_unstable();
        names
    }

    /// What the machine does instead of a method's code.
    #[must_use]
    pub fn find(&self, classes: &Classes, method: &Method) -> Option<Effect> {
        let class = classes.get(method.class).name;
        if !method.is_native() && self.own_code.contains(&(class, method.name)) {
            return None;
        }
        if let Some(entry) = self.entries.get(&(class, method.name, method.descriptor)) {
            return Some(*entry);
        }
        if let Some(entry) = self.by_name.get(&(class, method.name)) {
            return Some(*entry);
        }
        // Natives that only tell the native libraries about their classes have nothing to do here.
        let name = classes.symbols.text(method.name);
        if method.is_native() && matches!(&**name, "registerNatives" | "initIDs") {
            return Some(NOTHING);
        }
        None
    }

    /// A method that does nothing: it stands for the initialiser of a class that has none. Its argument is
    /// the class.
    pub fn nothing(&self, classes: &Classes) -> MethodId {
        *self.nothing.get_or_init(|| {
            let code = Code::made(vec![Op::Load(0), Op::Pop, Op::Return(0)], Vec::new());
            make(classes, "<nothing>", "(Ljava/lang/Class;)V", code)
        })
    }

    /// A method that only calls `run`, which is that of `Thread`: the first one of threads whose `run` must
    /// not be.
    pub fn begin(&self, classes: &Classes, run: MethodId) -> MethodId {
        *self.begin.get_or_init(|| {
            let code = Code::made(vec![Op::Load(0), Op::Call(run, true), Op::Return(0)], Vec::new());
            make(classes, "<begin>", "(Ljava/lang/Thread;)V", code)
        })
    }

    /// Whether a method is one of these, which programs are not shown.
    #[must_use]
    pub fn is_made(&self, method: MethodId) -> bool {
        self.nothing.get() == Some(&method) || self.begin.get() == Some(&method)
    }
}

/// A static method of one argument, made by the machine.
fn make(classes: &Classes, name: &str, descriptor: &str, code: Code) -> MethodId {
    let symbols = &classes.symbols;
    let object = classes.load("java/lang/Object").expect("the class library was looked at before");
    let purpose = || Name::made_method(name);
    classes.add_method(purpose, |id| Method {
        id,
        class: object,
        name: symbols.intern(name),
        descriptor: symbols.intern(descriptor),
        flags: flags::STATIC | flags::SYNTHETIC,
        signature: Signature::parse(descriptor).expect("it is well formed"),
        n_args: 1,
        max_locals: 1,
        max_stack: 1,
        index: 0,
        site: OnceLock::new(),
        code: OnceLock::from(Ok(code)),
        native: OnceLock::from(None),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_accesses_several_things_is_there_and_shared() {
        for (prefix, _) in several::SEVERAL {
            let mut named = Natives::effects().into_iter().filter(|(name, _)| name.starts_with(prefix));
            assert!(
                named.any(|(_, effect)| matches!(effect, Effect::Shared(_))),
                "{prefix} is none of the table"
            );
        }
    }

    /// What is never taken apart reads only what no thread can write any more: the characters of strings.
    #[test]
    fn ranges_that_other_threads_can_write_are_taken_apart() {
        for (name, effect) in Natives::effects() {
            let is_whole = matches!(effect, Effect::Ranges(.., None));
            assert!(!is_whole || name.starts_with("java/lang/String"), "{name} is never taken apart");
        }
    }

    #[test]
    fn no_method_has_two_entries() {
        let all = Natives::effects();
        let twice: Vec<_> =
            all.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[0].0).collect();
        assert!(twice.is_empty(), "{twice:#?}");
    }
}
