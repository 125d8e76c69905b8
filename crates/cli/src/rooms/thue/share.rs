//! `thue share`: a refutation checked piece by piece by workers, on as many machines as there are.
//!
//! The whole proof is put into the queue once, as a file; a job names the file and one piece. A worker keeps the proof of the job before,
//! with the words that it has searched, so that its next piece of the same proof costs less.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wits_arena::{Aside, VERSION};
use wits_play::Shelf;
use wits_queue::{Parcel, Queue};
use wits_search::{Budget, Limits};
use wits_thue::solve::{Piece, Proof, check_piece, complete};

use crate::out::{Out, Progress};
use crate::problem::Problem;
use crate::rooms::arena::crew::{away, open, warn};
use crate::{Answer, stop};

/// How long the server of the queue may take for its first answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long one look for results waits.
const LOOK: Duration = Duration::from_millis(500);
/// What the names of these runs begin with.
const RUN: &str = "thue-check-";
/// The most memory for words that a worker has searched, in bytes.
const MEMORY: usize = 1 << 30;

#[derive(Args)]
pub(crate) struct ShareArgs {
    /// The folder of the pieces
    folder: PathBuf,
    /// The NATS server that carries jobs and results; needs the feature `nats`
    #[arg(long, value_name = "URL")]
    nats: String,
    /// Seconds it may take
    #[arg(long, value_name = "SECONDS", value_parser = crate::args::seconds)]
    time: Option<f64>,
}

/// One piece to check.
#[derive(Serialize, Deserialize)]
struct Check {
    version: String,
    /// The hash of the file with all pieces.
    proof: String,
    /// Which piece, from 1.
    piece: usize,
}

/// What a worker says of a piece.
#[derive(Serialize, Deserialize)]
struct Checked {
    worker: String,
    /// The verdict as `thue verify` prints it, or why there is none.
    verdict: Result<Value, String>,
}

/// Leads the check of a proof.
pub(super) fn run(args: &ShareArgs, out: &Out) -> Result<Answer> {
    let queue = open(&args.nats, PATIENCE).map_err(away)?;
    let texts = read(&args.folder)?;
    let budget = Budget::with_stop(
        args.time
            .map_or(Limits::NONE, |s| Limits::time(Duration::from_secs_f64(s))),
        stop::flag(),
    );
    let progress = Progress::start();
    let found = lead(&queue, &texts, &budget, |done, all| {
        progress.show(done as u64, all as u64, "pieces");
    });
    progress.done();
    let found = found?;
    let seconds = progress.seconds();
    let value = json!({
        "valid": found.valid(), "refuted": found.depth, "symbols": found.symbols, "checked": found.verdicts.len(), "of": found.of,
        "pieces": found.verdicts.values().map(|(verdict, _)| verdict).collect::<Vec<_>>(), "workers": found.workers(), "seconds": seconds,
    });
    out.tell(&value, || found.text(seconds))?;
    Ok(if found.valid() == Some(true) {
        Answer::Yes
    } else {
        Answer::No
    })
}

/// The pieces that lie in a folder.
fn read(folder: &Path) -> Result<Vec<String>> {
    let files = std::fs::read_dir(folder).map_err(|e| Problem::file(folder, &e))?;
    let mut texts = BTreeMap::new();
    for file in files {
        let path = file.map_err(|e| Problem::file(folder, &e))?.path();
        // What lies beside the pieces may be anything.
        if let Ok(text) = std::fs::read_to_string(&path)
            && Piece::is_one(&text)
        {
            texts.insert(path, text);
        }
    }
    Ok(texts.into_values().collect())
}

/// What came of a shared check.
struct Shared {
    depth: u32,
    symbols: usize,
    of: usize,
    /// By piece: the verdict and who found it.
    verdicts: BTreeMap<usize, (Value, String)>,
}

impl Shared {
    /// Whether the proof holds; nothing while pieces are missing and none is wrong.
    fn valid(&self) -> Option<bool> {
        let wrong = |(verdict, _): &(Value, String)| verdict["valid"] != true;
        if self.verdicts.values().any(wrong) {
            return Some(false);
        }
        (self.verdicts.len() == self.of).then_some(true)
    }

    /// How many pieces each worker checked.
    fn workers(&self) -> BTreeMap<&str, usize> {
        let mut count = BTreeMap::new();
        for (_, worker) in self.verdicts.values() {
            *count.entry(worker.as_str()).or_default() += 1;
        }
        count
    }

