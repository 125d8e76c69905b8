//! A zip archive of plain files, as small as one can be.

/// Files as a zip archive, stored and not packed.
pub fn stored_zip(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let (mut body, mut index) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let at = body.len() as u32;
        let mut fields = Vec::new();
        // Version, flags, method, time, date.
        fields.extend([20_u16, 0, 0, 0, 33].iter().flat_map(|n| n.to_le_bytes()));
        fields.extend(crc(bytes).to_le_bytes());
        fields.extend((bytes.len() as u32).to_le_bytes().repeat(2));
        fields.extend((name.len() as u16).to_le_bytes());
        fields.extend([0, 0]);
        body.extend(b"PK\x03\x04");
        body.extend(&fields);
        body.extend(name.as_bytes());
        body.extend(bytes);
        index.extend(b"PK\x01\x02\x14\x00");
        index.extend(&fields);
        index.extend([0; 10]);
        index.extend(at.to_le_bytes());
        index.extend(name.as_bytes());
    }
    let (at, size, count) = (body.len() as u32, index.len() as u32, files.len() as u16);
    body.extend(index);
    body.extend(b"PK\x05\x06\0\0\0\0");
    body.extend(count.to_le_bytes().repeat(2));
    body.extend(size.to_le_bytes());
    body.extend(at.to_le_bytes());
    body.extend([0, 0]);
    body
}

/// CRC-32, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg())
        })
    };
    !bytes.iter().fold(!0, step)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_checksum_is_the_published_one() {
        assert_eq!(super::crc(b"123456789"), 0xCBF4_3926);
    }
}
