//! Puts compiled functions into executable memory, next to each other, and resolves the addresses of what
//! they call.
//!
//! Functions are identified by number before they are compiled, so that they can call each other. Memory is
//! written once, then made executable and never written again.
#![allow(unsafe_code, reason = "memory comes from the system, and becomes code")]

use cranelift_codegen::Context;
use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{ExtFuncData, ExternalName, FuncRef, Function, Signature, UserExternalName};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::{FinalizedMachReloc, FinalizedRelocTarget};

/// A function, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FuncId(pub(super) u32);

enum Callee {
    /// A function of this program, at its address.
    Helper(usize),
    /// A compiled function, with the offset of its code once it is compiled.
    Compiled(Option<usize>),
}

/// A call in the code whose address is still missing.
struct Hole {
    at: usize,
    kind: Reloc,
    callee: FuncId,
    /// Bytes after the start of the callee.
    offset: usize,
    addend: i64,
}

/// Functions that are being compiled.
pub(super) struct Linker {
    pub(super) isa: OwnedTargetIsa,
    callees: Vec<Callee>,
    signatures: Vec<Signature>,
    code: Vec<u8>,
    holes: Vec<Hole>,
}

impl Linker {
    pub(super) fn new(isa: OwnedTargetIsa) -> Self {
        Self { isa, callees: Vec::new(), signatures: Vec::new(), code: Vec::new(), holes: Vec::new() }
    }

    /// A signature without parameters, in the machine's calling convention.
    pub(super) fn signature(&self) -> Signature {
        Signature::new(self.isa.default_call_conv())
    }

    fn add(&mut self, callee: Callee, signature: Signature) -> FuncId {
        self.callees.push(callee);
        self.signatures.push(signature);
        FuncId(self.callees.len() as u32 - 1)
    }

    /// Adds a function of this program that compiled code may call.
    pub(super) fn helper(&mut self, address: *const u8, signature: Signature) -> FuncId {
        self.add(Callee::Helper(address.expose_provenance()), signature)
    }

    /// Adds a function that will be compiled.
    pub(super) fn declare(&mut self, signature: Signature) -> FuncId {
        self.add(Callee::Compiled(None), signature)
    }

    /// A reference to `callee` for use inside `caller`.
    pub(super) fn reference(&self, callee: FuncId, caller: &mut Function) -> FuncRef {
        let idx = callee.0 as usize;
        let signature = caller.import_signature(self.signatures[idx].clone());
        let name = UserExternalName { namespace: 0, index: callee.0 };
        let name = ExternalName::user(caller.declare_imported_user_function(name));
        // Functions of this program may be far away, and on some machines every function counts as far.
        let is_near = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));
        let colocated = is_near && matches!(self.callees[idx], Callee::Compiled(_));
        caller.import_function(ExtFuncData { name, signature, colocated, patchable: false })
    }

    /// Compiles a function; `None` if that is not possible.
    pub(super) fn define(&mut self, id: FuncId, compilation: &mut Context) -> Option<()> {
        compilation.compile(&*self.isa, &mut ControlPlane::default()).ok()?;
        let compiled = compilation.compiled_code()?;
        let align = compiled.buffer.alignment.max(self.isa.function_alignment().minimum).max(16);
        let start = self.code.len().next_multiple_of(align as usize);
        self.code.resize(start, 0);
        self.code.extend_from_slice(compiled.code_buffer());
        for reloc in compiled.buffer.relocs() {
            self.holes.push(hole(reloc, &compilation.func, id, start)?);
        }
        self.callees[id.0 as usize] = Callee::Compiled(Some(start));
        Some(())
    }

    /// Makes all code executable; `None` if the system does not allow it, or if a function is missing.
    pub(super) fn finish(self) -> Option<Linked> {
        let memory = Memory::new(self.code.len())?;
        let base = memory.start as usize;
        let mut code = self.code;
        for hole in self.holes {
            let callee = match self.callees[hole.callee.0 as usize] {
                Callee::Helper(address) => address,
                Callee::Compiled(start) => base.checked_add(start?)?,
            };
            let target = (callee + hole.offset) as i64 + hole.addend;
            fill(&mut code[hole.at..], hole.kind, target, (base + hole.at) as i64)?;
        }
        memory.write(&code)?;
        let starts = self.callees.into_iter().map(|callee| match callee {
            Callee::Compiled(start) => start,
            Callee::Helper(_) => None,
        });
        Some(Linked { starts: starts.collect(), memory })
    }
}

