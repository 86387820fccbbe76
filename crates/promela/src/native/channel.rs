//! Code for sends and receives on buffered channels, and for taking messages on offer.
//!
//! Where an expression may mean channels of several types, the code for each is built separately, behind a
//! test.

use super::context::{MAX_FIELDS, at};
use super::generator::{Generator, View};
use crate::ir::{ChannelType, Expr, Field, Receive, Scalar, Send, Target};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};

/// Messages of a channel are moved by inlined code if they take at most this many bytes.
const MAX_INLINE: u32 = 64;

/// A channel with its identity looked up.
#[derive(Clone, Copy)]
pub(crate) struct Slot {
    /// Its identity, an `int`.
    pub(crate) id: Value,
    /// Its offset in the vector, which may have to be looked up at run time.
    offset: Where,
    /// Its entry in the layout's table, unless it is known.
    entry: Option<Value>,
    /// Its type, where it is known.
    ty: Option<u16>,
}

#[derive(Clone, Copy)]
enum Where {
    Constant(u32),
    Dynamic(Value),
}

/// The message that a receive takes.
#[derive(Clone, Copy)]
pub(crate) enum TakenMessage {
    /// The first of a buffered channel.
    First,
    /// One of a buffered channel, by position (64 bits).
    At(Value),
    /// The message on offer.
    Offered,
}

impl Generator<'_, '_> {
    /// Looks a channel up. A channel that does not exist is left to the interpreter.
    pub(crate) fn slot(&mut self, view: View, channel: &Expr) -> Slot {
        let known = self.known.of(self.proctype_idx, channel);
        if let (Some(global), Some(ty)) = (known.global, known.ty) {
            let id = self.int(global as i32 + 1);
            let offset = Where::Constant(self.global_channel_offset(global));
            return Slot { id, offset, entry: None, ty: Some(ty) };
        }
        let id = self.value(view, channel);
        let only_type = (self.program.channel_types.len() == 1).then_some(0);
        if let Some(found) = self.possible_object_channel(view, id) {
            let (offset, entry) = found;
            return Slot {
                id,
                offset: Where::Dynamic(offset),
                entry: Some(entry),
                ty: known.ty.or(only_type),
            };
        }
        let (offset, entry) = self.numbered_channel(view, id);
        Slot { id, offset: Where::Dynamic(offset), entry: Some(entry), ty: known.ty.or(only_type) }
    }

    /// The offset and entry of a channel that may belong to an object; `None` if there are no such channels.
    fn possible_object_channel(&mut self, view: View, id: Value) -> Option<(Value, Value)> {
        let dynamic = self.program.dynamic.as_ref()?;
        if dynamic.objects.iter().all(|ty| ty.channels.is_empty()) {
            return None;
        }
        let (inside, numbered, found) = (self.block(), self.block(), self.block());
        self.build.append_block_param(found, types::I64);
        self.build.append_block_param(found, types::I64);
        let sixteen = self.int(16);
        let object = self.build.ins().ushr(id, sixteen);
        self.branch(object, inside, numbered);
        self.enter(inside);
        self.object_channel(view, id, object, found);
        self.enter(numbered);
        let (offset, entry) = self.numbered_channel(view, id);
        self.build.ins().jump(found, &[BlockArg::Value(offset), BlockArg::Value(entry)]);
        self.enter(found);
        Some((self.build.block_params(found)[0], self.build.block_params(found)[1]))
    }

    /// The offset and entry of a channel outside all objects.
    fn numbered_channel(&mut self, view: View, id: Value) -> (Value, Value) {
        let position = self.add_const(id, -1);
        let n_channels = self.load(types::I32, view.layout, at::LAYOUT_N_CHANNELS);
        let exists = self.compare(IntCC::UnsignedLessThan, position, n_channels);
        let interpret = self.interpret;
        self.require(exists, interpret);
        let channels = self.load(types::I64, view.layout, at::LAYOUT_CHANNELS);
        let position = self.widen(position);
        let log_size = self.long(at::CHANNEL_LOG_SIZE);
        let scaled = self.build.ins().ishl(position, log_size);
        let entry = self.add(channels, scaled);
        let offset = self.build.ins().uload32(super::generator::FLAGS, entry, at::CHANNEL_OFFSET);
        (offset, entry)
    }

    fn global_channel_offset(&self, global: u32) -> u32 {
        let channels = self.program.setup.iter().filter_map(|step| match step {
            crate::ir::Setup::Channel(_, ty) => Some(*ty),
            crate::ir::Setup::Assign(..) => None,
        });
        let sizes = channels.map(|ty| self.program.channel_types[usize::from(ty.0)].size());
        self.program.globals_size + sizes.take(global as usize).sum::<u32>()
    }

