//! Reads GTFS feeds, and says what is wrong with them.

use std::collections::HashMap;

mod days;
mod times;

use crate::archive::{Archive, BadArchive};
use crate::calendar::{Calendar, Service};
use crate::diagnosis::{Diagnosis, Notes, Remedy};
use crate::geo::{Globe, Projection};
use crate::ids::Ids;
use crate::limits::{FeedLimits, Gate, Halt, Quantity};
use crate::rows::{Columns, Rows};
use crate::time::clock_seconds;
use crate::timetable::{Builder, Change, Mode, Timetable};
use wits_search::Budget;

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
    /// A row that is too long to be one.
    #[error(
        "line {line} of `{file}` is longer than a megabyte; a quotation mark may be missing there"
    )]
    Row {
        /// The file.
        file: &'static str,
        /// The line on which the row begins.
        line: u64,
    },
    /// It is larger than the limits, or the time is up.
    #[error(transparent)]
    Halt(#[from] Halt),
    /// Nothing usable is in it.
    #[error("the feed has no usable trip; run `wits transit check` to see why")]
    Empty(Diagnosis),
}

/// A span of `frequencies.txt`.
struct Span {
    start: i32,
    end: i32,
    headway: i32,
    /// Whether vehicles keep to these very times.
    exact: bool,
}

/// Spans by trip.
type Frequencies = HashMap<u32, Vec<Span>>;

/// About the bytes that an entry of a map or a text takes beside its letters.
const ENTRY: usize = 64;

/// Ids of the feed and the indices we gave them.
type Found = HashMap<Vec<u8>, u32>;

/// The files that are read.
const FILES: [&str; 11] = [
    "agency.txt",
    "calendar.txt",
    "calendar_dates.txt",
    "frequencies.txt",
    "pathways.txt",
    "routes.txt",
    "shapes.txt",
    "stop_times.txt",
    "stops.txt",
    "transfers.txt",
    "trips.txt",
];

/// The last second of a service day on which anything may happen: no trip takes six weeks.
pub(crate) const LATEST: i32 = 4_000_000;
/// The longest change of vehicle, seconds.
pub(crate) const LONGEST_CHANGE: u32 = 86_400;

/// Reads a feed. Rows that cannot be used are counted in the diagnosis, never fatal.
pub fn read(
    mut archive: Archive<'_>,
    title: &str,
    projection: Projection,
    limits: FeedLimits,
    budget: &Budget,
) -> Result<(Timetable, Diagnosis), BadFeed> {
    let mut gate = Gate::new(limits, budget);
    // What the archive says of itself is enough to refuse it before anything is unpacked.
    gate.check(
        Quantity::Unpacked,
        FILES.iter().map(|name| archive.size(name)).sum(),
    )?;
    let mut notes = Notes::default();
    let (services, service_ids) = days::calendar(&mut archive, &mut notes, &mut gate)?;
    let mut reader = Reader {
        builder: Builder::new(title, Calendar::EveryDay),
        stops: Found::new(),
        routes: Found::new(),
        trips: Found::new(),
        services,
        service_ids,
        trip_rows: Vec::new(),
        trip_ids: Ids::default(),
        notes,
        gate,
    };
    let mut open = |name: &'static str| Some(Rows::new(name, archive.take(name)?));
    let missing = BadFeed::Missing;
    reader.read_stops(open("stops.txt").ok_or(missing("stops.txt"))?)?;
    let companies = match open("agency.txt") {
        Some(rows) => reader.read_companies(rows)?,
        None => HashMap::new(),
    };
    reader.read_routes(open("routes.txt").ok_or(missing("routes.txt"))?, &companies)?;
    let shapes = match open("shapes.txt") {
        Some(rows) => reader.read_shapes(rows)?,
        None => Found::new(),
    };
    reader.read_trips(open("trips.txt").ok_or(missing("trips.txt"))?, &shapes)?;
    let frequencies = match open("frequencies.txt") {
        Some(rows) => reader.read_frequencies(rows)?,
        None => HashMap::new(),
    };
    reader.read_stop_times(
        open("stop_times.txt").ok_or(missing("stop_times.txt"))?,
        &frequencies,
    )?;
    if let Some(rows) = open("transfers.txt") {
        reader.read_transfers(rows)?;
    }
    if let Some(rows) = open("pathways.txt") {
        reader.read_pathways(rows)?;
    }
    let diagnosis = reader.notes.diagnosis();
    let mut table = reader.builder.finish(projection);
    table.calendar = Calendar::Dated(reader.services);
    if table.trips.is_empty() {
        Err(BadFeed::Empty(diagnosis))
    } else {
        Ok((table, diagnosis))
    }
}

