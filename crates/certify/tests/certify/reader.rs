//! The reader takes any bytes: it gives an error, never panics, and allocates only as bytes come.

use crate::forged::{Forged, blocks, certificate, opened, sealed, written};
use allways_certify::Error;
use allways_model::certificate::script::Block;
use allways_model::certificate::{Frame, Kind, MAGIC, VERSION, streams};
use allways_testkit::random_promela::Rng;

/// Reads everything that can be read.
fn read(bytes: &[u8]) -> Result<usize, Error> {
    let (header, blocks) = blocks(bytes)?;
    let mut n = 0;
    for (frame, raw) in &blocks {
        let Ok(mut block) = Block::new(frame, header.streams, raw) else { continue };
        while let Ok(Some(state)) = block.next_state() {
            n += (0..state.n_steps).take_while(|slot| block.next_target(*slot).is_ok()).count();
            assert!(block.key().is_none_or(|_| header.streams & streams::KEYS != 0));
        }
    }
    Ok(n)
}

fn sample() -> Vec<u8> {
    let file = written("read.pml", "byte x; active [2] proctype p() { x++; x-- }");
    let bytes = certificate(&opened(&file, "all").0, true).unwrap();
    std::fs::remove_file(file).unwrap();
    bytes
}

fn fuzz(n_times: u32) {
    let (sample, mut rng) = (sample(), Rng::new(5));
    let script = Forged::of(&sample);
    assert!(read(&sample).unwrap() > 0);
    for _ in 0..n_times {
        // Anything at all, which seldom comes far.
        let any: Vec<u8> = (0..rng.below(200)).map(|_| rng.bits() as u8).collect();
        assert!(read(&any).is_err());
        let mut begun = [MAGIC.as_slice(), &VERSION.to_le_bytes()].concat();
        begun.extend(&any);
        assert!(read(&begun).is_err());
        // A true header, and anything after it.
        let mut headed = script.header.to_bytes();
        headed.push(Frame::TAG);
        headed.extend(&any);
        assert!(read(&headed).is_err());
        // Blocks with anything in them, under hashes that fit.
        let frame = Frame {
            first: rng.bits(),
            newest: rng.bits() >> rng.below(64),
            n_states: rng.below(40),
            n_tokens: rng.below(1000),
            ..Frame::default()
        };
        let mut raw = script.contents()[0].1.clone();
        if rng.chance(50) {
            raw.clone_from(&any);
        } else {
            let at = rng.below(raw.len() as u32) as usize;
            raw[at] = rng.bits() as u8;
        }
        let mut header = script.header.clone();
        header.streams = rng.below(128) as u16;
        if rng.chance(30) {
            (header.kind, header.streams) = (Kind::Tree, streams::TREE | streams::KEYS);
        }
        let _ = read(&sealed(&header, &[(frame, raw)], (rng.bits(), rng.bits())));
    }
}

#[test]
fn nothing_makes_it_panic() {
    fuzz(20_000);
}

#[test]
#[ignore = "takes minutes"]
fn nothing_makes_it_panic_in_a_million_tries() {
    fuzz(1_000_000);
}

/// Lengths are claims.
#[test]
fn a_short_file_with_long_claims_is_short() {
    let header = Forged::of(&sample()).header;
    let mut bytes = [MAGIC.as_slice(), &VERSION.to_le_bytes(), &[0, 0], &u32::MAX.to_le_bytes()].concat();
    assert!(read(&bytes).is_err(), "a header of 4 GiB");
    bytes[12..16].copy_from_slice(&(16_u32 << 20).to_le_bytes());
    assert!(read(&bytes).is_err(), "a header of 16 MiB");
    for (raw_len, len) in [(u32::MAX, 1), (1, u32::MAX), (16 << 20, 16 << 20)] {
        let mut bytes = header.to_bytes();
        bytes.extend(Frame { raw_len, len, ..Frame::default() }.to_bytes());
        assert!(read(&bytes).is_err(), "{raw_len} {len}");
    }
}

/// A block that unpacks to more than it claims is not unpacked to its end.
#[test]
fn a_block_is_no_bomb() {
    let header = Forged::of(&sample()).header;
    let mut bytes = header.to_bytes();
    // A mebibyte in one stored piece after the other.
    let piece = [&[0, 0xff, 0xff, 0, 0][..], &[0; 0xffff]].concat();
    let compressed = piece.repeat(16);
    let frame = Frame {
        raw_len: 8,
        len: compressed.len() as u32,
        check: Frame::check_of(&compressed),
        ..Frame::default()
    };
    bytes.extend(frame.to_bytes());
    bytes.extend(&compressed);
    assert!(read(&bytes).is_err());
}
