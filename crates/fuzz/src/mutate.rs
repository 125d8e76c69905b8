//! Bending samples.

use wits_game::{Dice, Seed};

/// What programs stumble over.
const SPICES: &[&[u8]] = &[
    b"0",
    b"-1",
    b"1",
    b"255",
    b"256",
    b"65535",
    b"65536",
    b"2147483647",
    b"2147483648",
    b"-2147483649",
    b"4294967296",
    b"18446744073709551615",
    b"18446744073709551616",
    b"99999999999999999999999999",
    b"1e308",
    b"1e999",
    b"-0.0",
    b"NaN",
    b"inf",
    b"0x7f",
    b"\"",
    b"'",
    b"`",
    b"\\",
    b"\\u0000",
    b"\0",
    b"\n",
    b"\r\n",
    b"\t",
    b" ",
    b",",
    b";",
    b":",
    b"=",
    b"|",
    b"/",
    b"%",
    b"#",
    b"(",
    b")",
    b"[",
    b"]",
    b"{",
    b"}",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\xc0\x80",
    "é".as_bytes(),
    "ß".as_bytes(),
    "\u{1F600}".as_bytes(),
    "\u{202e}".as_bytes(),
    "e\u{301}".as_bytes(),
    b"../",
    b"%s%n",
    b"<script>",
    b"a..b",
    b"..",
    b":-",
    b"pass",
    b"null",
];

/// The longest input that is made.
const LONGEST: usize = 64 * 1024;

/// Makes inputs out of samples.
pub struct Mutator<'a> {
    samples: &'a [Vec<u8>],
    dice: Dice,
}

impl<'a> Mutator<'a> {
    /// A mutator of these samples; the same seed gives the same inputs.
    ///
    /// # Panics
    /// Without any sample.
    pub fn new(samples: &'a [Vec<u8>], seed: u64) -> Mutator<'a> {
        assert!(!samples.is_empty(), "there is something to bend");
        Mutator {
            samples,
            dice: Dice::new(Seed::new(seed)),
        }
    }

    /// The next input.
    pub fn input(&mut self) -> Vec<u8> {
        let which = self.dice.below(self.samples.len());
        let mut bytes = self.samples[which].clone();
        let times = 1 + self.dice.below(4);
        for _ in 0..times {
            self.bend(&mut bytes);
            bytes.truncate(LONGEST);
        }
        bytes
    }

    /// A place in the bytes, the end included.
    fn place(&mut self, bytes: &[u8]) -> usize {
        self.dice.below(bytes.len() + 1)
    }

    /// A piece of the bytes, most often a short one.
    fn piece(&mut self, bytes: &[u8]) -> std::ops::Range<usize> {
        let from = self.place(bytes);
        let most = if self.dice.below(4) == 0 {
            bytes.len()
        } else {
            bytes.len().min(24)
        };
        let to = (from + self.dice.below(most + 1)).min(bytes.len());
        from..to
    }

    /// One line of the bytes.
    fn line(&mut self, bytes: &[u8]) -> std::ops::Range<usize> {
        let at = self.place(bytes);
        let from = bytes[..at]
            .iter()
            .rposition(|b| *b == b'\n')
            .map_or(0, |i| i + 1);
        let end = bytes[at..].iter().position(|b| *b == b'\n');
        from..end.map_or(bytes.len(), |i| at + i + 1)
    }

    fn bend(&mut self, bytes: &mut Vec<u8>) {
        match self.dice.below(14) {
            0 => {
                let (at, bit) = (self.dice.below(bytes.len().max(1)), self.dice.below(8));
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << bit;
                }
            }
            1 => {
                let at = self.dice.below(bytes.len().max(1));
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = self.dice.below(256) as u8;
                }
            }
            2 => {
                let piece = self.piece(bytes);
                bytes.drain(piece);
            }
            3 => {
                let piece = self.piece(bytes);
                let copy = bytes[piece].to_vec();
                let at = self.place(bytes);
                bytes.splice(at..at, copy);
            }
            4 | 5 => {
                let at = self.place(bytes);
                let spice = SPICES[self.dice.below(SPICES.len())];
                bytes.splice(at..at, spice.iter().copied());
            }
            6 => {
                let piece = self.piece(bytes);
                let spice = SPICES[self.dice.below(SPICES.len())];
                bytes.splice(piece, spice.iter().copied());
            }
            7 => {
                let at = self.place(bytes);
                bytes.truncate(at);
            }
            8 => {
                let line = self.line(bytes);
                let copy = bytes[line.clone()].to_vec();
                if self.dice.below(2) == 0 {
                    bytes.drain(line);
                } else {
                    let times = 1 + self.dice.below(20);
                    bytes.splice(line.start..line.start, copy.repeat(times));
                }
            }
            9 => self.number(bytes),
            10 => {
                let other = self.dice.below(self.samples.len());
                let other = &self.samples[other];
                let (from, to) = (self.place(bytes), self.dice.below(other.len() + 1));
                bytes.truncate(from);
                bytes.extend_from_slice(&other[to..]);
            }
            11 => {
                let deep = 1 << self.dice.below(13);
                let (open, close): (&[u8], &[u8]) = [
                    (b"(".as_slice(), b")".as_slice()),
                    (b"[", b"]"),
                    (b"{", b"}"),
                    (b"{\"a\":", b"}"),
                    (b"- ", b""),
                    (b"f(", b")"),
                    (b"\"", b"\""),
                ][self.dice.below(7)];
                let at = self.place(bytes);
                let mut nest = open.repeat(deep);
                nest.push(b'1');
                nest.extend(close.repeat(deep));
                bytes.splice(at..at, nest);
            }
            12 => {
                let at = self.place(bytes);
                let byte = self.dice.below(256) as u8;
                let times = 1 << self.dice.below(12);
                bytes.splice(at..at, std::iter::repeat_n(byte, times));
            }
            _ => {
                let (one, two) = (self.piece(bytes), self.piece(bytes));
                if one.end <= two.start {
                    let copy = bytes[two.clone()].to_vec();
                    let first = bytes[one.clone()].to_vec();
                    bytes.splice(two, first);
                    bytes.splice(one, copy);
                }
            }
        }
    }

    /// Puts another number where one is.
    fn number(&mut self, bytes: &mut Vec<u8>) {
        let start = self.place(bytes);
        let Some(from) = bytes[start..].iter().position(u8::is_ascii_digit) else {
            return;
        };
        let from = start + from;
        let long = bytes[from..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count();
        let spice = SPICES[self.dice.below(18)];
        bytes.splice(from..from + long, spice.iter().copied());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_bends_the_same_way_and_often() {
        let samples = vec![b"one,2\nthree,4\n".to_vec(), b"{\"a\":[1,2]}".to_vec()];
        let many = |seed| {
            let mut mutator = Mutator::new(&samples, seed);
            (0..500).map(|_| mutator.input()).collect::<Vec<_>>()
        };
        assert_eq!(many(1), many(1));
        let mut different = many(1);
        different.sort();
        different.dedup();
        assert!(different.len() > 400, "{}", different.len());
        assert!(different.iter().all(|input| input.len() <= LONGEST));
    }
}
