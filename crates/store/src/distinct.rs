//! How many distinct states a search has visited that forgets some of them: a HyperLogLog sketch.
//!
//! Flajolet, Fusy, Gandouet and Meunier, "HyperLogLog" (2007), with the estimator of Ertl, "New cardinality
//! estimation algorithms for HyperLogLog sketches" (2017, algorithm 6), which needs no correction for small
//! or large counts. 2^14 registers of one byte give a standard error of 0.8 %.

const LOG_REGISTERS: u32 = 14;
const N_REGISTERS: usize = 1 << LOG_REGISTERS;
/// The largest rank that the bits beside the register's number can have.
const MOST_RANK: usize = (64 - LOG_REGISTERS + 1) as usize;

/// A sketch of a set of hashes.
pub(crate) struct Distinct {
    registers: Box<[u8]>,
}

impl Distinct {
    /// What a sketch occupies.
    pub(crate) const BYTES: u64 = N_REGISTERS as u64;

    /// The empty set.
    pub(crate) fn new() -> Self {
        Self { registers: vec![0; N_REGISTERS].into() }
    }

    /// Adds the element with this hash.
    #[inline]
    pub(crate) fn add(&mut self, hash: u64) {
        let idx = (hash >> (64 - LOG_REGISTERS)) as usize;
        let rest = hash << LOG_REGISTERS | 1 << (LOG_REGISTERS - 1);
        let rank = rest.leading_zeros() as u8 + 1;
        let register = &mut self.registers[idx];
        *register = rank.max(*register);
    }

    /// About how many elements there are.
    pub(crate) fn estimate(&self) -> f64 {
        let mut counts = [0_u32; MOST_RANK + 1];
        self.registers.iter().for_each(|&rank| counts[usize::from(rank)] += 1);
        let m = N_REGISTERS as f64;
        let mut z = m * tau(1.0 - f64::from(counts[MOST_RANK]) / m);
        for &count in counts[1..MOST_RANK].iter().rev() {
            z = 0.5 * (z + f64::from(count));
        }
        z += m * sigma(f64::from(counts[0]) / m);
        m * m / (2.0 * std::f64::consts::LN_2 * z)
    }
}

fn sigma(mut x: f64) -> f64 {
    if x >= 1.0 {
        return f64::INFINITY;
    }
    let (mut y, mut z) = (1.0, x);
    loop {
        x *= x;
        let before = z;
        z += x * y;
        y += y;
        if z <= before {
            return z;
        }
    }
}

fn tau(mut x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return 0.0;
    }
    let (mut y, mut z) = (1.0, 1.0 - x);
    loop {
        x = x.sqrt();
        let before = z;
        y *= 0.5;
        z -= (1.0 - x).powi(2) * y;
        if z >= before {
            return z / 3.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rapidhash::v3::rapidhash_v3;

    #[test]
    fn counts_of_any_size_are_estimated() {
        let mut sketch = Distinct::new();
        assert_eq!(sketch.estimate(), 0.0);
        let mut n = 0_u64;
        for target in [1, 10, 1000, 20_000, 100_000, 1_000_000] {
            while n < target {
                n += 1;
                let hash = rapidhash_v3(&n.to_le_bytes());
                sketch.add(hash);
                sketch.add(hash);
            }
            let estimate = sketch.estimate();
            assert!((estimate / n as f64 - 1.0).abs() < 0.03, "{n}: {estimate}");
        }
    }
}
