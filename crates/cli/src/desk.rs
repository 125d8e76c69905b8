//! The terminal's door to the verbs that rooms describe: commands, help, files, progress, text.

mod print;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::builder::PossibleValuesParser;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use wits_desk::{Args, Block, Param, ParamKind, Progress, Room, Shelf, Value, Verb, Work};
use wits_search::{Budget, Limits};

use crate::args::{Seeded, seconds};
use crate::out::{self, Out};
use crate::problem::Problem;
use crate::shelf::{write_by, write_whole};
use crate::{Answer, matches as games, rooms, stop};

pub(crate) use print::text;

/// Names and values, as they were given.
pub(crate) type Pairs = Vec<(String, Value)>;

/// The command line with the verbs of all rooms.
pub(crate) fn extend(command: Command, rooms: &[Room]) -> Command {
    rooms.iter().fold(command, |command, room| {
        room.verbs.iter().fold(command, |command, verb| {
            insert(command, &room.words(verb), of_verb(verb), room)
        })
    })
}

/// Puts a command below the commands that its path names; those that are not there yet are made.
fn insert(command: Command, path: &[&str], leaf: Command, room: &Room) -> Command {
    match path {
        [] | [_] => command.subcommand(leaf),
        [first, rest @ ..] if command.find_subcommand(first).is_some() => {
            command.mut_subcommand(first, |below| insert(below, rest, leaf, room))
        }
        [first, rest @ ..] => {
            let below = Command::new((*first).to_owned())
                .about(room.about.to_string())
                .subcommand_required(true)
                .arg_required_else_help(true);
            command.subcommand(insert(below, rest, leaf, room))
        }
    }
}

fn of_verb(verb: &Verb) -> Command {
    let name = verb.id.rsplit(' ').next().unwrap_or(verb.id);
    let title = match verb.examples {
        [one] => format!("Example: {one}"),
        all => format!("Examples:\n  {}", all.join("\n  ")),
    };
    let named = verb.params.iter().filter(|param| param.usage.named);
    let named = named.map(|param| {
        let option = Arg::new(by_name(param)).long(param.name).hide(true);
        option.conflicts_with(param.name).value_name("FILE")
    });
    let mut command = Command::new(name)
        .about(verb.about.to_string())
        .after_help(title)
        .args(verb.params.iter().map(of_param))
        .args(named);
    if verb.cost.long {
        let threads = Arg::new("threads").long("threads").value_name("T");
        let threads = threads.value_parser(clap::value_parser!(usize));
        let usual = verb.cost.threads.to_string();
        let time = Arg::new("time").long("time").value_name("SECONDS");
        command =
            command
                .arg(threads.default_value(usual).help(
                    "How many threads (0: one for each core); the numbers are the same for any",
                ))
                .arg(time.value_parser(seconds).help("Seconds it may take"));
    }
    command
}

/// The other way to give a parameter that has a place and a name.
fn by_name(param: &Param) -> String {
    format!("--{}", param.name)
}

fn of_param(param: &Param) -> Arg {
    let usage = &param.usage;
    let value = if usage.value.is_empty() {
        "N"
    } else {
        usage.value
    };
    let mut arg = Arg::new(param.name)
        .help(param.about.to_string())
        .required(usage.required && !usage.prompted);
    if !usage.positional {
        arg = arg.long(param.name);
    }
    if let Some(short) = usage.short {
        arg = arg.short(short);
    }
    if param.kind == ParamKind::Flag {
        return arg.action(ArgAction::SetTrue);
    }
    arg = arg.value_name(value).allow_hyphen_values(usage.hyphen);
    if usage.listed {
        arg = arg.num_args(1..);
    }
    arg = arg.action(if usage.many {
        ArgAction::Append
    } else {
        ArgAction::Set
    });
    if let ParamKind::Choice(words) = &param.kind {
        arg = arg.value_parser(PossibleValuesParser::new(words.clone()));
    }
    match &param.default {
        Some(default) if !usage.fresh => arg.default_value(default.clone()),
        _ => arg,
    }
}

