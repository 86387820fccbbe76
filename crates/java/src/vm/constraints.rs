//! Loading constraints (JVMS 5.3.4): two loaders must mean the same class by a name if code of one uses a
//! member of a class of the other in whose descriptor the name is.
//!
//! `ClassLoader.<bound>`, an added field, has the constraints of a loader: an array of pairs, a name (a
//! literal) and another loader (`null` for those of the class library, which all give the same). The other
//! one has it too if it is of the program. Constraints join: all loaders that can be reached from one by
//! constraints on a name must give one class.
//!
//! A constraint is checked when it comes to be, which is when a member is resolved, and when one of the
//! loaders is recorded to give a class. Both are operations that commute with no other, since they ask
//! several loaders; they are only needed for names outside of `java`, which no loader can give another
//! meaning. Constraints on overridden methods (JVMS 5.4.2) are not kept: where an object of the wrong class
//! comes by such a method, its first use is refused (`Machine::check_object`).

use super::heap::Ref;
use super::machine::{Exec, Machine, exception};
use super::view::{Mode, Resource};
use crate::class::space::loader_of;
use crate::class::symbol::Symbol;
use crate::class::{Class, ClassId, Loader};

impl<'vm> Machine<'vm> {
    /// Code of a class resolves a member of another class, with this descriptor.
    ///
    /// # Errors
    /// `LinkageError` if the two loaders mean different classes; [`Trap::Stop`](super::machine::Trap::Stop)
    /// if the step ends before that.
    pub(super) fn constrain(
        &mut self,
        from: &Class,
        owner: &Class,
        descriptor: Symbol,
        what: &str,
    ) -> Exec<()> {
        let is_far = loader_of(from.space) != loader_of(owner.space) && owner.loader == Loader::App;
        if !is_far {
            return Ok(());
        }
        let text = self.vm.classes.symbols.text(descriptor).clone();
        let mut missing = Vec::new();
        let mut rest = &*text;
        while let Some((_, after)) = rest.split_once('L') {
            let Some((name, behind)) = after.split_once(';') else { break };
            if !name.starts_with("java/") && !self.is_bound(from.space, owner.space, name) {
                missing.push(name.to_owned());
            }
            rest = behind;
        }
        if missing.is_empty() {
            return Ok(());
        }
        self.access(Resource::Unlisted, Mode::Write)?;
        for name in missing {
            for (one, other) in [(from.space, owner.space), (owner.space, from.space)] {
                self.bind(one, other, &name)?;
            }
            if let [a, b, ..] = self.meanings(from.space, &name)[..] {
                let classes = &self.vm.classes;
                let name = name.replace('/', ".");
                let [here, there] = [from, owner].map(|class| {
                    (
                        classes.java_name(class.id),
                        self.shown_loader_of(class.space),
                        self.home_of(class.id, true),
                    )
                });
                debug_assert_ne!(a, b, "meanings are told apart");
                let message = format!(
                    "loader constraint violation: when resolving {what} the class loader {} of the current class, {}, and the class loader {} for the {}'s defining class, {}, have different Class objects for the type {name} used in the signature ({} is {}; {} is {})",
                    here.1,
                    here.0,
                    there.1,
                    what.split(' ').next().unwrap_or("member"),
                    there.0,
                    here.0,
                    here.2,
                    there.0,
                    there.2
                );
                return Err(exception("java/lang/LinkageError", message));
            }
        }
        Ok(())
    }

    /// Whether a constraint on the name of a class touches a loader.
    pub(crate) fn is_constrained(&self, loader: Ref, class: ClassId) -> bool {
        let name = self.vm.literal_str(self.vm.classes.plain_name(class));
        self.bounds(loader).iter().any(|&(bound, _)| bound == name)
    }

    /// A loader is about to be recorded to give a class: all that constraints join it with must mean the same
    /// by its name. Asks several loaders, so the operation must be one that commutes with no other.
    ///
    /// # Errors
    /// `LinkageError` if one of them means something else.
    pub(crate) fn check_constraints(&self, loader: Ref, class: ClassId) -> Exec<()> {
        let name = self.vm.classes.plain_name(class).to_owned();
        let space = self.space_of(loader);
        let Some(&other) = self.meanings(space, &name).iter().find(|&&other| other != class) else {
            return Ok(());
        };
        let shown = self.vm.classes.java_name(class);
        let form = if self.vm.class(class).is_interface() { "interface" } else { "class" };
        Err(exception(
            "java/lang/LinkageError",
            format!(
                "loader constraint violation: loader {} wants to load {form} {shown}. A different {form} with the same name was previously loaded by {}. ({shown} is {})",
                self.shown_loader_of(space),
                self.shown_loader_of(self.vm.class(other).space),
                self.home_of(other, true)
            ),
        ))
    }