/// An unresolved address in a function whose code begins at `start`.
fn hole(reloc: &FinalizedMachReloc, func: &Function, id: FuncId, start: usize) -> Option<Hole> {
    let (callee, offset) = match reloc.target {
        FinalizedRelocTarget::ExternalName(ExternalName::User(name)) => {
            (FuncId(func.params.user_named_funcs()[name].index), 0)
        }
        FinalizedRelocTarget::Func(offset) => (id, offset as usize),
        FinalizedRelocTarget::ExternalName(_) => return None,
    };
    Some(Hole { at: start + reloc.offset as usize, kind: reloc.kind, callee, offset, addend: reloc.addend })
}

/// Writes an address in the form that the instruction at `here` needs; `None` if the form is unknown or the
/// address out of reach.
fn fill(code: &mut [u8], kind: Reloc, target: i64, here: i64) -> Option<()> {
    match kind {
        Reloc::Abs8 => code[..8].copy_from_slice(&target.to_ne_bytes()),
        Reloc::X86PCRel4 | Reloc::X86CallPCRel4 => {
            let distance = i32::try_from(target.checked_sub(here)?).ok()?;
            code[..4].copy_from_slice(&distance.to_ne_bytes());
        }
        Reloc::Arm64Call => {
            // A `bl` has 26 bits, which count instructions.
            let distance = target.checked_sub(here)? >> 2;
            if !(-(1 << 25)..1 << 25).contains(&distance) {
                return None;
            }
            let instruction = u32::from_le_bytes(*code.first_chunk()?);
            let instruction = instruction | (distance as u32 & 0x03ff_ffff);
            code[..4].copy_from_slice(&instruction.to_le_bytes());
        }
        _ => return None,
    }
    Some(())
}

/// Compiled functions in executable memory.
pub(super) struct Linked {
    starts: Vec<Option<usize>>,
    memory: Memory,
}

impl Linked {
    /// The address of a compiled function, valid as long as `self` lives.
    pub(super) fn address(&self, id: FuncId) -> Option<*const u8> {
        Some(self.memory.start.wrapping_add(self.starts[id.0 as usize]?).cast_const())
    }
}

/// Pages of memory for code.
struct Memory {
    start: *mut u8,
    len: usize,
}

#[cfg(unix)]
impl Memory {
    fn new(len: usize) -> Option<Self> {
        let len = len.max(1);
        // SAFETY: maps new pages, at an address that the system chooses.
        let start = unsafe {
            let (access, kind) =
                (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
            libc::mmap(std::ptr::null_mut(), len, access, kind, -1, 0)
        };
        (start != libc::MAP_FAILED).then_some(Self { start: start.cast(), len })
    }

    /// Writes code and makes it executable.
    fn write(&self, code: &[u8]) -> Option<()> {
        assert!(code.len() <= self.len, "there is room");
        // SAFETY: the memory is long enough, writable, and not yet accessible to any other code. The
        // processor's instruction cache is flushed before the code can run.
        unsafe {
            std::ptr::copy_nonoverlapping(code.as_ptr(), self.start, code.len());
            wasmtime_internal_jit_icache_coherence::clear_cache(self.start.cast(), self.len).ok()?;
            if libc::mprotect(self.start.cast(), self.len, libc::PROT_READ | libc::PROT_EXEC) != 0 {
                return None;
            }
        }
        wasmtime_internal_jit_icache_coherence::pipeline_flush_mt().ok()
    }
}

#[cfg(unix)]
impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: `self` owns the pages, and the functions in them are called only by what owns `self`.
        unsafe {
            libc::munmap(self.start.cast(), self.len);
        }
    }
}

/// Elsewhere, everything is interpreted.
#[cfg(not(unix))]
impl Memory {
    fn new(_: usize) -> Option<Self> {
        None
    }

    fn write(&self, _: &[u8]) -> Option<()> {
        unreachable!("there is no such memory")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(before: u32, kind: Reloc, target: i64, here: i64) -> Option<u32> {
        let mut code = before.to_le_bytes();
        fill(&mut code, kind, target, here)?;
        Some(u32::from_le_bytes(code))
    }

    #[test]
    fn addresses_reach_or_are_refused() {
        let near = Reloc::X86CallPCRel4;
        assert_eq!(filled(0, near, 0x1000, 0x1010), Some(-0x10_i32 as u32));
        assert_eq!(filled(0, near, 1 << 32, 0), None);
        let call = 0x9400_0000;
        assert_eq!(filled(call, Reloc::Arm64Call, 0x2000, 0x1000), Some(call | 0x400));
        assert_eq!(filled(call, Reloc::Arm64Call, 0x1000, 0x1004), Some(call | 0x03ff_ffff));
        assert_eq!(filled(call, Reloc::Arm64Call, 1 << 27, 0), None);
        assert_eq!(filled(0, Reloc::Abs4, 0, 0), None);
        let mut code = [0; 8];
        assert_eq!(fill(&mut code, Reloc::Abs8, 0x1234_5678_9abc, 0), Some(()));
        assert_eq!(u64::from_ne_bytes(code), 0x1234_5678_9abc);
    }
}
