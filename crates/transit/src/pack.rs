//! The packed timetable: one small file that is read at once.
//!
//! Everything is a variable-length number (seven bits a byte, signed ones zig-zagged) or a text
//! with its length before it; lists are delta-coded where that is shorter. The last eight bytes
//! are a checksum of all the others.

use std::sync::Arc;

use wits_search::Budget;

use crate::bounds::Bounds;
use crate::calendar::{Calendar, Service};
use crate::geo::{Globe, Projection};
use crate::gtfs::{LATEST, LONGEST_CHANGE};
use crate::ids::Ids;
use crate::limits::{FeedLimits, Gate, Halt, Quantity};
use crate::rules::Rules;
use crate::time::Date;
use crate::timetable::{Change, Line, Mode, Pattern, Stop, Timetable, Trip};

/// The first bytes of a packed timetable; the last one is the version.
pub const MAGIC: &[u8; 8] = b"witsTT\0\x02";
/// The version before, without what [`Writer::details`] writes; files of it are still read.
const FIRST: &[u8; 8] = b"witsTT\0\x01";

/// Bytes that are no packed timetable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPack {
    /// Another format, or another version of this one.
    #[error("this is not a packed timetable of this version; pack the feed again")]
    Format,
    /// It was cut short or changed.
    #[error("the packed timetable is damaged; pack the feed again")]
    Damaged,
    /// A place that is nowhere on the globe.
    #[error(
        "the packed timetable has coordinates that are no numbers or lie outside of the globe; \
         pack the feed again"
    )]
    Place,
    /// It is larger than the limits, or the time is up.
    #[error(transparent)]
    Halt(#[from] Halt),
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
    w.details(table);
    let sum = checksum(&w.0);
    w.0.extend(sum.to_le_bytes());
    w.0
}

/// Reads a packed timetable back, under the limits of the command line.
pub fn read(bytes: &[u8]) -> Result<Timetable, BadPack> {
    read_within(bytes, FeedLimits::TERMINAL, &Budget::endless())
}

/// Reads a packed timetable back under limits. Time and memory are in proportion to the bytes.
pub fn read_within(
    bytes: &[u8],
    limits: FeedLimits,
    budget: &Budget,
) -> Result<Timetable, BadPack> {
    let mut gate = Gate::new(limits, budget);
    gate.check(Quantity::Zipped, bytes.len() as u64)?;
    let plain = bytes.starts_with(FIRST);
    if !plain && !bytes.starts_with(MAGIC) {
        return Err(BadPack::Format);
    }
    let (body, sum) = bytes.split_last_chunk::<8>().ok_or(BadPack::Damaged)?;
    if checksum(body) != u64::from_le_bytes(*sum) {
        return Err(BadPack::Damaged);
    }
    let mut reader = Reader {
        rest: &body[MAGIC.len()..],
        gate: &mut gate,
    };
    let mut table = reader.timetable()?;
    if !plain {
        reader.details(&mut table)?;
    }
    if !reader.rest.is_empty() {
        return Err(BadPack::Damaged);
    }
    check(&table, &mut gate)?;
    Ok(table)
}