    fn text(&self, seconds: f64) -> String {
        let mut lines: Vec<String> = Vec::new();
        for (piece, (verdict, worker)) in &self.verdicts {
            if verdict["valid"] != true {
                lines.push(format!("piece {piece}, by {worker}: {}", verdict["why"]));
            }
        }
        for (worker, count) in self.workers() {
            lines.push(format!("{worker}: {count} pieces"));
        }
        let (done, of, depth) = (self.verdicts.len(), self.of, self.depth);
        lines.push(match self.valid() {
            Some(true) => format!(
                "{depth} picks are not enough for the Builder: all {of} pieces hold ({seconds:.1} s)"
            ),
            Some(false) => "not proved".to_owned(),
            None => format!("{done} of {of} pieces are checked; ask again to check the others"),
        });
        lines.join("\n")
    }
}

/// Sends every piece as a job and collects the verdicts, until all are there or the budget ends.
fn lead(
    queue: &Queue,
    texts: &[String],
    budget: &Budget,
    mut each: impl FnMut(usize, usize),
) -> Result<Shared> {
    let hint = "write the proof again with `wits thue refute`";
    let bad = |why: String| Problem::new("thue", why, hint);
    let pieces: Result<Vec<Piece>, _> = texts.iter().map(|text| Piece::read(text)).collect();
    let pieces = pieces.map_err(|error| bad(error.to_string()))?;
    complete(&pieces).map_err(bad)?;
    let file = serde_json::to_vec(texts)?;
    let proof = Shelf::hash(&file);
    let run = format!("{RUN}{proof}");
    // What an earlier attempt left behind.
    queue.withdraw(&run, true).map_err(away)?;
    queue.deposit(&proof, &file).map_err(away)?;
    let job = |piece: &Piece| Parcel {
        run: run.clone(),
        job: format!("{run}-{}", piece.number.0),
        body: serde_json::to_vec(&Check {
            version: VERSION.to_owned(),
            proof: proof.clone(),
            piece: piece.number.0,
        })
        .expect("a job is plain data"),
    };
    let jobs: Vec<Parcel> = pieces.iter().map(job).collect();
    queue.send(&jobs).map_err(away)?;
    let mut found = Shared {
        depth: pieces[0].depth,
        symbols: pieces[0].symbols,
        of: pieces.len(),
        verdicts: BTreeMap::new(),
    };
    while found.valid().is_none() && !budget.stopped() && !budget.late() {
        each(found.verdicts.len(), found.of);
        let results = match queue.results(&run, LOOK, 100) {
            Ok(results) => results,
            Err(error) if error.is_temporary() => continue,
            Err(error) => return Err(away(error)),
        };
        for held in &results {
            let checked: Result<Checked, _> = serde_json::from_slice(&held.parcel.body);
            match checked.map(|checked| (checked.worker, checked.verdict)) {
                Ok((worker, Ok(verdict))) => {
                    let piece = verdict["piece"][0].as_u64().unwrap_or(0) as usize;
                    if (1..=found.of).contains(&piece) {
                        found.verdicts.insert(piece, (verdict, worker));
                    }
                }
                Ok((worker, Err(why))) => warn(&format!("{worker} checked nothing: {why}")),
                Err(error) => warn(&format!("a result cannot be read: {error}")),
            }
        }
        queue.settle(results).map_err(away)?;
    }
    queue.withdraw(&run, true).map_err(away)?;
    Ok(found)
}

/// A proof that a worker has read.
struct Known {
    hash: String,
    pieces: Vec<Piece>,
    proof: Proof,
}

/// The checks of one worker: it keeps the last proof.
#[derive(Default)]
pub(in crate::rooms) struct Checks {
    known: Mutex<Option<Arc<Known>>>,
}

impl Checks {
    /// Does a job if it is one of these.
    pub(in crate::rooms) fn serve(
        &self,
        queue: &Queue,
        parcel: &Parcel,
        name: &str,
    ) -> Option<Aside> {
        parcel.run.starts_with(RUN).then(|| {
            let verdict = match self.check(queue, parcel) {
                Ok(None) => return Aside::Back,
                Ok(Some(verdict)) => Ok(verdict),
                Err(why) => Err(why),
            };
            let checked = Checked {
                worker: name.to_owned(),
                verdict,
            };
            Aside::Done(serde_json::to_vec(&checked).expect("a verdict is plain data"))
        })
    }

