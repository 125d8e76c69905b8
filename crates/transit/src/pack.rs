//! The packed timetable: one small file that is read at once.
//!
//! Everything is a variable-length number (seven bits a byte, signed ones zig-zagged) or a text
//! with its length before it; lists are delta-coded where that is shorter. The last eight bytes
//! are a checksum of all the others.

use crate::calendar::{Calendar, Service};
use crate::geo::{Globe, Projection};
use crate::time::Date;
use crate::timetable::{Change, Line, Mode, Pattern, Stop, Timetable, Trip};

/// The first bytes of a packed timetable; the last one is the version.
pub const MAGIC: &[u8; 8] = b"witsTT\0\x01";

/// Bytes that are no packed timetable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPack {
    /// Another format, or another version of this one.
    #[error("this is not a packed timetable of this version; pack the feed again")]
    Format,
    /// It was cut short or changed.
    #[error("the packed timetable is damaged; pack the feed again")]
    Damaged,
}

/// Packs a timetable.
pub fn write(table: &Timetable) -> Vec<u8> {
    let mut w = Writer(MAGIC.to_vec());
    w.text(&table.title);
    w.number(u64::from(table.projection == Projection::Sphere));
    w.list(&table.names, |w, name| w.text(name));
    w.list(&table.stops, |w, stop| {
        w.number(u64::from(stop.name));
        w.text(&stop.code);
        w.number(stop.station.map_or(0, |s| u64::from(s) + 1));
        match stop.at {
            None => w.0.push(0),
            Some(at) => {
                w.0.push(1);
                w.0.extend(at.lat.to_le_bytes());
                w.0.extend(at.lon.to_le_bytes());
            }
        }
    });
    w.list(&table.lines, |w, line| {
        w.text(&line.name);
        w.text(&line.company);
        w.0.push(line.mode as u8);
    });
    match &table.calendar {
        Calendar::EveryDay => w.0.push(0),
        Calendar::Dated(services) => {
            w.0.push(1);
            w.list(services, |w, s| {
                w.text(&s.id);
                w.0.push(s.weekdays);
                match s.span {
                    None => w.0.push(0),
                    Some((first, last)) => {
                        w.0.push(1);
                        w.signed(first.0);
                        w.signed(last.0);
                    }
                }
                w.deltas(s.added.iter().map(|d| d.0));
                w.deltas(s.removed.iter().map(|d| d.0));
            });
        }
    }
    let stops = &table.pattern_stops;
    w.list(&table.patterns, |w, p| {
        w.number(u64::from(p.line));
        w.number(p.shape.map_or(0, |s| u64::from(s) + 1));
        let own = &stops[p.first as usize..(p.first + p.len) as usize];
        w.deltas(own.iter().map(|&s| s as i32));
    });
    w.number(table.runs.len() as u64);
    let mut before = 0;
    for &(arrival, departure) in &table.runs {
        w.signed(arrival - before);
        w.signed(departure - arrival);
        before = departure;
    }
    let mut last = Trip {
        pattern: 0,
        service: 0,
        start: 0,
        run: 0,
    };
    w.list(&table.trips, |w, trip| {
        w.signed(trip.pattern as i32 - last.pattern as i32);
        w.signed(trip.service as i32 - last.service as i32);
        w.signed(trip.start - last.start);
        w.signed(trip.run as i32 - last.run as i32);
        last = *trip;
    });
    w.list(&table.changes, |w, c| {
        w.number(u64::from(c.from));
        w.number(u64::from(c.to));
        w.number(c.seconds.map_or(0, |s| u64::from(s) + 1));
    });
    w.list(&table.shapes, |w, points| {
        w.list(points, |w, (lat, lon)| {
            w.0.extend(lat.to_le_bytes());
            w.0.extend(lon.to_le_bytes());
        });
    });
    let sum = checksum(&w.0);
    w.0.extend(sum.to_le_bytes());
    w.0
}

/// Reads a packed timetable back.
pub fn read(bytes: &[u8]) -> Result<Timetable, BadPack> {
    if !bytes.starts_with(MAGIC) {
        return Err(BadPack::Format);
    }
    let (body, sum) = bytes.split_last_chunk::<8>().ok_or(BadPack::Damaged)?;
    if checksum(body) != u64::from_le_bytes(*sum) {
        return Err(BadPack::Damaged);
    }
    unpack(&body[MAGIC.len()..])
        .filter(sound)
        .ok_or(BadPack::Damaged)
}