/// Whether all indices point at something, no trip runs backwards, and planning with it is in
/// proportion: the calls of the trips are counted before anybody looks at them.
fn check(t: &Timetable, gate: &mut Gate<'_>) -> Result<(), BadPack> {
    let services = match &t.calendar {
        Calendar::EveryDay => 1,
        Calendar::Dated(services) => services.len(),
    };
    let stops = t.stops.len();
    let inside = |index: u32, len: usize| (index as usize) < len;
    let indices = t.stops.iter().all(|s| {
        inside(s.name, t.names.len()) && s.station.is_none_or(|above| inside(above, stops))
    }) && t.patterns.iter().all(|p| {
        p.len >= 2
            && inside(p.line, t.lines.len())
            && p.shape.is_none_or(|s| inside(s, t.shapes.len()))
    }) && t.pattern_stops.iter().all(|&s| inside(s, stops))
        && t.changes.iter().all(|c| {
            inside(c.from, stops)
                && inside(c.to, stops)
                && c.seconds.is_none_or(|s| s <= LONGEST_CHANGE)
        })
        && t.trips
            .iter()
            .all(|trip| inside(trip.pattern, t.patterns.len()) && inside(trip.service, services))
        && (t.pattern_rules.is_empty() || t.pattern_rules.len() == t.pattern_stops.len())
        && (t.trip_sequences.is_empty() || t.trip_sequences.len() == t.trips.len())
        && t.trip_sequences
            .iter()
            .all(|&list| inside(list, t.sequences.len()))
        && t.bounds.as_ref().is_none_or(|b| b.fits(stops))
        && t.headways.is_sorted_by(|a, b| a.0 < b.0)
        && t.headways.iter().all(|h| inside(h.0, t.trips.len()))
        && t.routes.iter().all(|r| inside(r.1, t.lines.len()))
        && t.lines.iter().all(|l| {
            l.colours
                .is_none_or(|c| c.0 <= 0xff_ffff && c.1 <= 0xff_ffff)
        });
    if !indices {
        return Err(BadPack::Damaged);
    }
    gate.check(Quantity::StopTimes, t.calls())?;
    gate.work(t.trips.len() as u64)?;
    // Trips share running times, so each stretch of them is looked at once, not once a trip:
    // for each entry, where the times that go on from it end.
    gate.hold(size_of_val(&t.runs[..]) as u64)?;
    let mut until = vec![0u32; t.runs.len()];
    for (i, &(arrival, departure)) in t.runs.iter().enumerate().rev() {
        let sound = arrival <= departure && (-LATEST..=LATEST).contains(&arrival);
        until[i] = match t.runs.get(i + 1) {
            _ if !sound || departure > LATEST => i as u32,
            Some(next) if departure <= next.0 && until[i + 1] > i as u32 + 1 => until[i + 1],
            _ => i as u32 + 1,
        };
    }
    let fits = |trip: &Trip| {
        let len = t.patterns[trip.pattern as usize].len as usize;
        let end = (trip.run as usize).saturating_add(len);
        (-1_000_000..=LATEST).contains(&trip.start)
            && end <= t.runs.len()
            && until[trip.run as usize] as usize >= end
            && trip.start + t.runs[end - 1].1 <= LATEST
    };
    if t.trips.iter().all(fits) {
        Ok(())
    } else {
        Err(BadPack::Damaged)
    }
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
    /// What the second version has beside the first: rules of boarding and leaving, ids, headways,
    /// colours and the time zone.
    fn details(&mut self, table: &Timetable) {
        self.list(&table.pattern_rules, |w, rules| w.0.push(rules.bits()));
        // Ids of trips often differ in their last letters only.
        self.number(table.trip_ids.len() as u64);
        let mut last = "";
        for id in table.trip_ids.iter() {
            let same = id.bytes().zip(last.bytes()).take_while(|(a, b)| a == b);
            let mut same = same.count();
            while !id.is_char_boundary(same) {
                same -= 1;
            }
            self.number(same as u64);
            self.text(&id[same..]);
            last = id;
        }
        self.list(&table.sequences, |w, numbers| {
            w.deltas(numbers.iter().map(|&n| n as i32));
        });
        self.list(&table.trip_sequences, |w, list| w.number(u64::from(*list)));
        self.list(&table.headways, |w, &(trip, seconds)| {
            w.number(u64::from(trip));
            w.number(u64::from(seconds));
        });
        for line in &table.lines {
            self.number(line.colours.map_or(0, |c| u64::from(c.0) + 1));
            self.number(line.colours.map_or(0, |c| u64::from(c.1)));
        }
        self.list(&table.routes, |w, (id, line)| {
            w.text(id);
            w.number(u64::from(*line));
        });
        self.text(&table.zone);
        match &table.bounds {
            None => self.0.push(0),
            Some(bounds) => {
                self.0.push(1);
                for list in [&bounds.cell, &bounds.least] {
                    self.list(list, |w, n| w.0.extend(n.to_le_bytes()));
                }
            }
        }
    }

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

struct Reader<'a, 'g, 'b> {
    rest: &'a [u8],
    gate: &'g mut Gate<'b>,
}

/// Days that have a year of four digits.
const DATES: std::ops::RangeInclusive<i32> = -719_528..=2_932_896;

