//! PostgreSQL: the same tables on a server.

use crate::pool::Pool;
use crate::tx::{Arg, Cell, Tx};
use crate::{Change, Error, Id, Options, Result, schema};
use postgres::fallible_iterator::FallibleIterator;
use postgres::types::{ToSql, Type};
use postgres::{Client, Config, NoTls, Statement};
use std::collections::HashMap;
use std::time::Duration;

/// Only one program at a time changes the schema. The number is ours, otherwise without meaning.
const MIGRATING: &str = "SELECT pg_advisory_xact_lock(7769747300)";
/// Each statement sees what others have committed: after taking a row's lock we read anew.
const WRITE: &str = "BEGIN ISOLATION LEVEL READ COMMITTED";
/// Where processes that share a database tell each other which session has changed.
const CHANNEL: &str = "wits";
/// How long nothing may be told before we look ourselves.
const TICK: Duration = Duration::from_secs(2);
/// All statements see one moment.
const READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// Sessions on a PostgreSQL server. Do not drop it inside an async task: closing blocks.
pub struct Postgres {
    config: Config,
    patience: Duration,
    pool: Pool<Conn>,
    /// Tells our own changes from those of other processes.
    origin: String,
}

impl Postgres {
    pub(crate) fn open(url: &str, options: Options) -> Result<Self> {
        let Options {
            patience,
            connections,
        } = options;
        let mut config: Config = url.parse()?;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(patience);
        }
        if config.get_tcp_user_timeout().is_none() {
            // A server that fell off the network is noticed in seconds instead of minutes.
            config.tcp_user_timeout(2 * patience);
        }
        let store = Self {
            config,
            patience,
            pool: Pool::new(None, connections, patience),
            origin: Id::random()?.to_string(),
        };
        store.migrate()?;
        Ok(store)
    }

    fn connect(&self) -> Result<Conn> {
        let mut client = self.config.connect(NoTls)?;
        let wait = self.patience.as_millis().max(1);
        // A server set up to forget the last commits in a crash is told not to, for us.
        client.batch_execute(&format!(
            "SET lock_timeout = {wait};
            SELECT set_config('synchronous_commit', 'on', false)
            WHERE current_setting('synchronous_commit') = 'off'"
        ))?;
        Ok(Conn {
            client,
            ready: HashMap::new(),
            origin: self.origin.clone(),
        })
    }

    fn migrate(&self) -> Result<()> {
        // Looked at first without any lock, so that a read-only server can be read.
        if self.read(version)?.is_some_and(|v| v == schema::VERSION) {
            return Ok(());
        }
        self.write(|tx| {
            tx.rows(MIGRATING, &[])?;
            tx.run(
                "CREATE TABLE IF NOT EXISTS wits_schema (version bigint NOT NULL)",
                &[],
            )?;
            let found = version(tx)?.unwrap_or(0);
            let steps = schema::missing(found)?;
            let Tx::Postgres(conn) = tx else {
                unreachable!("this is PostgreSQL")
            };
            for step in steps {
                let done = conn.client.batch_execute(&schema::postgres(step));
                done.map_err(schema::unfit)?;
            }
            tx.run("DELETE FROM wits_schema", &[])?;
            tx.run(
                "INSERT INTO wits_schema VALUES ($1)",
                &[schema::VERSION.into()],
            )?;
            Ok(())
        })
    }

    pub(crate) fn write<T>(&self, work: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        self.transaction(WRITE, work)
    }

    pub(crate) fn read<T>(&self, work: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        self.transaction(READ, work)
    }

    fn transaction<T>(
        &self,
        begin: &str,
        work: impl FnOnce(&mut Tx<'_>) -> Result<T>,
    ) -> Result<T> {
        let mut conn = self.pool.take(|| self.connect())?;
        // Whatever goes wrong, a panic included, no half-used connection goes back.
        conn.keep = false;
        if conn.client.batch_execute(begin).is_err() {
            // The server may have been restarted while this one lay idle. Nothing was done yet.
            *conn = self.connect()?;
            conn.client.batch_execute(begin)?;
        }
        let done = work(&mut Tx::Postgres(&mut conn));
        let end = if done.is_ok() { "COMMIT" } else { "ROLLBACK" };
        let ended = conn.client.batch_execute(end);
        conn.keep = ended.is_ok() && !matches!(done, Err(Error::Backend(_)));
        if done.is_ok() {
            ended?;
        }
        done
    }
}

