//! The timetable: stops, lines and trips in compact form.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Serialize;

use crate::bounds::Bounds;
use crate::calendar::Calendar;
use crate::geo::{Globe, Plane, Projection};
use crate::ids::Ids;
use crate::rules::Rules;

/// A place where vehicles stop.
#[derive(Clone, PartialEq, Debug)]
pub struct Stop {
    /// Index into [`Timetable::names`]; several stops may share a name.
    pub name: u32,
    /// The feed's own id.
    pub code: String,
    /// Where it is, if the feed says so.
    pub at: Option<Globe>,
    /// The station it belongs to, if the feed says so.
    pub station: Option<u32>,
    /// Kilometres east of the middle (not a number where the place is unknown).
    pub x: f32,
    /// Kilometres north of the middle.
    pub y: f32,
}

/// What kind of vehicle a line uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Tram or light rail.
    Tram,
    /// Underground railway.
    Metro,
    /// Railway.
    Rail,
    /// Bus, trolleybus and all the rest on wheels.
    Bus,
    /// Ferry.
    Ferry,
    /// Cable car, funicular, anything else.
    Other,
}

impl Mode {
    /// All kinds.
    pub const ALL: [Mode; 6] = [
        Mode::Tram,
        Mode::Metro,
        Mode::Rail,
        Mode::Bus,
        Mode::Ferry,
        Mode::Other,
    ];
}

/// A line as passengers know it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// What is written on the vehicle.
    pub name: String,
    /// Who runs it.
    pub company: String,
    /// Its vehicles.
    pub mode: Mode,
    /// The colour that the feed gives it, and that of text on it, as `0xRRGGBB`.
    pub colours: Option<(u32, u32)>,
}

/// A sequence of stops that some trips of one line serve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// Its line.
    pub line: u32,
    /// Where its stops begin in [`Timetable::pattern_stops`].
    pub first: u32,
    /// How many stops it has.
    pub len: u32,
    /// Its shape on the map, if the feed has one.
    pub shape: Option<u32>,
}

/// One run of a vehicle: a pattern, a start and the running times it shares with others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trip {
    /// Which stops.
    pub pattern: u32,
    /// Which days.
    pub service: u32,
    /// Departure from the first stop, seconds of the service day.
    pub start: i32,
    /// Where its running times begin in [`Timetable::runs`].
    pub run: u32,
}

/// A change of vehicle that the feed describes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// From this stop.
    pub from: u32,
    /// To this one; the same for a change at one stop.
    pub to: u32,
    /// Seconds it takes; `None` if it is not possible.
    pub seconds: Option<u32>,
}

/// A whole timetable.
#[derive(Clone, PartialEq, Debug)]
pub struct Timetable {
    /// Where it comes from.
    pub title: String,
    /// Distinct stop names.
    pub names: Vec<String>,
    /// All stops.
    pub stops: Vec<Stop>,
    /// All lines.
    pub lines: Vec<Line>,
    /// When services run.
    pub calendar: Calendar,
    /// Stop sequences.
    pub patterns: Vec<Pattern>,
    /// Stops of all patterns, one after the other.
    pub pattern_stops: Vec<u32>,
    /// Who may board and leave at each of these stops; empty where everybody may everywhere.
    pub pattern_rules: Vec<Rules>,
    /// Running times: arrival and departure after the trip's start, per stop, shared by trips.
    pub runs: Vec<(i32, i32)>,
    /// All trips, in the order of the feed.
    pub trips: Vec<Trip>,
    /// The feed's own ids of the trips, which a realtime feed names them by; empty without any.
    pub trip_ids: Ids,
    /// For each trip an index into [`Timetable::sequences`]; empty without ids.
    pub trip_sequences: Vec<u32>,
    /// Numbers that feeds give the calls of a trip, which a realtime feed names them by.
    pub sequences: Vec<Vec<u32>>,
    /// Trips that run about every so many seconds, without a timetable: what is planned with are
    /// departures as frequent as that. Sorted by trip.
    pub headways: Vec<(u32, u32)>,
    /// The feed's own ids of routes, and their lines.
    pub routes: Vec<(String, u32)>,
    /// Lower bounds of travel times, where they were worked out; see [`Timetable::prepare`].
    pub bounds: Option<Arc<Bounds>>,
    /// The time zone of the feed, as `Europe/Warsaw`; empty where it is unknown.
    pub zone: String,
    /// Changes that the feed describes.
    pub changes: Vec<Change>,
    /// Shapes for the map, as degrees.
    pub shapes: Vec<Vec<(f32, f32)>>,
    /// How places became kilometres.
    pub projection: Projection,
}

