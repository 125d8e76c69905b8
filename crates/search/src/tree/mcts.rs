//! Monte-Carlo tree search: play many random games, and look closer where they go well.

use std::num::NonZeroU32;

use wits_game::{Dice, Eyes, Game, Seat, Turn};

use super::Found;
use super::ground::MOST_DEPTH;
use super::playout::{Pay, Range, Tally, pay, playout};
use super::teller::Teller;
use crate::{Budget, Watch, Worth};

/// What [`mcts`] and [`ismcts`](super::ismcts()) can be told.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MctsOptions {
    /// How much a little-tried move is worth a try; the root of two for payoffs between zero and one,
    /// to which all payoffs are scaled.
    pub exploration: f64,
    /// At most this many games are played, whatever the budget says.
    pub rounds: u64,
    /// A random game is broken off after this many moves.
    pub playout: u32,
    /// The tree takes at most this many bytes; what does not fit is played out at random. Boards with
    /// thousands of moves have few positions in it.
    pub memory: usize,
}

impl Default for MctsOptions {
    fn default() -> Self {
        MctsOptions {
            exploration: std::f64::consts::SQRT_2,
            rounds: 1_000_000,
            playout: 10_000,
            memory: 32 << 20,
        }
    }
}

/// Grows a tree of the moves that do well in random games, and picks the move that was tried most.
///
/// Source: Coulom (2006) for the tree, Kocsis and Szepesvári (2006) for UCT, the rule that
/// balances what is good with what is unknown. Each seat goes after its own payoff, so it is right for one to four
/// seats and for a seat that moves twice. Chance is dealt anew in each game.
///
/// `tell` hears what was found whenever the number of games has doubled. A budget counts every
/// position that is stepped on, in the tree and in the random games. `complete` means that all
/// rounds were played.
///
/// # Invariant
/// Every node holds, for each seat, the sum of what the games through it paid that seat. In every round one path of nodes
/// gets one visit each.
///
/// # Complexity
/// A round costs one game; memory for one node per round, at most `memory` in all. It tends to minimax's choice as the rounds go to
/// infinity, with no promise about how soon.
///
/// # Example
/// ```
/// # #[path = "../../tests/all/toys/nim.rs"] mod nim;
/// use wits_game::{Dice, Game, Seed};
/// use wits_search::{Budget, tree::{MctsOptions, mcts}};
/// let nim = nim::Nim::new(&[5], 3);
/// let options = MctsOptions { rounds: 2_000, ..MctsOptions::default() };
/// let mut dice = Dice::new(Seed::new(1));
/// let budget = Budget::endless();
/// let found = mcts(&nim, &nim.start(), &options, &mut dice, &budget, &mut |_| (), &mut ());
/// assert_eq!(found.best, Some(nim::Take { heap: 0, count: 1 }));
/// ```
pub fn mcts<G, W>(
    game: &G,
    state: &G::State,
    options: &MctsOptions,
    dice: &mut Dice,
    budget: &Budget,
    tell: &mut dyn FnMut(&Found<G::Move>),
    watch: &mut W,
) -> Found<G::Move>
where
    G: Game,
    G: Game<View = <G as Game>::State>,
    W: Watch,
{
    let turn = game.turn(state);
    let seat = turn.seat().unwrap_or(Seat::FIRST);
    let mut search = Uct {
        game,
        options,
        budget,
        seat,
        range: Range::UNKNOWN,
        tree: vec![Node::new(game, state)],
        bytes: 0,
        labels: vec![String::new()],
        nodes: 1,
        deepest: 0,
        teller: Teller {
            game,
            watch,
            seat,
            eyes: Eyes::All,
        },
    };
    search.teller.root();
    if search.tree[0].moves.is_empty() {
        let worth = turn.outcome().map_or(Worth::mean(0.0), |outcome| {
            Worth::exact(outcome.payoff(seat))
        });
        let found = Found::nothing(worth);
        search.teller.decide(&found, None, &[], &[]);
        return found;
    }
    let mut rounds = 0;
    while rounds < options.rounds && search.round(state, dice).is_some() {
        rounds += 1;
        if rounds.is_power_of_two() {
            search.grown(rounds);
            if rounds > 1 {
                let found = search.found(false);
                let texts = search.texts(state);
                search.teller.better(&texts, found.worth);
                tell(&found);
            }
        }
    }
    let found = search.found(rounds >= options.rounds);
    tell(&found);
    if W::ON {
        search.close_below(0);
        let untried = search.tree[0].children.iter().filter(|c| c.is_none());
        let untried = untried.count();
        search.teller.unseen(0, untried);
        let texts = search.texts(state);
        let others: Vec<(String, Worth)> = search
            .root_moves()
            .map(|(label, worth, _)| (label.to_owned(), worth))
            .collect();
        search.teller.decide(&found, Some(rounds), &texts, &others);
    }
    found
}

