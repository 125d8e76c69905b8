//! Starting children, listening to them, and ending them.

use std::ffi::OsString;
use std::io::{self, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use thiserror::Error;
use wits_desk::{Progress, Refusal};

use crate::line::{ChildLine, JobLine, StopLine, read, read_items, sizes, write};
use crate::{Items, Job, Output};

/// How long a child may take to end by itself, after its time is up or it was told to stop.
const GRACE: Duration = Duration::from_millis(700);
/// How often the stop flag is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// Why a job came to nothing.
#[derive(Debug, Error)]
pub enum Failure {
    /// It was refused, with a sentence.
    #[error("{0}")]
    Refused(Refusal),
    /// It took longer than it may, and was killed.
    #[error("it took too long")]
    Time,
    /// It wanted more memory than it may have, and ended.
    #[error("it needed too much memory")]
    Memory,
    /// It was told to stop, did not, and was killed.
    #[error("it was stopped")]
    Stopped,
    /// The process could not be started, or broke down.
    #[error("the sandbox failed: {0}")]
    Broken(String),
}

/// Starts a child for each job.
pub struct Sandbox {
    spawner: Mutex<Sender<Sender<io::Result<Child>>>>,
    started: AtomicU64,
    killed: AtomicU64,
}

impl Sandbox {
    /// A sandbox whose children are `program` with these arguments; they must call
    /// [`serve_one`](crate::serve_one).
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn new(program: PathBuf, args: Vec<OsString>) -> io::Result<Sandbox> {
        let (spawner, requests) = channel();
        // One thread starts all children and lives as long as this value: a child's parent-death
        // signal fires when the *thread* that started it ends.
        std::thread::Builder::new()
            .name("sandbox".to_owned())
            .spawn(move || start_children(&program, &args, &requests))?;
        Ok(Sandbox {
            spawner: Mutex::new(spawner),
            started: AtomicU64::new(0),
            killed: AtomicU64::new(0),
        })
    }

    /// How many children were started, and how many of them had to be killed or ran out of memory.
    pub fn counts(&self) -> (u64, u64) {
        let load = |count: &AtomicU64| count.load(Ordering::Relaxed);
        (load(&self.started), load(&self.killed))
    }

    fn spawn(&self) -> Result<Running, Failure> {
        let broken = |e: io::Error| Failure::Broken(e.to_string());
        let gone = || Failure::Broken("nothing starts processes any more".to_owned());
        let (reply, child) = channel();
        let spawner = self.spawner.lock().unwrap_or_else(PoisonError::into_inner);
        spawner.send(reply).map_err(|_| gone())?;
        drop(spawner);
        let child = child.recv().map_err(|_| gone())?.map_err(broken)?;
        self.started.fetch_add(1, Ordering::Relaxed);
        Ok(Running(child))
    }

    /// Does one job in a fresh process and waits for it. `tell` hears how far it is. Raising `stop`
    /// asks the child to end with what it has; one that does not is killed soon after, and so is
    /// one whose time is up.
    ///
    /// # Errors
    /// A refusal of the job itself, or how the process came to its end.
    pub fn run(
        &self,
        job: Job,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Output, Failure> {
        let begun = Instant::now();
        let time = job.caps.time();
        let mut running = self.spawn()?;
        let heard = converse(&mut running.0, job)?;
        let mut deadline = begun + time + GRACE;
        let mut late = Failure::Time;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                self.killed.fetch_add(1, Ordering::Relaxed);
                return Err(late);
            }
            match heard.lines.recv_timeout(left.min(LOOK)) {
                Ok(Heard::Progress(progress)) => tell(progress),
                Ok(Heard::Output(output)) => return Ok(output),
                Ok(Heard::Refused(refusal)) if refusal.code == "breakdown" => {
                    return Err(Failure::Broken("the work panicked".to_owned()));
                }
                Ok(Heard::Refused(refusal)) => return Err(Failure::Refused(refusal)),
                Err(RecvTimeoutError::Disconnected) => {
                    let ended = running.0.wait();
                    return Err(self.ended(ended));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if stop.load(Ordering::Relaxed) && !matches!(late, Failure::Stopped) {
                late = Failure::Stopped;
                deadline = deadline.min(Instant::now() + GRACE);
                heard.stop();
            }
        }
    }

    /// Why a child ended without an answer.
    fn ended(&self, status: io::Result<ExitStatus>) -> Failure {
        let status = match status {
            Ok(status) => status,
            Err(e) => return Failure::Broken(e.to_string()),
        };
        #[cfg(unix)]
        {
            use std::os::unix::process::ExitStatusExt;
            const XCPU: i32 = 24;
            // An allocation that fails aborts; so does a stack that overflows its limit.
            const ABORT: [i32; 3] = [6, 7, 11];
            let signal = status.signal();
            if signal.is_some() {
                self.killed.fetch_add(1, Ordering::Relaxed);
            }
            if signal.is_some_and(|s| ABORT.contains(&s)) {
                return Failure::Memory;
            }
            if signal == Some(XCPU) {
                return Failure::Time;
            }
        }
        Failure::Broken(format!("it ended with {status}"))
    }
}

/// A child that does not outlive this value.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Something a child said.
enum Heard {
    Progress(Progress),
    Output(Output),
    Refused(Refusal),
}

/// The two ends of a child's pipes.
struct Conversation {
    lines: Receiver<Heard>,
    input: Arc<Mutex<ChildStdin>>,
}

impl Conversation {
    /// Asks the child to end with what it has.
    fn stop(&self) {
        // Whoever still writes the job holds the lock; then the child has not begun.
        if let Ok(mut input) = self.input.try_lock() {
            let _ = write(&mut *input, &StopLine { stop: true }, &Items::new());
        }
    }
}

/// Sends the job on a thread of its own, and reads what the child says: neither a child that does
/// not read nor one that does not write can hold up the caller.
fn converse(child: &mut Child, job: Job) -> Result<Conversation, Failure> {
    let pipes = child.stdin.take().zip(child.stdout.take());
    let (input, output) = pipes.ok_or_else(|| Failure::Broken("it has no pipes".to_owned()))?;
    let input = Arc::new(Mutex::new(input));
    let (say, lines) = channel();
    let sender = Arc::clone(&input);
    let talk = move || {
        let line = JobLine {
            room: job.room,
            verb: job.verb,
            args: job.args,
            items: sizes(&job.items),
            lang: job.lang,
            caps: job.caps,
        };
        let mut to = sender.lock().unwrap_or_else(PoisonError::into_inner);
        if write(&mut *to, &line, &job.items).is_err() {
            return;
        }
        // An upload is large, and the child has its own by now.
        drop((to, line, job.items));
        let mut from = BufReader::new(output);
        while let Ok(Some(line)) = read(&mut from) {
            let heard = match line {
                ChildLine::Progress(progress) => Heard::Progress(progress),
                ChildLine::Error(refusal) => Heard::Refused(refusal),
                ChildLine::Answer { answer, items } => match read_items(&mut from, &items) {
                    Ok(items) => Heard::Output(Output { answer, items }),
                    Err(_) => return,
                },
            };
            if say.send(heard).is_err() {
                return;
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20);
    let thread = thread.name("sandbox-pipe".to_owned());
    thread
        .spawn(talk)
        .map_err(|e| Failure::Broken(e.to_string()))?;
    Ok(Conversation { lines, input })
}

fn start_children(
    program: &PathBuf,
    args: &[OsString],
    requests: &Receiver<Sender<io::Result<Child>>>,
) {
    while let Ok(reply) = requests.recv() {
        let mut command = Command::new(program);
        command
            .args(args)
            .env_clear()
            // Each arena of the C library's allocator reserves address space of its own.
            .env("MALLOC_ARENA_MAX", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        // Tests that take a protection out take it out in children, too.
        if cfg!(debug_assertions)
            && let Some(row) = std::env::var_os("WITS_WITHOUT")
        {
            command.env("WITS_WITHOUT", row);
        }
        if let Err(unwanted) = reply.send(command.spawn())
            && let Ok(child) = unwanted.0
        {
            drop(Running(child));
        }
    }
}