impl Reader<'_, '_, '_> {
    fn timetable(&mut self) -> Result<Timetable, BadPack> {
        let title = self.text()?;
        let projection = if self.number()? == 1 {
            Projection::Sphere
        } else {
            Projection::Ellipsoid
        };
        let names = self.list(Some(Quantity::Stops), 1, Self::text)?;
        let stops = self.list(Some(Quantity::Stops), 4, Self::stop)?;
        let lines = self.list(None, 3, Self::line)?;
        let calendar = match self.byte()? {
            0 => Calendar::EveryDay,
            _ => Calendar::Dated(self.list(Some(Quantity::Services), 5, Self::service)?),
        };
        let mut pattern_stops = Vec::new();
        let patterns = self.list(Some(Quantity::Patterns), 3, |r| {
            let line = r.index()?;
            let shape = r.index()?.checked_sub(1);
            let first = pattern_stops.len() as u32;
            let own = r.deltas()?;
            let total = pattern_stops.len() + own.len();
            r.gate.check(Quantity::Patterns, total as u64)?;
            pattern_stops.extend(own.into_iter().map(|s| s as u32));
            Ok(Pattern {
                line,
                first,
                len: total as u32 - first,
                shape,
            })
        })?;
        let mut before = 0i32;
        let runs = self.list(Some(Quantity::StopTimes), 2, |r| {
            let arrival = r.next(before)?;
            before = r.next(arrival)?;
            Ok((arrival, before))
        })?;
        let mut last = [0i32; 4];
        let trips = self.list(Some(Quantity::Trips), 4, |r| {
            for part in &mut last {
                *part = r.next(*part)?;
            }
            Ok(Trip {
                pattern: last[0] as u32,
                service: last[1] as u32,
                start: last[2],
                run: last[3] as u32,
            })
        })?;
        let changes = self.list(None, 3, |r| {
            Ok(Change {
                from: r.index()?,
                to: r.index()?,
                seconds: r.index()?.checked_sub(1),
            })
        })?;
        let shapes = self.list(None, 1, |r| {
            r.list(None, 8, |r| {
                let (lat, lon) = (r.single()?, r.single()?);
                let place = Globe::new(f64::from(lat), f64::from(lon));
                place.and(Some((lat, lon))).ok_or(BadPack::Place)
            })
        })?;
        let mut table = Timetable {
            title,
            names,
            stops,
            lines,
            calendar,
            patterns,
            pattern_stops,
            pattern_rules: Vec::new(),
            runs,
            trips,
            trip_ids: Ids::default(),
            trip_sequences: Vec::new(),
            sequences: Vec::new(),
            headways: Vec::new(),
            routes: Vec::new(),
            bounds: None,
            zone: String::new(),
            changes,
            shapes,
            projection,
        };
        table.project(projection);
        Ok(table)
    }

    /// What [`Writer::details`] wrote.
    fn details(&mut self, table: &mut Timetable) -> Result<(), BadPack> {
        table.pattern_rules = self.list(None, 1, |r| {
            Rules::of_bits(r.byte()?).ok_or(BadPack::Damaged)
        })?;
        let ids = self.index()? as usize;
        if ids != 0 && ids != table.trips.len() {
            return Err(BadPack::Damaged);
        }
        let mut last = String::new();
        for _ in 0..ids {
            self.gate.work(1)?;
            let same = self.index()? as usize;
            if !last.is_char_boundary(same) {
                return Err(BadPack::Damaged);
            }
            last.truncate(same);
            last.push_str(&self.text()?);
            // A short file must not make long ids: each repeats the beginning of the one before.
            self.gate.hold(last.len() as u64 + 4)?;
            table.trip_ids.push(&last);
        }
        table.sequences = self.list(None, 1, |r| {
            Ok(r.deltas()?.into_iter().map(|n| n as u32).collect())
        })?;
        table.trip_sequences = self.list(Some(Quantity::Trips), 1, Self::index)?;
        table.headways = self.list(None, 2, |r| Ok((r.index()?, r.index()?)))?;
        for line in &mut table.lines {
            let (colour, text) = (self.index()?, self.index()?);
            line.colours = colour.checked_sub(1).map(|colour| (colour, text));
        }
        table.routes = self.list(None, 2, |r| Ok((r.text()?, r.index()?)))?;
        table.zone = self.text()?;
        if self.byte()? == 1 {
            let mut list = || self.list(None, 2, |r| Ok(u16::from_le_bytes(r.take()?)));
            let (cell, least) = (list()?, list()?);
            table.bounds = Some(Arc::new(Bounds { cell, least }));
        }
        Ok(())
    }

    fn stop(&mut self) -> Result<Stop, BadPack> {
        let name = self.index()?;
        let code = self.text()?;
        let station = self.index()?.checked_sub(1);
        let at = if self.byte()? == 0 {
            None
        } else {
            let (lat, lon) = (self.double()?, self.double()?);
            Some(Globe::new(lat, lon).ok_or(BadPack::Place)?)
        };
        Ok(Stop {
            name,
            code,
            at,
            station,
            x: f32::NAN,
            y: f32::NAN,
        })
    }

    fn line(&mut self) -> Result<Line, BadPack> {
        let (name, company) = (self.text()?, self.text()?);
        let mode = match self.byte()? {
            0 => Mode::Tram,
            1 => Mode::Metro,
            2 => Mode::Rail,
            3 => Mode::Bus,
            4 => Mode::Ferry,
            _ => Mode::Other,
        };
        Ok(Line {
            name,
            company,
            mode,
            colours: None,
        })
    }

    fn service(&mut self) -> Result<Service, BadPack> {
        let id = self.text()?;
        let weekdays = self.byte()?;
        let date = |day: i32| {
            let real = DATES.contains(&day);
            real.then_some(Date(day)).ok_or(BadPack::Damaged)
        };
        let span = match self.byte()? {
            0 => None,
            _ => Some((date(self.signed()?)?, date(self.signed()?)?)),
        };
        let mut dates = || -> Result<Vec<Date>, BadPack> {
            let days = self.deltas()?;
            if !days.is_sorted() {
                return Err(BadPack::Damaged);
            }
            days.into_iter().map(date).collect()
        };
        Ok(Service {
            id,
            weekdays,
            span,
            added: dates()?,
            removed: dates()?,
        })
    }

    fn byte(&mut self) -> Result<u8, BadPack> {
        let (&first, rest) = self.rest.split_first().ok_or(BadPack::Damaged)?;
        self.rest = rest;
        Ok(first)
    }

    fn number(&mut self) -> Result<u64, BadPack> {
        let mut n = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            n |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(n);
            }
        }
        Err(BadPack::Damaged)
    }

    fn index(&mut self) -> Result<u32, BadPack> {
        self.number()?.try_into().map_err(|_| BadPack::Damaged)
    }

    fn signed(&mut self) -> Result<i32, BadPack> {
        let n = self.index()?;
        Ok((n >> 1) as i32 ^ -((n & 1) as i32))
    }

    /// A number given by its difference to another.
    fn next(&mut self, before: i32) -> Result<i32, BadPack> {
        before.checked_add(self.signed()?).ok_or(BadPack::Damaged)
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], BadPack> {
        let split = self.rest.split_first_chunk::<N>();
        let (head, rest) = split.ok_or(BadPack::Damaged)?;
        self.rest = rest;
        Ok(*head)
    }

    fn double(&mut self) -> Result<f64, BadPack> {
        Ok(f64::from_le_bytes(self.take()?))
    }

    fn single(&mut self) -> Result<f32, BadPack> {
        Ok(f32::from_le_bytes(self.take()?))
    }

    fn text(&mut self) -> Result<String, BadPack> {
        let len = usize::try_from(self.number()?).map_err(|_| BadPack::Damaged)?;
        let split = self.rest.split_at_checked(len);
        let (head, rest) = split.ok_or(BadPack::Damaged)?;
        self.rest = rest;
        self.gate.hold(len as u64)?;
        String::from_utf8(head.to_vec()).map_err(|_| BadPack::Damaged)
    }

    /// A list of items that take at least so many bytes each. Its length is checked against the
    /// limits and against the bytes that are left before anything is allocated.
    fn list<T>(
        &mut self,
        what: Option<Quantity>,
        least: usize,
        mut each: impl FnMut(&mut Self) -> Result<T, BadPack>,
    ) -> Result<Vec<T>, BadPack> {
        let count = self.number()?;
        if let Some(what) = what {
            self.gate.check(what, count)?;
        }
        let len = usize::try_from(count).map_err(|_| BadPack::Damaged)?;
        if len > self.rest.len() / least {
            return Err(BadPack::Damaged);
        }
        self.gate.hold((len * size_of::<T>()) as u64)?;
        let mut items = Vec::with_capacity(len);
        for _ in 0..len {
            self.gate.work(1)?;
            items.push(each(self)?);
        }
        Ok(items)
    }

    fn deltas(&mut self) -> Result<Vec<i32>, BadPack> {
        let mut last = 0i32;
        self.list(None, 1, |r| {
            last = r.next(last)?;
            Ok(last)
        })
    }
}
