//! Fingerprints: by which the certifier tells whether two states are the same.
//!
//! [`Keyed`] is a family of functions from vectors to 128 bits, from which a secret key chooses one. The key
//! is drawn after the whole certificate was read, so the certificate cannot depend on it. For any two
//! different vectors the probability, over the key, that their fingerprints are equal is at most
//!
//! ```text
//! (9 + 4b) / 2^128      b: the number of 8 KiB pieces of the longer vector; 9 / 2^128 if both have one piece
//! ```
//!
//! *Proof.* A vector is padded with a byte `0x80` and zeros to pairs of 64-bit words, which tells all vectors
//! apart, and cut into pieces of 512 pairs. NH (Black, Halevi, Krawczyk, Krovetz, Rogaway: "UMAC", 1999) maps
//! a piece to `sum((m[2i] + k[2i]) * (m[2i+1] + k[2i+1])) mod 2^128`, where the inner sums are modulo 2^64.
//! 1. Two different pieces of equally many pairs collide with probability at most 2^-64 (their theorem). If
//!    one has more pairs, let `x y` be the product of its last one: `x` and `y` are uniform, and the other
//!    sum does not depend on them. `x y` has any given value with probability at most 2^-63: for zero one of
//!    the two is zero, and for another value there is at most one `y` for each `x`. So 2^-63 bounds both
//!    cases.
//! 2. A sum of 128 bits with the halves `l` and `h` becomes `((a l + b h + c) mod 2^128) >> 64`, for random
//!    numbers of 128 bits. Two different sums become equal with probability 2^-64. For let `D` be the
//!    difference of the numbers before the shift. One of `l` and `h` differs, by an odd multiple of `2^t`
//!    with t < 64, so `D` is uniform on a coset of the multiples of `2^t`. `c` makes each number itself
//!    uniform and independent of `D`, so the shift makes them equal with probability `1 - |D| / 2^64`, or
//!    never if `|D|` is 2^64 or more. The mean of that over the coset is `2^-64`, because `2^t` divides 2^64.
//! 3. Both steps are done twice with independent keys. So different pieces get the same 128 bits with
//!    probability at most `(2^-63 + 2^-64)^2 = 9 / 2^128`. That is the fingerprint of a vector of one piece.
//! 4. Of `b > 1` pieces with the halves `w[1], .., w[2b]` it is `x^(2b) + x^(2b-1) w[1] + .. + w[2b]` in the
//!    field of 2^127 - 1 elements, for a random `x`, with a random mask of 128 bits over it. Two vectors with
//!    different halves, or different `b`, give different polynomials of degree at most `2b`, because numbers
//!    below 2^64 that differ do so in the field; they agree at a random point with probability at most
//!    `2b / (2^127 - 1)`. By the mask, a vector of one piece agrees with one of several with probability
//!    2^-128. ∎
//!
//! What follows for a certificate: it says which pairs of vectors are compared, and that does not depend on
//! the key. If it does not describe the whole graph, then at least one of these pairs differs. It is
//! accepted only if all of them collide, so only if that one does. So the bound for one pair is the bound for
//! the certificate, however many states it has.
//!
//! [`Exact`] keeps whole vectors and compares those.

use std::hash::Hash;

/// A way to tell states apart.
pub trait Prints: Sync + 'static {
    /// What is kept of a state.
    type Print: Ord + Hash + Clone + Default + Send + Sync + 'static;

    /// What is kept of the state with this vector.
    fn of(&self, vector: &[u8]) -> Self::Print;

    /// The bytes that a print takes besides its own size.
    fn n_bytes(print: &Self::Print) -> usize;

    /// How probable it is at most that two different vectors of up to `len` bytes are taken for one, as a
    /// power of two; `None` if that cannot happen.
    fn bound(len: usize) -> Option<i32>;
}

/// The pairs of words of a piece.
const PIECE: usize = 512;
/// The bytes of a piece.
const PIECE_BYTES: usize = 16 * PIECE;
/// 2^127 - 1, a prime number.
const P: u128 = (1 << 127) - 1;
/// The lower half of a number.
const LOW: u128 = u64::MAX as u128;

