//! Feeds as they come, zipped.

/// Files of a small sound feed, as GTFS has them.
pub(crate) fn files() -> Vec<(&'static str, Vec<u8>)> {
    let days = "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nw,1,1,1,1,1,0,0,20240101,20241231\n";
    [
        ("stops.txt", "stop_id,stop_name,stop_lat,stop_lon\na,Alpha,51,17\nb,Beta,51.01,17\n"),
        ("routes.txt", "route_id,route_short_name,route_type\n1,1,3\n"),
        ("trips.txt", "route_id,service_id,trip_id\n1,w,t\n"),
        ("calendar.txt", days),
        ("stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,08:00:00,08:00:00,a,1\nt,08:10:00,08:10:00,b,2\n"),
    ]
    .map(|(name, text)| (name, text.as_bytes().to_vec()))
    .to_vec()
}

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