impl Timetable {
    /// The name of a stop.
    pub fn stop_name(&self, stop: u32) -> &str {
        &self.names[self.stops[stop as usize].name as usize]
    }

    /// The stops of a pattern.
    pub fn stops_of(&self, pattern: u32) -> &[u32] {
        let p = &self.patterns[pattern as usize];
        &self.pattern_stops[p.first as usize..(p.first + p.len) as usize]
    }

    /// Who may board and leave at the stops of a pattern; empty where everybody may everywhere.
    pub fn rules_of(&self, pattern: u32) -> &[Rules] {
        let p = &self.patterns[pattern as usize];
        let span = p.first as usize..(p.first + p.len) as usize;
        self.pattern_rules.get(span).unwrap_or_default()
    }

    /// The numbers of a trip's calls, where the feed gave any.
    pub fn sequence_of(&self, trip: u32) -> &[u32] {
        let list = self.trip_sequences.get(trip as usize);
        list.map_or(&[], |&list| &self.sequences[list as usize])
    }

    /// About every how many seconds a trip runs, where the feed has no timetable for it.
    pub fn headway_of(&self, trip: u32) -> Option<u32> {
        let at = self.headways.binary_search_by_key(&trip, |h| h.0).ok()?;
        Some(self.headways[at].1)
    }

    /// Arrival and departure at each stop of a trip, seconds of the service day.
    pub fn times_of(&self, trip: u32) -> impl ExactSizeIterator<Item = (i32, i32)> + '_ {
        let t = self.trips[trip as usize];
        let len = self.patterns[t.pattern as usize].len as usize;
        self.runs[t.run as usize..t.run as usize + len]
            .iter()
            .map(move |&(arrival, departure)| (t.start + arrival, t.start + departure))
    }

    /// The line of a trip.
    pub fn line_of(&self, trip: u32) -> u32 {
        self.patterns[self.trips[trip as usize].pattern as usize].line
    }

    /// Straight distance between two stops in centimetres (0 where a place is unknown).
    pub fn distance_cm(&self, a: u32, b: u32) -> u32 {
        let (a, b) = (&self.stops[a as usize], &self.stops[b as usize]);
        straight_cm((a.x, a.y), (b.x, b.y))
    }

    /// Hops from stop to stop in all trips, whatever the day.
    pub fn connections(&self) -> usize {
        self.trips
            .iter()
            .map(|t| self.patterns[t.pattern as usize].len as usize - 1)
            .sum()
    }

    /// Calls of all trips at their stops, whatever the day.
    pub fn calls(&self) -> u64 {
        let len = |t: &Trip| u64::from(self.patterns[t.pattern as usize].len);
        self.trips.iter().map(len).sum()
    }

    /// Trips per service.
    pub fn trips_per_service(&self) -> Vec<u32> {
        let services = match &self.calendar {
            Calendar::EveryDay => 1,
            Calendar::Dated(services) => services.len(),
        };
        let mut count = vec![0; services];
        for trip in &self.trips {
            count[trip.service as usize] += 1;
        }
        count
    }

    /// Lines that call at each stop, sorted, as indices into [`Timetable::lines`].
    pub fn lines_at(&self) -> Vec<Vec<u32>> {
        let mut at = vec![Vec::new(); self.stops.len()];
        for (index, pattern) in (0u32..).zip(&self.patterns) {
            for &stop in self.stops_of(index) {
                at[stop as usize].push(pattern.line);
            }
        }
        for lines in &mut at {
            lines.sort_unstable();
            lines.dedup();
        }
        at
    }

    /// Puts every stop on a local map around the middle of the feed.
    pub fn project(&mut self, projection: Projection) {
        self.projection = projection;
        let plane = self.plane();
        for stop in &mut self.stops {
            let place = stop.at.map_or((f64::NAN, f64::NAN), |at| plane.place(at));
            (stop.x, stop.y) = (place.0 as f32, place.1 as f32);
        }
    }

    /// Works out what searches in a country want to know beforehand. A packed file keeps it.
    pub fn prepare(&mut self) {
        self.bounds = Some(Arc::new(Bounds::new(self)));
    }

    /// The local map around the middle of the feed.
    pub fn plane(&self) -> Plane {
        Plane::new(self.middle(), self.projection)
    }

    /// The middle of the feed: half of the stops lie on either side of it.
    pub fn middle(&self) -> Globe {
        let median = |pick: fn(Globe) -> f64| {
            let mut all: Vec<f64> = self.stops.iter().filter_map(|s| s.at.map(pick)).collect();
            all.sort_by(f64::total_cmp);
            all.get(all.len() / 2).copied().unwrap_or(0.0)
        };
        Globe {
            lat: median(|g| g.lat),
            lon: median(|g| g.lon),
        }
    }
}

