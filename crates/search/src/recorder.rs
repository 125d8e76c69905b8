//! Keeping a run so that it can be followed later, without keeping all of it.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;
use wits_game::Lang;

use crate::thread::{Footer, Line, Sample, Thread, ThreadHeader};
use crate::{Kind, Step, Summary, WORDS, Watch};

/// A watcher with a size limit.
///
/// It decides while it watches, so it never holds much more than it keeps: at most `limit` steps,
/// as many again that may turn out to be on the principal line, and a few words for every node that the search itself
/// holds open.
///
/// - Steps of a tree (those with an `id`) are kept by depth. When there are too many, the deepest level that is
///   still kept is thinned to a half, a quarter, an eighth … of its nodes, and then given up; so everything near
///   the root stays, with its cuts, and the rest is a sample. A node below which something was left out says so
///   in its `close`: "12,345 positions inside".
/// - The principal line is kept to its end: a search marks each `close` that is the `best` of its
///   parent so far, and the chain of best ones from the first root is put back.
/// - Steps that belong to no node (`visit`, `relax`, `cell` …) are thinned evenly.
/// - `improve`, `count`, `ask`, `answer`, `note` are thinned only when nothing else is left to thin, and
///   the last `choose` is never dropped.
///
/// What is kept depends only on the steps, and is told in the footer. Every kept step keeps the number it
/// had in the whole run as `at`.
///
/// ```
/// use wits_search::{Kind, Recorder, Step, ThreadHeader, Watch, WORDS};
/// use wits_game::Lang;
/// let mut recorder = Recorder::new(100);
/// recorder.step(|| Step::new(Kind::Open, WORDS.say("tree-root").with("who", "X")).data("id", 0));
/// recorder.step(|| Step::new(Kind::Close, WORDS.say("tree-stopped")).data("id", 0));
/// let thread = recorder.finish(&ThreadHeader::new("demo", "tree"), "nothing", Lang::En);
/// assert!(thread.text().lines().count() == 4);
/// ```
#[derive(Clone, Debug)]
pub struct Recorder {
    limit: usize,
    /// The finished file is not longer than this.
    bytes: usize,
    summary: Option<Summary>,
    seen: u64,
    counts: BTreeMap<&'static str, u64>,
    kept: Vec<Kept>,
    /// The nodes that are kept, and those that are open; the others are forgotten.
    nodes: HashMap<u64, Node>,
    /// The first root: where the principal line starts.
    root: Option<u64>,
    /// Nodes shallower than this are kept, those at it are sampled, deeper ones are not.
    level: u32,
    /// At the level, one node in two to this power is kept.
    sample: u32,
    /// One loose step in this many is kept.
    stride: u64,
    /// One notable step in this many is kept.
    notable: u64,
    /// How many opening steps of left-out nodes are held, in case they are on the principal line.
    spare: usize,
}

#[derive(Clone, Debug)]
struct Kept {
    at: u64,
    step: Step,
    what: What,
}

/// Why a step may be dropped, and when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    /// Belongs to the node with this number, at this depth.
    Of(u64, u32),
    /// The n-th step that belongs to no node.
    Loose(u64),
    /// The n-th step that a reader would not like to miss.
    Notable(u64),
    /// A decision.
    Decision,
}

#[derive(Clone, Debug)]
struct Node {
    parent: Option<u64>,
    depth: u32,
    kept: bool,
    closed: bool,
    /// The child that was best when it closed.
    best: Option<u64>,
    /// How many nodes below it were left out; they are counted at the nearest kept node above them.
    inside: u64,
    /// The opening step of a node that is left out, while it is open.
    opening: Option<Box<(u64, Step)>>,
    /// The steps of the best line below this open node that are not kept as yet.
    line: Vec<Kept>,
}

/// Below this a thread tells nothing.
const LEAST: usize = 8;

/// A level is given up when it is thinned more than this often.
const THINNEST: u32 = 12;

impl Default for Recorder {
    fn default() -> Recorder {
        Recorder::new(4_000)
    }
}

impl Recorder {
    /// A recorder that keeps at most `limit` steps (at least eight).
    pub fn new(limit: usize) -> Recorder {
        Recorder {
            limit: limit.max(LEAST),
            bytes: usize::MAX,
            summary: None,
            seen: 0,
            counts: BTreeMap::new(),
            kept: Vec::new(),
            nodes: HashMap::new(),
            root: None,
            level: u32::MAX,
            sample: 0,
            stride: 1,
            notable: 1,
            spare: 0,
        }
    }

    /// The recorder with a limit on the length of the file, too: steps are thinned further until the
    /// lines of the steps together are no longer than this.
    pub fn bytes(mut self, bytes: usize) -> Recorder {
        self.bytes = bytes;
        self
    }

