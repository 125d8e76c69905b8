//! A city that does not exist: a plausible timetable from a seed.
//!
//! Trams run through the centre, buses around it and along a grid, a few suburban lines leave
//! five times a day. Every place has a post for each direction, some names are used twice.

use serde::{Deserialize, Serialize};
use wits_game::{Dice, Seed};

use crate::calendar::{Calendar, Service};
use crate::geo::{Globe, Projection};
use crate::time::Date;
use crate::timetable::{Builder, Mode, Timetable};

/// What kind of city to make.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct CityPlan {
    /// Where its chance comes from.
    pub seed: Seed,
    /// One is a town of about 500 stops and 100,000 hops on a working day; hops grow in
    /// proportion.
    pub size: f64,
}

impl Default for CityPlan {
    fn default() -> CityPlan {
        CityPlan {
            seed: Seed::new(1),
            size: 1.0,
        }
    }
}

/// Kilometres of the edge of a city of size one from its centre.
const RADIUS: f64 = 5.0;

struct Place {
    name: String,
    x: f64,
    y: f64,
    lines: u32,
}

struct Course {
    name: String,
    mode: Mode,
    company: &'static str,
    places: Vec<usize>,
    /// Minutes between departures: peak, day, early and late; none for suburban lines.
    headways: Option<[i32; 3]>,
}

/// Makes the timetable of a city.
pub fn generate(plan: &CityPlan) -> Timetable {
    let mut dice = Dice::new(plan.seed);
    let size = plan.size.clamp(0.02, 1000.0);
    let radius = RADIUS * libm::sqrt(size);
    let mut town = Town {
        places: Vec::new(),
        cells: std::collections::HashMap::new(),
    };
    let courses = town.lay_out(radius, &mut dice);
    for course in &courses {
        for &place in &course.places {
            town.places[place].lines += 1;
        }
    }
    let names = Names::default().give(&town.places, &mut dice);
    for (place, name) in town.places.iter_mut().zip(names) {
        place.name = name;
    }
    timetable(plan, &town, &courses, &mut dice)
}

struct Town {
    places: Vec<Place>,
    cells: std::collections::HashMap<(i32, i32), Vec<usize>>,
}

impl Town {
    /// The place near a point, made if there is none.
    fn place(&mut self, x: f64, y: f64) -> usize {
        const NEAR: f64 = 0.22;
        let cell = |v: f64| libm::floor(v / NEAR) as i32;
        let (cx, cy) = (cell(x), cell(y));
        let mut best: Option<(f64, usize)> = None;
        for dx in -1..=1 {
            for dy in -1..=1 {
                for &i in self
                    .cells
                    .get(&(cx + dx, cy + dy))
                    .map_or(&[][..], Vec::as_slice)
                {
                    let far = libm::hypot(self.places[i].x - x, self.places[i].y - y);
                    if far <= NEAR && best.is_none_or(|b| (far, i) < b) {
                        best = Some((far, i));
                    }
                }
            }
        }
        if let Some((_, known)) = best {
            return known;
        }
        self.places.push(Place {
            name: String::new(),
            x,
            y,
            lines: 0,
        });
        self.cells
            .entry((cx, cy))
            .or_default()
            .push(self.places.len() - 1);
        self.places.len() - 1
    }

    /// Stops along a line of points, about `gap` kilometres apart, tied to what is there already.
    fn along(&mut self, points: &[(f64, f64)], gap: f64) -> Vec<usize> {
        let old = self.places.len();
        let mut places = self.stops_along(points, gap);
        if old > 0 && places.iter().all(|&p| p >= old) {
            let far = |a: usize, b: usize| {
                libm::hypot(
                    self.places[a].x - self.places[b].x,
                    self.places[a].y - self.places[b].y,
                )
            };
            let nearest = (0..places.len())
                .flat_map(|i| (0..old).map(move |known| (i, known)))
                .min_by(|a, b| far(places[a.0], a.1).total_cmp(&far(places[b.0], b.1)));
            if let Some((i, known)) = nearest {
                places.insert(if i == 0 { 0 } else { i + 1 }, known);
            }
        }
        places
    }