/// The verb that a command line asks for, if it is one of those that rooms describe.
pub(crate) fn asked<'a, 'm>(
    rooms: &'a [Room],
    matches: &'m ArgMatches,
) -> Option<(&'a Room, &'a Verb, &'m ArgMatches)> {
    let (mut words, mut below) = (Vec::new(), matches);
    while let Some((word, deeper)) = below.subcommand() {
        words.push(word);
        below = deeper;
    }
    let all = rooms.iter();
    let mut all = all.flat_map(|room| room.verbs.iter().map(move |verb| (room, verb)));
    let (room, verb) = all.find(|(room, verb)| room.words(verb) == words)?;
    Some((room, verb, below))
}

/// Names and values that were given.
fn pairs(verb: &Verb, matches: &ArgMatches) -> Pairs {
    let given = |param: &&Param| matches.value_source(param.name) == Some(ValueSource::CommandLine);
    let mut pairs = Vec::new();
    for param in verb.params.iter().filter(given) {
        let name = || param.name.to_owned();
        if param.kind == ParamKind::Flag {
            pairs.push((name(), Value::Text("true".to_owned())));
            continue;
        }
        let values = matches.get_many::<String>(param.name).into_iter().flatten();
        pairs.extend(values.map(|value| (name(), Value::Text(value.clone()))));
    }
    for param in verb.params.iter().filter(|p| p.usage.named) {
        let values = matches.get_many::<String>(&by_name(param));
        let values = values.into_iter().flatten();
        pairs.extend(values.map(|value| (param.name.to_owned(), Value::Text(value.clone()))));
    }
    for param in verb.params.iter().filter(|p| p.usage.fresh && !given(p)) {
        let fresh = Seeded { seed: None }.or_fresh();
        pairs.push((param.name.to_owned(), Value::Text(fresh.to_string())));
    }
    pairs
}

/// The files that the arguments name; each is opened when it is read.
pub(crate) fn shelf(verb: &Verb, args: &Args) -> Shelf {
    let mut shelf = Shelf::new();
    let put = |shelf: &mut Shelf, path: &Path| {
        if path.is_file() {
            let at = path.to_owned();
            let open = move || -> std::io::Result<Box<dyn Read>> { Ok(Box::new(File::open(&at)?)) };
            shelf.put_source(path.display().to_string(), open);
        }
    };
    let files = |p: &&Param| matches!(p.kind, ParamKind::File | ParamKind::Kept);
    for param in verb.params.iter().filter(files) {
        for name in args.list(param.name) {
            let path = Path::new(&name);
            put(&mut shelf, path);
            let beside = if path.is_dir() {
                Some(path)
            } else {
                path.parent()
            };
            let beside = beside.filter(|_| param.usage.folder);
            let entries = beside.and_then(|folder| read_folder(folder).ok());
            if path.is_dir() && entries.as_ref().is_some_and(Vec::is_empty) {
                let empty = || std::io::Error::other("the folder is empty");
                shelf.put_source(name.clone(), move || Err(empty()));
                continue;
            }
            entries
                .into_iter()
                .flatten()
                .for_each(|path| put(&mut shelf, &path));
        }
    }
    for param in verb.params.iter().filter(|p| p.kind == ParamKind::Kept) {
        for name in args.list(param.name) {
            let path = PathBuf::from(&name);
            shelf.put_place(name, move |fill| write_by(&path, fill));
        }
    }
    shelf
}

/// What lies in a folder; the one we are in where its name is empty.
fn read_folder(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let here = folder.as_os_str().is_empty();
    let entries = std::fs::read_dir(if here { Path::new(".") } else { folder })?;
    let entries = entries.filter_map(|entry| Some(folder.join(entry.ok()?.file_name())));
    Ok(entries.collect())
}

/// Asks a verb from within another command.
pub(crate) fn ask(room: &str, verb: &str, pairs: &[(&str, String)], out: &Out) -> Result<Answer> {
    let rooms = wits_catalog::rooms();
    let room = rooms.iter().find(|one| one.id == room);
    let asked = room.and_then(|room| Some((room, room.verb(verb)?)));
    let (room, verb) = asked.expect("commands ask verbs that are there");
    let text = |(name, value): &(&str, String)| ((*name).to_owned(), Value::Text(value.clone()));
    let pairs: Vec<(String, Value)> = pairs.iter().map(text).collect();
    answer(
        room,
        verb,
        &pairs,
        None,
        Limits::NONE,
        games::threads(verb.cost.threads),
        out,
    )
}

