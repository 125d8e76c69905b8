//! `calendar.txt` and `calendar_dates.txt`: on which days services run.

use super::{BadFeed, Ids, column, text};
use crate::archive::Archive;
use crate::calendar::Service;
use crate::diagnosis::{Notes, Remedy};
use crate::rows::{Columns, Rows, field};
use crate::time::Date;

pub(super) fn calendar(
    archive: &Archive<'_>,
    notes: &mut Notes,
) -> Result<(Vec<Service>, Ids), BadFeed> {
    let mut services: Vec<Service> = Vec::new();
    let mut ids = Ids::new();
    let mut service = |id: &[u8], services: &mut Vec<Service>| {
        *ids.entry(id.to_vec()).or_insert_with(|| {
            services.push(Service {
                id: text(id),
                ..Service::default()
            });
            services.len() as u32 - 1
        }) as usize
    };
    if let Some(bytes) = archive.file("calendar.txt")? {
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
        let mut rows = Rows::new(&bytes);
        let columns = Columns::read(&mut rows);
        let id = column(&columns, FILE, "service_id")?;
        let days = DAYS.map(|day| columns.find(day));
        let (start, end) = (columns.find("start_date"), columns.find("end_date"));
        while let Some(row) = rows.next() {
            notes.rows += 1;
            let weekdays = days.iter().enumerate().fold(0u8, |set, (bit, &day)| {
                set | u8::from(field(row, day) == b"1") << bit
            });
            match (
                Date::compact(field(row, start)),
                Date::compact(field(row, end)),
            ) {
                (Some(first), Some(last)) if first <= last => {
                    let s = service(field(row, id), &mut services);
                    services[s].weekdays = weekdays;
                    services[s].span = Some((first, last));
                }
                _ => {
                    let seen = field(row, start).to_vec();
                    notes.note(
                        FILE,
                        "start or end is no date, or they are swapped",
                        Remedy::Dropped,
                        rows.line(),
                        &seen,
                    );
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
                    notes.note(
                        FILE,
                        "no date, or an exception that is neither 1 nor 2",
                        Remedy::Dropped,
                        rows.line(),
                        &seen,
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
