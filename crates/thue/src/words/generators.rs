//! The famous infinite words, letter by letter at any index.

use super::Word;
use super::morphism::Morphism;

/// The Thue-Morse word: the parity of the ones of the index in base two.
pub const fn thue_morse(index: u128) -> u8 {
    (index.count_ones() & 1) as u8
}

/// The same letter by the automaton with two states that reads the index from its highest digit.
pub fn thue_morse_automaton(index: u128) -> u8 {
    let digits = 128 - index.leading_zeros();
    (0..digits)
        .rev()
        .fold(0, |state, d| match (index >> d) & 1 {
            0 => state,
            _ => 1 - state,
        })
}

/// The same word by its morphism `a->ab, b->ba`.
pub fn thue_morse_morphism() -> Morphism {
    Morphism::new(vec![vec![0, 1], vec![1, 0]])
}

/// Prouhet's words (1851): the sum of the digits of the index in base `symbols`, modulo `symbols`.
///
/// # Panics
/// When there are fewer than two symbols.
pub fn prouhet(symbols: u8, index: u128) -> u8 {
    assert!(symbols >= 2, "a base has at least two digits");
    let base = u128::from(symbols);
    let (mut rest, mut sum) = (index, 0);
    while rest > 0 {
        sum += rest % base;
        rest /= base;
    }
    (sum % base) as u8
}

/// Thue's square-free word of 1906: `a` becomes `abac`, `b` becomes `babc`, `c` becomes `bcac` after an
/// `a` and `acbc` after a `b`, where the letter before is that of the source word.
pub fn thue_1906(index: u128) -> u8 {
    let digits = (128 - index.leading_zeros()).div_ceil(2);
    // Every image ends in c, so the first letter of an image stands after a c.
    let (mut letter, mut before) = (0u8, 2u8);
    for d in (0..digits).rev() {
        let image = image_1906(letter, before);
        let digit = ((index >> (2 * d)) & 3) as usize;
        before = if digit == 0 { 2 } else { image[digit - 1] };
        letter = image[digit];
    }
    letter
}

const fn image_1906(letter: u8, before: u8) -> [u8; 4] {
    match (letter, before) {
        (0, _) => [0, 1, 0, 2],
        (1, _) => [1, 0, 1, 2],
        (_, 0) => [1, 2, 0, 2],
        _ => [0, 2, 1, 2],
    }
}

/// The words of 1906 written out, step by step from `a`: 4^n letters after n steps.
pub fn thue_1906_steps(steps: u32) -> Word {
    let mut word = vec![0u8];
    for _ in 0..steps {
        let mut before = 2;
        let mut next = Vec::with_capacity(4 * word.len());
        for &letter in &word {
            next.extend(image_1906(letter, before));
            before = letter;
        }
        word = next;
    }
    Word::new(word).expect("three letters are a small alphabet")
}

/// Thue's morphism of 1912: `a->abcab, b->acabcb, c->acbcacb`, 18 letters in all, which is the least
/// that a square-free morphism on three letters can have (Carpi 1983).
pub fn thue_1912() -> Morphism {
    Morphism::new(vec![
        vec![0, 1, 2, 0, 1],
        vec![0, 2, 0, 1, 2, 1],
        vec![0, 2, 1, 2, 0, 2, 1],
    ])
}

/// Keränen's morphism of 1992: the image of `a` has 85 letters, those of `b`, `c` and `d` follow by renaming each letter to the
/// next. Its words on four letters have no abelian squares, which three letters cannot avoid.
pub fn keranen() -> Morphism {
    const IMAGE: &[u8; 85] =
        b"abcacdcbcdcadcdbdabacabadbabcbdbcbacbcdcacbabdabacadcbcdcacdbcbacbcdcacdcbdcdadbdcbca";
    let image = |turn: u8| IMAGE.iter().map(|c| (c - b'a' + turn) % 4).collect();
    Morphism::new((0..4).map(image).collect())
}

/// Dekking's morphism of 1979, `a->aabc, b->bbc, c->acc`: its words have no three neighbouring factors with the same letters, so no
/// cubes either.
pub fn dekking() -> Morphism {
    Morphism::new(vec![vec![0, 0, 1, 2], vec![1, 1, 2], vec![0, 2, 2]])
}

/// The Morse blocks `u_n` and `v_n`: the images of `a` and `b` after n steps.
///
/// # Panics
/// When `n` is above 27: the blocks would be too long to write out.
pub fn morse_blocks(n: u32) -> (Word, Word) {
    assert!(n <= 27, "a block of 2^{n} letters is not written out");
    let block = |flip: u8| {
        let letters = (0..1u128 << n).map(|i| thue_morse(i) ^ flip).collect();
        Word::new(letters).expect("two letters are a small alphabet")
    };
    (block(0), block(1))
}

/// A square-free word on three letters that goes on for ever in both directions: the differences of
/// neighbouring letters of the Thue-Morse word, mirrored at zero.
pub const fn ternary(index: i64) -> u8 {
    1 + two_sided(index + 1) - two_sided(index)
}

