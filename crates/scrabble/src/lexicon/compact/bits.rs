//! Bits in bytes, the first bit on top.

/// Puts bits one after the other.
#[derive(Default)]
pub(super) struct BitWriter {
    pub(super) bytes: Vec<u8>,
    filled: usize,
}

impl BitWriter {
    /// The low `width` bits of a value, highest first.
    pub(super) fn put(&mut self, value: u32, width: u32) {
        for at in (0..width).rev() {
            if self.filled.is_multiple_of(8) {
                self.bytes.push(0);
            }
            if value >> at & 1 == 1
                && let Some(last) = self.bytes.last_mut()
            {
                *last |= 0x80 >> (self.filled % 8);
            }
            self.filled += 1;
        }
    }

    /// How many bits there are.
    pub(super) fn len(&self) -> usize {
        self.filled
    }
}

/// The 32 bits from a place on; zeros where the bytes end.
#[inline]
pub(super) fn peek(bytes: &[u8], at: usize) -> u32 {
    let byte = at / 8;
    let eight = match bytes.get(byte..byte + 8) {
        Some(eight) => u64::from_be_bytes(eight.try_into().unwrap_or_default()),
        None => bytes
            .get(byte..)
            .unwrap_or_default()
            .iter()
            .zip([56, 48, 40, 32, 24, 16, 8, 0])
            .fold(0, |sum, (&b, shift)| sum | u64::from(b) << shift),
    };
    (eight << (at % 8) >> 32) as u32
}

/// `width` bits from a place, at most 32.
#[inline]
pub(super) fn bits(bytes: &[u8], at: usize, width: u32) -> u32 {
    if width == 0 {
        0
    } else {
        peek(bytes, at) >> (32 - width)
    }
}

/// How many bits a number needs.
pub(super) fn width(largest: u32) -> u32 {
    32 - largest.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_read() {
        let mut writer = BitWriter::default();
        let parts = [
            (5, 3),
            (0, 1),
            (u32::MAX, 32),
            (1, 1),
            (77, 17),
            (0, 0),
            (3, 2),
        ];
        for (value, width) in parts {
            writer.put(value, width);
        }
        let mut at = 0;
        for (value, width) in parts {
            assert_eq!(bits(&writer.bytes, at, width), value);
            at += width as usize;
        }
        assert_eq!(at, writer.len());
        assert_eq!(bits(&writer.bytes, 10_000, 9), 0);
        assert_eq!((width(0), width(1), width(255), width(256)), (0, 1, 8, 9));
    }
}