struct Reader<'g> {
    builder: Builder,
    stops: Found,
    routes: Found,
    trips: Found,
    services: Vec<Service>,
    service_ids: Found,
    /// Line, service and shape of each trip row.
    trip_rows: Vec<(u32, u32, Option<u32>)>,
    /// The id of each trip row.
    trip_ids: Ids,
    notes: Notes,
    gate: Gate<'g>,
}

fn text(field: &[u8]) -> String {
    String::from_utf8_lossy(field).into_owned()
}

fn number<T: std::str::FromStr>(field: &[u8]) -> Option<T> {
    std::str::from_utf8(field).ok()?.trim().parse().ok()
}

fn column(
    columns: &Columns,
    file: &'static str,
    name: &'static str,
) -> Result<Option<usize>, BadFeed> {
    match columns.find(name) {
        Some(at) => Ok(Some(at)),
        None => Err(BadFeed::Column { file, column: name }),
    }
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

/// A colour of `routes.txt`: six hexadecimal digits.
fn colour_of(field: &[u8]) -> Option<u32> {
    let digits = std::str::from_utf8(field).ok()?.trim();
    let digits = digits.strip_prefix('#').unwrap_or(digits);
    let six = digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    six.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

/// Black or white, whichever is easier to read on a colour.
fn readable(colour: u32) -> u32 {
    let [_, r, g, b] = colour.to_be_bytes().map(u32::from);
    if 299 * r + 587 * g + 114 * b > 140_000 {
        0
    } else {
        0xff_ffff
    }
}

impl Reader<'_> {
    fn read_companies(&mut self, mut rows: Rows<'_>) -> Result<HashMap<Vec<u8>, String>, BadFeed> {
        let columns = Columns::read(&mut rows, &mut self.gate)?;
        let (id, name) = (columns.find("agency_id"), columns.find("agency_name"));
        let zone = columns.find("agency_timezone");
        let mut all = HashMap::new();
        while let Some(row) = rows.next(&mut self.gate)? {
            self.notes.rows += 1;
            // All agencies of a feed are in one time zone.
            if all.is_empty() {
                self.builder.zone(&text(row.field(zone)));
            }
            let (id, name) = (row.field(id), row.field(name));
            self.gate.hold((2 * ENTRY + id.len() + name.len()) as u64)?;
            all.insert(id.to_vec(), text(name));
        }
        Ok(all)
    }

    fn read_stops(&mut self, mut rows: Rows<'_>) -> Result<(), BadFeed> {
        const FILE: &str = "stops.txt";
        let columns = Columns::read(&mut rows, &mut self.gate)?;
        let id = column(&columns, FILE, "stop_id")?;
        let name = columns.find("stop_name");
        let (lat, lon) = (columns.find("stop_lat"), columns.find("stop_lon"));
        let parent = columns.find("parent_station");
        let kind = columns.find("location_type");
        let mut parents = Vec::new();
        while let Some(row) = rows.next(&mut self.gate)? {
            self.notes.rows += 1;
            let code = row.field(id).to_vec();
            // Entrances and boarding areas are no places where a trip can call.
            if matches!(row.field(kind), b"2" | b"3" | b"4") {
                continue;
            }
            if self.stops.contains_key(&code) {
                self.notes.note(
                    FILE,
                    "a stop with this id was already given",
                    Remedy::Dropped,
                    row.line,
                    &code,
                );
                continue;
            }
            let degrees = |column| number::<f64>(row.field(column));
            let at = degrees(lat)
                .zip(degrees(lon))
                // Zero, zero is what some programs write for "unknown".
                .filter(|&place| place != (0.0, 0.0))
                .and_then(|(lat, lon)| Globe::new(lat, lon));
            let called = match row.field(name) {
                b"" => code.clone(),
                called => called.to_vec(),
            };
            let above = row.field(parent).to_vec();
            if at.is_none() {
                self.notes.note(
                    FILE,
                    "no usable coordinates",
                    Remedy::Noted,
                    row.line,
                    &code,
                );
            }
            self.gate
                .hold((4 * ENTRY + 2 * called.len() + 2 * code.len()) as u64)?;
            self.gate
                .check(Quantity::Stops, self.stops.len() as u64 + 1)?;
            let index = self.builder.stop(&text(&called), &text(&code), at);
            self.stops.insert(code, index);
            if !above.is_empty() {
                parents.push((index, above, row.line));
            }
        }
        for (stop, above, line) in parents {
            match self.stops.get(&above) {
                Some(&station) => self.builder.station(stop, station),
                None => self.notes.note(
                    FILE,
                    "the parent station is not in the file",
                    Remedy::Repaired,
                    line,
                    &above,
                ),
            }
        }
        Ok(())
    }

    fn read_routes(
        &mut self,
        mut rows: Rows<'_>,
        companies: &HashMap<Vec<u8>, String>,
    ) -> Result<(), BadFeed> {
        const FILE: &str = "routes.txt";
        let columns = Columns::read(&mut rows, &mut self.gate)?;
        let id = column(&columns, FILE, "route_id")?;
        let (short, long) = (
            columns.find("route_short_name"),
            columns.find("route_long_name"),
        );
        let (agency, kind) = (columns.find("agency_id"), columns.find("route_type"));
        let (colour, ink) = (
            columns.find("route_color"),
            columns.find("route_text_color"),
        );
        while let Some(row) = rows.next(&mut self.gate)? {
            self.notes.rows += 1;
            let code = row.field(id);
            let name = [row.field(short), row.field(long), code]
                .into_iter()
                .find(|n| !n.is_empty())
                .unwrap_or(b"?");
            let company = companies.get(row.field(agency)).map_or("", String::as_str);
            self.gate
                .hold((4 * ENTRY + 2 * name.len() + 2 * company.len() + code.len()) as u64)?;
            let line = self
                .builder
                .line(&text(name), company, mode(number(row.field(kind))));
            let paint = colour_of(row.field(colour));
            let paint =
                paint.map(|c| (c, colour_of(row.field(ink)).unwrap_or_else(|| readable(c))));
            self.builder.route(&text(code), line, paint);
            if self.routes.insert(code.to_vec(), line).is_some() {
                self.notes.note(
                    FILE,
                    "a route with this id was already given",
                    Remedy::Repaired,
                    row.line,
                    code,
                );
            }
        }
        Ok(())
    }

    fn read_shapes(&mut self, mut rows: Rows<'_>) -> Result<Found, BadFeed> {
        const FILE: &str = "shapes.txt";
        let columns = Columns::read(&mut rows, &mut self.gate)?;
        let id = columns.find("shape_id");
        let (lat, lon) = (columns.find("shape_pt_lat"), columns.find("shape_pt_lon"));
        let order = columns.find("shape_pt_sequence");
        let mut ids = Found::new();
        let mut points: Vec<Vec<(u32, f32, f32)>> = Vec::new();
        while let Some(row) = rows.next(&mut self.gate)? {
            self.notes.rows += 1;
            let code = row.field(id);
            let degrees = |column| number::<f32>(row.field(column));
            let place = degrees(lat)
                .zip(degrees(lon))
                .filter(|&(lat, lon)| Globe::new(f64::from(lat), f64::from(lon)).is_some());
            let (Some(order), Some((lat, lon))) = (number(row.field(order)), place) else {
                self.notes.note(
                    FILE,
                    "a point without numbers",
                    Remedy::Dropped,
                    row.line,
                    code,
                );
                continue;
            };
            let index = if let Some(&index) = ids.get(code) {
                index
            } else {
                self.gate.hold((2 * ENTRY + code.len()) as u64)?;
                points.push(Vec::new());
                let index = points.len() as u32 - 1;
                ids.insert(code.to_vec(), index);
                index
            };
            self.gate.hold(size_of::<(u32, f32, f32)>() as u64)?;
            points[index as usize].push((order, lat, lon));
        }
        for mut shape in points {
            shape.sort_by_key(|p| p.0);
            self.builder
                .shape(shape.into_iter().map(|(_, lat, lon)| (lat, lon)).collect());
        }
        Ok(ids)
    }

    fn read_trips(&mut self, mut rows: Rows<'_>, shapes: &Found) -> Result<(), BadFeed> {
        const FILE: &str = "trips.txt";
        let columns = Columns::read(&mut rows, &mut self.gate)?;
        let id = column(&columns, FILE, "trip_id")?;
        let route = column(&columns, FILE, "route_id")?;
        let service = column(&columns, FILE, "service_id")?;
        let shape = columns.find("shape_id");
        while let Some(row) = rows.next(&mut self.gate)? {
            self.notes.rows += 1;
            let code = row.field(id);
            let Some(&line) = self.routes.get(row.field(route)) else {
                let seen = row.field(route);
                self.notes.note(
                    FILE,
                    "the route is not in routes.txt",
                    Remedy::Dropped,
                    row.line,
                    seen,
                );
                continue;
            };
            let Some(&service) = self.service_ids.get(row.field(service)) else {
                let seen = row.field(service);
                self.notes.note(
                    FILE,
                    "the service is in no calendar, so the trip never runs",
                    Remedy::Dropped,
                    row.line,
                    seen,
                );
                continue;
            };
            if self.trips.contains_key(code) {
                let seen = code;
                self.notes.note(
                    FILE,
                    "a trip with this id was already given",
                    Remedy::Dropped,
                    row.line,
                    seen,
                );
                continue;
            }
            self.gate.hold((2 * ENTRY + code.len()) as u64)?;
            self.gate
                .check(Quantity::Trips, self.trips.len() as u64 + 1)?;
            self.trips
                .insert(code.to_vec(), self.trip_rows.len() as u32);
            self.trip_ids.push(&String::from_utf8_lossy(code));
            self.trip_rows
                .push((line, service, shapes.get(row.field(shape)).copied()));
        }
        Ok(())
    }

    /// Start, end and headway in seconds, by trip.
    fn read_frequencies(&mut self, mut rows: Rows<'_>) -> Result<Frequencies, BadFeed> {
        const FILE: &str = "frequencies.txt";
        let columns = Columns::read(&mut rows, &mut self.gate)?;
        let id = columns.find("trip_id");
        let (start, end) = (columns.find("start_time"), columns.find("end_time"));
        let (headway, exact) = (columns.find("headway_secs"), columns.find("exact_times"));
        let mut all = Frequencies::new();
        while let Some(row) = rows.next(&mut self.gate)? {
            self.notes.rows += 1;
            let trip = self.trips.get(row.field(id)).copied();
            let span = (
                clock_seconds(row.field(start)),
                clock_seconds(row.field(end)),
            );
            match (trip, span, number::<i32>(row.field(headway))) {
                (Some(trip), (Some(start), Some(end)), Some(headway)) if headway > 0 => {
                    self.gate.hold(ENTRY as u64)?;
                    let exact = row.field(exact) == b"1";
                    if !exact {
                        let seen = row.field(id);
                        self.notes.note(
                            FILE,
                            "departures every so often without a timetable; journeys say so",
                            Remedy::Noted,
                            row.line,
                            seen,
                        );
                    }
                    all.entry(trip).or_default().push(Span {
                        start,
                        end,
                        headway,
                        exact,
                    });
                }
                _ => {
                    let seen = row.field(id);
                    self.notes.note(
                        FILE,
                        "unknown trip, or times or headway unreadable",
                        Remedy::Dropped,
                        row.line,
                        seen,
                    );
                }
            }
        }
        Ok(all)
    }

    /// Ways inside stations are counted and said to be unused: walks follow places.
    fn read_pathways(&mut self, mut rows: Rows<'_>) -> Result<(), BadFeed> {
        const FILE: &str = "pathways.txt";
        let columns = Columns::read(&mut rows, &mut self.gate)?;
        let id = columns.find("pathway_id");
        while let Some(row) = rows.next(&mut self.gate)? {
            self.notes.rows += 1;
            self.notes.note(
                FILE,
                "a way inside a station; walks are estimated from places instead",
                Remedy::Noted,
                row.line,
                row.field(id),
            );
        }
        Ok(())
    }

    fn read_transfers(&mut self, mut rows: Rows<'_>) -> Result<(), BadFeed> {
        const FILE: &str = "transfers.txt";
        let columns = Columns::read(&mut rows, &mut self.gate)?;
        let (from, to) = (columns.find("from_stop_id"), columns.find("to_stop_id"));
        let (kind, time) = (
            columns.find("transfer_type"),
            columns.find("min_transfer_time"),
        );
        while let Some(row) = rows.next(&mut self.gate)? {
            self.notes.rows += 1;
            let ends = (
                self.stops.get(row.field(from)),
                self.stops.get(row.field(to)),
            );
            let (Some(&from), Some(&to)) = ends else {
                let seen = row.field(from);
                self.notes.note(
                    FILE,
                    "a stop that is not in stops.txt",
                    Remedy::Dropped,
                    row.line,
                    seen,
                );
                continue;
            };
            let seconds = match row.field(kind) {
                b"3" => None,
                b"2" => Some(number(row.field(time)).unwrap_or(0).min(LONGEST_CHANGE)),
                b"" | b"0" | b"1" => Some(0),
                _ => continue,
            };
            self.gate.hold(size_of::<Change>() as u64)?;
            self.builder.change(Change { from, to, seconds });
        }
        Ok(())
    }
}