    /// The address of a channel in a vector, before a constant offset.
    fn channel_address(&mut self, view: View, slot: &Slot) -> (Value, i32) {
        match slot.offset {
            Where::Constant(offset) => (view.vector, offset as i32),
            Where::Dynamic(offset) => (self.add(view.vector, offset), 0),
        }
    }

    /// Calls `build` once for each type that the channel may have and that `accepts` allows, in a separate
    /// block, which `build` must end. Other types are left to the interpreter.
    pub(crate) fn for_each_type(
        &mut self,
        slot: &Slot,
        accepts: impl Fn(&ChannelType) -> bool,
        mut build: impl FnMut(&mut Self, &Slot, u16),
    ) {
        let program = self.program;
        let candidates = match slot.ty {
            Some(ty) => ty..ty + 1,
            None => 0..program.channel_types.len() as u16,
        };
        let fits = |ty: &u16| {
            let ty = &program.channel_types[usize::from(*ty)];
            ty.fields.len() <= MAX_FIELDS && accepts(ty)
        };
        for ty in candidates.filter(fits) {
            let other = self.block();
            if slot.ty.is_none() {
                let entry = slot.entry.expect("a channel of unknown type was looked up");
                let actual =
                    self.build.ins().uload16(types::I32, super::generator::FLAGS, entry, at::CHANNEL_TYPE);
                let same = self.compare_const(IntCC::Equal, actual, i64::from(ty));
                self.require(same, other);
                build(self, slot, ty);
                self.enter(other);
            } else {
                build(self, slot, ty);
                self.enter(other);
                // Never reached.
                return self.give_up();
            }
        }
        self.give_up();
    }

    /// The number of messages in a channel and its capacity, whatever its type.
    pub(crate) fn length_and_capacity(&mut self, view: View, slot: &Slot) -> (Value, Value) {
        if let Some(ty) = slot.ty {
            let ty = &self.program.channel_types[usize::from(ty)];
            let capacity = self.int(i32::from(ty.capacity));
            if ty.capacity == 0 {
                return (self.int(0), capacity);
            }
            return (self.length(view, slot, ty), capacity);
        }
        let entry = slot.entry.expect("a channel of unknown type was looked up");
        let flags = super::generator::FLAGS;
        let capacity = self.build.ins().uload16(types::I32, flags, entry, at::CHANNEL_CAPACITY);
        let (address, offset) = self.channel_address(view, slot);
        let byte = self.read(address, offset, Scalar::Byte);
        let has_long = self.program.channel_types.iter().any(|ty| ty.capacity > 255);
        let length = if has_long {
            let short = self.read(address, offset, Scalar::Unsigned(16));
            let is_long = self.compare_const(IntCC::UnsignedGreaterThan, capacity, 255);
            self.build.ins().select(is_long, short, byte)
        } else {
            byte
        };
        let zero = self.int(0);
        let is_rendezvous = self.compare_const(IntCC::Equal, capacity, 0);
        (self.build.ins().select(is_rendezvous, zero, length), capacity)
    }

    fn length(&mut self, view: View, slot: &Slot, ty: &ChannelType) -> Value {
        let (address, offset) = self.channel_address(view, slot);
        self.read(address, offset, ty.length_scalar())
    }

    fn set_length(&mut self, view: View, slot: &Slot, ty: &ChannelType, length: Value) {
        let (address, offset) = self.channel_address(view, slot);
        self.write(length, address, offset, ty.length_scalar());
    }

    /// The address of a message, before a constant offset.
    fn message_address(
        &mut self,
        view: View,
        slot: &Slot,
        ty: &ChannelType,
        position: Option<Value>,
    ) -> (Value, i32) {
        let (address, offset) = self.channel_address(view, slot);
        let offset = offset + ty.length_scalar().size() as i32;
        let Some(position) = position else { return (address, offset) };
        let size = self.long(i64::from(ty.message_size));
        let scaled = self.build.ins().imul(position, size);
        (self.add(address, scaled), offset)
    }

    /// Whether a process has claimed channels and the claims are checked.
    pub(crate) fn checks_exclusive(&self) -> bool {
        self.program.check_exclusive && self.program.proctypes.iter().any(|p| !p.exclusive.is_empty())
    }

    /// Leaves the use of a channel that another process has claimed to the interpreter.
    pub(crate) fn check_exclusive(&mut self, view: View, slot: &Slot, receiving: bool, sending: bool) {
        let flags = self.long(i64::from(receiving) | i64::from(sending) << 1);
        let arguments = [self.context, view.vector, view.table, view.layout, self.pid, slot.id, flags];
        let helper = self.helpers.exclusive;
        let call = self.build.ins().call(helper, &arguments);
        let violated = self.build.inst_results(call)[0];
        let sound = self.compare_const(IntCC::Equal, violated, 0);
        let interpret = self.interpret;
        self.require(sound, interpret);
    }

