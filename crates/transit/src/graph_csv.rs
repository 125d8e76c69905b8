//! Reads the report's `connection_graph.csv`: one row per hop of a vehicle between two stops.
//!
//! The file knows no trips, no stops and no days; trips are chained from rows that follow each
//! other, stops are the distinct pairs of name and position, and every day is alike.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use rayon::prelude::*;
use wits_search::Budget;

use crate::calendar::Calendar;
use crate::diagnosis::{Diagnosis, Notes, Remedy};
use crate::geo::{Globe, Projection};
use crate::gtfs::{BadFeed, LATEST};
use crate::limits::{FeedLimits, Gate, Halt, Quantity};
use crate::rows::LONGEST;
use crate::time::{DAY, clock_seconds};
use crate::timetable::{Builder, Mode, Timetable};

const FILE: &str = "connection_graph.csv";

/// A vehicle that stands longer than this between two rows is taken for another one.
const STANDING: i32 = 60;

/// About the bytes that a stop takes until the timetable is made.
const NEW_STOP: u64 = 400;

/// Whether bytes look like the report's file: its header names the columns.
pub fn looks_like(bytes: &[u8]) -> bool {
    let head = &bytes[..memchr::memchr(b'\n', bytes)
        .unwrap_or(bytes.len())
        .min(4096)];
    [
        &b"start_stop"[..],
        b"end_stop",
        b"departure_time",
        b"arrival_time",
    ]
    .iter()
    .all(|name| memchr::memmem::find(head, name).is_some())
}

/// Reads the file. `pieces` is how many parts are read at the same time (the number of cores).
pub fn read(
    bytes: &[u8],
    title: &str,
    projection: Projection,
    pieces: usize,
    limits: FeedLimits,
    budget: &Budget,
) -> Result<(Timetable, Diagnosis), BadFeed> {
    let mut gate = Gate::new(limits, budget);
    gate.unpack(bytes.len())?;
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let start = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |i| i + 1);
    if start > LONGEST {
        return Err(BadFeed::Row {
            file: FILE,
            line: 1,
        });
    }
    let columns = Columns::read(&bytes[..start])?;
    let body = &bytes[start..];
    let before = gate.fork();
    let parts: Vec<(Part<'_>, Gate<'_>)> = split(body, pieces)
        .into_par_iter()
        .map(|piece| {
            let mut own = before.fork();
            Part::read(piece, &columns, &mut own).map(|part| (part, own))
        })
        .collect::<Result<_, Halt>>()?;
    for (_, own) in &parts {
        gate.join(own, &before)?;
    }

    let mut builder = Builder::new(title, Calendar::EveryDay);
    let mut notes = Notes::default();
    let mut stops: HashMap<(&[u8], u64, u64), u32> = HashMap::new();
    let mut hops: Vec<Hop> = Vec::with_capacity(parts.iter().map(|p| p.0.hops.len()).sum());
    let mut first_line = 2;
    for (part, _) in parts {
        let stop_ids: Vec<u32> = part
            .stops
            .keys
            .iter()
            .map(|&(name, place)| {
                let at = position(place);
                let bits = at.map_or((0, 0), |g| (g.lat.to_bits(), g.lon.to_bits()));
                *stops
                    .entry((name, bits.0, bits.1))
                    .or_insert_with(|| builder.stop(&String::from_utf8_lossy(name), "", at))
            })
            .collect();
        gate.check(Quantity::Stops, stops.len() as u64)?;
        let line_ids: Vec<u32> = part
            .lines
            .keys
            .iter()
            .map(|&(name, company)| {
                let (name, company) = (
                    String::from_utf8_lossy(name),
                    String::from_utf8_lossy(company),
                );
                let tram = company.to_lowercase().contains("tram");
                builder.line(&name, &company, if tram { Mode::Tram } else { Mode::Bus })
            })
            .collect();
        hops.extend(part.hops.iter().map(|h| Hop {
            line: line_ids[h.line as usize],
            from: stop_ids[h.from as usize],
            to: stop_ids[h.to as usize],
            ..*h
        }));
        notes.append(part.notes, first_line);
        first_line += part.rows;
        gate.work(part.rows)?;
    }
    gate.check(Quantity::StopTimes, hops.len() as u64)?;
    for (trip, line) in chain(&hops, &mut gate)? {
        if trip.last().is_some_and(|last| last.1 > LATEST) {
            let what = "a vehicle that runs for more than six weeks";
            notes.note(FILE, what, Remedy::Dropped, 0, b"");
            continue;
        }
        gate.work(trip.len() as u64)?;
        gate.check(Quantity::Memory, gate.held() + builder.bytes())?;
        builder.trip(line, 0, None, &trip);
    }
    gate.check(Quantity::Trips, builder.trips())?;
    gate.check(Quantity::Patterns, builder.pattern_stops())?;
    let mut table = builder.finish(projection);
    let before = table.trips.len();
    let mut seen = HashSet::with_capacity(before);
    table
        .trips
        .retain(|t| seen.insert((t.pattern, t.run, t.start)));
    for _ in table.trips.len()..before {
        notes.note(
            FILE,
            "a trip that is already there, stop by stop and minute by minute",
            Remedy::Dropped,
            0,
            b"",
        );
    }
    let diagnosis = notes.diagnosis();
    if table.trips.is_empty() {
        Err(BadFeed::Empty(diagnosis))
    } else {
        Ok((table, diagnosis))
    }
}