/// Secret keyed fingerprints.
pub struct Keyed {
    /// For each pair of words: what is added to the first and to the second, for both sums.
    keys: Box<[[u64; 4]; PIECE]>,
    /// For each sum: the factors of its halves, and what is added.
    folds: [[u128; 3]; 2],
    point: u128,
    mask: u128,
}

/// The random bytes of a key.
pub(crate) const SEED: usize = PIECE * 32 + 6 * 16 + 2 * 16;

impl Keyed {
    /// A new key, from the operating system.
    ///
    /// # Errors
    /// If it has no random numbers.
    pub fn draw() -> Result<Self, getrandom::Error> {
        let mut seed = vec![0; SEED];
        loop {
            getrandom::fill(&mut seed)?;
            if let Some(keyed) = Self::from_bytes(&seed) {
                return Ok(keyed);
            }
        }
    }

    /// A key that is not secret: for tests of what goes wrong then.
    #[must_use]
    pub fn fixed(seed: u64) -> Self {
        // SplitMix64.
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        };
        let bytes: Vec<u8> = (0..SEED / 8).flat_map(|_| next().to_le_bytes()).collect();
        Self::from_bytes(&bytes).unwrap_or_else(|| Self::fixed(seed ^ 1))
    }

    /// A key from random bytes; `None` if they do not name a point of the field.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (words, _) = bytes.as_chunks::<8>();
        let mut words = words.iter().map(|word| u64::from_le_bytes(*word));
        let mut keys = Box::new([[0; 4]; PIECE]);
        for key in keys.as_flattened_mut() {
            *key = words.next()?;
        }
        let mut wide = || Some(u128::from(words.next()?) | u128::from(words.next()?) << 64);
        let mut folds = [[0; 3]; 2];
        for factor in folds.as_flattened_mut() {
            *factor = wide()?;
        }
        let (point, mask) = (wide()? & P, wide()?);
        (point != P).then_some(Self { keys, folds, point, mask })
    }

    /// The fingerprint of a piece: of less than [`PIECE_BYTES`], which is padded, or of exactly that many.
    #[inline]
    fn piece(&self, bytes: &[u8]) -> u128 {
        let mut sums = [0_u128; 2];
        let mut add = |key: &[u64; 4], pair: u128| {
            let (a, b) = (pair as u64, (pair >> 64) as u64);
            let product = |k: u64, l: u64| u128::from(a.wrapping_add(k)) * u128::from(b.wrapping_add(l));
            sums[0] = sums[0].wrapping_add(product(key[0], key[1]));
            sums[1] = sums[1].wrapping_add(product(key[2], key[3]));
        };
        let (pairs, rest) = bytes.as_chunks::<16>();
        let mut keys = self.keys.iter();
        keys.by_ref().zip(pairs).for_each(|(key, pair)| add(key, u128::from_le_bytes(*pair)));
        // A whole piece has as many pairs as there are keys.
        if let Some(key) = self.keys.get(pairs.len()) {
            add(key, padded(rest));
        }
        let fold = |sum: u128, [a, b, c]: [u128; 3]| {
            a.wrapping_mul(sum & LOW).wrapping_add(b.wrapping_mul(sum >> 64)).wrapping_add(c) >> 64
        };
        fold(sums[0], self.folds[0]) | fold(sums[1], self.folds[1]) << 64
    }

    /// The fingerprint of a vector of several pieces.
    #[cold]
    fn pieces(&self, vector: &[u8]) -> u128 {
        let mut value = 1;
        let mut append = |print: u128| {
            for half in [print & LOW, print >> 64] {
                value = reduce(times(value, self.point) + half);
            }
        };
        let (whole, rest) = vector.as_chunks::<PIECE_BYTES>();
        whole.iter().for_each(|piece| append(self.piece(piece)));
        append(self.piece(rest));
        value ^ self.mask
    }
}

/// The last pair of a vector: fewer than 16 bytes, `0x80`, and zeros.
#[inline]
fn padded(bytes: &[u8]) -> u128 {
    let (words, odd) = bytes.as_chunks::<4>();
    let mut pair = 0x80 << (8 * bytes.len());
    for (idx, word) in words.iter().enumerate() {
        pair |= u128::from(u32::from_le_bytes(*word)) << (32 * idx);
    }
    for (idx, byte) in odd.iter().enumerate() {
        pair |= u128::from(*byte) << (32 * words.len() + 8 * idx);
    }
    pair
}