/// One position of the tree. Children are numbers of nodes; a move without one is not yet tried.
struct Node<M> {
    /// Who moves here; none for chance and for the end.
    mover: Option<Seat>,
    end: Option<Pay>,
    /// The options, or for chance what was dealt so far.
    moves: Vec<M>,
    children: Vec<Option<Child>>,
    tally: Tally,
}

/// The number of a node that is not the root.
type Child = NonZeroU32;

/// The place of a node in the tree.
const fn at(child: Child) -> usize {
    child.get() as usize
}

impl<M> Node<M> {
    fn new<G>(game: &G, state: &G::State) -> Node<M>
    where
        G: Game<Move = M>,
        G: Game<View = <G as Game>::State>,
    {
        let turn = game.turn(state);
        let moves = match turn {
            Turn::Of(_) => game.options(state),
            _ => Vec::new(),
        };
        Node {
            mover: turn.seat(),
            end: turn.outcome().map(pay),
            children: vec![None; moves.len()],
            moves,
            tally: Tally::default(),
        }
    }

    /// What it takes in memory, but for what a move keeps elsewhere.
    fn bytes(&self) -> usize {
        let option = size_of::<M>() + size_of::<Option<Child>>();
        size_of::<Self>() + self.moves.len() * option
    }
}

struct Uct<'a, G: Game, W> {
    game: &'a G,
    options: &'a MctsOptions,
    budget: &'a Budget,
    seat: Seat,
    range: Range,
    tree: Vec<Node<G::Move>>,
    /// What the nodes below the root take.
    bytes: usize,
    /// How the move into each node is written; kept only for a watcher.
    labels: Vec<String>,
    nodes: u64,
    deepest: u32,
    teller: Teller<'a, G, W>,
}

