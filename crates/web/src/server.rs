//! Listening: connections with limits, a kind end.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use axum::Extension;
use axum::http::StatusCode;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Semaphore, watch};

use crate::patient::Patient;
use crate::without::without;
use crate::{App, Config, log, metrics, routes, tables};

/// An open server: where it listens, and how to close it.
pub struct Door {
    /// The address, with the port the system gave if none was asked for.
    pub address: SocketAddr,
    /// Where figures for operators are read, if anywhere.
    pub metrics: Option<SocketAddr>,
    close: watch::Sender<bool>,
    running: tokio::task::JoinHandle<()>,
}

impl Door {
    /// Opens the door of a house.
    pub async fn open(app: App) -> Result<Door> {
        let listener = listen(&app.config)
            .await
            .with_context(|| format!("cannot listen on {}", app.config.listen))?;
        let address = listener.local_addr()?;
        let (close, closed) = watch::channel(false);
        let metrics = metrics::open(&app, closed.clone()).await.context(
            "cannot listen for readers of figures; choose another address with --metrics",
        )?;
        if app.store.is_shared() && !without("two-servers") {
            let (house, closed) = (app.clone(), closed.clone());
            std::thread::Builder::new()
                .name("follow".to_owned())
                .spawn(move || tables::follow(&house, || !*closed.borrow()))
                .context("the system gives no threads")?;
        }
        let (house, shut) = (app.clone(), closed.clone());
        std::thread::Builder::new()
            .name("lead".to_owned())
            .spawn(move || crate::rooms::lead(&house, || !*shut.borrow()))
            .context("the system gives no threads")?;
        let running = tokio::spawn(accept(listener, app, closed));
        Ok(Door {
            address,
            metrics,
            close,
            running,
        })
    }

    /// Ends kindly: no new connections, a moment for those that are open.
    pub async fn close(self) {
        let _ = self.close.send(true);
        let _ = self.running.await;
    }
}

async fn listen(config: &Config) -> std::io::Result<TcpListener> {
    let Some(bytes) = config.send_buffer else {
        return TcpListener::bind(config.listen).await;
    };
    // Connections have the buffers of what they came in by.
    let socket = match config.listen {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    socket.set_reuseaddr(cfg!(unix))?;
    socket.set_send_buffer_size(bytes)?;
    socket.bind(config.listen)?;
    socket.listen(1024)
}

/// How long open connections get when the server ends.
const FAREWELL: Duration = Duration::from_secs(3);

async fn accept(listener: TcpListener, app: App, mut closed: watch::Receiver<bool>) {
    let places = Arc::new(Semaphore::new(app.config.connections));
    let graceful = GracefulShutdown::new();
    let mut builder = hyper::server::conn::http1::Builder::new();
    // A plain `axum::serve` would wait for ever for headers that trickle in.
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(app.config.header_time)
        .max_buf_size(app.config.head_limit.max(8 * 1024))
        .max_headers(64);
    let (write_time, per_address) = (app.config.write_time, app.config.per_address);
    let crowd = Crowd::default();
    let sweeper = tokio::spawn(sweep(app.clone()));
    let service = routes::router(app);
    loop {
        let taken = tokio::select! {
            taken = listener.accept() => taken,
            _ = closed.changed() => break,
        };
        let Ok((stream, peer)) = taken else {
            // Out of file handles or a client that left at once: breathe and go on.
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
            tokio::spawn(refuse(stream, peer.ip()));
            continue;
        };
        let Some(one) = crowd.enter(peer.ip(), per_address) else {
            tokio::spawn(refuse(stream, peer.ip()));
            continue;
        };
        let _ = stream.set_nodelay(true);
        let io = TokioIo::new(Patient::new(stream, write_time));
        let service = service.clone().layer(Extension(Peer(peer.ip())));
        let service = TowerToHyperService::new(service);
        let connection = graceful.watch(builder.serve_connection(io, service));
        tokio::spawn(async move {
            // What a client does wrong ends its own connection only.
            let _ = connection.await;
            drop((place, one));
        });
    }
    sweeper.abort();
    drop(listener);
    let _ = tokio::time::timeout(FAREWELL, graceful.shutdown()).await;
}

/// The address at the other end of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// How many connections each address has.
#[derive(Clone, Default)]
struct Crowd(Arc<Mutex<HashMap<IpAddr, usize>>>);

/// One connection in the crowd; it leaves when dropped.
struct One(Crowd, IpAddr);

impl Crowd {
    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One more of an address, if it has not too many.
    fn enter(&self, address: IpAddr, most: usize) -> Option<One> {
        let mut all = self.lock();
        let count = all.entry(address).or_insert(0);
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(One(self.clone(), address))
    }
}

impl Drop for One {
    fn drop(&mut self) {
        let mut all = self.0.lock();
        if let Some(count) = all.get_mut(&self.1) {
            *count -= 1;
            if *count == 0 {
                all.remove(&self.1);
            }
        }
    }
}

/// Says that the house is full, and hangs up.
async fn refuse(stream: TcpStream, from: IpAddr) {
    use tokio::io::AsyncWriteExt;
    log::refused("full", StatusCode::SERVICE_UNAVAILABLE, "-", from);
    let mut stream = stream;
    let text = "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 30\r\nretry-after: 5\r\nconnection: close\r\n\r\nthe server is full, try later\n";
    let _ = tokio::time::timeout(Duration::from_secs(1), stream.write_all(text.as_bytes())).await;
    let _ = stream.shutdown().await;
}

/// Ticks between two looks for what has expired: an hour.
const EXPIRY_TICKS: u32 = 7_200;

/// Ends the games whose clocks have run out, and throws away what has expired.
async fn sweep(app: App) {
    let mut tick = tokio::time::interval(Duration::from_millis(500));
    let mut ticks = 0_u32;
    loop {
        tick.tick().await;
        let house = app.clone();
        let expiry = ticks.is_multiple_of(EXPIRY_TICKS);
        ticks = ticks.wrapping_add(1);
        let _ = tokio::task::spawn_blocking(move || {
            if expiry {
                // What cannot be thrown away now is thrown away in an hour.
                let _ = house.expire();
            }
            for table in house.tables.all() {
                table.flag(&house);
                table.rest(&house);
            }
        })
        .await;
    }
}

/// Serves until Ctrl-C or a polite kill, and then closes the store: its file alone holds everything.
/// `opened` is told where the doors are.
pub fn serve(app: App, opened: impl FnOnce(&Door)) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the system gives no threads")?;
    let house = app.clone();
    let served: Result<()> = runtime.block_on(async {
        let gate = Arc::clone(&app.gate);
        let door = Door::open(app).await?;
        opened(&door);
        tokio::select! {
            () = end_of_day() => {}
            () = gate.ended() => {}
        }
        door.close().await;
        Ok(())
    });
    if let Err(error) = house.store.close() {
        log::unclosed(&error);
    }
    // A search that still runs ends with the process, which is not to wait for it.
    std::mem::forget(house);
    runtime.shutdown_background();
    served
}

#[cfg(unix)]
async fn end_of_day() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminate) = signal(SignalKind::terminate()) else {
        let _ = tokio::signal::ctrl_c().await;
        return;
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
    }
}

#[cfg(not(unix))]
async fn end_of_day() {
    let _ = tokio::signal::ctrl_c().await;
}
