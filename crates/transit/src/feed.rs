//! Any feed, whatever its format.

use crate::archive::Archive;
use crate::diagnosis::Diagnosis;
use crate::geo::Projection;
use crate::gtfs::BadFeed;
use crate::pack::BadPack;
use crate::timetable::Timetable;
use crate::{graph_csv, gtfs, pack};

/// Why bytes are no timetable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// A GTFS feed or a connection graph, but a broken one.
    #[error(transparent)]
    Feed(#[from] BadFeed),
    /// A packed timetable, but a broken one.
    #[error(transparent)]
    Pack(#[from] BadPack),
    /// None of the formats we read.
    #[error(
        "this is no timetable we can read; we read GTFS (a zip or a folder), the report's \
         `connection_graph.csv` and files made by `wits transit pack`"
    )]
    Format,
}

/// Reads a timetable from the bytes of one file: a packed one, a zipped GTFS feed or the report's
/// table of connections. `cores` bounds how much is read at the same time.
pub fn read_feed(
    bytes: &[u8],
    title: &str,
    projection: Projection,
    cores: usize,
) -> Result<(Timetable, Diagnosis), Unreadable> {
    if bytes.starts_with(&pack::MAGIC[..6]) {
        let table = pack::read(bytes)?;
        Ok((table, Diagnosis::default()))
    } else if bytes.starts_with(b"PK") {
        let archive = Archive::zip(bytes).map_err(BadFeed::from)?;
        Ok(gtfs::read(&archive, title, projection)?)
    } else if graph_csv::looks_like(bytes) {
        Ok(graph_csv::read(bytes, title, projection, cores)?)
    } else {
        Err(Unreadable::Format)
    }
}

/// Reads a GTFS feed from the files of a folder.
pub fn read_folder(
    files: impl IntoIterator<Item = (String, Vec<u8>)>,
    title: &str,
    projection: Projection,
) -> Result<(Timetable, Diagnosis), Unreadable> {
    Ok(gtfs::read(&Archive::folder(files), title, projection)?)
}
