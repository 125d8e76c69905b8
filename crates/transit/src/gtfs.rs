//! Reads GTFS feeds, and says what is wrong with them.

use std::collections::HashMap;

use crate::archive::{Archive, BadArchive};
use crate::calendar::{Calendar, Service};
use crate::diagnosis::{Diagnosis, Notes, Remedy};
use crate::geo::{Globe, Projection};
use crate::rows::{Columns, Rows, field};
use crate::time::{Date, clock_seconds};
use crate::timetable::{Builder, Change, Mode, Timetable};

/// Why a feed could not be read at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadFeed {
    /// The archive is broken.
    #[error(transparent)]
    Archive(#[from] BadArchive),
    /// A file that every feed must have is missing.
    #[error("the feed has no `{0}`; it needs stops.txt, routes.txt, trips.txt and stop_times.txt")]
    Missing(&'static str),
    /// A column that the file must have is missing.
    #[error("`{file}` has no column `{column}`")]
    Column {
        /// The file.
        file: &'static str,
        /// The column.
        column: &'static str,
    },
    /// Nothing usable is in it.
    #[error("the feed has no usable trip; run `wits transit check` to see why")]
    Empty(Diagnosis),
}

/// Ids of the feed and the indices we gave them.
type Ids = HashMap<Vec<u8>, u32>;

/// Reads a feed. Rows that cannot be used are counted in the diagnosis, never fatal.
pub fn read(
    archive: &Archive<'_>,
    title: &str,
    projection: Projection,
) -> Result<(Timetable, Diagnosis), BadFeed> {
    let mut notes = Notes::default();
    let need = |name: &'static str| archive.file(name)?.ok_or(BadFeed::Missing(name));
    let (services, service_ids) = calendar(archive, &mut notes)?;
    let mut reader = Reader {
        builder: Builder::new(title, Calendar::EveryDay),
        stops: Ids::new(),
        routes: Ids::new(),
        trips: Ids::new(),
        services,
        service_ids,
        trip_rows: Vec::new(),
        notes,
    };
    reader.read_stops(&need("stops.txt")?)?;
    let companies = match archive.file("agency.txt")? {
        Some(bytes) => companies(&bytes, &mut reader.notes),
        None => HashMap::new(),
    };
    reader.read_routes(&need("routes.txt")?, &companies)?;
    let shapes = match archive.file("shapes.txt")? {
        Some(bytes) => reader.read_shapes(&bytes),
        None => Ids::new(),
    };
    reader.read_trips(&need("trips.txt")?, &shapes)?;
    let frequencies = match archive.file("frequencies.txt")? {
        Some(bytes) => reader.read_frequencies(&bytes),
        None => HashMap::new(),
    };
    reader.read_stop_times(&need("stop_times.txt")?, &frequencies)?;
    if let Some(bytes) = archive.file("transfers.txt")? {
        reader.read_transfers(&bytes);
    }
    let diagnosis = reader.notes.diagnosis();
    let mut table = reader.builder.finish(projection);
    table.calendar = Calendar::Dated(reader.services);
    if table.trips.is_empty() { Err(BadFeed::Empty(diagnosis)) } else { Ok((table, diagnosis)) }
}

struct Reader {
    builder: Builder,
    stops: Ids,
    routes: Ids,
    trips: Ids,
    services: Vec<Service>,
    service_ids: Ids,
    /// Line, service and shape of each trip row.
    trip_rows: Vec<(u32, u32, Option<u32>)>,
    notes: Notes,
}

fn text(field: &[u8]) -> String {
    String::from_utf8_lossy(field).into_owned()
}

fn number<T: std::str::FromStr>(field: &[u8]) -> Option<T> {
    std::str::from_utf8(field).ok()?.trim().parse().ok()
}

fn column(columns: &Columns, file: &'static str, name: &'static str) -> Result<Option<usize>, BadFeed> {
    match columns.find(name) {
        Some(at) => Ok(Some(at)),
        None => Err(BadFeed::Column { file, column: name }),
    }
}

fn companies(bytes: &[u8], notes: &mut Notes) -> HashMap<Vec<u8>, String> {
    let mut rows = Rows::new(bytes);
    let columns = Columns::read(&mut rows);
    let (id, name) = (columns.find("agency_id"), columns.find("agency_name"));
    let mut all = HashMap::new();
    while let Some(row) = rows.next() {
        notes.rows += 1;
        all.insert(field(row, id).to_vec(), text(field(row, name)));
    }
    all
}

fn calendar(archive: &Archive<'_>, notes: &mut Notes) -> Result<(Vec<Service>, Ids), BadFeed> {
    let mut services: Vec<Service> = Vec::new();
    let mut ids = Ids::new();
    let mut service = |id: &[u8], services: &mut Vec<Service>| {
        *ids.entry(id.to_vec()).or_insert_with(|| {
            services.push(Service { id: text(id), ..Service::default() });
            services.len() as u32 - 1
        }) as usize
    };
    if let Some(bytes) = archive.file("calendar.txt")? {
        const FILE: &str = "calendar.txt";
        const DAYS: [&str; 7] =
            ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
        let mut rows = Rows::new(&bytes);
        let columns = Columns::read(&mut rows);
        let id = column(&columns, FILE, "service_id")?;
        let days = DAYS.map(|day| columns.find(day));
        let (start, end) = (columns.find("start_date"), columns.find("end_date"));
        while let Some(row) = rows.next() {
            notes.rows += 1;
            let weekdays =
                days.iter().enumerate().fold(0u8, |set, (bit, &day)| {
                    set | u8::from(field(row, day) == b"1") << bit
                });
            match (Date::compact(field(row, start)), Date::compact(field(row, end))) {
                (Some(first), Some(last)) if first <= last => {
                    let s = service(field(row, id), &mut services);
                    services[s].weekdays = weekdays;
                    services[s].span = Some((first, last));
                }
                _ => {
                    let seen = field(row, start).to_vec();
                    notes.note(FILE, "start or end is no date, or they are swapped", Remedy::Dropped, rows.line(), &seen);
                }
            }
        }
    }
    if let Some(bytes) = archive.file("calendar_dates.txt")? {
        const FILE: &str = "calendar_dates.txt";
        let mut rows = Rows::new(&bytes);
        let columns = Columns::read(&mut rows);
        let id = column(&columns, FILE, "service_id")?;
        let (date, kind) = (columns.find("date"), columns.find("exception_type"));
        while let Some(row) = rows.next() {
            notes.rows += 1;
            let day = Date::compact(field(row, date));
            match (day, field(row, kind)) {
                (Some(day), b"1") => {
                    let s = service(field(row, id), &mut services);
                    services[s].added.push(day);
                }
                (Some(day), b"2") => {
                    let s = service(field(row, id), &mut services);
                    services[s].removed.push(day);
                }
                _ => {
                    let seen = field(row, date).to_vec();
                    notes.note(FILE, "no date, or an exception that is neither 1 nor 2", Remedy::Dropped, rows.line(), &seen);
                }
            }
        }
    }
    for s in &mut services {
        s.added.sort_unstable();
        s.removed.sort_unstable();
    }
    Ok((services, ids))
}

fn mode(route_type: Option<u32>) -> Mode {
    match route_type {
        Some(0 | 900..=906) => Mode::Tram,
        Some(1 | 400..=405) => Mode::Metro,
        Some(2 | 12 | 100..=117) => Mode::Rail,
        Some(3 | 11 | 200..=209 | 700..=716 | 800) => Mode::Bus,
        Some(4 | 1000 | 1200) => Mode::Ferry,
        _ => Mode::Other,
    }
}

impl Reader {
    fn read_stops(&mut self, bytes: &[u8]) -> Result<(), BadFeed> {
        const FILE: &str = "stops.txt";
        let mut rows = Rows::new(bytes);
        let columns = Columns::read(&mut rows);
        let id = column(&columns, FILE, "stop_id")?;
        let name = columns.find("stop_name");
        let (lat, lon) = (columns.find("stop_lat"), columns.find("stop_lon"));
        let parent = columns.find("parent_station");
        let kind = columns.find("location_type");
        let mut parents = Vec::new();
        while let Some(row) = rows.next() {
            self.notes.rows += 1;
            let code = field(row, id).to_vec();
            // Entrances and boarding areas are no places where a trip can call.
            if matches!(field(row, kind), b"2" | b"3" | b"4") {
                continue;
            }
            if self.stops.contains_key(&code) {
                self.notes.note(FILE, "a stop with this id was already given", Remedy::Dropped, rows.line(), &code);
                continue;
            }
            let at = match (number::<f64>(field(row, lat)), number::<f64>(field(row, lon))) {
                (Some(lat), Some(lon))
                    if lat.abs() <= 90.0 && lon.abs() <= 180.0 && (lat, lon) != (0.0, 0.0) =>
                {
                    Some(Globe { lat, lon })
                }
                _ => None,
            };
            let called = match field(row, name) {
                b"" => code.clone(),
                called => called.to_vec(),
            };
            let above = field(row, parent).to_vec();
            if at.is_none() {
                self.notes.note(FILE, "no usable coordinates", Remedy::Noted, rows.line(), &code);
            }
            let index = self.builder.stop(&text(&called), &text(&code), at);
            self.stops.insert(code, index);
            if !above.is_empty() {
                parents.push((index, above, rows.line()));
            }
        }
        for (stop, above, line) in parents {
            match self.stops.get(&above) {
                Some(&station) => self.builder.station(stop, station),
                None => self.notes.note(FILE, "the parent station is not in the file", Remedy::Repaired, line, &above),
            }
        }
        Ok(())
    }

    fn read_routes(
        &mut self,
        bytes: &[u8],
        companies: &HashMap<Vec<u8>, String>,
    ) -> Result<(), BadFeed> {
        const FILE: &str = "routes.txt";
        let mut rows = Rows::new(bytes);
        let columns = Columns::read(&mut rows);
        let id = column(&columns, FILE, "route_id")?;
        let (short, long) = (columns.find("route_short_name"), columns.find("route_long_name"));
        let (agency, kind) = (columns.find("agency_id"), columns.find("route_type"));
        while let Some(row) = rows.next() {
            self.notes.rows += 1;
            let code = field(row, id);
            let name = [field(row, short), field(row, long), code]
                .into_iter()
                .find(|n| !n.is_empty())
                .unwrap_or(b"?");
            let company = companies.get(field(row, agency)).map_or("", String::as_str);
            let line = self.builder.line(&text(name), company, mode(number(field(row, kind))));
            if self.routes.insert(code.to_vec(), line).is_some() {
                let code = code.to_vec();
                self.notes.note(FILE, "a route with this id was already given", Remedy::Repaired, rows.line(), &code);
            }
        }
        Ok(())
    }

    fn read_shapes(&mut self, bytes: &[u8]) -> Ids {
        const FILE: &str = "shapes.txt";
        let mut rows = Rows::new(bytes);
        let columns = Columns::read(&mut rows);
        let id = columns.find("shape_id");
        let (lat, lon) = (columns.find("shape_pt_lat"), columns.find("shape_pt_lon"));
        let order = columns.find("shape_pt_sequence");
        let mut ids = Ids::new();
        let mut points: Vec<Vec<(u32, f32, f32)>> = Vec::new();
        while let Some(row) = rows.next() {
            self.notes.rows += 1;
            let code = field(row, id);
            let point = (number(field(row, order)), number(field(row, lat)), number(field(row, lon)));
            let (Some(order), Some(lat), Some(lon)) = point else {
                let code = code.to_vec();
                self.notes.note(FILE, "a point without numbers", Remedy::Dropped, rows.line(), &code);
                continue;
            };
            let index = match ids.get(code) {
                Some(&index) => index,
                None => {
                    points.push(Vec::new());
                    let index = points.len() as u32 - 1;
                    ids.insert(code.to_vec(), index);
                    index
                }
            };
            points[index as usize].push((order, lat, lon));
        }
        for mut shape in points {
            shape.sort_by_key(|p| p.0);
            self.builder.shape(shape.into_iter().map(|(_, lat, lon)| (lat, lon)).collect());
        }
        ids
    }

    fn read_trips(&mut self, bytes: &[u8], shapes: &Ids) -> Result<(), BadFeed> {
        const FILE: &str = "trips.txt";
        let mut rows = Rows::new(bytes);
        let columns = Columns::read(&mut rows);
        let id = column(&columns, FILE, "trip_id")?;
        let route = column(&columns, FILE, "route_id")?;
        let service = column(&columns, FILE, "service_id")?;
        let shape = columns.find("shape_id");
        while let Some(row) = rows.next() {
            self.notes.rows += 1;
            let code = field(row, id);
            let Some(&line) = self.routes.get(field(row, route)) else {
                let seen = field(row, route).to_vec();
                self.notes.note(FILE, "the route is not in routes.txt", Remedy::Dropped, rows.line(), &seen);
                continue;
            };
            let Some(&service) = self.service_ids.get(field(row, service)) else {
                let seen = field(row, service).to_vec();
                self.notes.note(FILE, "the service is in no calendar, so the trip never runs", Remedy::Dropped, rows.line(), &seen);
                continue;
            };
            if self.trips.contains_key(code) {
                let seen = code.to_vec();
                self.notes.note(FILE, "a trip with this id was already given", Remedy::Dropped, rows.line(), &seen);
                continue;
            }
            self.trips.insert(code.to_vec(), self.trip_rows.len() as u32);
            self.trip_rows.push((line, service, shapes.get(field(row, shape)).copied()));
        }
        Ok(())
    }

    /// Start, end and headway in seconds, by trip.
    fn read_frequencies(&mut self, bytes: &[u8]) -> HashMap<u32, Vec<(i32, i32, i32)>> {
        const FILE: &str = "frequencies.txt";
        let mut rows = Rows::new(bytes);
        let columns = Columns::read(&mut rows);
        let id = columns.find("trip_id");
        let (start, end) = (columns.find("start_time"), columns.find("end_time"));
        let headway = columns.find("headway_secs");
        let mut all: HashMap<u32, Vec<(i32, i32, i32)>> = HashMap::new();
        while let Some(row) = rows.next() {
            self.notes.rows += 1;
            let trip = self.trips.get(field(row, id)).copied();
            let span = (clock_seconds(field(row, start)), clock_seconds(field(row, end)));
            match (trip, span, number::<i32>(field(row, headway))) {
                (Some(trip), (Some(start), Some(end)), Some(headway)) if headway > 0 => {
                    all.entry(trip).or_default().push((start, end, headway));
                }
                _ => {
                    let seen = field(row, id).to_vec();
                    self.notes.note(FILE, "unknown trip, or times or headway unreadable", Remedy::Dropped, rows.line(), &seen);
                }
            }
        }
        all
    }

    fn read_stop_times(
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
                self.notes.note(FILE, "the trip is not in trips.txt or was dropped there", Remedy::Dropped, rows.line(), &last.0);
                continue;
            };
            let Some(&stop) = self.stops.get(field(row, stop)) else {
                let seen = field(row, stop).to_vec();
                self.notes.note(FILE, "the stop is not in stops.txt", Remedy::Dropped, rows.line(), &seen);
                continue;
            };
            let Some(order) = number::<u32>(field(row, order)) else {
                let seen = field(row, order).to_vec();
                self.notes.note(FILE, "the stop sequence is no number", Remedy::Dropped, rows.line(), &seen);
                continue;
            };
            let shut = (field(row, pickup) == b"1", field(row, drop_off) == b"1");
            let (a, d) = (field(row, arrival), field(row, departure));
            let (arrives, departs) = (clock_seconds(a), clock_seconds(d));
            if arrives.is_none() && !a.is_empty() || departs.is_none() && !d.is_empty() {
                let seen = [a, b" ", d].concat();
                self.notes.note(FILE, "a time that is no time, read as missing", Remedy::Repaired, rows.line(), &seen);
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
            self.notes.note(FILE, "a trip with fewer than two stops", Remedy::Dropped, at, b"");
            return false;
        }
        let first = calls.iter().position(|c| c.arrival.is_some());
        let last = calls.iter().rposition(|c| c.arrival.is_some());
        let (Some(first), Some(last)) = (first, last) else {
            self.notes.note(FILE, "a trip without any time", Remedy::Dropped, at, b"");
            return false;
        };
        // What lies before the first or after the last known time cannot be guessed.
        let calls = &calls[first..=last];
        if calls.len() < 2 {
            self.notes.note(FILE, "a trip with fewer than two times", Remedy::Dropped, at, b"");
            return false;
        }
        let end = calls.len() - 1;
        for (i, call) in calls.iter().enumerate() {
            // Nobody boards at the last stop or leaves at the first one anyway.
            if call.shut.0 && i < end || call.shut.1 && i > 0 {
                self.notes.note(FILE, "boarding or leaving is not allowed here; searches do not heed that", Remedy::Noted, u64::from(call.line), b"pickup_type or drop_off_type 1");
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
                self.notes.note(FILE, "a missing time, interpolated", Remedy::Repaired, u64::from(call.line), b"");
            }
            i = next;
        }
        let mut before = clean[0].1;
        for (call, source) in clean.iter_mut().zip(calls) {
            if call.1 < before || call.2 < call.1 {
                self.notes.note(FILE, "a time before the one it follows, raised to it", Remedy::Repaired, u64::from(source.line), b"");
            }
            call.1 = call.1.max(before);
            call.2 = call.2.max(call.1);
            before = call.2;
        }
        true
    }

    fn read_transfers(&mut self, bytes: &[u8]) {
        const FILE: &str = "transfers.txt";
        let mut rows = Rows::new(bytes);
        let columns = Columns::read(&mut rows);
        let (from, to) = (columns.find("from_stop_id"), columns.find("to_stop_id"));
        let (kind, time) = (columns.find("transfer_type"), columns.find("min_transfer_time"));
        while let Some(row) = rows.next() {
            self.notes.rows += 1;
            let ends = (self.stops.get(field(row, from)), self.stops.get(field(row, to)));
            let (Some(&from), Some(&to)) = ends else {
                let seen = field(row, from).to_vec();
                self.notes.note(FILE, "a stop that is not in stops.txt", Remedy::Dropped, rows.line(), &seen);
                continue;
            };
            let seconds = match field(row, kind) {
                b"3" => None,
                b"2" => Some(number(field(row, time)).unwrap_or(0)),
                b"" | b"0" | b"1" => Some(0),
                _ => continue,
            };
            self.builder.change(Change { from, to, seconds });
        }
    }
}

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