/// Centimetres between two places given in kilometres (0 where one is unknown).
#[inline]
pub(crate) fn straight_cm(a: (f32, f32), b: (f32, f32)) -> u32 {
    let (dx, dy) = (
        f64::from(a.0) - f64::from(b.0),
        f64::from(a.1) - f64::from(b.1),
    );
    let km = (dx * dx + dy * dy).sqrt();
    if km.is_finite() {
        (km * 100_000.0).round() as u32
    } else {
        0
    }
}

/// Gathers stops, lines and trips into a timetable.
#[derive(Debug)]
pub struct Builder {
    table: Timetable,
    names: HashMap<String, u32>,
    lines: HashMap<(String, String), u32>,
    patterns: HashMap<Vec<u32>, u32>,
    runs: HashMap<Vec<(i32, i32)>, u32>,
    sequences: HashMap<Vec<u32>, u32>,
    key: Vec<u32>,
    run: Vec<(i32, i32)>,
    /// Bytes held for patterns, running times and trips.
    held: u64,
}

/// What a feed may say of a trip beside its calls.
#[derive(Clone, Copy, Debug, Default)]
pub struct Details<'a> {
    /// Its id.
    pub id: &'a str,
    /// The numbers of its calls.
    pub sequence: &'a [u32],
    /// Who may board and leave at each call; empty where everybody may.
    pub rules: &'a [Rules],
    /// About every how many seconds it runs, where it has no timetable.
    pub headway: Option<u32>,
}

/// About the bytes that an entry of a map takes beside what it holds.
const ENTRY: usize = 64;

impl Builder {
    /// An empty timetable.
    pub fn new(title: &str, calendar: Calendar) -> Builder {
        Builder {
            table: Timetable {
                title: title.to_owned(),
                names: Vec::new(),
                stops: Vec::new(),
                lines: Vec::new(),
                calendar,
                patterns: Vec::new(),
                pattern_stops: Vec::new(),
                pattern_rules: Vec::new(),
                runs: Vec::new(),
                trips: Vec::new(),
                trip_ids: Ids::default(),
                trip_sequences: Vec::new(),
                sequences: Vec::new(),
                headways: Vec::new(),
                routes: Vec::new(),
                bounds: None,
                zone: String::new(),
                changes: Vec::new(),
                shapes: Vec::new(),
                projection: Projection::default(),
            },
            names: HashMap::new(),
            lines: HashMap::new(),
            patterns: HashMap::new(),
            runs: HashMap::new(),
            sequences: HashMap::new(),
            key: Vec::new(),
            run: Vec::new(),
            held: 0,
        }
    }

    /// Adds a stop and gives its index.
    pub fn stop(&mut self, name: &str, code: &str, at: Option<Globe>) -> u32 {
        let index = if let Some(&index) = self.names.get(name) {
            index
        } else {
            let index = self.table.names.len() as u32;
            self.table.names.push(name.to_owned());
            self.names.insert(name.to_owned(), index);
            index
        };
        self.table.stops.push(Stop {
            name: index,
            code: code.to_owned(),
            at,
            station: None,
            x: f32::NAN,
            y: f32::NAN,
        });
        self.table.stops.len() as u32 - 1
    }

    /// Says which station a stop belongs to.
    pub fn station(&mut self, stop: u32, station: u32) {
        self.table.stops[stop as usize].station = Some(station);
    }

    /// The line of that name and company, added if it is new.
    pub fn line(&mut self, name: &str, company: &str, mode: Mode) -> u32 {
        let lines = &mut self.table.lines;
        *self
            .lines
            .entry((company.to_owned(), name.to_owned()))
            .or_insert_with(|| {
                lines.push(Line {
                    name: name.to_owned(),
                    company: company.to_owned(),
                    mode,
                    colours: None,
                });
                lines.len() as u32 - 1
            })
    }

    /// Says which id the feed gives a line, and in which colours it is drawn.
    pub fn route(&mut self, id: &str, line: u32, colours: Option<(u32, u32)>) {
        self.table.routes.push((id.to_owned(), line));
        let own = &mut self.table.lines[line as usize].colours;
        *own = own.or(colours);
    }

