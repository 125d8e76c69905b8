//! Reads GTFS feeds, and says what is wrong with them.

use std::collections::HashMap;

mod days;
mod times;

use crate::archive::{Archive, BadArchive};
use crate::calendar::{Calendar, Service};
use crate::diagnosis::{Diagnosis, Notes, Remedy};
use crate::geo::{Globe, Projection};
use crate::rows::{Columns, Rows, field};
use crate::time::clock_seconds;
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
    let (services, service_ids) = days::calendar(archive, &mut notes)?;
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
    if table.trips.is_empty() {
        Err(BadFeed::Empty(diagnosis))
    } else {
        Ok((table, diagnosis))
    }
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
                self.notes.note(
                    FILE,
                    "a stop with this id was already given",
                    Remedy::Dropped,
                    rows.line(),
                    &code,
                );
                continue;
            }
            let at = match (
                number::<f64>(field(row, lat)),
                number::<f64>(field(row, lon)),
            ) {
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
                self.notes.note(
                    FILE,
                    "no usable coordinates",
                    Remedy::Noted,
                    rows.line(),
                    &code,
                );
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
        bytes: &[u8],
        companies: &HashMap<Vec<u8>, String>,
    ) -> Result<(), BadFeed> {
        const FILE: &str = "routes.txt";
        let mut rows = Rows::new(bytes);
        let columns = Columns::read(&mut rows);
        let id = column(&columns, FILE, "route_id")?;
        let (short, long) = (
            columns.find("route_short_name"),
            columns.find("route_long_name"),
        );
        let (agency, kind) = (columns.find("agency_id"), columns.find("route_type"));
        while let Some(row) = rows.next() {
            self.notes.rows += 1;
            let code = field(row, id);
            let name = [field(row, short), field(row, long), code]
                .into_iter()
                .find(|n| !n.is_empty())
                .unwrap_or(b"?");
            let company = companies.get(field(row, agency)).map_or("", String::as_str);
            let line = self
                .builder
                .line(&text(name), company, mode(number(field(row, kind))));
            if self.routes.insert(code.to_vec(), line).is_some() {
                let code = code.to_vec();
                self.notes.note(
                    FILE,
                    "a route with this id was already given",
                    Remedy::Repaired,
                    rows.line(),
                    &code,
                );
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
            let point = (
                number(field(row, order)),
                number(field(row, lat)),
                number(field(row, lon)),
            );
            let (Some(order), Some(lat), Some(lon)) = point else {
                let code = code.to_vec();
                self.notes.note(
                    FILE,
                    "a point without numbers",
                    Remedy::Dropped,
                    rows.line(),
                    &code,
                );
                continue;
            };
            let index = if let Some(&index) = ids.get(code) {
                index
            } else {
                points.push(Vec::new());
                let index = points.len() as u32 - 1;
                ids.insert(code.to_vec(), index);
                index
            };
            points[index as usize].push((order, lat, lon));
        }
        for mut shape in points {
            shape.sort_by_key(|p| p.0);
            self.builder
                .shape(shape.into_iter().map(|(_, lat, lon)| (lat, lon)).collect());
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
                self.notes.note(
                    FILE,
                    "the route is not in routes.txt",
                    Remedy::Dropped,
                    rows.line(),
                    &seen,
                );
                continue;
            };
            let Some(&service) = self.service_ids.get(field(row, service)) else {
                let seen = field(row, service).to_vec();
                self.notes.note(
                    FILE,
                    "the service is in no calendar, so the trip never runs",
                    Remedy::Dropped,
                    rows.line(),
                    &seen,
                );
                continue;
            };
            if self.trips.contains_key(code) {
                let seen = code.to_vec();
                self.notes.note(
                    FILE,
                    "a trip with this id was already given",
                    Remedy::Dropped,
                    rows.line(),
                    &seen,
                );
                continue;
            }
            self.trips
                .insert(code.to_vec(), self.trip_rows.len() as u32);
            self.trip_rows
                .push((line, service, shapes.get(field(row, shape)).copied()));
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
            let span = (
                clock_seconds(field(row, start)),
                clock_seconds(field(row, end)),
            );
            match (trip, span, number::<i32>(field(row, headway))) {
                (Some(trip), (Some(start), Some(end)), Some(headway)) if headway > 0 => {
                    all.entry(trip).or_default().push((start, end, headway));
                }
                _ => {
                    let seen = field(row, id).to_vec();
                    self.notes.note(
                        FILE,
                        "unknown trip, or times or headway unreadable",
                        Remedy::Dropped,
                        rows.line(),
                        &seen,
                    );
                }
            }
        }
        all
    }

    fn read_transfers(&mut self, bytes: &[u8]) {
        const FILE: &str = "transfers.txt";
        let mut rows = Rows::new(bytes);
        let columns = Columns::read(&mut rows);
        let (from, to) = (columns.find("from_stop_id"), columns.find("to_stop_id"));
        let (kind, time) = (
            columns.find("transfer_type"),
            columns.find("min_transfer_time"),
        );
        while let Some(row) = rows.next() {
            self.notes.rows += 1;
            let ends = (
                self.stops.get(field(row, from)),
                self.stops.get(field(row, to)),
            );
            let (Some(&from), Some(&to)) = ends else {
                let seen = field(row, from).to_vec();
                self.notes.note(
                    FILE,
                    "a stop that is not in stops.txt",
                    Remedy::Dropped,
                    rows.line(),
                    &seen,
                );
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
