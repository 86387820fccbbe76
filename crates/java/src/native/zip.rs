//! `java.util.zip`: checksums and the inflater. What an inflater has read and written so far is a number in
//! its object, and a table shared by all workers says what the number stands for; so an inflater is restored
//! with the state it belongs to. The number is a hash of that, the same in every run.

use super::Effect::{Pure, Ranges as OnRanges, Shared};
use super::effect::{Fixed, Plan, PureView, Range, Ranges, SharedView};
use super::{Answer, NOTHING, Table, apart, give_int, give_long, int, required};
use crate::vm::heap::Ref;
use crate::vm::machine::{Exec, Trap};
use flate2::{Decompress, FlushDecompress, Status};
use rapidhash::v3::rapidhash_v3;
use std::collections::HashMap;
use std::sync::Mutex;

/// The entries.
pub const TABLE: Table = &[
    (
        "java/util/zip/CRC32.update(II)I",
        Pure(|_, args| give_int(crc32(args[0] as u32, &[args[1] as u8]) as i32)),
    ),
    (
        "java/util/zip/CRC32.updateBytes0(I[BII)I",
        OnRanges(
            summed,
            |m, args| give_int(crc32(args[0] as u32, m.bytes(0)) as i32),
            Some(|m, args| apart::sum(m, args, "CRC32", "updateBytes0")),
        ),
    ),
    (
        "java/util/zip/Adler32.update(II)I",
        Pure(|_, args| give_int(adler32(args[0] as u32, &[args[1] as u8]) as i32)),
    ),
    (
        "java/util/zip/Adler32.updateBytes(I[BII)I",
        OnRanges(
            summed,
            |m, args| give_int(adler32(args[0] as u32, m.bytes(0)) as i32),
            Some(|m, args| apart::sum(m, args, "Adler32", "updateBytes")),
        ),
    ),
    (
        "java/util/zip/Inflater.init(Z)J",
        Pure(|_, args| give_long(if args[0] == 0 { ZLIB } else { RAW } as i64)),
    ),
    ("java/util/zip/Inflater.inflateBytesBytes(J[BII[BII)J", Shared(inflate)),
    ("java/util/zip/Inflater.reset(J)V", Shared(reset)),
    ("java/util/zip/Inflater.end(J)V", NOTHING),
];

/// The number of an inflater that has read nothing and expects a header.
const ZLIB: u64 = 1;
/// The number of one that expects no header.
const RAW: u64 = 2;

/// What the numbers of inflaters stand for: the one before, what it read then, and how much it could write.
#[derive(Default)]
pub struct Inflations {
    inner: Mutex<Inner>,
}

/// The number of an inflater, what it read then, and how much it could write.
type Call = (u64, Box<[u8]>, usize);

/// The number of the inflater after a call.
fn number_of((before, input, room): &Call) -> u64 {
    let words = [*before, *room as u64, rapidhash_v3(input)];
    // A Java number that looks like an address: positive, and none of the first two.
    (rapidhash_v3(words.map(u64::to_le_bytes).as_flattened()) >> 1).max(RAW + 1)
}

#[derive(Default)]
struct Inner {
    calls: HashMap<u64, Call>,
    /// The inflater of the last number.
    last: Option<(u64, Decompress)>,
}

/// What a call of an inflater did.
struct Inflated {
    number: u64,
    n_read: usize,
    output: Vec<u8>,
    is_finished: bool,
}

impl Inner {
    /// The number that an inflater began with.
    fn first(&self, mut number: u64) -> u64 {
        while number > RAW {
            number = self.calls[&number].0;
        }
        number
    }

    fn inflater(&mut self, number: u64) -> Decompress {
        if let Some((_, inflater)) = self.last.take_if(|last| last.0 == number) {
            return inflater;
        }
        let mut calls = Vec::new();
        let mut at = number;
        while at > RAW {
            let call = &self.calls[&at];
            calls.push(call);
            at = call.0;
        }
        let mut inflater = Decompress::new(at == ZLIB);
        for (_, input, room) in calls.into_iter().rev() {
            // It worked before, so it works now.
            let _ = inflater.decompress(input, &mut vec![0; *room], FlushDecompress::None);
        }
        inflater
    }