    fn stops_along(&mut self, points: &[(f64, f64)], gap: f64) -> Vec<usize> {
        let mut places = vec![self.place(points[0].0, points[0].1)];
        for pair in points.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let steps = (libm::hypot(b.0 - a.0, b.1 - a.1) / gap).round().max(1.0) as u32;
            for i in 1..=steps {
                let t = f64::from(i) / f64::from(steps);
                let at = self.place(a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t);
                if places.last() != Some(&at) {
                    places.push(at);
                }
            }
        }
        places
    }

    fn lay_out(&mut self, radius: f64, dice: &mut Dice) -> Vec<Course> {
        let mut courses = Vec::new();
        let mut wobble = |amount: f64| (dice.unit() - 0.5) * amount;
        let turn = wobble(1.0);
        let radials = (3.0 + radius * 0.6).round() as u32;
        for i in 0..radials {
            let angle = std::f64::consts::PI * f64::from(i) / f64::from(radials) + turn;
            let bend = wobble(0.5);
            let end = |angle: f64, r: f64| (r * libm::cos(angle), r * libm::sin(angle));
            let points = [
                end(angle, radius),
                end(angle + bend * 0.3, radius * 0.5),
                (wobble(0.6), wobble(0.6)),
                end(angle + std::f64::consts::PI - bend * 0.3, radius * 0.5),
                end(angle + std::f64::consts::PI + wobble(0.3), radius),
            ];
            courses.push(Course {
                name: (i + 1).to_string(),
                mode: Mode::Tram,
                company: "City Trams",
                places: self.along(&points, 0.45),
                headways: Some([8 + (i % 3) as i32 * 2, 15, 20]),
            });
        }
        let rings = (radius / 2.2).round().max(1.0) as u32;
        for i in 0..rings {
            let r = radius * (f64::from(i) + 0.7) / (f64::from(rings) + 0.4);
            let n = 16;
            let points: Vec<(f64, f64)> = (0..=n)
                .map(|j| {
                    let angle = std::f64::consts::TAU * f64::from(j % n) / f64::from(n) + turn;
                    (r * libm::cos(angle), r * libm::sin(angle))
                })
                .collect();
            courses.push(Course {
                name: (100 + i).to_string(),
                mode: Mode::Bus,
                company: "City Buses",
                places: self.along(&points, 0.55),
                headways: Some([12, 20, 30]),
            });
        }
        let streets = (radius / 1.3).round() as i32;
        for i in -streets..=streets {
            let offset = f64::from(i) * 1.3 + wobble(0.3);
            let half = libm::sqrt((radius * radius - offset * offset).max(1.0));
            for (across, base) in [(true, 110), (false, 110 + 2 * streets + 1)] {
                let (from, to) = (-half + wobble(0.8), half + wobble(0.8));
                let points = if across {
                    [(from, offset), (to, offset)]
                } else {
                    [(offset, from), (offset, to)]
                };
                courses.push(Course {
                    name: (base + i + streets).to_string(),
                    mode: Mode::Bus,
                    company: "City Buses",
                    places: self.along(&points, 0.5),
                    headways: Some([12 + (i.rem_euclid(3)) * 3, 20, 30]),
                });
            }
        }
        // Express lines share the stops of a radial, but call only at some of them.
        let trams = courses.len().min(radials as usize);
        for (letter, i) in ('A'..='F').zip((0..trams).step_by(2)) {
            let all = &courses[i].places;
            let last = all.len() - 1;
            let places: Vec<usize> = all
                .iter()
                .enumerate()
                .filter(|(j, _)| j % 3 == 0 || *j == last)
                .map(|(_, p)| *p)
                .collect();
            courses.push(Course {
                name: letter.to_string(),
                mode: Mode::Bus,
                company: "City Buses",
                places,
                headways: Some([15, 20, 30]),
            });
        }
        let suburbs = (4.0 + radius * 0.8) as u32;
        for i in 0..suburbs {
            let angle = std::f64::consts::TAU * f64::from(i) / f64::from(suburbs) + wobble(0.3);
            let far = radius + 8.0 + wobble(8.0).abs() * 2.0;
            let end = |angle: f64, r: f64| (r * libm::cos(angle), r * libm::sin(angle));
            let points = [
                end(angle, radius * 0.6),
                end(angle + wobble(0.1), radius + 3.0),
                end(angle + wobble(0.2), far),
            ];
            courses.push(Course {
                name: (900 + i).to_string(),
                mode: Mode::Bus,
                company: "Country Coaches",
                places: self.along(&points, 1.1),
                headways: None,
            });
        }
        courses.retain(|c| c.places.len() >= 2);
        courses
    }
}

