//! Fingerprints: by which the certifier tells whether two states are the same.
//!
//! [`Keyed`] is a family of functions from vectors to 127 bits, from which a secret key chooses one. The key
//! is drawn after the whole certificate was read, so the certificate cannot depend on it. For any two
//! different vectors the probability, over the key, that their fingerprints are equal is at most
//!
//! ```text
//! 2^-128 + b / 2^122        b: the number of 8 KiB pieces of the longer vector, at least 1
//! ```
//!
//! *Proof.* A vector is cut into pieces of 1024 words of 64 bits, and the last pair of words is filled with
//! zeros. NH (Black, Halevi, Krawczyk, Krovetz, Rogaway: "UMAC", 1999) maps a piece of an even number of words
//! to `sum((m[2i] + k[2i]) * (m[2i+1] + k[2i+1])) mod 2^128`, where the inner sums are modulo 2^64; two
//! different pieces of equal length collide with probability at most 2^-64. Two independent keys make that
//! 2^-128. Let `w[j][0]` to `w[j][3]` be the words of both results for piece `j`, and `n` the length of the
//! vector in bytes. The fingerprint is, in the field of 2^127 - 1 elements,
//!
//! ```text
//! x^(b-1) (r0 w[1][0] + .. + r3 w[1][3]) + .. + x^0 (r0 w[b][0] + .. + r3 w[b][3]) + r4 n
//! ```
//!
//! for a random element `x` and five random numbers `r` below 2^122. The difference of the fingerprints of two
//! vectors is a polynomial in these variables, of degree `b` at most. If the lengths differ, it has a term in
//! `r4` alone. If the lengths are equal and the vectors differ, they differ in some piece, so that some
//! `w[j][i]` differ, except with probability 2^-128; numbers below 2^64 that differ do so in the field. So the
//! polynomial is not zero, and it is zero at a random point with a probability of at most its degree divided
//! by the size of the smallest set that a variable is drawn from (Schwartz, Zippel). ∎
//!
//! What follows for a certificate: it says which pairs of vectors are compared, and that does not depend on
//! the key. If it does not describe the whole graph, then at least one of these pairs differs. It is
//! accepted only if all of them collide, so only if that one does. So the bound for one pair is the bound for
//! the certificate, however many states it has.
//!
//! [`Exact`] keeps whole vectors and compares those.

/// A way to tell states apart.
pub trait Prints: Sync + 'static {
    /// What is kept of a state.
    type Print: Ord + Clone + Default + Send + Sync + 'static;

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
/// 2^127 - 1, a prime number.
const P: u128 = (1 << 127) - 1;
/// 2^61 - 1.
const LIMB: u64 = (1 << 61) - 1;

/// A random number below 2^122: 61 bits and 61 more, so that sums of five products with words do not overflow.
type Factor = [u64; 2];

/// Secret keyed fingerprints.
pub struct Keyed {
    /// For each pair of words: what is added to the first and to the second, for both sums.
    keys: Box<[[u64; 4]; PIECE]>,
    factors: [Factor; 5],
    point: u128,
}

/// The random bytes of a key.
const SEED: usize = PIECE * 32 + 5 * 16 + 16;

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
    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (words, _) = bytes.as_chunks::<8>();
        let mut words = words.iter().map(|word| u64::from_le_bytes(*word));
        let mut keys = Box::new([[0; 4]; PIECE]);
        for key in keys.as_flattened_mut() {
            *key = words.next()?;
        }
        let mut factors = [[0; 2]; 5];
        for limb in factors.as_flattened_mut() {
            *limb = words.next()? & LIMB;
        }
        let point = (u128::from(words.next()?) | u128::from(words.next()?) << 64) & P;
        (point != P).then_some(Self { keys, factors, point })
    }

    /// Both NH sums of a piece of a vector.
    #[inline]
    fn piece(&self, bytes: &[u8]) -> [u128; 2] {
        let mut sums = [0_u128; 2];
        let mut add = |key: &[u64; 4], pair: &[u8; 16]| {
            let both = u128::from_le_bytes(*pair);
            let (a, b) = (both as u64, (both >> 64) as u64);
            let product = |k: u64, l: u64| u128::from(a.wrapping_add(k)) * u128::from(b.wrapping_add(l));
            sums[0] = sums[0].wrapping_add(product(key[0], key[1]));
            sums[1] = sums[1].wrapping_add(product(key[2], key[3]));
        };
        let (pairs, rest) = bytes.as_chunks::<16>();
        let mut keys = self.keys.iter();
        keys.by_ref().zip(pairs).for_each(|(key, pair)| add(key, pair));
        if let Some(key) = self.keys.get(pairs.len()).filter(|_| !rest.is_empty()) {
            let mut pair = [0; 16];
            pair[..rest.len()].copy_from_slice(rest);
            add(key, &pair);
        }
        sums
    }
}