impl Prints for Keyed {
    type Print = u128;

    #[inline]
    fn of(&self, vector: &[u8]) -> u128 {
        if vector.len() < PIECE_BYTES { self.piece(vector) } else { self.pieces(vector) }
    }

    fn n_bytes(_print: &u128) -> usize {
        0
    }

    fn bound(len: usize) -> Option<i32> {
        let n_pieces = (len / PIECE_BYTES + 1) as u64;
        let numerator = if n_pieces == 1 { 9 } else { 9 + 4 * n_pieces };
        Some((64 - numerator.leading_zeros()) as i32 - 128)
    }
}

/// A number below 2^128 modulo 2^127 - 1, at most 2^127 - 1 itself.
fn reduce(number: u128) -> u128 {
    let folded = (number & P) + (number >> 127);
    if folded >= P { folded - P } else { folded }
}

/// The product of two numbers below 2^127 modulo 2^127 - 1.
fn times(a: u128, b: u128) -> u128 {
    let (a0, a1, b0, b1) = (a & LOW, a >> 64, b & LOW, b >> 64);
    // a1 and b1 are below 2^63, so that no sum here overflows.
    let middle = a1 * b0 + a0 * b1;
    let (low, carry) = (a0 * b0).overflowing_add(middle << 64);
    let high = a1 * b1 + (middle >> 64) + u128::from(carry);
    // 2^128 is 2, and 2^127 is 1.
    reduce(reduce(2 * high) + reduce(low))
}

/// Whole vectors.
pub struct Exact;

impl Prints for Exact {
    type Print = Box<[u8]>;

    fn of(&self, vector: &[u8]) -> Box<[u8]> {
        vector.into()
    }

    fn n_bytes(print: &Box<[u8]>) -> usize {
        print.len()
    }

    fn bound(_len: usize) -> Option<i32> {
        None
    }
}