    /// How many steps it has seen.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// How many steps it holds, the principal line not counted.
    pub fn held(&self) -> usize {
        self.kept.len()
    }

    /// Ends the thread: header, the kept steps, footer with the result.
    pub fn finish(mut self, header: &ThreadHeader, result: &str, lang: Lang) -> Thread {
        self.fit_bytes(lang);
        if let Some(root) = self.root {
            self.put_back(root);
        }
        self.kept.sort_by_key(|kept| kept.at);
        let steps: Vec<Line> = self.kept.iter().map(|kept| self.line(kept, lang)).collect();
        let kept = steps.len() as u64;
        let counts = self
            .counts
            .iter()
            .map(|(&kind, &count)| (kind.to_owned(), count))
            .collect();
        let mut header = header.clone();
        if let Some(summary) = &self.summary {
            header.backup = summary.backup;
            if header.summary.is_empty() {
                header.summary = summary.text(lang);
            }
        }
        Thread::new(
            header,
            steps,
            Footer {
                end: true,
                counts,
                kept,
                dropped: self.seen - kept,
                sample: self.sampling(),
                result: result.to_owned(),
            },
        )
    }

    /// Where the tree was thinned, if it was.
    fn sampling(&self) -> Option<Sample> {
        (self.level < u32::MAX).then(|| Sample {
            depth: self.level,
            one_in: if self.sample > THINNEST {
                0
            } else {
                1 << self.sample
            },
        })
    }

    /// A kept step as it stands in the file.
    fn line(&self, kept: &Kept, lang: Lang) -> Line {
        let Kept { at, step, what } = kept;
        let mut text = step.says.to(lang);
        let mut data = step.data.clone();
        if step.kind == Kind::Close
            && let What::Of(id, _) = what
            && let Some(count) = self.nodes.get(id).map(|node| node.inside)
            && count > 0
        {
            let key = if count == 1 { "inside-one" } else { "inside" };
            text = WORDS
                .say(key)
                .with("what", text)
                .with("count", crate::tree::grouped(count))
                .to(lang);
            data.insert("inside".to_owned(), count.into());
        }
        Line {
            at: *at,
            kind: step.kind,
            text,
            data,
        }
    }

    /// Thins until the kept steps are short enough as text, with room for the principal line.
    fn fit_bytes(&mut self, lang: Lang) {
        while self.bytes < usize::MAX && self.kept.len() > LEAST {
            let long = |kept: &Kept| self.line(kept, lang).length() + 1;
            let bytes: usize = self.kept.iter().map(long).sum();
            let each = bytes / self.kept.len() + 1;
            // What the steps that fit would leave free, the line may take.
            let fitting = (self.bytes / each).max(LEAST);
            if bytes <= self.bytes * 7 / 8 || fitting >= self.limit {
                self.limit = self.limit.min(fitting);
                return;
            }
            self.limit = fitting;
            let before = self.kept.len();
            self.fit();
            if self.kept.len() == before {
                return;
            }
        }
    }

    /// The principal line goes back between the kept steps, as far as there is room.
    fn put_back(&mut self, root: u64) {
        let mut by_depth: BTreeMap<u32, Vec<Kept>> = BTreeMap::new();
        // The last kept node of the line: what goes back was counted as left out there.
        let mut last = root;
        let mut here = Some(root);
        while let Some(id) = here
            && let Some(node) = self.nodes.get_mut(&id)
        {
            for kept in node.line.drain(..) {
                if let What::Of(_, depth) = kept.what {
                    by_depth.entry(depth).or_default().push(kept);
                }
            }
            last = id;
            here = node.best;
        }
        for (_, mut steps) in by_depth {
            if self.kept.len() + steps.len() > self.limit {
                break;
            }
            // What was around these nodes was counted with a node above them.
            for kept in steps.iter_mut().filter(|k| k.step.kind == Kind::Close) {
                kept.step.data.insert("sampled".to_owned(), true.into());
            }
            self.kept.append(&mut steps);
            if let Some(node) = self.nodes.get_mut(&last) {
                node.inside = node.inside.saturating_sub(1);
            }
        }
    }

    fn keep(&mut self, step: Step, what: What) {
        self.kept.push(Kept {
            at: self.seen - 1,
            step,
            what,
        });
    }

    /// Whether a node may be kept where it stands.
    fn wanted(&self, id: u64, depth: u32) -> bool {
        depth < self.level || (depth == self.level && sampled(id, self.sample))
    }