/// The sum of the products of words and factors, below 2^127.
#[inline]
fn combine<const N: usize>(words: [u64; N], factors: &[Factor]) -> u128 {
    let (mut low, mut high) = (0_u128, 0_u128);
    for (word, [a, b]) in words.into_iter().zip(factors) {
        // Each product is below 2^125, and there are five at most.
        low += u128::from(word) * u128::from(*a);
        high += u128::from(word) * u128::from(*b);
    }
    // low + 2^61 high, and 2^127 is 1.
    let shifted = (high & ((1 << 66) - 1)) << 61;
    reduce(reduce(low) + reduce(shifted + (high >> 66)))
}

impl Prints for Keyed {
    type Print = u128;

    #[inline]
    fn of(&self, vector: &[u8]) -> u128 {
        let n = vector.len() as u64;
        let words = |[a, b]: [u128; 2]| [a as u64, (a >> 64) as u64, b as u64, (b >> 64) as u64];
        if vector.len() <= 16 * PIECE {
            let [a, b, c, d] = words(self.piece(vector));
            return combine([a, b, c, d, n], &self.factors);
        }
        let mut value = 0;
        for piece in vector.chunks(16 * PIECE) {
            value = reduce(times(value, self.point) + combine(words(self.piece(piece)), &self.factors));
        }
        reduce(value + combine([n], &self.factors[4..]))
    }

    fn n_bytes(_print: &u128) -> usize {
        0
    }

    fn bound(len: usize) -> Option<i32> {
        let degree = len.div_ceil(16 * PIECE).max(1) as u64;
        // 2^-128 + degree / 2^122 is less than (degree + 1) / 2^122.
        let log = 64 - degree.leading_zeros();
        Some(log as i32 - 122)
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

    /// By the formula of the proof.
    #[test]
    fn fingerprints_are_those_of_the_formula() {
        let keyed = Keyed::fixed(5);
        let factor = |idx: usize| {
            let [low, high] = keyed.factors[idx];
            u128::from(low) + (u128::from(high) << 61)
        };
        for len in [0, 4, 16, 60, 8188, 8192, 8196, 30_000] {
            let vector: Vec<u8> = (0..len).map(|idx| (idx * 11 + idx / 256) as u8 | 0x80).collect();
            let mut value = 0;
            for piece in vector.chunks(8192) {
                value = slow_times(value, keyed.point);
                let mut padded = piece.to_vec();
                padded.resize(piece.len().next_multiple_of(16), 0);
                let word = |idx: usize| u64::from_le_bytes(padded[8 * idx..8 * idx + 8].try_into().unwrap());
                let sum = |key: usize| {
                    (0..padded.len() / 16).fold(0_u128, |sum, idx| {
                        let keys = keyed.keys[idx];
                        let a = word(2 * idx).wrapping_add(keys[2 * key]);
                        let b = word(2 * idx + 1).wrapping_add(keys[2 * key + 1]);
                        sum.wrapping_add(u128::from(a) * u128::from(b))
                    })
                };
                for key in 0..2 {
                    let (low, high) = (sum(key) & u128::from(u64::MAX), sum(key) >> 64);
                    value = (value + slow_times(low, factor(2 * key))) % P;
                    value = (value + slow_times(high, factor(2 * key + 1))) % P;
                }
            }
            value = (value + slow_times(len as u128, factor(4))) % P;
            assert_eq!(keyed.of(&vector), value, "{len}");
        }
        let most = [[LIMB; 2]; 5];
        let word = u128::from(u64::MAX);
        let product = slow_times(word, (1 << 122) - 1);
        assert_eq!(combine([u64::MAX; 5], &most), slow_times(product, 5), "nothing overflows");
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
        assert_eq!(Keyed::bound(0), Some(-121));
        assert_eq!(Keyed::bound(8192), Some(-121));
        assert_eq!(Keyed::bound(65_536), Some(-118));
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
