//! `stop_times.txt`: the calls of every trip.

use super::{BadFeed, Frequencies, LATEST, Reader, column, number};
use crate::diagnosis::Remedy;
use crate::limits::Quantity;
use crate::rows::{Columns, Rows};
use crate::rules::Rules;
use crate::time::clock_seconds;
use crate::timetable::Details;

/// A call of a trip as it is written, in as few bytes as possible: there are millions.
struct Call {
    trip: u32,
    order: u32,
    stop: u32,
    /// [`UNKNOWN`] where the time is missing; then both are.
    arrival: i32,
    departure: i32,
    /// The line of the file, and in its two lowest bits whether boarding and leaving are not
    /// allowed.
    line: u32,
}

const UNKNOWN: i32 = i32::MIN;

impl Call {
    fn known(&self) -> bool {
        self.arrival != UNKNOWN
    }

    fn line(&self) -> u64 {
        u64::from(self.line >> 2)
    }
}

impl Reader<'_> {
    pub(super) fn read_stop_times(
        &mut self,
        mut rows: Rows<'_>,
        frequencies: &Frequencies,
    ) -> Result<(), BadFeed> {
        const FILE: &str = "stop_times.txt";
        let columns = Columns::read(&mut rows, &mut self.gate)?;
        let id = column(&columns, FILE, "trip_id")?;
        let stop = column(&columns, FILE, "stop_id")?;
        let order = column(&columns, FILE, "stop_sequence")?;
        let arrival = column(&columns, FILE, "arrival_time")?;
        let departure = column(&columns, FILE, "departure_time")?;
        let (pickup, drop_off) = (columns.find("pickup_type"), columns.find("drop_off_type"));
        let mut calls: Vec<Call> = Vec::new();
        let mut last: (Vec<u8>, Option<u32>) = (Vec::new(), None);
        while let Some(row) = rows.next(&mut self.gate)? {
            self.notes.rows += 1;
            let code = row.field(id);
            if last.0 != code || last.1.is_none() {
                last = (code.to_vec(), self.trips.get(code).copied());
            }
            let Some(trip) = last.1 else {
                self.notes.note(
                    FILE,
                    "the trip is not in trips.txt or was dropped there",
                    Remedy::Dropped,
                    row.line,
                    &last.0,
                );
                continue;
            };
            let Some(&stop) = self.stops.get(row.field(stop)) else {
                self.notes.note(
                    FILE,
                    "the stop is not in stops.txt",
                    Remedy::Dropped,
                    row.line,
                    row.field(stop),
                );
                continue;
            };
            let Some(order) = number::<u32>(row.field(order)) else {
                self.notes.note(
                    FILE,
                    "the stop sequence is no number",
                    Remedy::Dropped,
                    row.line,
                    row.field(order),
                );
                continue;
            };
            let shut = |column| u32::from(row.field(column) == b"1");
            if [pickup, drop_off]
                .map(|c| row.field(c))
                .iter()
                .any(|f| matches!(*f, b"2" | b"3"))
            {
                self.notes.note(
                    FILE,
                    "boarding or leaving by arrangement with the agency or the driver; allowed",
                    Remedy::Noted,
                    row.line,
                    code,
                );
            }
            let (a, d) = (row.field(arrival), row.field(departure));
            let (arrives, departs) = (clock_seconds(a), clock_seconds(d));
            if arrives.is_none() && !a.is_empty() || departs.is_none() && !d.is_empty() {
                let seen = [a, b" ", d].concat();
                self.notes.note(
                    FILE,
                    "a time that is no time, read as missing",
                    Remedy::Repaired,
                    row.line,
                    &seen,
                );
            }
            self.gate.hold(size_of::<Call>() as u64)?;
            self.gate
                .check(Quantity::StopTimes, calls.len() as u64 + 1)?;
            calls.push(Call {
                trip,
                order,
                stop,
                arrival: arrives.or(departs).unwrap_or(UNKNOWN),
                departure: departs.or(arrives).unwrap_or(UNKNOWN),
                line: (row.line as u32) << 2 | shut(pickup) << 1 | shut(drop_off),
            });
        }
        if !calls.is_sorted_by_key(|c| (c.trip, c.order)) {
            // Lines grow, so rows with the same number keep their order; and no second list is made.
            calls.sort_unstable_by_key(|c| (c.trip, c.order, c.line));
        }
        let (mut clean, mut rules) = (Vec::new(), Vec::new());
        let mut sequence: Vec<u32> = Vec::new();
        let mut made = 0;
        for calls in calls.chunk_by(|a, b| a.trip == b.trip) {
            let (line, service, shape) = self.trip_rows[calls[0].trip as usize];
            self.gate.work(calls.len() as u64)?;
            if !self.clean(calls, &mut clean, &mut rules) {
                continue;
            }
            // Calls without a time at either end were left out.
            let first = calls.iter().position(Call::known).unwrap_or(0);
            sequence.clear();
            sequence.extend(calls[first..].iter().map(|c| c.order).take(clean.len()));
            let details = Details {
                sequence: &sequence,
                id: self.trip_ids.get(calls[0].trip),
                rules: &rules,
                headway: None,
            };
            match frequencies.get(&calls[0].trip) {
                None => {
                    made += clean.len() as u64;
                    self.builder
                        .trip_with(line, service, shape, &clean, &details);
                }
                Some(spans) => {
                    let first = clean[0].2;
                    let lasts = clean[clean.len() - 1].2 - first;
                    let mut moved = clean.clone();
                    for span in spans {
                        let (start, end, headway) = (span.start, span.end, span.headway);
                        let details = Details {
                            headway: (!span.exact).then_some(headway as u32),
                            ..details
                        };
                        for at in (start..end.min(LATEST - lasts)).step_by(headway as usize) {
                            for (to, from) in moved.iter_mut().zip(&clean) {
                                *to = (from.0, from.1 - first + at, from.2 - first + at);
                            }
                            // One row can stand for a hundred thousand trips: each is counted.
                            made += clean.len() as u64;
                            self.gate.check(Quantity::StopTimes, made)?;
                            self.gate.work(clean.len() as u64)?;
                            self.builder
                                .trip_with(line, service, shape, &moved, &details);
                        }
                    }
                }
            }
            let bytes = self.builder.bytes();
            self.gate.check(Quantity::StopTimes, made)?;
            self.gate
                .check(Quantity::Memory, self.gate.held() + bytes)?;
            self.gate
                .check(Quantity::Patterns, self.builder.pattern_stops())?;
        }
        self.gate.release((calls.len() * size_of::<Call>()) as u64);
        self.gate.hold(self.builder.bytes())?;
        Ok(())
    }

    /// Fills missing times, straightens times that go backwards. False: no trip is left.
    fn clean(
        &mut self,
        calls: &[Call],
        clean: &mut Vec<(u32, i32, i32)>,
        rules: &mut Vec<Rules>,
    ) -> bool {
        const FILE: &str = "stop_times.txt";
        clean.clear();
        rules.clear();
        let at = calls[0].line();
        if calls.len() < 2 {
            self.notes.note(
                FILE,
                "a trip with fewer than two stops",
                Remedy::Dropped,
                at,
                b"",
            );
            return false;
        }
        let first = calls.iter().position(Call::known);
        let last = calls.iter().rposition(Call::known);
        let (Some(first), Some(last)) = (first, last) else {
            self.notes
                .note(FILE, "a trip without any time", Remedy::Dropped, at, b"");
            return false;
        };
        // What lies before the first or after the last known time cannot be guessed.
        let calls = &calls[first..=last];
        if calls.len() < 2 {
            self.notes.note(
                FILE,
                "a trip with fewer than two times",
                Remedy::Dropped,
                at,
                b"",
            );
            return false;
        }
        let end = calls.len() - 1;
        for (i, call) in calls.iter().enumerate() {
            // Nobody boards at the last stop or leaves at the first one anyway.
            rules.push(Rules::new(
                call.line & 2 != 0 && i < end,
                call.line & 1 != 0 && i > 0,
            ));
        }
        if rules.iter().all(|&r| r == Rules::OPEN) {
            rules.clear();
        }
        let mut i = 0;
        while i < calls.len() {
            if calls[i].known() {
                clean.push((calls[i].stop, calls[i].arrival, calls[i].departure));
                i += 1;
                continue;
            }
            let next = (i..calls.len())
                .find(|&j| calls[j].known())
                .expect("the last call has a time");
            let from = clean[clean.len() - 1].2;
            let to = calls[next].arrival;
            let steps = (next - i + 1) as i32;
            for (step, call) in (1..steps).zip(&calls[i..next]) {
                let t = from + (to - from) * step / steps;
                clean.push((call.stop, t, t));
                self.notes.note(
                    FILE,
                    "a missing time, interpolated",
                    Remedy::Repaired,
                    call.line(),
                    b"",
                );
            }
            i = next;
        }
        let mut before = clean[0].1;
        for (call, source) in clean.iter_mut().zip(calls) {
            if call.1 < before || call.2 < call.1 {
                self.notes.note(
                    FILE,
                    "a time before the one it follows, raised to it",
                    Remedy::Repaired,
                    source.line(),
                    b"",
                );
            }
            call.1 = call.1.max(before);
            call.2 = call.2.max(call.1);
            before = call.2;
        }
        true
    }
}
