//! Tree search over what a seat cannot see: imagine, play, and remember only what it would see.

use std::collections::HashMap;

use wits_game::{Dice, Eyes, Game, Seat, Turn};

use super::ground::MOST_DEPTH;
use super::playout::{Pay, Range, Tally, pay, playout};
use super::teller::Teller;
use super::{Found, MctsOptions};
use crate::{Budget, Watch, Worth};

/// Searches from what one seat knows, for games with hidden hands and chance.
///
/// Source: single-observer information-set Monte-Carlo tree search, Cowling, Powley and Whitehouse (2012). In every
/// round the game imagines a full position that the view allows; the tree is shared by all of them. Its branches are what
/// the searching seat would see: moves of others that look the same to it are one branch, and one of
/// them is taken at random.
///
/// Everything else is as in [`mcts`](super::mcts()). `seat` is whose view it is; it must be that seat's turn.
///
/// # Invariant
/// In each round every child that could have been taken is counted as available, and only the one
/// that was taken as visited; so a move that is seldom possible is not taken for one that is seldom good.
///
/// # Complexity
/// As [`mcts`](super::mcts()), plus one imagined position per round.
///
/// # Example
/// ```
/// # #[path = "../../tests/all/toys/cards.rs"] mod cards;
/// use wits_game::{Dice, Eyes, Game, Seat, Seed};
/// use wits_search::{Budget, tree::{MctsOptions, ismcts}};
/// // Two seats hold one of five cards each, and the first may bet or fold.
/// let game = cards::HighCard::default();
/// let state = game.dealt(4, 2);
/// let view = game.view(&state, Eyes::Seat(Seat::FIRST));
/// let options = MctsOptions { rounds: 500, ..MctsOptions::default() };
/// let mut dice = Dice::new(Seed::new(1));
/// let budget = Budget::endless();
/// let found = ismcts(&game, &view, Seat::FIRST, &options, &mut dice, &budget, &mut |_| (), &mut ());
/// assert_eq!(found.best, Some(cards::Play::Bet));
/// ```
#[expect(
    clippy::too_many_arguments,
    reason = "the view and whose it is are two more than a position"
)]
pub fn ismcts<G: Game, W: Watch>(
    game: &G,
    view: &G::View,
    seat: Seat,
    options: &MctsOptions,
    dice: &mut Dice,
    budget: &Budget,
    tell: &mut dyn FnMut(&Found<G::Move>),
    watch: &mut W,
) -> Found<G::Move> {
    let moves = game.options(view);
    let mut search = Search {
        game,
        seat,
        options,
        budget,
        moves: &moves,
        range: Range::UNKNOWN,
        tree: vec![Node::new(Some(seat))],
        bytes: 0,
        nodes: 1,
        deepest: 0,
        teller: Teller {
            game,
            watch,
            seat,
            eyes: Eyes::Seat(seat),
        },
    };
    search.teller.root();
    if moves.is_empty() {
        let found = Found::nothing(Worth::mean(0.0));
        search.teller.decide(&found, None, &[], &[]);
        return found;
    }
    let mut rounds = 0;
    while rounds < options.rounds && search.round(view, dice).is_some() {
        rounds += 1;
        if rounds.is_power_of_two() {
            if W::ON {
                let moves = search.root_moves();
                search.teller.grown(rounds, search.nodes, &moves);
            }
            if rounds > 1 {
                let found = search.found(false);
                let texts = search.texts();
                search.teller.better(&texts, found.worth);
                tell(&found);
            }
        }
    }
    let found = search.found(rounds >= options.rounds);
    tell(&found);
    if W::ON {
        search.close_below(0);
        let mut texts = search.texts();
        if texts.is_empty() {
            // A copy of the dice, so that being watched shifts nothing.
            let state = game.imagine(view, &mut dice.clone());
            texts.extend(found.best.iter().map(|mv| search.teller.label(&state, mv)));
        }
        let others: Vec<(String, Worth)> = search
            .root_moves()
            .into_iter()
            .map(|(label, worth, _)| (label, worth))
            .collect();
        let unseen = moves.len() - search.tree[0].branches.len();
        search.teller.unseen(0, unseen);
        search.teller.decide(&found, Some(rounds), &texts, &others);
    }
    found
}

/// What the searching seat sees of a move: all of its own, only the outside of others'.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Seen<M> {
    Whole(M),
    Outside(String),
}

struct Branch<M> {
    /// A move that looks like this; the first that was met.
    mv: M,
    label: String,
    node: usize,
    /// In how many rounds it could have been taken.
    available: u64,
}

struct Node<M> {
    mover: Option<Seat>,
    branches: Vec<Branch<M>>,
    /// Where a branch is. Only looked up, never walked.
    places: HashMap<Seen<M>, usize>,
    tally: Tally,
}

