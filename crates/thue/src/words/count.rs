//! How many words there are without a repetition.

use super::{Variant, find};

/// How many words of a length over an alphabet have no repetition of a kind; nothing if the number
/// is too large to hold.
///
/// Words are counted once for each way to rename their letters: a word that uses `m` letters in order of
/// first appearance stands for `k (k-1) … (k-m+1)` words.
///
/// # Complexity
/// The number of such words over an alphabet as large as the length, up to renaming.
pub fn count(variant: Variant, symbols: usize, length: usize) -> Option<u128> {
    let mut classes = vec![0u128; symbols + 1];
    grow(
        &mut Vec::with_capacity(length),
        0,
        variant,
        symbols,
        length,
        &mut classes,
    );
    let mut total = 0u128;
    for (used, &classes) in classes.iter().enumerate() {
        let mut names = classes;
        for m in 0..used {
            names = names.checked_mul((symbols - m) as u128)?;
        }
        total = total.checked_add(names)?;
    }
    Some(total)
}

fn grow(
    word: &mut Vec<u8>,
    used: usize,
    variant: Variant,
    symbols: usize,
    length: usize,
    classes: &mut [u128],
) {
    if word.len() == length {
        classes[used] += 1;
        return;
    }
    for c in 0..symbols.min(used + 1) {
        word.push(c as u8);
        if find::at_end(word, variant).is_none() {
            grow(word, used.max(c + 1), variant, symbols, length, classes);
        }
        word.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_counts() {
        // OEIS A006156 and A007777.
        let squares: Vec<u128> = (1..=20)
            .map(|n| count(Variant::Square, 3, n).unwrap())
            .collect();
        assert_eq!(
            squares,
            [
                3, 6, 12, 18, 30, 42, 60, 78, 108, 144, 204, 264, 342, 456, 618, 798, 1044, 1392,
                1830, 2388
            ]
        );
        let overlaps: Vec<u128> = (1..=12)
            .map(|n| count(Variant::Overlap, 2, n).unwrap())
            .collect();
        assert_eq!(overlaps, [2, 4, 6, 10, 14, 20, 24, 30, 36, 44, 48, 60]);
        assert_eq!(count(Variant::Square, 2, 4), Some(0));
        assert_eq!(count(Variant::Square, 64, 3), Some(64 * 63 * 63));
    }
}
