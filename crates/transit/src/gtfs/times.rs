//! `stop_times.txt`: the calls of every trip.

use std::collections::HashMap;

use super::{BadFeed, Reader, column, number};
use crate::diagnosis::Remedy;
use crate::rows::{Columns, Rows, field};
use crate::time::clock_seconds;

struct Call {
    trip: u32,
    order: u32,
    stop: u32,
    arrival: Option<i32>,
    departure: Option<i32>,
    line: u32,
    /// Whether boarding, leaving is not allowed.
    shut: (bool, bool),
}

impl Reader {
    pub(super) fn read_stop_times(
        &mut self,
        bytes: &[u8],
        frequencies: &HashMap<u32, Vec<(i32, i32, i32)>>,
    ) -> Result<(), BadFeed> {
        const FILE: &str = "stop_times.txt";
        let mut rows = Rows::new(bytes);
        let columns = Columns::read(&mut rows);
        let id = column(&columns, FILE, "trip_id")?;
        let stop = column(&columns, FILE, "stop_id")?;
        let order = column(&columns, FILE, "stop_sequence")?;
        let arrival = column(&columns, FILE, "arrival_time")?;
        let departure = column(&columns, FILE, "departure_time")?;
        let (pickup, drop_off) = (columns.find("pickup_type"), columns.find("drop_off_type"));
        let mut calls: Vec<Call> = Vec::with_capacity(bytes.len() / 40);
        let mut last: (Vec<u8>, Option<u32>) = (Vec::new(), None);
        while let Some(row) = rows.next() {
            self.notes.rows += 1;
            let code = field(row, id);
            if last.0 != code || last.1.is_none() {
                last = (code.to_vec(), self.trips.get(code).copied());
            }
            let Some(trip) = last.1 else {
                self.notes.note(
                    FILE,
                    "the trip is not in trips.txt or was dropped there",
                    Remedy::Dropped,
                    rows.line(),
                    &last.0,
                );
                continue;
            };
            let Some(&stop) = self.stops.get(field(row, stop)) else {
                let seen = field(row, stop).to_vec();
                self.notes.note(
                    FILE,
                    "the stop is not in stops.txt",
                    Remedy::Dropped,
                    rows.line(),
                    &seen,
                );
                continue;
            };
            let Some(order) = number::<u32>(field(row, order)) else {
                let seen = field(row, order).to_vec();
                self.notes.note(
                    FILE,
                    "the stop sequence is no number",
                    Remedy::Dropped,
                    rows.line(),
                    &seen,
                );
                continue;
            };
            let shut = (field(row, pickup) == b"1", field(row, drop_off) == b"1");
            let (a, d) = (field(row, arrival), field(row, departure));
            let (arrives, departs) = (clock_seconds(a), clock_seconds(d));
            if arrives.is_none() && !a.is_empty() || departs.is_none() && !d.is_empty() {
                let seen = [a, b" ", d].concat();
                self.notes.note(
                    FILE,
                    "a time that is no time, read as missing",
                    Remedy::Repaired,
                    rows.line(),
                    &seen,
                );
            }
            let arrives_or = arrives.or(departs);
            calls.push(Call {
                trip,
                order,
                stop,
                arrival: arrives_or,
                departure: departs.or(arrives),
                line: rows.line() as u32,
                shut,
            });
        }
        if !calls.is_sorted_by_key(|c| (c.trip, c.order)) {
            calls.sort_by_key(|c| (c.trip, c.order));
        }
        let mut clean = Vec::new();
        for calls in calls.chunk_by(|a, b| a.trip == b.trip) {
            let (line, service, shape) = self.trip_rows[calls[0].trip as usize];
            if !self.clean(calls, &mut clean) {
                continue;
            }
            match frequencies.get(&calls[0].trip) {
                None => {
                    self.builder.trip(line, service, shape, &clean);
                }
                Some(spans) => {
                    let first = clean[0].2;
                    let mut moved = clean.clone();
                    for &(start, end, headway) in spans {
                        for at in (start..end).step_by(headway as usize) {
                            for (to, from) in moved.iter_mut().zip(&clean) {
                                *to = (from.0, from.1 - first + at, from.2 - first + at);
                            }
                            self.builder.trip(line, service, shape, &moved);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Fills missing times, straightens times that go backwards. False: no trip is left.
    fn clean(&mut self, calls: &[Call], clean: &mut Vec<(u32, i32, i32)>) -> bool {
        const FILE: &str = "stop_times.txt";
        clean.clear();
        let at = u64::from(calls[0].line);
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
        let first = calls.iter().position(|c| c.arrival.is_some());
        let last = calls.iter().rposition(|c| c.arrival.is_some());
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
            if call.shut.0 && i < end || call.shut.1 && i > 0 {
                self.notes.note(
                    FILE,
                    "boarding or leaving is not allowed here; searches do not heed that",
                    Remedy::Noted,
                    u64::from(call.line),
                    b"pickup_type or drop_off_type 1",
                );
            }
        }
        let mut i = 0;
        while i < calls.len() {
            if let (Some(a), Some(d)) = (calls[i].arrival, calls[i].departure) {
                clean.push((calls[i].stop, a, d));
                i += 1;
                continue;
            }
            let next = (i..calls.len())
                .find(|&j| calls[j].arrival.is_some())
                .expect("the last call has a time");
            let from = clean[clean.len() - 1].2;
            let to = calls[next].arrival.expect("found by its time");
            let steps = (next - i + 1) as i32;
            for (step, call) in (1..steps).zip(&calls[i..next]) {
                let t = from + (to - from) * step / steps;
                clean.push((call.stop, t, t));
                self.notes.note(
                    FILE,
                    "a missing time, interpolated",
                    Remedy::Repaired,
                    u64::from(call.line),
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
                    u64::from(source.line),
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