    fn inflate(&mut self, number: u64, input: &[u8], room: usize) -> Option<Inflated> {
        let mut inflater = self.inflater(number);
        let mut output = vec![0; room];
        let (n_in, n_out) = (inflater.total_in(), inflater.total_out());
        let status = inflater.decompress(input, &mut output, FlushDecompress::None).ok()?;
        let n_read = (inflater.total_in() - n_in) as usize;
        output.truncate((inflater.total_out() - n_out) as usize);
        let call = (number, Box::from(&input[..n_read]), room);
        let next = number_of(&call);
        assert_eq!(*self.calls.entry(next).or_insert_with(|| call.clone()), call, "hashes of 63 bits differ");
        self.last = Some((next, inflater));
        Some(Inflated { number: next, n_read, output, is_finished: status == Status::StreamEnd })
    }
}

/// The range that three arguments name: an array, where the range begins, and how long it is.
fn range(m: &PureView<'_, '_>, args: &[u64], error: &'static str) -> Exec<Range> {
    let array = required(args[0])?;
    let (from, len) = (int(args[1]).max(0) as usize, int(args[2]).max(0) as usize);
    if from + len > m.array_len(array) {
        return Err(Trap::Exception(error, None));
    }
    Ok(Range { array, from, len })
}

fn inflate(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let this = args[0] as Ref;
    let error = "java/lang/IndexOutOfBoundsException";
    let (source, target) = (range(m, &args[3..], error)?, range(m, &args[6..], error)?);
    if m.goes_apart(source, target)? {
        return apart::inflate(m, args);
    }
    let stream = m.fixed(this, Fixed::InflaterStream)? as Ref;
    let address = m.vm.classes.slot("java/util/zip/Inflater$InflaterZStreamRef", "address");
    let address = address.ok_or_else(|| Trap::Unsupported("the Inflater of this JDK".into()))?;
    let vm = m.vm;
    let done = m.transform(source, target, (stream, address), |input| {
        let mut inner = vm.natives.inflations.inner.lock().expect("nobody panics while inflating");
        let done = inner.inflate(args[1], input, target.len);
        let done = done.ok_or(Trap::Exception("java/util/zip/DataFormatException", None))?;
        Ok((done.number, done.output.clone(), done))
    })?;
    // The three results in one number, as `Inflater` takes them apart.
    let result = done.n_read as u64 | (done.output.len() as u64) << 31 | u64::from(done.is_finished) << 62;
    Ok(Answer::Wide(result))
}

/// An inflater begins anew: its number is again that of one that has read nothing.
fn reset(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let first = m.vm.natives.inflations.inner.lock().expect("nobody panics while inflating").first(args[0]);
    let this = m.receiver_of_caller() as Ref;
    let stream = m.fixed(this, Fixed::InflaterStream)? as Ref;
    let address = m.vm.classes.slot("java/util/zip/Inflater$InflaterZStreamRef", "address");
    let address = address.ok_or_else(|| Trap::Unsupported("the Inflater of this JDK".into()))?;
    m.write(stream, address, first)?;
    Ok(Answer::Void)
}

fn summed(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Plan> {
    let error = "java/lang/ArrayIndexOutOfBoundsException";
    Ok(Plan::Ranges(Ranges::read(range(m, &args[1..], error)?)))
}

fn crc32(before: u32, bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!before, |crc, &byte| {
        (0..8).fold(
            crc ^ u32::from(byte),
            |crc, _| if crc & 1 == 0 { crc >> 1 } else { crc >> 1 ^ 0xedb8_8320 },
        )
    })
}

fn adler32(before: u32, bytes: &[u8]) -> u32 {
    let (mut a, mut b) = (before & 0xffff, before >> 16);
    for &byte in bytes {
        a = (a + u32::from(byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    b << 16 | a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_the_known_ones() {
        assert_eq!(crc32(0, b"123456789"), 0xcbf4_3926);
        assert_eq!(adler32(1, b"Wikipedia"), 0x11e6_0398);
    }
}
