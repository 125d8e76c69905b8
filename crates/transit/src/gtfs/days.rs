//! `calendar.txt` and `calendar_dates.txt`: on which days services run.

use super::{BadFeed, ENTRY, Found, column, text};
use crate::archive::Archive;
use crate::calendar::Service;
use crate::diagnosis::{Notes, Remedy};
use crate::limits::{Gate, Quantity};
use crate::rows::{Columns, Rows};
use crate::time::Date;

pub(super) fn calendar(
    archive: &mut Archive<'_>,
    notes: &mut Notes,
    gate: &mut Gate<'_>,
) -> Result<(Vec<Service>, Found), BadFeed> {
    let mut services: Vec<Service> = Vec::new();
    let mut ids = Found::new();
    let mut service = |id: &[u8], services: &mut Vec<Service>| {
        *ids.entry(id.to_vec()).or_insert_with(|| {
            services.push(Service {
                id: text(id),
                ..Service::default()
            });
            services.len() as u32 - 1
        }) as usize
    };
    if let Some(source) = archive.take("calendar.txt") {
        const FILE: &str = "calendar.txt";
        const DAYS: [&str; 7] = [
            "monday",
            "tuesday",
            "wednesday",
            "thursday",
            "friday",
            "saturday",
            "sunday",
        ];
        let mut rows = Rows::new(FILE, source);
        let columns = Columns::read(&mut rows, gate)?;
        let id = column(&columns, FILE, "service_id")?;
        let days = DAYS.map(|day| columns.find(day));
        let (start, end) = (columns.find("start_date"), columns.find("end_date"));
        while let Some(row) = rows.next(gate)? {
            notes.rows += 1;
            let weekdays = days.iter().enumerate().fold(0u8, |set, (bit, &day)| {
                set | u8::from(row.field(day) == b"1") << bit
            });
            match (
                Date::compact(row.field(start)),
                Date::compact(row.field(end)),
            ) {
                (Some(first), Some(last)) if first <= last => {
                    let s = service(row.field(id), &mut services);
                    gate.hold((4 * ENTRY + 2 * row.field(id).len()) as u64)?;
                    gate.check(Quantity::Services, services.len() as u64)?;
                    services[s].weekdays = weekdays;
                    services[s].span = Some((first, last));
                }
                _ => {
                    let seen = row.field(start);
                    notes.note(
                        FILE,
                        "start or end is no date, or they are swapped",
                        Remedy::Dropped,
                        row.line,
                        seen,
                    );
                }
            }
        }
    }
    if let Some(source) = archive.take("calendar_dates.txt") {
        const FILE: &str = "calendar_dates.txt";
        let mut rows = Rows::new(FILE, source);
        let columns = Columns::read(&mut rows, gate)?;
        let id = column(&columns, FILE, "service_id")?;
        let (date, kind) = (columns.find("date"), columns.find("exception_type"));
        while let Some(row) = rows.next(gate)? {
            notes.rows += 1;
            gate.hold((ENTRY + 2 * row.field(id).len()) as u64)?;
            gate.check(Quantity::Services, services.len() as u64)?;
            let day = Date::compact(row.field(date));
            match (day, row.field(kind)) {
                (Some(day), b"1") => {
                    let s = service(row.field(id), &mut services);
                    services[s].added.push(day);
                }
                (Some(day), b"2") => {
                    let s = service(row.field(id), &mut services);
                    services[s].removed.push(day);
                }
                _ => {
                    let seen = row.field(date);
                    notes.note(
                        FILE,
                        "no date, or an exception that is neither 1 nor 2",
                        Remedy::Dropped,
                        row.line,
                        seen,
                    );
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
