//! The contents of the class library's collections, named as in the source: `[0]`, `["alice"]`, `.get()`.
//!
//! Fields of the library are read by their names, which are the same in all JDKs from 17 on; if one is
//! missing, the collection appears empty. A state may be in the middle of an update, so chains are followed
//! only up to a limit and nothing is assumed to be consistent. Sets are omitted, because nothing
//! distinguishes their elements.

use super::names::value_of_box;
use crate::class::Class;
use crate::vm::heap::{Data, Ref};
use crate::vm::machine::Machine;
use crate::vm::strings;

/// The most elements of a collection that are read.
const MAX_ELEMENTS: usize = 1_000;

/// The contents of a collection or reference: for each element its access path and the element. `name` names
/// keys that are not values.
pub(super) fn contents(
    machine: &Machine<'_>,
    class: &Class,
    object: Ref,
    name: impl Fn(Ref) -> Option<String>,
) -> Vec<(String, Ref)> {
    let vm = machine.vm;
    let mut at = Some(class);
    while let Some(class) = at {
        let holder = Holder { machine, class: vm.classes.name(class.id), object };
        if let Some(held) = holder.held() {
            return match held {
                Held::Elements(all) => {
                    let all = all.into_iter().take(MAX_ELEMENTS).enumerate();
                    all.map(|(idx, element)| (format!("[{idx}]"), element)).collect()
                }
                Held::Entries(all) => {
                    let key_text = |key: Ref| key_text(machine, key).or_else(|| name(key));
                    let named = |(key, value)| Some((format!("[{}]", key_text(key)?), value));
                    let mut all: Vec<(String, Ref)> = all.into_iter().filter_map(named).collect();
                    // The order of a hash table has no meaning.
                    all.sort();
                    all
                }
                Held::Value(value) => vec![(".get()".into(), value)],
                Held::Wrapped(inner) => vec![(String::new(), inner)],
            };
        }
        at = class.super_class.map(|id| vm.class(id));
    }
    Vec::new()
}

/// The contents of a holder.
enum Held {
    /// Elements in their order.
    Elements(Vec<Ref>),
    /// Keys and values.
    Entries(Vec<(Ref, Ref)>),
    /// One element, or `null`.
    Value(Ref),
    /// Another collection, of which it is a view.
    Wrapped(Ref),
}

/// An object seen as one of a class of the library.
#[derive(Clone, Copy)]
struct Holder<'a, 'vm> {
    machine: &'a Machine<'vm>,
    /// The class that declares the fields.
    class: &'vm str,
    object: Ref,
}

