//! Memory outside of objects, as `Unsafe.allocateMemory` gives it: blocks of bytes, which are part of the
//! state.
//!
//! A block is an array of bytes that no program can name: a head with its number and then its bytes.
//! `Unsafe.<blocks>`, an added static field, has all blocks that are allocated, in the order of their
//! numbers; an array in that field is never changed. Numbers are given out by thread, the lowest that no
//! block has, so the order in which threads allocate makes no difference to the state. An address has the
//! number above and the place below, so it leads to its block or to none, never into another one, until the
//! number is given out again.
//!
//! To use bytes of a block is an access to its array like one to an array of the program. To find the block
//! is none: another thread can make a difference to that only by giving the block back, which writes the
//! array as a whole. Not to find it reads the list. To allocate and to give back write the list.
//!
//! Where a program uses memory that is not allocated, or bytes beyond a block, the process ends as a real one
//! may: with a message on standard error, and status 134. Memory that nobody has written is zero.

use super::{OwnView, PureView, SharedView};
use crate::class::MethodId;
use crate::class::code::Op;
use crate::gap::Gap;
use crate::native::memory::BASE;
use crate::native::{Answer, Effect};
use crate::vm::dynamic::assemble::Assembler;
use crate::vm::heap::{Data, Ref};
use crate::vm::machine::{Exec, Machine, Trap};
use crate::vm::thread::Role;
use crate::vm::view::{Mode, Resource};

/// The size of a block's head.
const HEAD: usize = 16;
/// Where the bytes of the first place of a block are.
const START: u64 = 1 << 12;
/// Blocks that one thread can have.
const BLOCKS: u32 = 1 << 12;
/// Larger blocks are not allocated.
const MAX_BLOCK: u64 = 64 << 20;
/// The status of a process that was aborted.
const ABORTED: i32 = 134;

fn address_of(number: u32) -> u64 {
    u64::from(number + 1) << 32 | START
}

impl Machine<'_> {
    fn block_number(&self, block: Ref) -> u32 {
        match &self.process.heap.get(block).data {
            Data::Bytes(bytes) => u32::from_le_bytes(bytes[..4].try_into().expect("a block has a head")),
            _ => unreachable!("a block is an array of bytes"),
        }
    }

    fn blocks(&self) -> &[Ref] {
        self.refs_of(self.known_static(self.vm.known().blocks) as Ref)
    }

    fn block_size(&self, block: Ref) -> u64 {
        match &self.process.heap.get(block).data {
            Data::Bytes(bytes) => (bytes.len() - HEAD) as u64,
            _ => 0,
        }
    }

    /// The block with a number.
    fn block(&self, number: u32) -> Option<Ref> {
        let blocks = self.blocks();
        let at = blocks.binary_search_by_key(&number, |&block| self.block_number(block));
        at.ok().map(|at| blocks[at])
    }

    /// The block that an address leads to, and the place in it.
    fn block_at(&self, address: u64) -> Option<(Ref, u64)> {
        let number = u32::try_from(address >> 32).ok()?.checked_sub(1)?;
        let place = u64::from(address as u32).checked_sub(START)?;
        Some((self.block(number)?, place))
    }
}

impl PureView<'_, '_> {
    /// Where these bytes of memory are: an array, and the offset in it as `Unsafe` has it.
    ///
    /// # Errors
    /// [`Trap::Again`] if they are not allocated: then the process is about to be aborted.
    pub fn memory(&mut self, address: u64, len: u64) -> Exec<(Ref, u64)> {
        let Some((block, place)) = self.m.block_at(address) else {
            return self.abort(&format!("memory at {address:#x}, which is not allocated"));
        };
        let size = self.m.block_size(block);
        if place.checked_add(len).is_none_or(|end| end > size) {
            return self.abort(&format!("{len} bytes at {place} of {size} bytes of memory"));
        }
        Ok((block, BASE + HEAD as u64 + place))
    }