impl<G, W> Uct<'_, G, W>
where
    G: Game,
    G: Game<View = <G as Game>::State>,
    W: Watch,
{
    /// Plays one game: down the tree, one new node, then at random. `None` when the budget has ended;
    /// a game that was not finished does not count.
    fn round(&mut self, root: &G::State, dice: &mut Dice) -> Option<()> {
        let mut state = root.clone();
        let mut path = vec![0];
        let mut here = 0;
        let pay = loop {
            if let Some(pay) = self.tree[here].end {
                break pay;
            }
            if path.len() as u32 > MOST_DEPTH {
                break self.finish(&mut state, dice)?;
            }
            let Some(choice) = self.descend(here, &state, dice) else {
                break self.finish(&mut state, dice)?;
            };
            if self.budget.spent(self.nodes) {
                return None;
            }
            self.nodes += 1;
            let mv = self.tree[here].moves[choice].clone();
            if let Some(child) = self.tree[here].children[choice] {
                self.game.play(&mut state, &mv);
                here = at(child);
                path.push(here);
                continue;
            }
            path.extend(self.expand(here, choice, &state, &mv));
            self.game.play(&mut state, &mv);
            break self.finish(&mut state, dice)?;
        };
        let seats = usize::from(self.game.seats());
        self.range.widen(&pay[..seats.min(pay.len())]);
        self.deepest = self.deepest.max(path.len() as u32 - 1);
        for node in path {
            self.tree[node].tally.add(&pay);
        }
        Some(())
    }

    fn finish(&mut self, state: &mut G::State, dice: &mut Dice) -> Option<Pay> {
        let most = self.options.playout;
        playout(self.game, state, most, dice, self.budget, &mut self.nodes)
    }

    /// Which way to go from a node: an untried move first, then the most promising; chance deals.
    fn descend(&mut self, here: usize, state: &G::State, dice: &mut Dice) -> Option<usize> {
        let node = &self.tree[here];
        let Some(mover) = node.mover else {
            let deal = self.game.deal(state, dice);
            let known = node.moves.iter().position(|mv| *mv == deal);
            return Some(known.unwrap_or_else(|| {
                let node = &mut self.tree[here];
                node.moves.push(deal);
                node.children.push(None);
                node.moves.len() - 1
            }));
        };
        if let Some(untried) = node.children.iter().position(Option::is_none) {
            return Some(untried);
        }
        let mut best = None;
        for (place, child) in node.children.iter().enumerate() {
            let tally = &self.tree[at((*child)?)].tally;
            let visits = node.tally.visits;
            let promise = self
                .range
                .promise(tally, mover, visits, self.options.exploration);
            if best.is_none_or(|(_, most)| promise > most) {
                best = Some((place, promise));
            }
        }
        best.map(|(place, _)| place)
    }

    /// Adds the node behind a move, if there is room for it.
    fn expand(
        &mut self,
        here: usize,
        choice: usize,
        state: &G::State,
        mv: &G::Move,
    ) -> Option<usize> {
        if self.bytes >= self.options.memory {
            return None;
        }
        let number = Child::new(u32::try_from(self.tree.len()).ok()?)?;
        let mut next = state.clone();
        self.game.play(&mut next, mv);
        let node = Node::new(self.game, &next);
        self.bytes += node.bytes();
        self.tree.push(node);
        self.tree[here].children[choice] = Some(number);
        let child = at(number);
        if W::ON {
            let label = self.teller.label(state, mv);
            self.teller.add(child as u64, here as u64, &label);
            self.labels.push(label);
        }
        Some(child)
    }

    /// The most visited child, the first of several.
    fn favourite(&self, here: usize) -> Option<(usize, usize)> {
        let node = &self.tree[here];
        let mut best: Option<(usize, usize, u64)> = None;
        for (place, child) in node.children.iter().enumerate() {
            if let Some(child) = self.tried(*child) {
                let visits = self.tree[child].tally.visits;
                if best.is_none_or(|(_, _, most)| visits > most) {
                    best = Some((place, child, visits));
                }
            }
        }
        best.map(|(place, child, _)| (place, child))
    }

    /// The place of a child that a whole game went through. The last one may have none, when the budget ended
    /// inside its first game; an average of no games would be a number out of nothing.
    fn tried(&self, child: Option<Child>) -> Option<usize> {
        let child = at(child?);
        (self.tree[child].tally.visits > 0).then_some(child)
    }

    /// The nodes along the most visited moves, as far as seats decide.
    fn trail(&self) -> Vec<(usize, usize)> {
        let mut trail = Vec::new();
        let mut here = 0;
        while self.tree[here].mover.is_some()
            && let Some((place, child)) = self.favourite(here)
        {
            trail.push((here, place));
            here = child;
        }
        trail
    }

    fn texts(&self, root: &G::State) -> Vec<String> {
        let mut here = 0;
        let mut texts = Vec::new();
        if W::ON {
            while self.tree[here].mover.is_some()
                && let Some((_, child)) = self.favourite(here)
            {
                texts.push(self.labels[child].clone());
                here = child;
            }
            if texts.is_empty()
                && let Some(first) = self.tree[0].moves.first()
            {
                texts.push(self.teller.label(root, first));
            }
        }
        texts
    }

    fn found(&self, complete: bool) -> Found<G::Move> {
        let root = &self.tree[0];
        let mean = |child: usize| Worth::mean(self.tree[child].tally.mean(self.seat));
        let favourite = self.favourite(0);
        let trail = self.trail();
        let first = root.moves.first().cloned();
        let mut line: Vec<G::Move> = trail
            .iter()
            .map(|&(node, place)| self.tree[node].moves[place].clone())
            .collect();
        if line.is_empty() {
            line.extend(first);
        }
        Found {
            best: line.first().cloned(),
            worth: favourite.map_or(Worth::mean(0.0), |(_, child)| mean(child)),
            line,
            moves: root
                .moves
                .iter()
                .zip(&root.children)
                .filter_map(|(mv, child)| Some((mv.clone(), mean(self.tried(*child)?))))
                .collect(),
            nodes: self.nodes,
            depth: self.deepest,
            complete,
        }
    }

    /// The moves of the root that were tried: how each is written, its average and its visits.
    fn root_moves(&self) -> impl Iterator<Item = (&str, Worth, u64)> {
        let children = self.tree[0].children.iter();
        children.filter_map(|&child| {
            let child = self.tried(child)?;
            let tally = &self.tree[child].tally;
            let worth = Worth::mean(tally.mean(self.seat));
            Some((self.labels[child].as_str(), worth, tally.visits))
        })
    }

    /// Tells the watcher how the moves of the root stand.
    fn grown(&mut self, rounds: u64) {
        if W::ON {
            let moves: Vec<(String, Worth, u64)> = self
                .root_moves()
                .map(|(label, worth, visits)| (label.to_owned(), worth, visits))
                .collect();
            self.teller.grown(rounds, self.nodes, &moves);
        }
    }

    /// Tells the watcher what every node came to, children before parents.
    fn close_below(&mut self, here: usize) {
        let best = self.favourite(here).map(|(_, child)| child);
        for child in self.tree[here].children.clone().into_iter().flatten() {
            let child = at(child);
            self.close_below(child);
            let tally = self.tree[child].tally;
            let what = (tally.mean(self.seat), tally.visits);
            self.teller
                .visited(child as u64, &self.labels[child], what, best == Some(child));
        }
    }
}