    /// Continues if a buffered channel has room.
    pub(crate) fn send_guard(&mut self, view: View, slot: &Slot, ty: &ChannelType, blocked: Block) {
        let length = self.length(view, slot, ty);
        let has_room = self.compare_const(IntCC::UnsignedLessThan, length, i64::from(ty.capacity));
        self.require(has_room, blocked);
        if self.checks_exclusive() {
            self.check_exclusive(view, slot, false, true);
        }
    }

    /// The values of a message, truncated if it is to be offered.
    pub(crate) fn message_values(&mut self, view: View, send: &Send, ty: &ChannelType) -> Vec<Value> {
        let fields = send.args.iter().zip(&ty.fields).enumerate();
        fields
            .map(|(field, (arg, (scalar, _)))| {
                let Some(arg) = self.for_formal(arg, ty, field) else { return self.abandoned() };
                let value = self.value(view, arg);
                self.notice_cut(value, arg.range(), *scalar);
                if ty.capacity == 0 { self.truncate(value, *scalar) } else { value }
            })
            .collect()
    }

    /// Appends a message to a buffered channel that has room.
    pub(crate) fn send_effect(&mut self, view: View, slot: &Slot, ty: &ChannelType, send: &Send) {
        let values = self.message_values(view, send, ty);
        let length = self.length(view, slot, ty);
        let position = (ty.capacity > 1).then(|| self.widen(length));
        let (address, offset) = self.message_address(view, slot, ty, position);
        for (value, ((scalar, _), field)) in values.iter().zip(ty.fields.iter().zip(&ty.offsets)) {
            self.write(*value, address, offset + *field as i32, *scalar);
        }
        let longer = self.add_const(length, 1);
        self.set_length(view, slot, ty, longer);
    }

    /// Leaves an error here to the interpreter; the value is used only in unreachable code.
    fn abandoned(&mut self) -> Value {
        self.give_up();
        let unreachable = self.block();
        self.enter(unreachable);
        self.int(0)
    }

    /// Whether the fields that a receive matches agree with a channel type, so that it causes no error.
    pub(crate) fn receives(receive: &Receive, ty: &ChannelType) -> bool {
        if receive.peek {
            receive.fields.len() <= ty.fields.len()
        } else {
            receive.fields.len() == ty.fields.len()
        }
    }

    /// Continues if a buffered channel has a message that matches the receive.
    pub(crate) fn receive_guard(
        &mut self,
        view: View,
        slot: &Slot,
        ty: &ChannelType,
        receive: &Receive,
        blocked: Block,
    ) -> TakenMessage {
        let length = self.length(view, slot, ty);
        let is_any = self.compare_const(IntCC::NotEqual, length, 0);
        self.require(is_any, blocked);
        let matches = receive.fields.iter().any(|field| matches!(field, Field::Match(_)));
        let taken = if receive.random && matches && ty.capacity > 1 {
            let (body, next, found) = (self.block(), self.block(), self.block());
            self.build.append_block_param(body, types::I64);
            let (zero, length) = (self.long(0), self.widen(length));
            self.jump_with(body, zero);
            self.enter(body);
            let position = self.build.block_params(body)[0];
            let (address, offset) = self.message_address(view, slot, ty, Some(position));
            self.match_fields(view, ty, receive, address, offset, next);
            self.jump(found);
            self.enter(next);
            let later = self.add_const(position, 1);
            let more = self.compare(IntCC::UnsignedLessThan, later, length);
            self.require(more, blocked);
            self.jump_with(body, later);
            self.enter(found);
            TakenMessage::At(position)
        } else {
            let (address, offset) = self.message_address(view, slot, ty, None);
            self.match_fields(view, ty, receive, address, offset, blocked);
            TakenMessage::First
        };
        if self.checks_exclusive() {
            self.check_exclusive(view, slot, true, false);
        }
        taken
    }

    fn match_fields(
        &mut self,
        view: View,
        ty: &ChannelType,
        receive: &Receive,
        address: Value,
        offset: i32,
        otherwise: Block,
    ) {
        for (idx, field) in receive.fields.iter().enumerate() {
            if let Field::Match(wanted) = field {
                let actual = self.read(address, offset + ty.offsets[idx] as i32, ty.fields[idx].0);
                let Some(wanted) = self.for_formal(wanted, ty, idx) else {
                    self.abandoned();
                    continue;
                };
                let equal = match wanted {
                    Expr::Const(wanted) => self.compare_const(IntCC::Equal, actual, i64::from(*wanted)),
                    _ => {
                        let wanted = self.value(view, wanted);
                        self.compare(IntCC::Equal, actual, wanted)
                    }
                };
                self.require(equal, otherwise);
            }
        }
    }