/// One row. Times are seconds; the arrival is never before the departure.
#[derive(Clone, Copy)]
struct Hop {
    line: u32,
    from: u32,
    to: u32,
    departure: i32,
    arrival: i32,
}

/// The calls of a trip (stop, arrival, departure) and its line.
type Chained = (Vec<(u32, i32, i32)>, u32);

/// Chains hops to trips: their calls, and the line.
fn chain(hops: &[Hop], gate: &mut Gate<'_>) -> Result<Vec<Chained>, Halt> {
    // A chain of one hop is a list of its own: about 48 bytes beside the hop.
    gate.hold((hops.len() * (2 * size_of::<Hop>() + 48)) as u64)?;
    let mut chains: Vec<Vec<Hop>> = Vec::new();
    for hop in hops {
        gate.work(1)?;
        let goes_on = |last: &Hop| {
            last.line == hop.line
                && last.to == hop.from
                && (hop.departure - last.arrival).rem_euclid(DAY) <= STANDING
        };
        match chains.last_mut() {
            Some(chain) if chain.last().is_some_and(goes_on) => chain.push(*hop),
            _ => chains.push(vec![*hop]),
        }
    }
    // A file that is not in the order of trips falls into single hops: join ends to beginnings.
    if chains.len() * 2 > hops.len() {
        chains = join(chains, gate)?;
    }
    let calls = |chain: Vec<Hop>| {
        let mut calls = Vec::with_capacity(chain.len() + 1);
        calls.push((chain[0].from, chain[0].departure, chain[0].departure));
        for hop in &chain {
            let last = calls.last_mut().expect("begun with the first stop");
            // Times are modulo a day in the file and must go on in the trip.
            let wait = (hop.departure - last.1).rem_euclid(DAY);
            last.2 = last.1 + wait;
            let arrival = last.2 + hop.arrival - hop.departure;
            calls.push((hop.to, arrival, arrival));
            // Beyond that no vehicle runs; the caller drops the trip.
            if arrival > LATEST {
                break;
            }
        }
        (calls, chain[0].line)
    };
    Ok(chains.into_iter().map(calls).collect())
}

