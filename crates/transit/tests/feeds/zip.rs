//! Zip archives for tests.

/// A zip archive. Each file may lie about its size.
pub(crate) fn zip(files: &[(&str, Vec<u8>, Option<usize>)]) -> Vec<u8> {
    let (mut body, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes, lie) in files {
        let packed = miniz_oxide::deflate::compress_to_vec(bytes, 6);
        let size = (lie.unwrap_or(bytes.len()) as u32).to_le_bytes();
        let start = body.len() as u32;
        let mut head = vec![20, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        head.extend((packed.len() as u32).to_le_bytes());
        head.extend(size);
        head.extend((name.len() as u16).to_le_bytes());
        head.extend([0, 0]);
        body.extend(b"PK\x03\x04");
        body.extend(&head);
        body.extend(name.as_bytes());
        body.extend(&packed);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&head);
        directory.extend([0; 10]);
        directory.extend(start.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (start, count) = (body.len() as u32, files.len() as u16);
    body.extend(&directory);
    body.extend(b"PK\x05\x06\0\0\0\0");
    body.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    body.extend((directory.len() as u32).to_le_bytes());
    body.extend(start.to_le_bytes());
    body.extend([0, 0]);
    body
}