/// Two different vectors with one fingerprint under a key that is known: the first word of each pair makes
/// the first sum zero, and the second sums are one product in two orders.
#[cfg(test)]
pub(crate) fn collision(keyed: &Keyed) -> ([u8; 32], [u8; 32]) {
    let [first, second] = [keyed.keys[0], keyed.keys[1]];
    let silent = [first[0].wrapping_neg(), second[0].wrapping_neg()];
    let factors = [silent[0].wrapping_add(first[2]), silent[1].wrapping_add(second[2])];
    let vector = |y: [u64; 2]| {
        let words = [silent[0], y[0].wrapping_sub(first[3]), silent[1], y[1].wrapping_sub(second[3])];
        let mut bytes = [0; 32];
        for (idx, word) in words.into_iter().enumerate() {
            bytes[8 * idx..8 * idx + 8].copy_from_slice(&word.to_le_bytes());
        }
        bytes
    };
    (vector([0, factors[0]]), vector([factors[1], 0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By doubling and adding.
    fn slow_times(a: u128, mut b: u128) -> u128 {
        let (mut sum, mut a) = (0, a % P);
        while b > 0 {
            if b & 1 == 1 {
                sum = (sum + a) % P;
            }
            a = (a + a) % P;
            b >>= 1;
        }
        sum
    }

    #[test]
    fn products_are_those_of_the_field() {
        let mut numbers = vec![0, 1, 2, P - 1, P - 2, u128::from(u64::MAX), 1 << 64, (1 << 126) + 5, P >> 1];
        let mut x = 0x1234_5678_9abc_def0_0fed_cba9_8765_4321_u128;
        for _ in 0..200 {
            x = x.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(12_345);
            numbers.push((x & P) % P);
        }
        for &a in &numbers {
            for &b in &numbers {
                assert_eq!(times(a, b), slow_times(a, b), "{a} {b}");
            }
        }
        for number in [0, P - 1, P, P + 1, u128::MAX] {
            assert_eq!(reduce(number) % P, number % P);
        }
    }

    /// By the formula of the proof, and far from it in how it is computed.
    #[test]
    fn fingerprints_are_those_of_the_formula() {
        let keyed = Keyed::fixed(5);
        for len in [0, 3, 4, 16, 60, 8188, 8191, 8192, 8196, 16_384, 30_000] {
            let mut vector: Vec<u8> = (0..len).map(|idx| (idx * 11 + idx / 256) as u8 | 0x80).collect();
            let (mut value, mut last) = (1, 0);
            vector.push(0x80);
            vector.resize(vector.len().next_multiple_of(16), 0);
            for piece in vector.chunks(8192) {
                let word = |idx: usize| u64::from_le_bytes(piece[8 * idx..8 * idx + 8].try_into().unwrap());
                let half = |which: usize| {
                    let sum = (0..piece.len() / 16).fold(0_u128, |sum, idx| {
                        let keys = keyed.keys[idx];
                        let a = word(2 * idx).wrapping_add(keys[2 * which]);
                        let b = word(2 * idx + 1).wrapping_add(keys[2 * which + 1]);
                        sum.wrapping_add(u128::from(a) * u128::from(b))
                    });
                    let [a, b, c] = keyed.folds[which];
                    let (low, high) = (u128::from(sum as u64), sum >> 64);
                    (low.wrapping_mul(a).wrapping_add(high.wrapping_mul(b)).wrapping_add(c)) >> 64
                };
                for which in 0..2 {
                    value = (slow_times(value, keyed.point) + half(which)) % P;
                }
                last = half(0) + (half(1) << 64);
            }
            let expected = if len < 8192 { last } else { value ^ keyed.mask };
            assert_eq!(keyed.of(&vector[..len]), expected, "{len}");
        }
    }

    /// The lemma on which the fold rests, counted out for words of four bits and sums of eight.
    #[test]
    fn folds_collide_as_rarely_as_the_proof_says() {
        for (one, other) in [(0x00_u32, 0x01), (0x3f, 0x37), (0x10, 0x90), (0x08, 0x80), (0xff, 0x00)] {
            let fold = |sum: u32, a: u32, b: u32, c: u32| ((a * (sum & 15) + b * (sum >> 4) + c) & 0xff) >> 4;
            let mut n_equal = 0;
            for a in 0..256 {
                for b in 0..256 {
                    n_equal += (0..256).filter(|&c| fold(one, a, b, c) == fold(other, a, b, c)).count();
                }
            }
            assert_eq!(n_equal, 1 << 20, "one in sixteen of 2^24, {one} {other}");
        }
    }

    #[test]
    fn every_bit_and_the_length_count() {
        let keyed = Keyed::fixed(7);
        for len in [0, 4, 8, 12, 16, 20, 100, 8192, 8196, 20_000] {
            let vector: Vec<u8> = (0..len).map(|idx| (idx * 7) as u8).collect();
            let print = keyed.of(&vector);
            let mut longer = vector.clone();
            longer.extend([0; 4]);
            assert_ne!(keyed.of(&longer), print);
            for idx in (0..len).step_by(1 + len / 50) {
                let mut other = vector.clone();
                other[idx] ^= 1 << (idx % 8);
                assert_ne!(keyed.of(&other), print, "{len} {idx}");
            }
            assert_ne!(Keyed::fixed(8).of(&vector), print);
        }
    }

    #[test]
    fn the_bound_is_that_of_the_proof() {
        assert_eq!(Keyed::bound(0), Some(-124));
        assert_eq!(Keyed::bound(8191), Some(-124));
        assert_eq!(Keyed::bound(8192), Some(-123));
        assert_eq!(Keyed::bound(65_536), Some(-122));
        assert!(Keyed::bound(u32::MAX as usize).unwrap() < -100);
        assert_eq!(Exact::bound(5), None);
    }

    #[test]
    fn a_known_key_gives_collisions_away() {
        let keyed = Keyed::fixed(1);
        let (a, b) = collision(&keyed);
        assert_ne!(a, b);
        assert_eq!(keyed.of(&a), keyed.of(&b));
        assert_ne!(Keyed::fixed(2).of(&a), Keyed::fixed(2).of(&b), "under another key");
    }
}
