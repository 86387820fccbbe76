//! From a vector to a machine.

use super::parts::Words;
use super::reach::maps_of_code;
use super::{frame as f, header as h, object as o, thread as t};
use crate::class::descriptor::Kind;
use crate::class::maps::Slot;
use crate::class::{ClassId, MethodId};
use crate::vm::Vm;
use crate::vm::clock::Clock;
use crate::vm::heap::{Data, Object, Ref};
use crate::vm::machine::Machine;
use crate::vm::process::Ended;
use crate::vm::thread::{Frame, Role, Seen, Thread, Wait};

/// Sets a machine up as a vector says.
///
/// # Panics
/// If no machine of this program wrote the vector.
pub fn decode<'vm>(machine: &mut Machine<'vm>, vector: &[u8]) {
    let mut words = Words::new(vector);
    let header: [u32; h::LEN] = words.take();
    machine.process.output.clear();
    machine.process.output.extend_from_slice(words.take_bytes(header[h::OUTPUT] as usize));
    machine.process.next_thread = header[h::NEXT_THREAD];
    machine.process.next_hash = header[h::NEXT_HASH];
    machine.process.clock = Clock {
        time: u64::from(header[h::CLOCK]) | u64::from(header[h::CLOCK + 1]) << 32,
        n_readings: header[h::READINGS],
    };
    machine.process.n_spurious = (header[h::ENDED] & !h::NETWORK) >> 1;
    machine.process.ended =
        if header[h::ENDED] & 1 == 0 { Ended::No } else { Ended::Exit(header[h::STATUS] as i32) };
    machine.process.died = header[h::DIED];
    machine.process.heap.clear();
    let vm = machine.vm;
    let n_threads = header[h::N_THREADS] as usize;
    machine.process.threads.truncate(n_threads);
    for idx in 0..n_threads {
        if machine.process.threads.len() == idx {
            machine.process.threads.push(Thread::new(0, 0));
        }
        words.skip(1);
        read_thread(vm, &mut words, &mut machine.process.threads[idx]);
    }
    for _ in 0..header[h::N_DIRTY] {
        words.skip(1);
        let reference = words.word();
        let object = read_object(vm, &mut words, Some(reference));
        machine.process.heap.restore_dirty(reference, object);
    }
    for _ in 0..header[h::N_OBJECTS] {
        words.skip(1);
        let object = read_object(vm, &mut words, None);
        machine.process.heap.push(object);
    }
    super::net::decode_network(machine, vector);
}

fn read_thread<'vm>(vm: &'vm Vm, words: &mut Words<'_>, thread: &mut Thread<'vm>) {
    let head: [u32; t::LEN] = words.take();
    thread.id = head[t::ID];
    thread.object = head[t::OBJECT];
    thread.permit = head[t::FLAGS] & 1 != 0;
    thread.atomic = head[t::ATOMIC];
    thread.seen = match head[t::FLAGS] >> t::SEEN {
        0 => Seen::No,
        1 => Seen::Maybe,
        _ => Seen::Yes,
    };
    let flag = head[t::FLAGS] & 8 != 0;
    let (object, count): (Ref, u32) = (head[t::WAIT_OBJECT], head[t::WAIT_COUNT]);
    thread.wait = match head[t::FLAGS] >> 1 & 3 {
        0 => Wait::No,
        1 => Wait::Waiting { object, count, timed: flag },
        _ => Wait::Woken { object, count, interrupted: flag },
    };
    thread.frames.clear();
    thread.slots.clear();
    let mut base = 0_u32;
    for _ in 0..head[t::N_FRAMES] {
        let head: [u32; f::LEN] = words.take();
        let method = vm.classes.method(MethodId(head[f::METHOD]));
        let code = vm.classes.code(method).expect("a frame in a vector has code");
        let maps = maps_of_code(vm, method, code).expect("a frame in a vector has maps");
        let pc = head[f::PC] & 0xff_ffff;
        let (locals, stack) = maps.before(pc).expect("a frame in a vector is at a place");
        let sp = base + u32::from(method.max_locals) + head[f::DEPTH];
        let end = base as usize + usize::from(method.max_locals) + usize::from(method.max_stack);
        if thread.slots.len() < end.max(sp as usize) {
            thread.slots.resize(end.max(sp as usize), 0);
        }
        let slots = &mut thread.slots[base as usize..];
        for (at, slot) in
            locals.iter().chain(&stack[..(head[f::DEPTH] as usize).min(stack.len())]).enumerate()
        {
            slots[at] = match slot {
                Slot::Dead => 0,
                Slot::Wide => u64::from(words.word()) | u64::from(words.word()) << 32,
                _ => u64::from(words.word()),
            };
        }
        let role = match head[f::PC] >> 24 {
            0 => Role::Plain,
            1 => Role::FreshInitializer,
            2 => Role::Initializer,
            3 => Role::Detached,
            _ => Role::Aside,
        };
        thread.frames.push(Frame { method, code, pc, base, sp, lock: head[f::LOCK], role });
        base = sp;
    }
}

fn read_object(vm: &Vm, words: &mut Words<'_>, reference: Option<Ref>) -> Object {
    let head = words.word();
    let (owner, count) = if head & o::LOCKED != 0 { (words.word(), words.word()) } else { (0, 0) };
    let hash = if head & o::HASHED != 0 { words.word() } else { 0 };
    let class = ClassId(head >> o::SHIFT);
    let data = match vm.classes.element_kind(class) {
        Some(Kind::Ref) => {
            let len = words.word();
            Data::Refs((0..len).map(|_| words.word()).collect())
        }
        Some(_) => {
            let len = words.word() as usize;
            Data::Bytes(words.take_bytes(len).into())
        }
        None => {
            let mut read = |kind: Kind| match kind {
                Kind::Long | Kind::Double => u64::from(words.word()) | u64::from(words.word()) << 32,
                _ => u64::from(words.word()),
            };
            Data::Slots(match reference {
                Some(reference) if class == vm.known().class => {
                    vm.kinds(vm.base.get(reference)).map(&mut read).collect()
                }
                _ => vm.class(class).instance.iter().map(|&kind| read(kind)).collect(),
            })
        }
    };
    let mut object = Object::new(class, data);
    object.owner = owner;
    object.count = count;
    object.hash = hash;
    object.shared = head & o::SHARED != 0;
    object
}