    /// The classes that a name means for a loader and all that constraints join with it.
    fn meanings(&self, space: u32, name: &str) -> Vec<ClassId> {
        let literal = self.vm.literal_str(name);
        let symbol = self.vm.classes.symbols.intern(name);
        let (mut seen, mut waiting, mut found) = (vec![space], vec![space], Vec::new());
        while let Some(space) = waiting.pop() {
            let meaning = match space {
                0 => self.vm.classes.load_symbol(symbol).ok(),
                space => self.recorded(self.loader_in(space), symbol),
            };
            if let Some(meaning) = meaning.filter(|meaning| !found.contains(meaning)) {
                found.push(meaning);
            }
            if space == 0 {
                continue;
            }
            for (bound, other) in self.bounds(self.loader_in(space)) {
                let other = if other == 0 { 0 } else { self.space_of(other) };
                if bound == literal && !seen.contains(&other) {
                    seen.push(other);
                    waiting.push(other);
                }
            }
        }
        found
    }

    /// The constraints of a loader: names and other loaders.
    fn bounds(&self, loader: Ref) -> Vec<(Ref, Ref)> {
        let list = self.process.heap.slot(loader, self.vm.known().loader_bound) as Ref;
        self.refs_of(list).chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
    }

    fn is_bound(&self, one: u32, other: u32, name: &str) -> bool {
        let (one, other) = if one == 0 { (other, one) } else { (one, other) };
        let pair = (self.vm.literal_str(name), if other == 0 { 0 } else { self.loader_in(other) });
        self.bounds(self.loader_in(one)).contains(&pair)
    }

    /// Adds a constraint to one of its loaders, in an order that does not depend on when that happens.
    fn bind(&mut self, one: u32, other: u32, name: &str) -> Exec<()> {
        if one == 0 {
            return Ok(());
        }
        let loader = self.loader_in(one);
        let other = if other == 0 { 0 } else { self.loader_in(other) };
        let mut bounds = self.bounds(loader);
        bounds.push((self.vm.literal_str(name), other));
        bounds.sort_by_key(|&(name, other)| (name, if other == 0 { 0 } else { self.space_of(other) }));
        bounds.dedup();
        let known = self.vm.known();
        let refs: Vec<Ref> = bounds.into_iter().flat_map(|(name, other)| [name, other]).collect();
        let list = self.new_refs(known.object, &refs)?;
        self.set_ref(loader, known.loader_bound, list);
        Ok(())
    }

    fn shown_loader_of(&self, space: u32) -> String {
        if space == 0 {
            return "'app'".into();
        }
        let slot = self.vm.classes.slot("java/lang/ClassLoader", "nameAndId");
        let text = slot.map_or(0, |slot| self.process.heap.slot(self.loader_in(space), slot) as Ref);
        if text == 0 { "'app'".into() } else { self.text(text) }
    }
}

impl<'vm> Machine<'vm> {
    /// Code of a class of a loader of the program names another class: it must be public, or of the same
    /// package of the same loader.
    ///
    /// # Errors
    /// `IllegalAccessError` if not.
    pub(super) fn check_class_access(&self, from: &Class, to: ClassId) -> Exec<()> {
        let mut element = to;
        while let crate::class::Form::Array(inner) = self.vm.class(element).form {
            element = inner;
        }
        let is_public = self.vm.class(element).flags & crate::class::flags::PUBLIC != 0;
        if is_public || self.vm.classes.is_same_package(from.id, element) {
            return Ok(());
        }
        let [a, b] = [from.id, element].map(|id| self.vm.classes.java_name(id));
        let homes = self.shown_homes(from.id, element);
        let message = format!("failed to access class {b} from class {a} ({homes})");
        Err(exception("java/lang/IllegalAccessError", message))
    }

    /// Where two classes come from, as messages have it in brackets.
    #[must_use]
    pub fn shown_homes(&self, a: ClassId, b: ClassId) -> String {
        let (here, there) = (self.home_of(a, false), self.home_of(b, false));
        let [a, b] = [a, b].map(|id| self.vm.classes.java_name(id));
        if here == there {
            format!("{a} and {b} are {here}")
        } else {
            format!("{a} is {here}; {b} is {there}")
        }
    }

    /// A class that is about to be defined over others must be able to name them.
    pub(crate) fn check_above(&self, class: &str, space: u32, above: ClassId) -> Exec<()> {
        let other = self.vm.class(above);
        let package = |name: &str| name.rfind('/').map_or("", |end| &name[..end]).to_owned();
        let is_near =
            loader_of(other.space) == loader_of(space) && package(class) == self.vm.classes.package(above);
        if other.flags & crate::class::flags::PUBLIC != 0 || is_near {
            return Ok(());
        }
        let form = if other.is_interface() { "superinterface" } else { "superclass" };
        let (name, shown) = (class.replace('/', "."), self.vm.classes.java_name(above));
        let here = format!("in unnamed module of loader {}", self.shown_loader_of(space));
        let there = self.home_of(above, false);
        let homes = match here == there {
            true => format!("{name} and {shown} are {here}"),
            false => format!("{name} is {here}; {shown} is {there}"),
        };
        let message = format!("class {name} cannot access its {form} {shown} ({homes})");
        Err(exception("java/lang/IllegalAccessError", message))
    }

    /// Whether code of a class of a loader of the program may use a member that is not private.
    pub(super) fn may_access(&self, from: &Class, of: ClassId, member: u16) -> bool {
        use crate::class::flags::{PROTECTED, PUBLIC};
        member & PUBLIC != 0
            || self.vm.classes.is_same_package(from.id, of)
            || member & PROTECTED != 0 && from.is_below(of)
    }
}