const fn two_sided(index: i64) -> u8 {
    let folded = if index < 0 { -(index + 1) } else { index };
    thue_morse(folded as u128)
}

/// A square-free word on four letters in which no factor of two or more letters is a palindrome: a
/// square-free word on three letters with the fourth letter after every two.
pub const fn without_palindromes(index: u64) -> u8 {
    match index % 3 {
        2 => 3,
        r => ternary((index / 3 * 2 + r) as i64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::{Variant, stretches};

    #[test]
    fn thue_morse_three_ways() {
        let written = thue_morse_morphism().iterate(&[0], 12).unwrap();
        for (i, &c) in written.iter().enumerate() {
            assert_eq!(thue_morse(i as u128), c);
            assert_eq!(thue_morse_automaton(i as u128), c);
            assert_eq!(prouhet(2, i as u128), c);
        }
        assert!(stretches::free_of(&written, Variant::Overlap));
        let far = 10u128.pow(18);
        assert_eq!(thue_morse(far), thue_morse_automaton(far));
        assert_eq!(thue_morse_morphism().letter(0, far), Ok(thue_morse(far)));
    }

    #[test]
    fn blocks_are_palindromes_or_each_others_mirror() {
        for n in 0..12 {
            let (u, v) = morse_blocks(n);
            let mirrored: Vec<u8> = v.iter().rev().copied().collect();
            if n % 2 == 0 {
                assert_eq!(v[..], mirrored[..]);
            } else {
                assert_eq!(u[..], mirrored[..], "u is v read backwards");
            }
            let (longer, _) = morse_blocks(n + 1);
            assert_eq!(longer[..], [&u[..], &v[..]].concat()[..]);
        }
    }

    #[test]
    fn abelian_repetitions_are_avoided() {
        let letters = |morphism: Morphism, count: u128| -> Vec<u8> {
            (0..count).map(|i| morphism.letter(0, i).unwrap()).collect()
        };
        let word = letters(keranen(), 3000);
        assert!(stretches::free_of(&word, Variant::AbelianSquare));
        assert!(!stretches::free_of(
            &letters(thue_1912(), 30),
            Variant::AbelianSquare
        ));
        let word = letters(dekking(), 400);
        assert!(stretches::free_of(&word, Variant::Cube));
        let sorted = |part: &[u8]| {
            let mut part = part.to_vec();
            part.sort_unstable();
            part
        };
        for p in 1..=word.len() / 3 {
            for three in word.windows(3 * p) {
                let [a, b, c] = [0, p, 2 * p].map(|from| sorted(&three[from..from + p]));
                assert!(a != b || b != c, "period {p}");
            }
        }
    }

    /// The first 64 letters; the thesis prints them with a slip from index 27 on.
    #[test]
    fn the_word_of_1906() {
        let written = thue_1906_steps(3);
        assert_eq!(
            written.letters().unwrap(),
            "abacbabcabacbcacbabcabacbabcacbcabacbabcabacbcacbabcacbcabacbcac"
        );
        let long = thue_1906_steps(6);
        for (i, &c) in long.iter().enumerate() {
            assert_eq!(thue_1906(i as u128), c, "{i}");
        }
        assert!(stretches::square_free(&long));
        let printed: Word = "abacbabcabacbcacbabcabacbabacbcacbcabacbabc"
            .parse()
            .unwrap();
        let slip = (0..printed.len()).find(|&i| printed[i] != thue_1906(i as u128));
        assert_eq!(slip, Some(27));
        let square = stretches::first(&printed, Variant::Square).unwrap();
        assert_eq!((square.start, square.period), (24, 2));
        // Far out, the word is still square-free around any place.
        let far: Vec<u8> = (0..2000).map(|i| thue_1906(10u128.pow(12) + i)).collect();
        assert!(stretches::square_free(&far));
    }

    #[test]
    fn the_word_of_1912() {
        let morphism = thue_1912();
        let lengths: Vec<usize> = (0..6)
            .map(|n| morphism.iterate(&[0], n).unwrap().len())
            .collect();
        assert_eq!(lengths, [1, 5, 29, 173, 1037, 6221]);
        assert!(morphism.keeps_square_free());
        assert!(!thue_morse_morphism().keeps_square_free());
        let far: Vec<u8> = (0..2000)
            .map(|i| morphism.letter(0, 10u128.pow(12) + i).unwrap())
            .collect();
        assert!(stretches::square_free(&far));
    }

    #[test]
    fn the_words_of_the_twelve_colours() {
        let both: Vec<u8> = (-3000..3000).map(ternary).collect();
        assert!(stretches::square_free(&both));
        let four: Vec<u8> = (0..6000).map(without_palindromes).collect();
        assert!(stretches::square_free(&four));
        assert!(four.windows(3).all(|w| w[0] != w[2]));
    }
}