/// Asks the verb of a command line and prints what it answers.
pub(crate) fn run(room: &Room, verb: &Verb, matches: &ArgMatches, out: &Out) -> Result<Answer> {
    let mut pairs = pairs(verb, matches);
    let lacks = |param: &&Param| pairs.iter().all(|(name, _)| name != param.name);
    let prompted = verb.params.iter().filter(|param| param.usage.prompted);
    let ready = match prompted.filter(lacks).count() {
        0 => None,
        _ => Some(rooms::prompt(
            room,
            &mut pairs,
            &|args| shelf(verb, args),
            out,
        )?),
    };
    let (mut limits, mut threads) = (Limits::default(), 1);
    if verb.cost.long {
        threads = games::threads(matches.get_one("threads").copied().unwrap_or(0));
        if let Some(&seconds) = matches.get_one::<f64>("time") {
            limits = Limits::time(std::time::Duration::from_secs_f64(seconds));
        }
    }
    answer(room, verb, &pairs, ready, limits, threads, out)
}

fn answer(
    room: &Room,
    verb: &Verb,
    pairs: &[(String, Value)],
    ready: Option<Shelf>,
    limits: Limits,
    threads: usize,
    out: &Out,
) -> Result<Answer> {
    let of = format!("{} {}", room.id, verb.id);
    let args = Args::read(&of, pairs, &verb.params)?;
    let shelf = ready.unwrap_or_else(|| shelf(verb, &args));
    let progress = out::Progress::start();
    let mut tell = |at: Progress| progress.tell(&at);
    // A quick answer needs nobody to listen for Ctrl-C: the system ends it.
    let stop = if verb.cost.long {
        stop::flag()
    } else {
        std::sync::Arc::default()
    };
    let budget = Budget::with_stop(limits, stop);
    let mut work = Work::new(budget, &mut tell).on_threads(threads);
    let answer = (verb.run)(&args, &shelf, &mut work);
    progress.done();
    let answer = answer?;
    for param in verb.params.iter().filter(|p| p.kind == ParamKind::Output) {
        let Some(path) = args.text_if(param.name) else {
            continue;
        };
        if param.usage.folder {
            write_folder(Path::new(path), &answer.blocks, param.name)?;
        } else {
            write_whole(Path::new(path), named(&answer.blocks, param.name)?)?;
        }
    }
    out.tell(&answer.data, || text(&answer.blocks, out))?;
    Ok(match answer.verdict {
        wits_desk::Verdict::Yes => Answer::Yes,
        wits_desk::Verdict::No => Answer::No,
    })
}

/// Writes the files of an answer that belong into a folder.
fn write_folder(folder: &Path, blocks: &[Block], name: &str) -> Result<()> {
    for block in blocks {
        let (own, bytes) = match block {
            Block::File(file) => (&file.name, file.bytes.as_slice()),
            Block::Picture(picture) => (&picture.name, picture.svg.as_bytes()),
            _ => continue,
        };
        let file = own.strip_prefix(name).and_then(|own| own.strip_prefix('/'));
        if let Some(file) = file {
            std::fs::create_dir_all(folder).map_err(|e| Problem::file(folder, &e))?;
            write_whole(&folder.join(file), bytes)?;
        }
    }
    Ok(())
}

/// The bytes of a file or drawing of the answer.
fn named<'a>(blocks: &'a [Block], name: &str) -> Result<&'a [u8]> {
    let found = blocks.iter().find_map(|block| match block {
        Block::File(file) if file.name == name => Some(file.bytes.as_slice()),
        Block::Picture(picture) if picture.name == name => Some(picture.svg.as_bytes()),
        _ => None,
    });
    found.ok_or_else(|| {
        let message = format!("there is nothing to write for `--{name}` here");
        Problem::new("no-output", message, "leave the option out").into()
    })
}
