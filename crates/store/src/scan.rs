//! Compares all slots of a bucket with a tag at once. The upper half of a slot is a tag; an empty slot is
//! zero.
#![allow(unsafe_code, reason = "vector instructions are used where every processor has them")]

/// The number of slots that the vector instructions compare.
#[cfg(target_arch = "x86_64")]
const WIDTH: usize = 8;

/// A bit mask of the slots at which a search for `tag` ends: those with this tag, and the empty ones.
#[inline(always)]
pub(crate) fn ends<const N: usize>(slots: [u64; N], tag: u32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if let Some(slots) = slots.first_chunk::<WIDTH>()
        && N == WIDTH
    {
        // SAFETY: every x86-64 processor has SSE2.
        return unsafe { ends_of_eight(slots, tag) };
    }
    one_by_one(slots, tag)
}

#[inline]
fn one_by_one<const N: usize>(slots: [u64; N], tag: u32) -> u32 {
    slots.iter().enumerate().fold(0, |ends, (idx, slot)| {
        let other = (slot >> 32) as u32;
        ends | u32::from(other == tag || other == 0) << idx
    })
}

/// The upper halves of four slots become one vector, and two such vectors are compared lane by lane.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "sse2")]
fn ends_of_eight(slots: &[u64; WIDTH], tag: u32) -> u32 {
    use std::arch::x86_64::{
        _mm_castps_si128, _mm_castsi128_ps, _mm_cmpeq_epi32, _mm_movemask_epi8, _mm_or_si128,
        _mm_packs_epi16, _mm_packs_epi32, _mm_set_epi64x, _mm_set1_epi32, _mm_setzero_si128, _mm_shuffle_ps,
    };
    let (wanted, empty) = (_mm_set1_epi32(tag.cast_signed()), _mm_setzero_si128());
    let pair = |idx: usize| {
        let words = _mm_set_epi64x(slots[idx + 1].cast_signed(), slots[idx].cast_signed());
        _mm_castsi128_ps(words)
    };
    let four = |idx: usize| {
        let tags = _mm_castps_si128(_mm_shuffle_ps::<0b11_01_11_01>(pair(idx), pair(idx + 2)));
        _mm_or_si128(_mm_cmpeq_epi32(tags, wanted), _mm_cmpeq_epi32(tags, empty))
    };
    let lanes = _mm_packs_epi32(four(0), four(4));
    _mm_movemask_epi8(_mm_packs_epi16(lanes, empty)).cast_unsigned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_ends_at_its_tag_and_where_nothing_is() {
        let tags = [7, 9, 0, u32::MAX, 1, 9, 1 << 31, 0];
        let slots = tags.map(|tag| u64::from(tag) << 32 | if tag == 0 { 0 } else { 5 });
        for (tag, expected) in [(7, 0b1000_0101), (9, 0b1010_0110), (u32::MAX, 0b1000_1100), (3, 0b1000_0100)]
        {
            assert_eq!(ends(slots, tag), expected, "{tag}");
            assert_eq!(one_by_one(slots, tag), expected, "{tag}");
        }
    }
}
