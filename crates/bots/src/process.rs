//! A program as a child process: lines in, lines out, what it used, and an end that leaves nothing behind.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use wits_search::{Budget, Limits};

use crate::supervise::{NOT_STARTED, SIGNALLED, SUPERVISOR};
use crate::tree::{self, Used};
use crate::{MOST_LINE, WORDS};

/// How much of standard error is kept: the end of it.
const KEPT: usize = 4096;

/// Lines that wait to be read; a program that writes more waits itself.
const WAITING: usize = 256;

/// What is started, and what it may use.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The program and its arguments. No shell reads them.
    pub command: Vec<String>,
    /// Bytes of memory.
    pub memory: u64,
    /// The folder it runs in; ours, where none is given.
    pub folder: Option<PathBuf>,
    /// Whether it sees our environment, or only where programs are found.
    pub environment: bool,
    /// The binary that supervises it, which must call [`supervise`](crate::supervise); this one, where
    /// none is given.
    pub supervisor: Option<PathBuf>,
}

impl Launch {
    /// A command with the usual limits.
    pub fn new(command: Vec<String>) -> Launch {
        Launch {
            command,
            memory: 1 << 30,
            folder: None,
            environment: true,
            supervisor: None,
        }
    }
}

/// What came from a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Heard {
    /// A line, without its end.
    Line(String),
    /// Nothing within the time.
    Nothing,
    /// A line that is longer than [`MOST_LINE`].
    TooLong,
    /// A line that is not UTF-8 text.
    NotText,
    /// The end of its output.
    End,
}

/// How a program ended.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ended {
    /// Its exit code, or 128 and the number of the signal that ended it; nothing where it had to be killed.
    pub code: Option<u8>,
    /// The last 4 kB of its standard error.
    pub errors: String,
}

impl Ended {
    /// How it ended, in a sentence.
    pub fn how(&self) -> wits_game::Message {
        match self.code {
            None => WORDS.say("ended-killed"),
            Some(NOT_STARTED) => WORDS.say("ended-not-started"),
            Some(code) if code > SIGNALLED => WORDS
                .say("ended-signal")
                .with("signal", u32::from(code - SIGNALLED)),
            Some(code) => WORDS.say("ended-code").with("code", u32::from(code)),
        }
    }

    /// What went wrong with a program that should still be there, in a sentence.
    pub(crate) fn crash(&self) -> wits_game::Message {
        if self.started() {
            WORDS.say("crashed").with("how", self.how())
        } else {
            self.how()
        }
    }

    /// Whether there was such a program.
    pub(crate) fn started(&self) -> bool {
        self.code != Some(NOT_STARTED)
    }

    /// The last line of its standard error that is not blank.
    pub fn last_words(&self) -> Option<&str> {
        self.errors
            .lines()
            .rev()
            .map(str::trim)
            .find(|line| !line.is_empty())
    }
}

/// A running program. Dropping it ends it and everything it started.
pub struct Process {
    child: Child,
    say: Option<Sender<String>>,
    lines: Receiver<Heard>,
    errors: Arc<Mutex<VecDeque<u8>>>,
    listening: Option<JoinHandle<()>>,
    over: bool,
}