    /// Says in which time zone the feed's times are.
    pub fn zone(&mut self, zone: &str) {
        zone.clone_into(&mut self.table.zone);
    }

    /// Adds a trip: its stops with arrival and departure. Trips of fewer than two stops are
    /// no trips and are ignored (`false`).
    ///
    /// Times must not go backwards; the readers see to that.
    pub fn trip(
        &mut self,
        line: u32,
        service: u32,
        shape: Option<u32>,
        calls: &[(u32, i32, i32)],
    ) -> bool {
        self.trip_with(line, service, shape, calls, &Details::default())
    }

    /// The same with what else the feed says of the trip.
    pub fn trip_with(
        &mut self,
        line: u32,
        service: u32,
        shape: Option<u32>,
        calls: &[(u32, i32, i32)],
        details: &Details<'_>,
    ) -> bool {
        if calls.len() < 2 {
            return false;
        }
        debug_assert!(
            calls
                .windows(2)
                .all(|w| w[0].2 <= w[1].1 && w[0].1 <= w[0].2)
        );
        self.key.clear();
        self.key.push(line);
        self.key.extend(calls.iter().map(|c| c.0));
        // Trips with other rules serve another pattern: searches look at rules by pattern.
        let rules = details.rules.iter().map(|r| u32::from(r.bits()));
        self.key.extend(rules);
        let table = &mut self.table;
        let pattern = if let Some(&pattern) = self.patterns.get(&self.key) {
            pattern
        } else {
            let pattern = table.patterns.len() as u32;
            table.patterns.push(Pattern {
                line,
                first: table.pattern_stops.len() as u32,
                len: calls.len() as u32,
                shape,
            });
            table.pattern_stops.extend(calls.iter().map(|c| c.0));
            table.pattern_rules.extend_from_slice(details.rules);
            let stops = table.pattern_stops.len();
            table.pattern_rules.resize(stops, Rules::OPEN);
            self.held += (2 * size_of_val(&self.key[..]) + ENTRY) as u64;
            self.patterns.insert(self.key.clone(), pattern);
            pattern
        };
        let start = calls[0].2;
        self.run.clear();
        self.run
            .extend(calls.iter().map(|c| (c.1 - start, c.2 - start)));
        let run = if let Some(&run) = self.runs.get(&self.run) {
            run
        } else {
            let run = table.runs.len() as u32;
            table.runs.extend_from_slice(&self.run);
            self.held += (2 * size_of_val(&self.run[..]) + ENTRY) as u64;
            self.runs.insert(self.run.clone(), run);
            run
        };
        self.held += (size_of::<Trip>() + details.id.len() + 4) as u64;
        table.trip_ids.push(details.id);
        let list = if let Some(&list) = self.sequences.get(details.sequence) {
            list
        } else {
            let list = table.sequences.len() as u32;
            self.held += (2 * size_of_val(details.sequence) + 2 * ENTRY) as u64;
            table.sequences.push(details.sequence.to_vec());
            self.sequences.insert(details.sequence.to_vec(), list);
            list
        };
        table.trip_sequences.push(list);
        if let Some(headway) = details.headway {
            table.headways.push((table.trips.len() as u32, headway));
        }
        table.trips.push(Trip {
            pattern,
            service,
            start,
            run,
        });
        true
    }

    /// Bytes held for trips, their patterns and their running times, by estimate.
    pub fn bytes(&self) -> u64 {
        self.held
    }

    /// Trips so far.
    pub fn trips(&self) -> u64 {
        self.table.trips.len() as u64
    }

    /// Stops of all patterns so far.
    pub fn pattern_stops(&self) -> u64 {
        self.table.pattern_stops.len() as u64
    }

    /// Adds a change that the feed describes.
    pub fn change(&mut self, change: Change) {
        self.table.changes.push(change);
    }

    /// Adds a shape and gives its index.
    pub fn shape(&mut self, points: Vec<(f32, f32)>) -> u32 {
        self.table.shapes.push(points);
        self.table.shapes.len() as u32 - 1
    }

    /// The finished timetable, on a local map.
    pub fn finish(mut self, projection: Projection) -> Timetable {
        let table = &mut self.table;
        if table.pattern_rules.iter().all(|&r| r == Rules::OPEN) {
            table.pattern_rules = Vec::new();
        }
        if table.trip_ids.is_blank() {
            table.trip_ids = Ids::default();
            (table.trip_sequences, table.sequences) = (Vec::new(), Vec::new());
        }
        self.table.project(projection);
        self.table
    }
}
