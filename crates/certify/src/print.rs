//! Fingerprints: by which the certifier tells whether two states are the same.
//!
//! [`Keyed`] is a family of functions from vectors to 127 bits, from which a secret key chooses one. The key
//! is drawn after the whole certificate was read, so the certificate cannot depend on it. For any two
//! different vectors the probability, over the key, that their fingerprints are equal is at most
//!
//! ```text
//! 2^-128 + (4b + 1) / (2^127 - 1)        b: the number of 8 KiB pieces of the longer vector
//! ```
//!
//! *Proof.* A vector is cut into pieces of 1024 words of 64 bits, and the last word is filled with zeros. NH
//! (Black, Halevi, Krawczyk, Krovetz, Rogaway: "UMAC", 1999) maps a piece of an even number of words to
//! `sum((m[2i] + k[2i]) * (m[2i+1] + k[2i+1])) mod 2^128`, where the inner sums are modulo 2^64; two different
//! pieces of equal length collide with probability at most 2^-64. Two independent keys make that 2^-128. The
//! words of all results, `w[1]` to `w[4b]`, and the length `n` of the vector in bytes are the coefficients of
//! `n x + w[4b] x^2 + ... + w[1] x^(4b+1)`, and the fingerprint is the value of this polynomial at a random
//! point of the field of 2^127 - 1 elements. Vectors of different lengths give different polynomials. Vectors
//! of equal length that differ, differ in some piece, and give the same polynomial with probability at most
//! 2^-128. Two different polynomials of degree at most 4b + 1 agree in at most 4b + 1 points. ∎
//!
//! What follows for a certificate: it says which pairs of vectors are compared, and that does not depend on
//! the key. If it does not describe the whole graph, then at least one of these pairs differs. It is
//! accepted only if all of them collide, so only if that one does. So the bound for one pair is the bound for
//! the certificate, however many states it has.
//!
//! [`Exact`] keeps whole vectors and compares those.

/// A way to tell states apart.
pub trait Prints: Sync {
    /// What is kept of a state.
    type Print: PartialEq + Clone + Send + Sync;

    /// What is kept of the state with this vector.
    fn of(&self, vector: &[u8]) -> Self::Print;

    /// The bytes that a print takes besides its own size.
    fn n_bytes(print: &Self::Print) -> usize;

    /// How probable it is at most that two different vectors of up to `len` bytes are taken for one, as a
    /// power of two; `None` if that cannot happen.
    fn bound(len: usize) -> Option<i32>;
}

/// The words of a piece.
const PIECE: usize = 1024;
/// 2^127 - 1, a prime number.
const P: u128 = (1 << 127) - 1;

/// Secret keyed fingerprints.
pub struct Keyed {
    keys: Box<[[u64; 2]; PIECE]>,
    point: u128,
}

impl Keyed {
    /// A new key, from the operating system.
    ///
    /// # Errors
    /// If it has no random numbers.
    pub fn draw() -> Result<Self, getrandom::Error> {
        let mut seed = vec![0; PIECE * 16 + 16];
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
        let bytes: Vec<u8> = (0..PIECE * 2 + 2).flat_map(|_| next().to_le_bytes()).collect();
        Self::from_bytes(&bytes).unwrap_or_else(|| Self::fixed(seed ^ 1))
    }

    /// A key from random bytes; `None` if they do not name a point of the field.
    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut keys = Box::new([[0; 2]; PIECE]);
        let (words, _) = bytes.as_chunks::<8>();
        for (key, pair) in keys.iter_mut().zip(words.chunks_exact(2)) {
            *key = [u64::from_le_bytes(pair[0]), u64::from_le_bytes(pair[1])];
        }
        let point = u128::from_le_bytes(*bytes.last_chunk()?) & P;
        (point != P).then_some(Self { keys, point })
    }

    /// Both NH sums of the next piece of a vector.
    fn piece(&self, bytes: &[u8]) -> [u128; 2] {
        let mut sums = [0_u128; 2];
        let mut add = |idx: usize, a: u64, b: u64| {
            let (k, l) = (&self.keys[2 * idx], &self.keys[2 * idx + 1]);
            for (sum, (k, l)) in sums.iter_mut().zip(k.iter().zip(l)) {
                let product = u128::from(a.wrapping_add(*k)) * u128::from(b.wrapping_add(*l));
                *sum = sum.wrapping_add(product);
            }
        };
        let (pairs, rest) = bytes.as_chunks::<16>();
        for (idx, pair) in pairs.iter().enumerate() {
            let both = u128::from_le_bytes(*pair);
            add(idx, both as u64, (both >> 64) as u64);
        }
        if !rest.is_empty() {
            let mut pair = [0; 16];
            pair[..rest.len()].copy_from_slice(rest);
            let both = u128::from_le_bytes(pair);
            add(pairs.len(), both as u64, (both >> 64) as u64);
        }
        sums
    }
}

impl Prints for Keyed {
    type Print = u128;

    fn of(&self, vector: &[u8]) -> u128 {
        let mut value = 0;
        let mut take = |word: u64| value = times(reduce(value + u128::from(word)), self.point);
        for piece in vector.chunks(8 * PIECE) {
            for sum in self.piece(piece) {
                take(sum as u64);
                take((sum >> 64) as u64);
            }
        }
        take(vector.len() as u64);
        value
    }

    fn n_bytes(_print: &u128) -> usize {
        0
    }

    fn bound(len: usize) -> Option<i32> {
        let degree = 4 * len.div_ceil(8 * PIECE) as u64 + 1;
        // 2^-128 + degree / (2^127 - 1) is less than (degree + 1) / 2^127.
        let log = 64 - degree.leading_zeros();
        Some(log as i32 - 127)
    }
}

/// A number below 2^128 modulo 2^127 - 1, at most 2^127 - 1 itself.
fn reduce(number: u128) -> u128 {
    let folded = (number & P) + (number >> 127);
    if folded >= P { folded - P } else { folded }
}

/// The product of two numbers below 2^127 modulo 2^127 - 1.
fn times(a: u128, b: u128) -> u128 {
    const LOW: u128 = u64::MAX as u128;
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
    let key = |idx: usize| keyed.keys[idx];
    let silent = [key(0)[0].wrapping_neg(), key(2)[0].wrapping_neg()];
    let factors = [silent[0].wrapping_add(key(0)[1]), silent[1].wrapping_add(key(2)[1])];
    let vector = |y: [u64; 2]| {
        let words = [silent[0], y[0].wrapping_sub(key(1)[1]), silent[1], y[1].wrapping_sub(key(3)[1])];
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
            assert_eq!(Keyed::fixed(8).of(&vector) == print, len == 0);
        }
    }

    #[test]
    fn the_bound_is_that_of_the_proof() {
        assert_eq!(Keyed::bound(100), Some(-124));
        assert_eq!(Keyed::bound(8192), Some(-124));
        assert_eq!(Keyed::bound(65_536), Some(-121));
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