fn join(mut chains: Vec<Vec<Hop>>, gate: &mut Gate<'_>) -> Result<Vec<Vec<Hop>>, Halt> {
    let key = |hop: &Hop| (hop.line, hop.from, hop.departure, hop.to, hop.arrival);
    chains.sort_by_key(|c| key(&c[0]));
    chains.dedup_by(|a, b| {
        a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| key(a) == key(b))
    });
    gate.hold((chains.len() * 96) as u64)?;
    let mut heads: HashMap<(u32, u32, i32), Vec<usize>> = HashMap::new();
    for (i, c) in chains.iter().enumerate().rev() {
        heads
            .entry((c[0].line, c[0].from, c[0].departure.rem_euclid(DAY)))
            .or_default()
            .push(i);
    }
    let mut next = vec![None; chains.len()];
    let mut has_previous = vec![false; chains.len()];
    for i in 0..chains.len() {
        gate.work(1)?;
        let last = chains[i].last().expect("chains are not empty");
        let wanted = (last.line, last.to, last.arrival.rem_euclid(DAY));
        if let Some(free) = heads.get_mut(&wanted)
            && let Some(at) = free.iter().rposition(|&j| j != i)
        {
            let j = free.remove(at);
            next[i] = Some(j);
            has_previous[j] = true;
        }
    }
    let mut taken = vec![false; chains.len()];
    let mut out = Vec::new();
    // Rings have no beginning: after the open chains start them anywhere.
    let order = (0..chains.len())
        .filter(|&i| !has_previous[i])
        .chain(0..chains.len());
    for start in order {
        let mut at = Some(start);
        let mut trip = Vec::new();
        while let Some(i) = at.filter(|&i| !taken[i]) {
            taken[i] = true;
            trip.extend_from_slice(&chains[i]);
            at = next[i];
        }
        if !trip.is_empty() {
            out.push(trip);
        }
    }
    Ok(out)
}

fn position(place: &[u8]) -> Option<Globe> {
    let mut parts = place.splitn(2, |b| *b == b',');
    let mut degrees = || {
        std::str::from_utf8(parts.next()?)
            .ok()?
            .trim()
            .parse::<f64>()
            .ok()
    };
    let (lat, lon) = (degrees()?, degrees()?);
    Globe::new(lat, lon)
}

/// Which of the columns is which; the report's file has them in this order after two indices.
struct Columns {
    at: [usize; 10],
    count: usize,
}

const NAMES: [&str; 10] = [
    "company",
    "line",
    "departure_time",
    "arrival_time",
    "start_stop",
    "end_stop",
    "start_stop_lat",
    "start_stop_lon",
    "end_stop_lat",
    "end_stop_lon",
];

impl Columns {
    fn read(header: &[u8]) -> Result<Columns, BadFeed> {
        let header = String::from_utf8_lossy(header);
        let names: Vec<&str> = header
            .trim_end()
            .split(',')
            .map(|n| n.trim().trim_matches('"'))
            .collect();
        let mut at = [0; 10];
        for (slot, name) in at.iter_mut().zip(NAMES) {
            *slot = names
                .iter()
                .position(|n| n.eq_ignore_ascii_case(name))
                .ok_or(BadFeed::Column {
                    file: FILE,
                    column: name,
                })?;
        }
        // Latitude and longitude are read as one piece of text.
        for (lat, column) in [(6, NAMES[7]), (8, NAMES[9])] {
            if at[lat + 1] != at[lat] + 1 {
                return Err(BadFeed::Column { file: FILE, column });
            }
        }
        Ok(Columns {
            at,
            count: names.len(),
        })
    }
}

/// Cuts the file into pieces at line ends.
fn split(body: &[u8], pieces: usize) -> Vec<&[u8]> {
    let mut out = Vec::new();
    let mut rest = body;
    for left in (1..=pieces.max(1)).rev() {
        let want = rest.len() / left;
        let end = memchr::memchr(b'\n', &rest[want..]).map_or(rest.len(), |i| want + i + 1);
        let (piece, after) = rest.split_at(end);
        if !piece.is_empty() {
            out.push(piece);
        }
        rest = after;
    }
    out
}

/// Multiplies and rotates eight bytes at a time: the keys are short and friendly.
#[derive(Default)]
struct Quick(u64);

impl Hasher for Quick {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = (self.0.rotate_left(5) ^ u64::from_le_bytes(word))
                .wrapping_mul(0x517c_c1b7_2722_0a95);
        }
    }
}

/// Pairs of text and the numbers given to them.
#[derive(Default)]
struct Pairs<'a> {
    keys: Vec<(&'a [u8], &'a [u8])>,
    ids: HashMap<(&'a [u8], &'a [u8]), u32, BuildHasherDefault<Quick>>,
}

impl<'a> Pairs<'a> {
    fn id(&mut self, key: (&'a [u8], &'a [u8])) -> u32 {
        let keys = &mut self.keys;
        *self.ids.entry(key).or_insert_with(|| {
            keys.push(key);
            keys.len() as u32 - 1
        })
    }