impl Postgres {
    /// Tells what other processes change, until the connection is lost or `going` says no more.
    pub(crate) fn follow(
        &self,
        going: &impl Fn() -> bool,
        told: &mut impl FnMut(Change),
    ) -> Result<()> {
        let mut client = self.config.connect(NoTls)?;
        client.batch_execute(&format!("LISTEN {CHANNEL}"))?;
        // Whatever was missed until now.
        told(Change::Any);
        while going() {
            if let Some(said) = client.notifications().timeout_iter(TICK).next()? {
                let (origin, id) = said.payload().split_once(' ').unwrap_or_default();
                match id.parse() {
                    Ok(id) if origin != self.origin => told(Change::Session(id)),
                    _ => {}
                }
            } else {
                // Nothing, or no connection: a server that fell off the network says nothing, too.
                // A proxy that pools connections may swallow what is told, so look from time to time.
                client.is_valid(self.patience)?;
                told(Change::Any);
            }
        }
        Ok(())
    }
}

/// The version of the tables, if there are any.
fn version(tx: &mut Tx<'_>) -> Result<Option<i64>> {
    if tx.number("SELECT count(to_regclass('wits_schema'))", &[])? == 0 {
        return Ok(None);
    }
    tx.row("SELECT version FROM wits_schema", &[])?
        .map(|mut row| row.int())
        .transpose()
}

/// A connection and the statements the server has already prepared on it.
pub(crate) struct Conn {
    client: Client,
    ready: HashMap<String, Statement>,
    origin: String,
}

impl Conn {
    fn statement(&mut self, sql: &str) -> Result<Statement> {
        if let Some(statement) = self.ready.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql)?;
        self.ready.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    /// Other processes are told with the commit that a session has changed.
    pub(crate) fn tell(&mut self, id: Id) -> Result<()> {
        let sql = format!("SELECT pg_notify('{CHANNEL}', $1)");
        let what = format!("{} {id}", self.origin);
        self.rows(&sql, &[what.as_str().into()]).map(drop)
    }

    pub(crate) fn run(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<u64> {
        let statement = self.statement(sql)?;
        let args: Vec<_> = args.iter().map(param).collect();
        Ok(self.client.execute(&statement, &args)?)
    }

    pub(crate) fn rows(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<Vec<Vec<Cell>>> {
        let statement = self.statement(sql)?;
        let args: Vec<_> = args.iter().map(param).collect();
        let rows = self.client.query(&statement, &args)?;
        let cells = |row: postgres::Row| (0..row.len()).map(|i| cell(&row, i)).collect();
        rows.into_iter().map(cells).collect()
    }
}

fn cell(row: &postgres::Row, i: usize) -> Result<Cell> {
    let cell = match *row.columns()[i].type_() {
        Type::INT8 => row.try_get::<_, Option<i64>>(i)?.map(Cell::Int),
        Type::INT4 => row
            .try_get::<_, Option<i32>>(i)?
            .map(|n| Cell::Int(n.into())),
        Type::BYTEA => row.try_get::<_, Option<Vec<u8>>>(i)?.map(Cell::Bytes),
        Type::VOID => None,
        _ => row.try_get::<_, Option<String>>(i)?.map(Cell::Text),
    };
    Ok(cell.unwrap_or(Cell::Null))
}

fn param<'a>(arg: &'a Arg<'_>) -> &'a (dyn ToSql + Sync) {
    match arg {
        Arg::Int(n) => n,
        Arg::Text(text) => text,
        Arg::Bytes(bytes) => bytes,
    }
}