    fn open(&mut self, id: u64, step: Step) {
        let parent = key(step.data.get("parent")).filter(|p| self.nodes.contains_key(p));
        let orphan = parent.is_none() && !step.data.get("parent").is_none_or(Value::is_null);
        let above = parent.and_then(|p| self.nodes.get(&p));
        let depth = above.map_or(0, |node| node.depth + 1);
        let first = self.root.is_none();
        if first {
            self.root = Some(id);
        }
        let kept =
            first || (!orphan && above.is_none_or(|node| node.kept) && self.wanted(id, depth));
        let mut node = Node {
            parent,
            depth,
            kept,
            closed: false,
            best: None,
            inside: 0,
            opening: None,
            line: Vec::new(),
        };
        if kept {
            self.keep(step, What::Of(id, depth));
        } else {
            self.leave_out(parent, 1);
            if self.spare < self.limit {
                self.spare += 1;
                node.opening = Some(Box::new((self.seen - 1, step)));
            }
        }
        self.nodes.insert(id, node);
    }

    /// Counts nodes as left out at the nearest kept node.
    fn leave_out(&mut self, from: Option<u64>, count: u64) {
        let mut here = from;
        while let Some(node) = here.and_then(|id| self.nodes.get_mut(&id)) {
            if node.kept {
                node.inside += count;
                return;
            }
            here = node.parent;
        }
    }

    fn close(&mut self, id: u64, step: Step) {
        let best = step.data.get("best").and_then(Value::as_bool) == Some(true);
        let Some(node) = self.nodes.get_mut(&id) else {
            return;
        };
        node.closed = true;
        let (parent, depth, kept) = (node.parent, node.depth, node.kept);
        // The line moves up when this is the best so far, and is forgotten when it is not.
        let mut line = if parent.is_some() {
            std::mem::take(&mut node.line)
        } else {
            Vec::new()
        };
        let opening = node.opening.take();
        self.spare -= usize::from(opening.is_some());
        if kept {
            self.keep(step, What::Of(id, depth));
        } else {
            self.nodes.remove(&id);
            if let Some(opening) = opening {
                let what = What::Of(id, depth);
                let (at, opened) = *opening;
                line.extend([
                    Kept {
                        at,
                        step: opened,
                        what,
                    },
                    Kept {
                        at: self.seen - 1,
                        step,
                        what,
                    },
                ]);
            } else {
                line.clear();
            }
        }
        if let Some(above) = parent.and_then(|p| self.nodes.get_mut(&p))
            && best
        {
            above.best = kept.then_some(id);
            above.line = line;
        }
    }

    /// Makes room: thins what is least worth keeping until the steps fit.
    fn fit(&mut self) {
        // A quarter is left free, for the principal line and so that this is not done at every step.
        let most = (self.limit * 3 / 4).max(LEAST - 2);
        while self.kept.len() > most {
            let loose = self.count(|what| matches!(what, What::Loose(_)));
            let tree = self.count(|what| matches!(what, What::Of(id, _) if Some(id) != self.root));
            if loose > 0 && loose >= tree {
                self.stride *= 2;
                let stride = self.stride;
                self.kept
                    .retain(|k| !matches!(k.what, What::Loose(n) if !n.is_multiple_of(stride)));
                if loose == 1 {
                    self.kept.retain(|k| !matches!(k.what, What::Loose(_)));
                }
            } else if tree > 0 {
                self.thin_tree();
            } else if !self.thin_notable() {
                return;
            }
        }
    }

    fn count(&self, which: impl Fn(What) -> bool) -> usize {
        self.kept.iter().filter(|k| which(k.what)).count()
    }

    /// Thins the deepest level of nodes that is kept, or gives it up.
    fn thin_tree(&mut self) {
        let root = self.root;
        let deepest = self
            .kept
            .iter()
            .filter_map(|k| match k.what {
                What::Of(id, depth) if Some(id) != root => Some(depth),
                _ => None,
            })
            .max()
            .unwrap_or(0);
        if deepest < self.level {
            self.level = deepest;
            self.sample = 1;
        } else {
            self.sample += 1;
        }
        if self.sample > THINNEST {
            self.sample = 64;
        }
        let gone: Vec<u64> = self
            .kept
            .iter()
            .filter_map(|k| match k.what {
                What::Of(id, depth) if Some(id) != root && k.step.kind == Kind::Open => {
                    (!self.wanted(id, depth)).then_some(id)
                }
                _ => None,
            })
            .collect();
        for &id in &gone {
            self.drop_node(id);
        }
        let nodes = &self.nodes;
        self.kept.retain(
            |k| !matches!(k.what, What::Of(id, _) if !nodes.get(&id).is_some_and(|node| node.kept)),
        );
    }