fn unpack(body: &[u8]) -> Option<Timetable> {
    let r = &mut Reader(body);
    let title = r.text()?;
    let projection = if r.number()? == 1 {
        Projection::Sphere
    } else {
        Projection::Ellipsoid
    };
    let names = r.list(Reader::text)?;
    let stops = r.list(|r| {
        let name = r.index()?;
        let code = r.text()?;
        let station = r.index()?.checked_sub(1);
        let at = match r.byte()? {
            0 => None,
            _ => Some(Globe {
                lat: r.double()?,
                lon: r.double()?,
            }),
        };
        Some(Stop {
            name,
            code,
            at,
            station,
            x: f32::NAN,
            y: f32::NAN,
        })
    })?;
    let lines = r.list(|r| {
        let (name, company) = (r.text()?, r.text()?);
        let mode = match r.byte()? {
            0 => Mode::Tram,
            1 => Mode::Metro,
            2 => Mode::Rail,
            3 => Mode::Bus,
            4 => Mode::Ferry,
            _ => Mode::Other,
        };
        Some(Line {
            name,
            company,
            mode,
        })
    })?;
    let calendar = match r.byte()? {
        0 => Calendar::EveryDay,
        _ => Calendar::Dated(r.list(|r| {
            let id = r.text()?;
            let weekdays = r.byte()?;
            let span = match r.byte()? {
                0 => None,
                _ => Some((Date(r.signed()?), Date(r.signed()?))),
            };
            let added = r.deltas()?.into_iter().map(Date).collect();
            let removed = r.deltas()?.into_iter().map(Date).collect();
            Some(Service {
                id,
                weekdays,
                span,
                added,
                removed,
            })
        })?),
    };
    let mut pattern_stops = Vec::new();
    let patterns = r.list(|r| {
        let line = r.index()?;
        let shape = r.index()?.checked_sub(1);
        let first = pattern_stops.len() as u32;
        pattern_stops.extend(r.deltas()?.into_iter().map(|s| s as u32));
        Some(Pattern {
            line,
            first,
            len: pattern_stops.len() as u32 - first,
            shape,
        })
    })?;
    let mut before = 0i32;
    let runs = r.list(|r| {
        let arrival = before.checked_add(r.signed()?)?;
        let departure = arrival.checked_add(r.signed()?)?;
        before = departure;
        Some((arrival, departure))
    })?;
    let mut last = (0i32, 0i32, 0i32, 0i32);
    let trips = r.list(|r| {
        last.0 = last.0.checked_add(r.signed()?)?;
        last.1 = last.1.checked_add(r.signed()?)?;
        last.2 = last.2.checked_add(r.signed()?)?;
        last.3 = last.3.checked_add(r.signed()?)?;
        Some(Trip {
            pattern: last.0 as u32,
            service: last.1 as u32,
            start: last.2,
            run: last.3 as u32,
        })
    })?;
    let changes = r.list(|r| {
        Some(Change {
            from: r.index()?,
            to: r.index()?,
            seconds: r.index()?.checked_sub(1),
        })
    })?;
    let shapes = r.list(|r| r.list(|r| Some((r.single()?, r.single()?))))?;
    let mut table = Timetable {
        title,
        names,
        stops,
        lines,
        calendar,
        patterns,
        pattern_stops,
        runs,
        trips,
        changes,
        shapes,
        projection,
    };
    table.project(projection);
    r.0.is_empty().then_some(table)
}

/// Whether all indices point at something and no trip runs backwards.
fn sound(t: &Timetable) -> bool {
    let services = match &t.calendar {
        Calendar::EveryDay => 1,
        Calendar::Dated(services) => services.len(),
    };
    let stops = t.stops.len();
    let inside = |index: u32, len: usize| (index as usize) < len;
    t.stops.iter().all(|s| {
        inside(s.name, t.names.len()) && s.station.is_none_or(|above| inside(above, stops))
    }) && t.patterns.iter().all(|p| {
        p.len >= 2
            && inside(p.line, t.lines.len())
            && p.shape.is_none_or(|s| inside(s, t.shapes.len()))
    }) && t.pattern_stops.iter().all(|&s| inside(s, stops))
        && t.changes
            .iter()
            .all(|c| inside(c.from, stops) && inside(c.to, stops))
        && t.trips.iter().all(|trip| {
            inside(trip.pattern, t.patterns.len())
                && inside(trip.service, services)
                && (-1_000_000..10_000_000).contains(&trip.start)
                && {
                    let len = t.patterns[trip.pattern as usize].len as usize;
                    let first = trip.run as usize;
                    t.runs
                        .get(first..first.saturating_add(len))
                        .is_some_and(|run| {
                            run.iter().all(|r| r.0 <= r.1 && r.1 < 10_000_000)
                                && run.windows(2).all(|w| w[0].1 <= w[1].0)
                        })
                }
        })
}

/// FNV-1a over eight bytes at a time.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(0xcbf2_9ce4_8422_2325, |hash, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let mixed = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01b3);
        mixed ^ mixed >> 29
    })
}

struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, mut n: u64) {
        while n >= 0x80 {
            self.0.push(n as u8 | 0x80);
            n >>= 7;
        }
        self.0.push(n as u8);
    }

    fn signed(&mut self, n: i32) {
        self.number(u64::from(((n << 1) ^ (n >> 31)) as u32));
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend(text.as_bytes());
    }

    fn list<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Writer, &T)) {
        self.number(items.len() as u64);
        for item in items {
            each(self, item);
        }
    }

    fn deltas(&mut self, items: impl ExactSizeIterator<Item = i32>) {
        self.number(items.len() as u64);
        let mut last = 0;
        for item in items {
            self.signed(item - last);
            last = item;
        }
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn number(&mut self) -> Option<u64> {
        let mut n = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            n |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(n);
            }
        }
        None
    }

    fn index(&mut self) -> Option<u32> {
        self.number()?.try_into().ok()
    }

    fn signed(&mut self) -> Option<i32> {
        let n: u32 = self.number()?.try_into().ok()?;
        Some((n >> 1) as i32 ^ -((n & 1) as i32))
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*head)
    }

    fn double(&mut self) -> Option<f64> {
        Some(f64::from_le_bytes(self.take()?))
    }

    fn single(&mut self) -> Option<f32> {
        Some(f32::from_le_bytes(self.take()?))
    }

    fn text(&mut self) -> Option<String> {
        let len = usize::try_from(self.number()?).ok()?;
        let (head, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        String::from_utf8(head.to_vec()).ok()
    }

    fn list<T>(&mut self, mut each: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let len = usize::try_from(self.number()?).ok()?;
        // Every item takes at least one byte, so a lie about the length costs no memory.
        if len > self.0.len() {
            return None;
        }
        let mut items = Vec::with_capacity(len);
        for _ in 0..len {
            items.push(each(self)?);
        }
        Some(items)
    }

    fn deltas(&mut self) -> Option<Vec<i32>> {
        let mut last = 0i32;
        self.list(|r| {
            last = last.checked_add(r.signed()?)?;
            Some(last)
        })
    }
}