/// Names from syllables: some with diacritics, as the search must cope with them.
struct Names {
    stems: [&'static str; 24],
    ends: [&'static str; 10],
}

impl Default for Names {
    fn default() -> Names {
        Names {
            stems: [
                "Lip", "Dąb", "Brzoz", "Klon", "Wierzb", "Słon", "Żab", "Kamien", "Świerk", "Łąk",
                "Olsz", "Mlyn", "Król", "Čern", "Ryb", "Zvon", "Most", "Hrad", "Ostr", "Wil",
                "Jaskół", "Gór", "Źródl", "Topol",
            ],
            ends: [
                "owa", "ecka", "ińska", "na", "owo", "ów", "ice", "ské", "any", "ka",
            ],
        }
    }
}

impl Names {
    fn give(&self, places: &[Place], dice: &mut Dice) -> Vec<String> {
        let kinds = ["", "", "", "", "pl. ", "most ", "os. "];
        let mut all: Vec<String> = Vec::new();
        for kind in ["", "pl. ", "most ", "os. "] {
            for stem in self.stems {
                for end in self.ends {
                    all.push(format!("{kind}{stem}{end}"));
                }
            }
        }
        let plain = self.stems.len() * self.ends.len();
        dice.shuffle(&mut all[..plain]);
        dice.shuffle(&mut all[plain..]);
        let mut names: Vec<String> = (0..places.len())
            .map(|i| match (all.get(i), kinds[i % kinds.len()]) {
                (Some(name), _) => name.clone(),
                // A large city runs out of names: numbered estates.
                (None, kind) => format!("{kind}{} {}", all[i % all.len()], i / all.len() + 1),
            })
            .map(|name| name.trim().to_owned())
            .collect();
        for (name, place) in names.iter_mut().zip(places) {
            if place.lines >= 4 {
                *name = name.to_uppercase();
            }
        }
        // A few names are used for two places that are not neighbours.
        for _ in 0..(places.len() / 150).clamp(1, 40) {
            let (a, b) = (dice.below(places.len()), dice.below(places.len()));
            let far = libm::hypot(places[a].x - places[b].x, places[a].y - places[b].y);
            if (0.5..3.0).contains(&far) {
                let name = names[a].clone();
                names[b] = name;
            }
        }
        names
    }
}

fn timetable(plan: &CityPlan, town: &Town, courses: &[Course], dice: &mut Dice) -> Timetable {
    let first = Date::new(2026, 1, 1).expect("a day");
    let last = Date::new(2026, 12, 31).expect("a day");
    let service = |id: &str, weekdays: u8| Service {
        id: id.to_owned(),
        weekdays,
        span: Some((first, last)),
        ..Service::default()
    };
    let calendar = Calendar::Dated(vec![
        service("working days", 0b001_1111),
        service("saturdays", 0b010_0000),
        service("sundays", 0b100_0000),
    ]);
    let mut builder = Builder::new(
        &format!("Generated city {} (size {})", plan.seed, plan.size),
        calendar,
    );
    // One post per direction, one more pair for trams.
    let mut posts: Vec<[Option<u32>; 4]> = vec![[None; 4]; town.places.len()];
    let degree = 111.32;
    let middle = Globe {
        lat: 50.45,
        lon: 16.55,
    };
    let mut codes = 0u32;
    for course in courses {
        let line = builder.line(&course.name, course.company, course.mode);
        let speed = match course.mode {
            Mode::Tram => 21.0,
            _ if course.headways.is_none() => 38.0,
            _ => 24.0,
        };
        let begin = dice.below(10) as i32;
        for back in [false, true] {
            let mut places = course.places.clone();
            if back {
                places.reverse();
            }
            let side = usize::from(back) + if course.mode == Mode::Tram { 2 } else { 0 };
            let stops: Vec<u32> = places
                .iter()
                .map(|&p| {
                    *posts[p][side].get_or_insert_with(|| {
                        codes += 1;
                        let (dx, dy) =
                            [(0.02, 0.01), (-0.02, -0.01), (0.01, -0.025), (-0.01, 0.025)][side];
                        let place = &town.places[p];
                        let at = Globe {
                            lat: middle.lat + (place.y + dy) / degree,
                            lon: middle.lon
                                + (place.x + dx) / (degree * libm::cos(middle.lat.to_radians())),
                        };
                        builder.stop(&place.name, &codes.to_string(), Some(at))
                    })
                })
                .collect();
            let mut minutes = vec![0];
            let mut clock = 0.0;
            for pair in places.windows(2) {
                let (a, b) = (&town.places[pair[0]], &town.places[pair[1]]);
                clock += libm::hypot(a.x - b.x, a.y - b.y) * 1.15 / speed * 60.0 + 0.3;
                let last = *minutes.last().expect("begun with zero");
                minutes.push((clock.round() as i32).max(last + 1));
            }
            for (service, thinner) in [(0, 1.0), (1, 1.5), (2, 1.8)] {
                for start in departures(course, begin + i32::from(back) * 4, thinner) {
                    // Traffic: in the peak every tenth minute is lost.
                    let peak = course.headways.is_some() && is_peak(start) && service == 0;
                    let calls: Vec<(u32, i32, i32)> = stops
                        .iter()
                        .zip(&minutes)
                        .map(|(&stop, &m)| {
                            let time = (start + if peak { m + m / 10 } else { m }) * 60;
                            (stop, time, time)
                        })
                        .collect();
                    builder.trip(line, service, None, &calls);
                }
            }
        }
    }
    builder.finish(Projection::Ellipsoid)
}

fn is_peak(minute: i32) -> bool {
    (6 * 60..9 * 60).contains(&minute) || (14 * 60..18 * 60).contains(&minute)
}

/// Minutes of the day at which a line departs.
fn departures(course: &Course, begin: i32, thinner: f64) -> Vec<i32> {
    let Some([peak, day, edge]) = course.headways else {
        return [
            5 * 60 + 10,
            7 * 60,
            12 * 60 + 30,
            15 * 60 + 45,
            19 * 60 + 20,
        ]
        .into_iter()
        .map(|m| m + begin)
        .collect();
    };
    let mut times = Vec::new();
    let mut at = 4 * 60 + 30 + begin;
    while at < 23 * 60 + 30 {
        times.push(at);
        let headway = match at {
            _ if is_peak(at) => peak,
            m if (9 * 60..20 * 60).contains(&m) => day,
            _ => edge,
        };
        at += (f64::from(headway) * thinner).round() as i32;
    }
    times
}