    /// A node that was kept is left out after all. Its steps move to the line of the open node above, if it is on it.
    fn drop_node(&mut self, id: u64) {
        let Some(node) = self.nodes.get(&id) else {
            return;
        };
        let (parent, inside, closed, depth) = (node.parent, node.inside, node.closed, node.depth);
        let owner = self.line_owner(id);
        let what = What::Of(id, depth);
        let mut steps: Vec<Kept> = Vec::new();
        if owner.is_some() || !closed {
            let frame =
                |k: &&Kept| k.what == what && matches!(k.step.kind, Kind::Open | Kind::Close);
            steps = self.kept.iter().filter(frame).cloned().collect();
        }
        if let Some(node) = self.nodes.get_mut(&id) {
            node.kept = false;
            node.inside = 0;
        }
        self.leave_out(parent, inside + 1);
        if closed {
            self.nodes.remove(&id);
            if let Some(above) = parent.and_then(|p| self.nodes.get_mut(&p))
                && above.best == Some(id)
            {
                above.best = None;
            }
            if let Some(owner) = owner.and_then(|o| self.nodes.get_mut(&o)) {
                owner.line.append(&mut steps);
            }
        } else if self.spare < self.limit
            && let Some(opened) = steps.into_iter().next()
            && let Some(node) = self.nodes.get_mut(&id)
        {
            self.spare += 1;
            node.opening = Some(Box::new((opened.at, opened.step)));
        }
    }

    /// The open node whose best line runs through this closed one, if there is such a node.
    fn line_owner(&self, id: u64) -> Option<u64> {
        let mut child = id;
        loop {
            let node = self.nodes.get(&child)?;
            if !node.closed {
                return None;
            }
            let parent = node.parent?;
            let above = self.nodes.get(&parent)?;
            if above.best != Some(child) {
                return None;
            }
            if !above.closed || Some(parent) == self.root {
                return Some(parent);
            }
            child = parent;
        }
    }

    /// Thins what is notable; false when nothing is left to thin.
    fn thin_notable(&mut self) -> bool {
        let before = self.kept.len();
        let last = self.kept.iter().rposition(|k| k.what == What::Decision);
        if self.count(|what| matches!(what, What::Notable(_))) > 0 {
            self.notable *= 2;
            let every = self.notable;
            self.kept
                .retain(|k| !matches!(k.what, What::Notable(n) if !n.is_multiple_of(every)));
            if self.kept.len() == before {
                self.kept.retain(|k| !matches!(k.what, What::Notable(_)));
            }
            return true;
        }
        let mut index = 0;
        self.kept.retain(|k| {
            index += 1;
            k.what != What::Decision || Some(index - 1) == last
        });
        self.kept.len() < before
    }
}

impl Watch for Recorder {
    const ON: bool = true;

    fn sum_up(&mut self, what: impl FnOnce() -> Summary) {
        self.summary = Some(what());
    }

    fn room(&self) -> usize {
        self.limit.saturating_sub(self.kept.len())
    }

    fn step(&mut self, what: impl FnOnce() -> Step) {
        let step = what();
        self.seen += 1;
        let count = self.counts.entry(step.kind.word()).or_default();
        let ordinal = *count;
        *count += 1;
        match (step.kind, key(step.data.get("id"))) {
            (Kind::Choose, _) => self.keep(step, What::Decision),
            (Kind::Improve | Kind::Count | Kind::Ask | Kind::Answer | Kind::Note, _) => {
                if ordinal.is_multiple_of(self.notable) {
                    self.keep(step, What::Notable(ordinal));
                }
            }
            (Kind::Open, Some(id)) => self.open(id, step),
            (Kind::Close, Some(id)) => self.close(id, step),
            (_, Some(id)) if self.root.is_some() && self.root != Some(id) => {
                if let Some(node) = self.nodes.get(&id).filter(|node| node.kept) {
                    let what = What::Of(id, node.depth);
                    self.keep(step, what);
                }
            }
            _ => {
                if ordinal.is_multiple_of(self.stride) {
                    self.keep(step, What::Loose(ordinal));
                }
            }
        }
        if self.kept.len() > self.limit * 7 / 8 {
            self.fit();
        }
    }
}

/// The number of a node: a number, or a name turned into one.
fn key(value: Option<&Value>) -> Option<u64> {
    match value? {
        Value::Number(number) => number.as_u64(),
        Value::String(name) => Some(name.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        })),
        _ => None,
    }
}

/// Whether a node is among the one in `2^thinned` that stay; the fewer that stay were among the more.
///
/// The numbers of nodes at one depth have patterns (they grow by the sizes of the subtrees between them), so they are
/// mixed well first: the finalizer of `SplitMix64` (Steele, Lea and Flood 2014).
pub fn sampled(id: u64, thinned: u32) -> bool {
    let mut mixed = id.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^= mixed >> 31;
    thinned == 0 || (thinned < 64 && mixed >> (64 - thinned) == 0)
}