    /// The verdict of a piece; nothing where the queue is away.
    fn check(&self, queue: &Queue, parcel: &Parcel) -> Result<Option<Value>, String> {
        let job: Check = serde_json::from_slice(&parcel.body).map_err(|e| e.to_string())?;
        if job.version != VERSION {
            return Err(format!(
                "the job is of version {}, this worker of {VERSION}",
                job.version
            ));
        }
        let Some(known) = self.proof(queue, &job.proof)? else {
            return Ok(None);
        };
        let named = |piece: &&Piece| piece.number.0 == job.piece;
        let piece = known.pieces.iter().find(named);
        let piece = piece.ok_or_else(|| format!("the proof has no piece {}", job.piece))?;
        // A worker that is told to leave finishes what is in hand.
        let verdict = check_piece(piece, &known.proof, &Budget::endless());
        serde_json::to_value(&verdict)
            .map(Some)
            .map_err(|e| e.to_string())
    }

    /// The proof with this hash: the one at hand, or else from the queue.
    fn proof(&self, queue: &Queue, hash: &str) -> Result<Option<Arc<Known>>, String> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.as_ref().filter(|known| known.hash == hash) {
            return Ok(Some(Arc::clone(known)));
        }
        let Ok(file) = queue.collect(hash) else {
            return Ok(None);
        };
        let file = file.filter(|bytes| Shelf::hash(bytes) == hash);
        let file = file.ok_or("the file of the proof is not in the queue")?;
        let texts: Vec<String> = serde_json::from_slice(&file).map_err(|e| e.to_string())?;
        let pieces: Result<Vec<Piece>, _> = texts.iter().map(|text| Piece::read(text)).collect();
        let pieces = pieces.map_err(|e| e.to_string())?;
        complete(&pieces)?;
        let searched: usize = pieces
            .iter()
            .map(|piece| piece.words.values().filter(|a| a.is_none()).count())
            .sum();
        let bytes = (searched * 4096).clamp(1 << 20, MEMORY);
        let new = Arc::new(Known {
            hash: hash.to_owned(),
            proof: Proof::new(&pieces, bytes),
            pieces,
        });
        *known = Some(Arc::clone(&new));
        Ok(Some(new))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::atomic::{AtomicBool, Ordering};

    use wits_arena::{Hall, Worker, work};
    use wits_thue::Variant;
    use wits_thue::solve::{Solver, refutation};

    use super::*;

    fn proof() -> Vec<String> {
        let mut solver = Solver::new(Variant::Square, 5, 1 << 22).unwrap();
        solver.refute(9, 1, &Budget::endless()).unwrap();
        let pieces = refutation(&solver, 9, 3, 6, &Budget::endless()).unwrap();
        pieces.iter().map(Piece::text).collect()
    }

    /// Two workers check a proof through the queue of this process.
    fn shared(texts: &[String]) -> Result<Shared> {
        let queue = Queue::here();
        let over = AtomicBool::new(false);
        let hall = Hall::new(wits_catalog::all(), Shelf::new());
        std::thread::scope(|scope| {
            for name in ["one", "two"] {
                let (queue, hall, over) = (&queue, &hall, &over);
                scope.spawn(move || {
                    let checks = Checks::default();
                    let worker = Worker {
                        hall,
                        queue,
                        name,
                        threads: 1,
                        wait: Duration::from_millis(5),
                        salt: 1,
                        drain: over,
                        halt: over,
                        aside: &|parcel| checks.serve(queue, parcel, name),
                        fetch: &|_| None,
                        tell: &|_| {},
                    };
                    work(&worker).unwrap();
                });
            }
            let found = lead(&queue, texts, &Budget::endless(), |_, _| {});
            over.store(true, Ordering::Relaxed);
            found
        })
    }

    #[test]
    fn workers_check_a_proof_piece_by_piece() {
        let texts = proof();
        let found = shared(&texts).unwrap();
        assert_eq!((found.valid(), found.depth), (Some(true), 9));
        let pieces: BTreeSet<usize> = found.verdicts.keys().copied().collect();
        assert_eq!(pieces, (1..=6).collect());
        assert_eq!(found.workers().values().sum::<usize>(), 6);
        assert!(found.text(1.0).contains("all 6 pieces hold"));
        // Without one of its pieces there is no proof to share.
        assert!(shared(&texts[1..]).is_err());
    }

    #[test]
    fn a_false_answer_is_found_by_a_worker() {
        let mut pieces: Vec<Piece> = proof()
            .iter()
            .map(|text| Piece::read(text).unwrap())
            .collect();
        let answers = pieces[0].words.values_mut().flatten().next().unwrap();
        // The symbol beside the gap makes a square.
        answers[0] = 0;
        let texts: Vec<String> = pieces.iter().map(Piece::text).collect();
        let found = shared(&texts).unwrap();
        assert_eq!(found.valid(), Some(false));
        assert!(found.text(1.0).ends_with("not proved"));
    }
}
