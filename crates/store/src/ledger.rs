//! What is written once and then only read: results of tournament jobs, and high scores.

use crate::tx::{Row, fit};
use crate::{Result, Store};
use serde_json::Value;

/// What came out of one tournament job.
#[derive(Debug, Clone, PartialEq)]
pub struct JobResult {
    /// The job's id, unique over all runs (a hash of tournament, pairing and game).
    pub job: String,
    /// What came out.
    pub body: Value,
}

/// One line of a table of high scores.
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    /// What the score is for (say, session and seat), so that no score is counted twice.
    pub id: String,
    /// The room it was made in.
    pub room: String,
    /// The table within the room: a board size, a level.
    pub board: String,
    /// Who made it, in their own words.
    pub name: String,
    /// How many points.
    pub points: i64,
    /// When.
    pub at: i64,
    /// Anything more there is to say.
    pub detail: Value,
}

impl Store {
    /// Keeps results of a run, in one transaction, and says how many were new. The first result of
    /// a job stays for good; a job that was sent twice changes nothing.
    pub fn add_results(&self, run: &str, results: &[JobResult], at: i64) -> Result<usize> {
        results.iter().try_for_each(|r| fit(&r.body).map(drop))?;
        let sql = "INSERT INTO results (job, run, body, at) VALUES ($1, $2, $3, $4)
            ON CONFLICT DO NOTHING";
        // In one order everywhere: two writers with the same jobs cannot wait for each other.
        let mut order: Vec<&JobResult> = results.iter().collect();
        order.sort_by(|a, b| a.job.cmp(&b.job));
        self.write(|tx| {
            let mut new = 0;
            for r in order {
                let args = [
                    r.job.as_str().into(),
                    run.into(),
                    (&r.body).into(),
                    at.into(),
                ];
                new += tx.run(sql, &args)? as usize;
            }
            Ok(new)
        })
    }

    /// The result of one job, if it is in.
    pub fn result(&self, job: &str) -> Result<Option<Value>> {
        let sql = "SELECT body FROM results WHERE job = $1";
        self.read(|tx| {
            tx.row(sql, &[job.into()])?
                .map(|mut row| row.json())
                .transpose()
        })
    }

    /// Up to `limit` results of a run in the order of their job ids, those `after` the given job
    /// (the empty text comes before all).
    pub fn results(&self, run: &str, after: &str, limit: u32) -> Result<Vec<JobResult>> {
        let sql = "SELECT job, body FROM results WHERE run = $1 AND job > $2
            ORDER BY job LIMIT $3";
        let read = |mut row: Row| {
            Ok(JobResult {
                job: row.text()?,
                body: row.json()?,
            })
        };
        let args = [run.into(), after.into(), i64::from(limit).into()];
        self.read(|tx| tx.rows(sql, &args)?.into_iter().map(read).collect())
    }

    /// How many results of a run are in.
    pub fn count_results(&self, run: &str) -> Result<u64> {
        let sql = "SELECT count(*) FROM results WHERE run = $1";
        self.read(|tx| tx.number(sql, &[run.into()]))
    }

    /// Forgets all results of a run, so that it can start anew, and says how many there were.
    pub fn forget_results(&self, run: &str) -> Result<u64> {
        self.write(|tx| tx.run("DELETE FROM results WHERE run = $1", &[run.into()]))
    }

    /// Adds a high score, and says whether it was new: the first with an id stays.
    pub fn add_score(&self, score: &Score) -> Result<bool> {
        let Score {
            id,
            room,
            board,
            name,
            points,
            at,
            detail,
        } = score;
        let sql = "INSERT INTO scores (id, room, board, name, points, at, detail)
            VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING";
        let args = [
            id.as_str().into(),
            room.as_str().into(),
            board.as_str().into(),
            name.as_str().into(),
            (*points).into(),
            (*at).into(),
            fit(detail)?.into(),
        ];
        self.write(|tx| Ok(tx.run(sql, &args)? > 0))
    }

    /// The best scores on one board, most points first; among equals who was there first.
    pub fn top(&self, room: &str, board: &str, limit: u32) -> Result<Vec<Score>> {
        let sql = "SELECT id, name, points, at, detail FROM scores WHERE room = $1 AND board = $2
            ORDER BY points DESC, at, id LIMIT $3";
        let read = |mut row: Row| {
            Ok(Score {
                id: row.text()?,
                room: room.into(),
                board: board.into(),
                name: row.text()?,
                points: row.int()?,
                at: row.int()?,
                detail: row.json()?,
            })
        };
        let args = [room.into(), board.into(), i64::from(limit).into()];
        self.read(|tx| tx.rows(sql, &args)?.into_iter().map(read).collect())
    }

    /// Strikes out a score, say one under a rude name, and says whether it was there.
    pub fn delete_score(&self, id: &str) -> Result<bool> {
        self.write(|tx| Ok(tx.run("DELETE FROM scores WHERE id = $1", &[id.into()])? > 0))
    }
}