impl Process {
    /// Starts a program under a supervisor.
    pub fn start(launch: &Launch) -> io::Result<Process> {
        let supervisor = match &launch.supervisor {
            Some(path) => path.clone(),
            None => std::env::current_exe()?,
        };
        let mut command = Command::new(supervisor);
        command
            .arg(SUPERVISOR)
            .arg(std::process::id().to_string())
            .arg(launch.memory.to_string())
            .args(launch.command.iter().map(OsString::from))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(folder) = &launch.folder {
            command.current_dir(folder);
        }
        if !launch.environment {
            command.env_clear();
            command.envs(std::env::vars_os().filter(|(key, _)| key == "PATH"));
        }
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            // What a terminal sends to the house is for the house to hear.
            command.process_group(0);
        }
        let mut child = command.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(error)) = pipes else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let errors = Arc::new(Mutex::new(VecDeque::new()));
        let (heard, lines) = sync_channel(WAITING);
        let (say, said) = channel();
        let thread = || std::thread::Builder::new().stack_size(256 << 10);
        let mut process = Process {
            child,
            say: Some(say),
            lines,
            errors: Arc::clone(&errors),
            listening: None,
            over: false,
        };
        thread().spawn(move || pass_on(input, &said))?;
        thread().spawn(move || read_lines(output, &heard))?;
        process.listening = Some(thread().spawn(move || keep_end(error, &errors))?);
        Ok(process)
    }

    /// Sends a line. It never waits: a program that does not read is found out by its silence.
    pub fn say(&self, line: &str) {
        if let Some(say) = &self.say {
            let _ = say.send(format!("{line}\n"));
        }
    }

    /// The next line, waited for at most so long.
    pub fn hear(&self, wait: Duration) -> Heard {
        match self.lines.recv_timeout(wait) {
            Ok(heard) => heard,
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::End,
        }
    }

    /// Processor time of the program and of all it started, so far; nothing where the system does not tell.
    pub fn cpu(&self) -> Option<Duration> {
        tree::KNOWN.then(|| self.used().cpu)
    }

    /// Bytes of memory that the program and all it started hold now.
    pub fn memory(&self) -> u64 {
        self.used().memory
    }

    fn used(&self) -> Used {
        tree::used(self.child.id())
    }

    /// The last 4 kB of its standard error so far.
    pub fn errors(&self) -> String {
        let kept = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = kept.iter().copied().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Closes its input, gives it so long to end by itself, and ends it. Nothing it started is left.
    pub fn end(mut self, grace: Duration) -> Ended {
        self.say = None;
        let code = self.wait(grace);
        self.clear();
        if let Some(listening) = self.listening.take() {
            let _ = listening.join();
        }
        Ended {
            code,
            errors: self.errors(),
        }
    }

    /// Its exit code, if it ends within the time.
    fn wait(&mut self, most: Duration) -> Option<u8> {
        let until = Budget::start(Limits::time(most));
        loop {
            // What it still says must not hold it up.
            while self.lines.try_recv().is_ok() {}
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    self.over = true;
                    return status.code().map(|code| code as u8);
                }
                Ok(None) if !until.late() => std::thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }

    /// Ends the program, then its supervisor.
    fn clear(&mut self) {
        if self.over {
            return;
        }
        tree::clear(self.child.id());
        // The supervisor ends with its program.
        if self.wait(Duration::from_secs(2)).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        self.over = true;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.say = None;
        self.clear();
    }
}

/// Writes what is to be said; ends when nobody says anything any more, or nobody reads.
fn pass_on(mut input: ChildStdin, said: &Receiver<String>) {
    while let Ok(line) = said.recv() {
        if input
            .write_all(line.as_bytes())
            .and_then(|()| input.flush())
            .is_err()
        {
            return;
        }
    }
}

fn read_lines(output: ChildStdout, heard: &SyncSender<Heard>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let most = MOST_LINE as u64 + 1;
        let said = match output.by_ref().take(most).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) if line.len() > MOST_LINE => Heard::TooLong,
            Ok(_) => match String::from_utf8(line) {
                Ok(line) => Heard::Line(line.trim_end_matches(['\n', '\r']).to_owned()),
                Err(_) => Heard::NotText,
            },
        };
        if heard.send(said).is_err() {
            return;
        }
    }
}

fn keep_end(mut error: ChildStderr, kept: &Mutex<VecDeque<u8>>) {
    let mut piece = [0; 4096];
    while let Ok(size @ 1..) = error.read(&mut piece) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(&piece[..size]);
        let surplus = kept.len().saturating_sub(KEPT);
        kept.drain(..surplus);
    }
}