    fn is(&self, id: u32, key: (&[u8], &[u8])) -> bool {
        self.keys
            .get(id as usize)
            .is_some_and(|&known| known == key)
    }
}

/// What one piece of the file holds, with numbers of its own.
#[derive(Default)]
struct Part<'a> {
    stops: Pairs<'a>,
    lines: Pairs<'a>,
    hops: Vec<Hop>,
    /// By the number of the row in this piece.
    notes: Notes,
    rows: u64,
}

impl<'a> Part<'a> {
    fn read(piece: &'a [u8], columns: &Columns, gate: &mut Gate<'_>) -> Result<Part<'a>, Halt> {
        let mut part = Part {
            hops: Vec::with_capacity(piece.len() / 128),
            ..Part::default()
        };
        gate.hold((part.hops.capacity() * size_of::<Hop>()) as u64)?;
        // What followed a stop last time most often follows it again: no need to hash it.
        let mut follows: Vec<u32> = Vec::new();
        let (mut last_to, mut last_line) = (u32::MAX, u32::MAX);
        let mut commas = [0usize; 32];
        let mut owned = 0;
        for row in piece.split(|b| *b == b'\n') {
            let row = row.strip_suffix(b"\r").unwrap_or(row);
            if row.is_empty() {
                continue;
            }
            let number = part.rows;
            part.rows += 1;
            part.notes.rows += 1;
            gate.row()?;
            let mut fields = 0;
            for at in memchr::memchr_iter(b',', row) {
                if fields < 31 {
                    commas[fields] = at;
                }
                fields += 1;
            }
            commas[fields.min(31)] = row.len();
            if fields + 1 != columns.count || fields > 30 {
                part.notes.note(
                    FILE,
                    "a row with too few or too many fields",
                    Remedy::Dropped,
                    number,
                    row,
                );
                continue;
            }
            let span = |first: usize, last: usize| {
                let from = if first == 0 { 0 } else { commas[first - 1] + 1 };
                row[from..commas[last]].trim_ascii()
            };
            let field = |i: usize| span(columns.at[i], columns.at[i]);
            let (Some(departure), Some(mut arrival)) =
                (clock_seconds(field(2)), clock_seconds(field(3)))
            else {
                part.notes
                    .note(FILE, "a time that is no time", Remedy::Dropped, number, row);
                continue;
            };
            if arrival < departure {
                arrival += DAY;
                // A hop over midnight is short; anything else is a swapped pair of times.
                if arrival - departure > 6 * 3600 {
                    part.notes.note(
                        FILE,
                        "it arrives before it departs",
                        Remedy::Dropped,
                        number,
                        row,
                    );
                    continue;
                }
            }
            let line_key = (field(1), field(0));
            if !part.lines.is(last_line, line_key) {
                last_line = part.lines.id(line_key);
            }
            let from_key = (field(4), span(columns.at[6], columns.at[7]));
            let to_key = (field(5), span(columns.at[8], columns.at[9]));
            if from_key.0.is_empty() || to_key.0.is_empty() {
                part.notes
                    .note(FILE, "a stop without a name", Remedy::Dropped, number, row);
                continue;
            }
            let from = if part.stops.is(last_to, from_key) {
                last_to
            } else {
                part.stops.id(from_key)
            };
            if follows.len() <= from as usize {
                follows.resize(from as usize + 64, u32::MAX);
            }
            let guess = follows[from as usize];
            let to = if part.stops.is(guess, to_key) {
                guess
            } else {
                part.stops.id(to_key)
            };
            follows[from as usize] = to;
            // Stops are told apart by text here; a new one must have a readable place.
            while owned < part.stops.keys.len() {
                gate.hold(NEW_STOP)?;
                gate.check(Quantity::Stops, owned as u64 + 1)?;
                if position(part.stops.keys[owned].1).is_none() {
                    part.notes
                        .note(FILE, "no usable coordinates", Remedy::Noted, number, row);
                }
                owned += 1;
            }
            last_to = to;
            if part.hops.len() == part.hops.capacity() {
                gate.hold((part.hops.len().max(64) * size_of::<Hop>()) as u64)?;
            }
            part.hops.push(Hop {
                line: last_line,
                from,
                to,
                departure,
                arrival,
            });
        }
        Ok(part)
    }
}