    /// The process is aborted: by a method that is called in the middle of this one and does not return.
    fn abort<T>(&mut self, what: &str) -> Exec<T> {
        let vm = self.vm;
        let method: MethodId = vm.made.method("aborting".into(), |key| {
            let print: Effect = Effect::Shared(|m, args| {
                let text = m.text(args[0] as Ref);
                m.print(None, true, None, |_| Ok(text))?;
                Ok(Answer::Void)
            });
            let look: Effect = Effect::Shared(|m, _| {
                let list = m.list();
                m.m.access(list, Mode::Read)?;
                Ok(Answer::Void)
            });
            let native = crate::native::method_handles::native;
            let print = native(vm, "<fatal>", "(Ljava/lang/String;)V", print)?;
            let look = native(vm, "<no block>", "()V", look)?;
            let mut asm = Assembler::new(&vm.classes);
            asm.op(Op::Call(look, false)).op(Op::Load(0)).op(Op::Call(print, false));
            asm.op(Op::Const(ABORTED, false)).call("java/lang/Shutdown", "halt0", "(I)V", false)?.leave(None);
            Ok(asm.add(key, vm.known().object, "<abort>", "(Ljava/lang/String;)V"))
        })?;
        let text = vm.literal_str(&format!("# A fatal error: {what}\n"));
        self.m.push_frame(vm.classes.method(method), &[u64::from(text)], Role::Aside)?;
        Err(Trap::Again)
    }
}

impl OwnView<'_, '_> {
    /// The list of blocks with another one, and without one.
    fn listed(&mut self, added: Option<Ref>, removed: Option<Ref>) -> Exec<()> {
        let mut blocks = self.m.blocks().to_vec();
        blocks.retain(|&block| Some(block) != removed);
        if let Some(block) = added {
            let number = self.m.block_number(block);
            let at = blocks.partition_point(|&other| self.m.block_number(other) < number);
            blocks.insert(at, block);
        }
        let list = match blocks.is_empty() {
            true => 0,
            false => {
                let array = self.vm.known().byte_array;
                self.m.new_refs(array, &blocks)?
            }
        };
        self.m.set_static("jdk/internal/misc/Unsafe", "<blocks>", u64::from(list));
        Ok(())
    }

    /// A block that is in no list, with these bytes first.
    fn new_block(&mut self, size: u64, bytes: &[u8]) -> Exec<Ref> {
        if size > MAX_BLOCK {
            return Err(Gap::Named("memory outside of objects:", format!("{size} bytes in one block")).into());
        }
        let first = self.m.thread().id.wrapping_mul(BLOCKS);
        let Some(number) = (first..first + BLOCKS).find(|&number| self.m.block(number).is_none()) else {
            return Err(Trap::Unsupported("a thread with more than 4,096 blocks of memory".into()));
        };
        let mut content = vec![0; HEAD + size as usize];
        content[..4].copy_from_slice(&number.to_le_bytes());
        let kept = bytes.len().min(size as usize);
        content[HEAD..HEAD + kept].copy_from_slice(&bytes[..kept]);
        Ok(self.m.new_bytes(&content))
    }
}

impl SharedView<'_, '_> {
    fn list(&self) -> Resource {
        Resource::Static(self.vm.known().blocks)
    }

    /// Allocates memory, and gives its address.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that; if it is too large.
    pub fn allocate(&mut self, size: u64) -> Exec<u64> {
        let list = self.list();
        self.m.access(list, Mode::Write)?;
        let block = self.new_block(size, &[])?;
        self.listed(Some(block), None)?;
        Ok(address_of(self.m.block_number(block)))
    }

    /// The block that begins at an address and is about to be given back.
    fn given_back(&mut self, address: u64) -> Exec<Ref> {
        match self.m.block_at(address) {
            Some((block, 0)) => {
                let list = self.list();
                self.m.access_group(&[(list, Mode::Write), (Resource::Whole(block), Mode::Write)])?;
                Ok(block)
            }
            _ => self.abort(&format!("memory at {address:#x} is given back, where none is allocated")),
        }
    }

    /// Gives memory back.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that; [`Trap::Again`] if no memory is allocated there.
    pub fn release(&mut self, address: u64) -> Exec<()> {
        let block = self.given_back(address)?;
        self.listed(None, Some(block))
    }

    /// Gives memory back and allocates other memory with the same bytes; gives its address.
    ///
    /// # Errors
    /// As [`SharedView::allocate`] and [`SharedView::release`].
    pub fn reallocate(&mut self, address: u64, size: u64) -> Exec<u64> {
        let old = self.given_back(address)?;
        let bytes = match &self.m.process.heap.get(old).data {
            Data::Bytes(bytes) => bytes[HEAD..].to_vec(),
            _ => Vec::new(),
        };
        let block = self.new_block(size, &bytes)?;
        self.listed(Some(block), Some(old))?;
        Ok(address_of(self.m.block_number(block)))
    }
}
