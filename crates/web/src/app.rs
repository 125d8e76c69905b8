//! What every handler can reach.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use wits_play::{Catalog, Limits, Shelf};
use wits_sandbox::Sandbox;
use wits_store::Store;

use crate::bots::Bots;
use crate::desk::Answers;
use crate::engine::Engine;
use crate::gate::Gate;
use crate::lessons::FirstLook;
use crate::own::Quotas;
use crate::rate::{Counter, Rates};
use crate::recent::Recent;
use crate::rooms::{House, Opens};
use crate::sandbox::{Places, SANDBOX, Turns};
use crate::seal::Seal;
use crate::streams::Streams;
use crate::tables::Tables;
use crate::visitor::Seen;
use crate::without;

/// How the server is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen.
    pub listen: SocketAddr,
    /// The most connections at once.
    pub connections: usize,
    /// The most event streams at once.
    pub streams: usize,
    /// How long a client may take to send its headers.
    pub header_time: Duration,
    /// How long a request may take.
    pub request_time: Duration,
    /// The most bytes of a request body.
    pub body_limit: usize,
    /// How many bodies larger than a form are received at once, and their bytes together.
    pub uploads: (usize, u64),
    /// What one decision of a machine may cost.
    pub thinking: Limits,
    /// How long machines think on in a game that nobody listens to or asks for any more.
    pub presence: Duration,
    /// How many threads think; nothing for all cores but one.
    pub thinkers: Option<usize>,
    /// The program that does untrusted work when it is called with `sandbox`; nothing to do it in
    /// this process, within its time but with this process's memory.
    pub sandbox: Option<PathBuf>,
    /// How many sandboxes of a class work at once; nothing for as many as cores, and two at least.
    pub sandboxes: Option<usize>,
    /// The most connections of one address.
    pub per_address: usize,
    /// The most event streams of one session.
    pub per_session: usize,
    /// The most bytes of a request's first line and headers.
    pub head_limit: usize,
    /// The most bytes of an address with its query.
    pub url_limit: usize,
    /// How long a client may leave bytes unread.
    pub write_time: Duration,
    /// The most bytes that the system keeps for a client that has yet to read them; nothing for as
    /// many as the system likes.
    pub send_buffer: Option<u32>,
    /// How often somebody may ask.
    pub rates: Rates,
    /// The invitation that opens the house; nothing where everybody may come in.
    pub invite: Option<String>,
    /// Names of this machine that are answered beside its addresses.
    pub hosts: Vec<String>,
    /// The most positions of one decision, and the longest time in seconds, that a seat made on a
    /// page may ask for.
    pub seat: (u64, f64),
    /// The name by which a proxy with TLS before this server is known; it says who asks.
    pub proxy: Option<String>,
    /// Where figures for operators can be read; nothing for nowhere.
    pub metrics: Option<SocketAddr>,
    /// How much visitors may keep and begin.
    pub quotas: Quotas,
    /// What opens the operator's page; nothing where there is none.
    pub operator: Option<String>,
    /// What time it is: UTC microseconds.
    pub clock: fn() -> i64,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            connections: 512,
            streams: 256,
            header_time: Duration::from_secs(10),
            request_time: Duration::from_secs(30),
            body_limit: 256 * 1024,
            uploads: (16, 128 << 20),
            thinking: Limits::time(Duration::from_secs(10)),
            presence: Duration::from_secs(10),
            thinkers: None,
            sandbox: None,
            sandboxes: None,
            per_address: 512,
            per_session: 32,
            head_limit: 64 * 1024,
            url_limit: 32 * 1024,
            write_time: Duration::from_secs(30),
            send_buffer: None,
            rates: Rates::default(),
            invite: None,
            hosts: Vec::new(),
            seat: (1_000_000, 10.0),
            proxy: None,
            metrics: None,
            quotas: Quotas::default(),
            operator: None,
            clock: now,
        }
    }
}

/// The house: games, store, thinkers, tables.
#[derive(Clone)]
pub struct App {
    /// How the server is set up.
    pub config: Arc<Config>,
    /// The games.
    pub catalog: Catalog,
    /// What games and players find on the shelf.
    pub shelf: Shelf,
    /// Where everything is kept.
    pub store: Arc<Store>,
    /// Who thinks.
    pub engine: Engine,
    pub(crate) sandbox: Option<Arc<Sandbox>>,
    pub(crate) places: Arc<Places>,
    /// Whose upload may be received now.
    pub(crate) receiving: Arc<Turns>,
    pub(crate) tables: Arc<Tables>,
    pub(crate) streams: Arc<Streams>,
    pub(crate) seal: Arc<Seal>,
    pub(crate) counter: Arc<Counter>,
    pub(crate) gate: Arc<Gate>,
    pub(crate) seen: Arc<Seen>,
    pub(crate) answers: Arc<Answers>,
    /// Threads of machines' moves that were looked at lately.
    pub(crate) threads: Arc<Recent<String>>,
    /// Lessons as they open, in each language.
    pub(crate) lessons: Arc<FirstLook>,
    /// Runs of the scratchpad that wait for somebody to want another answer.
    pub(crate) runs: Arc<Recent<Vec<u8>, 64>>,
    /// Programs of visitors that are here.
    pub(crate) bots: Arc<Bots>,
    /// Who leads open tournaments.
    pub(crate) opens: Arc<Opens>,
    /// The operator's timetable.
    pub(crate) house: Arc<House>,
}

impl App {
    /// A house with these games over this store.
    pub fn new(config: Config, catalog: Catalog, shelf: Shelf, store: Arc<Store>) -> App {
        let config = without::config(config);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let thinkers = config
            .thinkers
            .unwrap_or_else(|| cores.saturating_sub(1).max(1));
        let started = config.sandbox.clone().map(|program| {
            let sandbox = Sandbox::new(program, vec![SANDBOX.into()]);
            Arc::new(sandbox.expect("the system has a thread to spare"))
        });
        let places = config.sandboxes.unwrap_or(cores).max(2);
        App {
            house: Arc::default(),
            sandbox: started,
            places: Arc::new(Places::new(places)),
            receiving: Arc::new(Turns::new(
                config.uploads.0,
                config.uploads.1,
                config.uploads.1 / 4,
            )),
            streams: Arc::new(Streams::new(config.streams, config.per_session)),
            seal: Arc::new(Seal::of(&store, config.invite.as_deref())),
            counter: Arc::new(Counter::new(config.rates)),
            config: Arc::new(config),
            catalog,
            shelf,
            store,
            engine: Engine::start(thinkers),
            tables: Arc::default(),
            gate: Arc::default(),
            seen: Arc::default(),
            answers: Arc::default(),
            threads: Arc::default(),
            lessons: Arc::default(),
            runs: Arc::default(),
            bots: Arc::default(),
            opens: Arc::default(),
        }
    }
}

impl App {
    /// Now, by the clock of the house.
    pub(crate) fn now(&self) -> i64 {
        (self.config.clock)()
    }
}

/// Now, as the store counts: UTC microseconds.
pub(crate) fn now() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| d.as_micros() as i64)
}