impl<M> Node<M> {
    fn new(mover: Option<Seat>) -> Node<M> {
        Node {
            mover,
            branches: Vec::new(),
            places: HashMap::new(),
            tally: Tally::default(),
        }
    }
}

/// Where to go from a node: along a branch, or off the tree with a move that has none yet.
enum Way<M> {
    Branch(usize, M),
    New(Seen<M>, M),
}

struct Search<'a, G: Game, W> {
    game: &'a G,
    seat: Seat,
    options: &'a MctsOptions,
    budget: &'a Budget,
    /// The options at the root, in the game's order.
    moves: &'a [G::Move],
    range: Range,
    tree: Vec<Node<G::Move>>,
    /// What the branches and their nodes take.
    bytes: usize,
    nodes: u64,
    deepest: u32,
    teller: Teller<'a, G, W>,
}

impl<G: Game, W: Watch> Search<'_, G, W> {
    /// Imagines a position and plays it to the end. `None` when the budget has ended; a game that was
    /// not finished does not count.
    fn round(&mut self, view: &G::View, dice: &mut Dice) -> Option<()> {
        if self.budget.spent(self.nodes) {
            return None;
        }
        let mut state = self.game.imagine(view, dice);
        let mut path = vec![0];
        let mut here = 0;
        let pay = loop {
            let way = match self.game.turn(&state) {
                Turn::Over(outcome) => break pay(&outcome),
                _ if path.len() as u32 > MOST_DEPTH => break self.finish(&mut state, dice)?,
                Turn::Chance => {
                    let deal = self.game.deal(&state, dice);
                    let seen = self.seen(None, &state, &deal);
                    match self.tree[here].places.get(&seen) {
                        Some(&place) => Way::Branch(place, deal),
                        None => Way::New(seen, deal),
                    }
                }
                Turn::Of(mover) => match self.decide(here, mover, &state, dice) {
                    Some(way) => way,
                    None => break self.finish(&mut state, dice)?,
                },
            };
            if self.budget.spent(self.nodes) {
                return None;
            }
            self.nodes += 1;
            match way {
                Way::Branch(place, mv) => {
                    here = self.tree[here].branches[place].node;
                    path.push(here);
                    self.game.play(&mut state, &mv);
                }
                Way::New(seen, mv) => {
                    let before = W::ON.then(|| state.clone());
                    self.game.play(&mut state, &mv);
                    if self.bytes < self.options.memory {
                        path.push(self.expand(here, seen, &mv, before, &state));
                    }
                    break self.finish(&mut state, dice)?;
                }
            }
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

    fn seen(&self, mover: Option<Seat>, state: &G::State, mv: &G::Move) -> Seen<G::Move> {
        if !G::HIDDEN || mover == Some(self.seat) {
            Seen::Whole(mv.clone())
        } else {
            Seen::Outside(self.game.write(state, mv, Eyes::Seat(self.seat)))
        }
    }

    /// Which way a seat goes: a move that looks new, or the most promising of those it could make.
    fn decide(
        &mut self,
        here: usize,
        mover: Seat,
        state: &G::State,
        dice: &mut Dice,
    ) -> Option<Way<G::Move>> {
        let view = self.game.view(state, Eyes::Seat(mover));
        let moves = self.game.options(&view);
        let mut fresh = Vec::new();
        // For each branch that is possible now, the moves that look like it.
        let mut possible: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut slots: HashMap<usize, usize> = HashMap::new();
        for (index, mv) in moves.iter().enumerate() {
            let seen = self.seen(Some(mover), state, mv);
            match self.tree[here].places.get(&seen) {
                None => fresh.push((seen, index)),
                Some(&place) => {
                    let slot = *slots.entry(place).or_insert_with(|| {
                        possible.push((place, Vec::new()));
                        possible.len() - 1
                    });
                    possible[slot].1.push(index);
                }
            }
        }
        for &(place, _) in &possible {
            self.tree[here].branches[place].available += 1;
        }
        if !fresh.is_empty() {
            let (seen, index) = fresh.swap_remove(dice.below(fresh.len()));
            return Some(Way::New(seen, moves[index].clone()));
        }
        let node = &self.tree[here];
        let mut best: Option<(&(usize, Vec<usize>), f64)> = None;
        for option in &possible {
            let branch = &node.branches[option.0];
            let tally = &self.tree[branch.node].tally;
            let exploration = self.options.exploration;
            let promise = self
                .range
                .promise(tally, mover, branch.available, exploration);
            if best.is_none_or(|(_, most)| promise > most) {
                best = Some((option, promise));
            }
        }
        let ((place, alike), _) = best?;
        let index = if alike.len() == 1 {
            alike[0]
        } else {
            alike[dice.below(alike.len())]
        };
        Some(Way::Branch(*place, moves[index].clone()))
    }

    fn expand(
        &mut self,
        here: usize,
        seen: Seen<G::Move>,
        mv: &G::Move,
        before: Option<G::State>,
        after: &G::State,
    ) -> usize {
        let child = self.tree.len();
        self.tree.push(Node::new(self.game.turn(after).seat()));
        let label = before.map_or_else(String::new, |before| {
            let label = self.teller.label(&before, mv);
            self.teller.add(child as u64, here as u64, &label);
            label
        });
        // A branch, its key and the place of the key, which tables keep half empty.
        let outside = match &seen {
            Seen::Whole(_) => 0,
            Seen::Outside(text) => text.len(),
        };
        self.bytes += size_of::<Node<G::Move>>()
            + size_of::<Branch<G::Move>>()
            + 2 * size_of::<(Seen<G::Move>, usize)>()
            + outside
            + label.len();
        let node = &mut self.tree[here];
        node.places.insert(seen, node.branches.len());
        node.branches.push(Branch {
            mv: mv.clone(),
            label,
            node: child,
            available: 1,
        });
        child
    }

    /// The most visited branch; of several the first in the game's order at the root, the oldest below.
    fn favourite(&self, here: usize) -> Option<&Branch<G::Move>> {
        let mut best: Option<(&Branch<G::Move>, u64)> = None;
        let mut compare = |branch| {
            let visits = self.visits(branch);
            // No game went through a branch in whose first game the budget ended.
            if visits > 0 && best.is_none_or(|(_, most)| visits > most) {
                best = Some((branch, visits));
            }
        };
        if here == 0 {
            self.moves
                .iter()
                .filter_map(|mv| self.root_branch(mv))
                .for_each(&mut compare);
        } else {
            self.tree[here].branches.iter().for_each(&mut compare);
        }
        best.map(|(branch, _)| branch)
    }

    fn visits(&self, branch: &Branch<G::Move>) -> u64 {
        self.tree[branch.node].tally.visits
    }

    /// The branch of a move at the root, if a whole game went through it.
    fn root_branch(&self, mv: &G::Move) -> Option<&Branch<G::Move>> {
        let root = &self.tree[0];
        let place = *root.places.get(&Seen::Whole(mv.clone()))?;
        let branch = root.branches.get(place)?;
        (self.visits(branch) > 0).then_some(branch)
    }

    /// The most visited branches from the root, as far as seats decide.
    fn trail(&self) -> Vec<&Branch<G::Move>> {
        let mut trail = Vec::new();
        let mut here = 0;
        while self.tree[here].mover.is_some()
            && let Some(branch) = self.favourite(here)
        {
            trail.push(branch);
            here = branch.node;
        }
        trail
    }

    fn texts(&self) -> Vec<String> {
        self.trail().iter().map(|b| b.label.clone()).collect()
    }

    fn found(&self, complete: bool) -> Found<G::Move> {
        let worth =
            |branch: &Branch<G::Move>| Worth::mean(self.tree[branch.node].tally.mean(self.seat));
        let mut line: Vec<G::Move> = self.trail().iter().map(|b| b.mv.clone()).collect();
        if line.is_empty() {
            line.extend(self.moves.first().cloned());
        }
        Found {
            best: line.first().cloned(),
            worth: self.favourite(0).map_or(Worth::mean(0.0), worth),
            line,
            moves: self
                .moves
                .iter()
                .filter_map(|mv| Some((mv.clone(), worth(self.root_branch(mv)?))))
                .collect(),
            nodes: self.nodes,
            depth: self.deepest,
            complete,
        }
    }

    /// The moves of the root that were tried: how each is written, its average and its visits.
    fn root_moves(&self) -> Vec<(String, Worth, u64)> {
        let branches = self.moves.iter().filter_map(|mv| self.root_branch(mv));
        branches
            .map(|branch| {
                let tally = &self.tree[branch.node].tally;
                let worth = Worth::mean(tally.mean(self.seat));
                (branch.label.clone(), worth, tally.visits)
            })
            .collect()
    }

    /// Tells the watcher what every node came to, children before parents.
    fn close_below(&mut self, here: usize) {
        let best = self.favourite(here).map(|branch| branch.node);
        for place in 0..self.tree[here].branches.len() {
            let child = self.tree[here].branches[place].node;
            self.close_below(child);
            let tally = self.tree[child].tally;
            let what = (tally.mean(self.seat), tally.visits);
            let label = &self.tree[here].branches[place].label;
            self.teller
                .visited(child as u64, label, what, best == Some(child));
        }
    }
}