impl<'vm> Holder<'_, 'vm> {
    fn held(self) -> Option<Held> {
        let package = "java/util/";
        Some(match self.class.strip_prefix(package)? {
            "ArrayList" => self.first_of("elementData", "size"),
            "Vector" => self.first_of("elementData", "elementCount"),
            "Arrays$ArrayList" => Held::Elements(self.array("a")),
            "concurrent/CopyOnWriteArrayList" | "concurrent/atomic/AtomicReferenceArray" => {
                Held::Elements(self.array("array"))
            }
            "ImmutableCollections$ListN" => Held::Elements(self.array("elements")),
            "ImmutableCollections$List12" => Held::Elements(vec![self.field("e0"), self.field("e1")]),
            "ArrayDeque" => self.ring(),
            "LinkedList" => {
                let nodes = self.chain(self.field("first"), "java/util/LinkedList$Node");
                Held::Elements(nodes.iter().map(|node| node.field("item")).collect())
            }
            "HashMap" => Held::Entries(self.buckets("java/util/HashMap$Node", "value")),
            "concurrent/ConcurrentHashMap" => {
                Held::Entries(self.buckets("java/util/concurrent/ConcurrentHashMap$Node", "val"))
            }
            "TreeMap" => Held::Entries(self.tree()),
            "ImmutableCollections$Map1" => Held::Entries(vec![(self.field("k0"), self.field("v0"))]),
            "ImmutableCollections$MapN" => {
                let table = self.array("table");
                Held::Entries(table.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect())
            }
            "Optional" | "concurrent/atomic/AtomicReference" => Held::Value(self.field("value")),
            "Collections$UnmodifiableCollection" | "Collections$SynchronizedCollection" => {
                Held::Wrapped(self.field("c"))
            }
            "Collections$UnmodifiableMap" | "Collections$SynchronizedMap" => Held::Wrapped(self.field("m")),
            _ => return None,
        })
    }

    /// What is in a slot; zero if there is no such field.
    fn word(self, field: &str) -> u64 {
        let slot = self.machine.vm.classes.slot(self.class, field);
        let object = (self.object != 0).then(|| &self.machine.process.heap.get(self.object).data);
        match (slot, object) {
            (Some(slot), Some(Data::Slots(slots))) => slots.get(slot as usize).copied().unwrap_or(0),
            _ => 0,
        }
    }

    fn field(self, field: &str) -> Ref {
        self.word(field) as Ref
    }

    fn array(self, field: &str) -> Vec<Ref> {
        let array = self.field(field);
        match (array != 0).then(|| &self.machine.process.heap.get(array).data) {
            Some(Data::Refs(refs)) => refs.to_vec(),
            _ => Vec::new(),
        }
    }

    /// The first elements of an array, up to a number in another field.
    fn first_of(self, array: &str, size: &str) -> Held {
        let mut all = self.array(array);
        all.truncate(self.word(size) as usize);
        Held::Elements(all)
    }

    /// The elements of an `ArrayDeque`: from head to tail, and on at the beginning of the array.
    fn ring(self) -> Held {
        let all = self.array("elements");
        let (head, tail) = (self.word("head") as usize, self.word("tail") as usize);
        if head > all.len() || tail > all.len() {
            return Held::Elements(Vec::new());
        }
        let is_whole = head <= tail;
        Held::Elements(if is_whole {
            all[head..tail].to_vec()
        } else {
            [&all[head..], &all[..tail]].concat()
        })
    }

    /// The nodes from `first` on, each with its `next`, if they are of a class.
    fn chain(self, first: Ref, class: &'vm str) -> Vec<Self> {
        let is_node = |&node: &Ref| is_of(self.machine, node, class);
        let node = |object| Holder { class, object, ..self };
        let next = |&at: &Ref| Some(node(at).field("next")).filter(is_node);
        let first = Some(first).filter(is_node);
        std::iter::successors(first, next).take(MAX_ELEMENTS).map(node).collect()
    }

    /// The entries of a hash table.
    fn buckets(self, class: &'vm str, value: &str) -> Vec<(Ref, Ref)> {
        let mut found = Vec::new();
        for head in self.array("table").into_iter().filter(|&head| head != 0) {
            let machine = self.machine;
            let head_class = machine.vm.classes.name(machine.process.heap.get(head).class);
            let first = match head_class.strip_prefix("java/util/concurrent/ConcurrentHashMap$") {
                Some("TreeBin") => Holder { class: head_class, object: head, ..self }.field("first"),
                // Entries that are moving to another table, or under construction.
                Some("ForwardingNode" | "ReservationNode") => 0,
                _ => head,
            };
            found.extend(self.chain(first, class).iter().map(|node| (node.field("key"), node.field(value))));
            if found.len() >= MAX_ELEMENTS {
                break;
            }
        }
        found
    }

    /// The entries of a `TreeMap`.
    fn tree(self) -> Vec<(Ref, Ref)> {
        let mut found = Vec::new();
        let mut open = vec![self.field("root")];
        while let Some(object) = open.pop().filter(|_| found.len() < MAX_ELEMENTS) {
            if object != 0 {
                let entry = Holder { class: "java/util/TreeMap$Entry", object, ..self };
                found.push((entry.field("key"), entry.field("value")));
                open.extend([entry.field("left"), entry.field("right")]);
            }
        }
        found
    }
}

/// A key that is a string, a boxed value or a constant of an enum, as one would write it.
fn key_text(machine: &Machine<'_>, key: Ref) -> Option<String> {
    if key == 0 {
        return Some("null".into());
    }
    let vm = machine.vm;
    let this = machine.process.heap.get(key);
    if this.class == vm.known().string {
        return Some(strings::quoted(&machine.units(key)));
    }
    let class = "java/lang/Enum";
    if is_of(machine, key, class) {
        let name = Holder { machine, class, object: key }.field("name");
        return (name != 0).then(|| machine.text(name));
    }
    value_of_box(machine, key)
}

/// Whether an object is of a class. Compares names, because describing a state must not load classes.
fn is_of(machine: &Machine<'_>, object: Ref, class: &str) -> bool {
    let classes = &machine.vm.classes;
    let supertypes = || machine.vm.class(machine.process.heap.get(object).class).supertypes.iter();
    object != 0 && supertypes().any(|&id| classes.name(id) == class)
}