    /// Continues if the message on offer is on this channel and matches the receive.
    pub(crate) fn take_guard(
        &mut self,
        view: View,
        slot: &Slot,
        ty: &ChannelType,
        receive: &Receive,
        blocked: Block,
    ) -> TakenMessage {
        let offered = self.context_load(types::I32, at::OFFER);
        let same = self.compare(IntCC::Equal, offered, slot.id);
        self.require(same, blocked);
        for (idx, field) in receive.fields.iter().enumerate() {
            if let Field::Match(wanted) = field {
                let Some(wanted) = self.for_formal(wanted, ty, idx) else {
                    self.abandoned();
                    continue;
                };
                let wanted = self.value(view, wanted);
                let actual = self.context_load(types::I32, at::MESSAGE + 4 * idx as i32);
                let equal = self.compare(IntCC::Equal, actual, wanted);
                self.require(equal, blocked);
            }
        }
        TakenMessage::Offered
    }

    /// Stores the fields of a message and removes it from its channel.
    pub(crate) fn receive_effect(
        &mut self,
        view: View,
        slot: &Slot,
        ty: &ChannelType,
        receive: &Receive,
        taken: TakenMessage,
    ) {
        let position = match taken {
            TakenMessage::At(position) => Some(position),
            TakenMessage::First | TakenMessage::Offered => None,
        };
        for (idx, field) in receive.fields.iter().enumerate() {
            let Field::Store(target) = field else { continue };
            let (scalar, place) = match target {
                Target::Forgotten(scalar) => (*scalar, None),
                target if self.is_dynamic() => match target.for_formal(&ty.fields[idx]) {
                    Some(Some(place)) => (place.scalar, Some(place)),
                    Some(None) => continue,
                    None => {
                        self.abandoned();
                        continue;
                    }
                },
                Target::Place(place) => (place.scalar, Some(place)),
                _ => continue,
            };
            let value = match taken {
                TakenMessage::Offered => self.context_load(types::I32, at::MESSAGE + 4 * idx as i32),
                TakenMessage::First | TakenMessage::At(_) => {
                    let (address, offset) = self.message_address(view, slot, ty, position);
                    self.read(address, offset + ty.offsets[idx] as i32, ty.fields[idx].0)
                }
            };
            self.notice_cut(value, ty.fields[idx].0.range(), scalar);
            if let Some(place) = place {
                let (address, offset) = self.address(view, place);
                self.write(value, address, offset, scalar);
            }
        }
        if !receive.peek && !matches!(taken, TakenMessage::Offered) {
            self.remove(view, slot, ty, position);
        }
    }

    /// Removes a message from a buffered channel; the bytes freed at the end become zero.
    fn remove(&mut self, view: View, slot: &Slot, ty: &ChannelType, position: Option<Value>) {
        let length = self.length(view, slot, ty);
        let shorter = self.add_const(length, -1);
        self.set_length(view, slot, ty, shorter);
        let (size, n_bytes) = (ty.message_size, ty.message_size * u32::from(ty.capacity));
        let (address, offset) = self.message_address(view, slot, ty, None);
        if position.is_none() && n_bytes <= MAX_INLINE {
            self.move_down(address, offset, n_bytes - size, size);
            self.fill_zero(address, offset + (n_bytes - size) as i32, size);
            return;
        }
        let messages = self.add_const(address, i64::from(offset));
        let position = position.unwrap_or_else(|| self.long(0));
        let (length, size) = (self.widen(length), self.long(i64::from(size)));
        let helper = self.helpers.remove;
        self.build.ins().call(helper, &[messages, length, position, size]);
    }

    /// Moves `n_bytes` to `offset` from `distance` bytes further on.
    fn move_down(&mut self, address: Value, offset: i32, n_bytes: u32, distance: u32) {
        let mut done = 0;
        for (ty, size) in [(types::I64, 8), (types::I32, 4), (types::I16, 2), (types::I8, 1)] {
            while n_bytes - done >= size {
                let bytes = self.load(ty, address, offset + (done + distance) as i32);
                self.store(bytes, address, offset + done as i32);
                done += size;
            }
        }
    }

    /// Makes `n_bytes` zero.
    pub(crate) fn fill_zero(&mut self, address: Value, offset: i32, n_bytes: u32) {
        let mut done = 0;
        for (ty, size) in [(types::I64, 8), (types::I32, 4), (types::I16, 2), (types::I8, 1)] {
            while n_bytes - done >= size {
                let zero = self.build.ins().iconst(ty, 0);
                self.store(zero, address, offset + done as i32);
                done += size;
            }
        }
    }
}
