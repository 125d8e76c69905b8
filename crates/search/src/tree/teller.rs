//! What a tree search tells its watcher: the same words and data for all of them.

use serde_json::Value;
use wits_game::{Eyes, Figure, Game, Lang, Message, Seat, Turn};

use super::Found;
use super::ground::{Value as Known, after};
use crate::{Backup, Kind, Proof, Step, Summary, WORDS, Watch, Worth};

/// Turns what happens in a tree into steps. Every method is empty where nobody watches.
pub(super) struct Teller<'a, G, W> {
    pub(super) game: &'a G,
    pub(super) watch: &'a mut W,
    /// Whose worth is told.
    pub(super) seat: Seat,
    /// Who may read it: all where nothing is hidden, else the searching seat.
    pub(super) eyes: Eyes,
}

/// A node as the thread knows it: its number, its parent's, and the move that leads there.
pub(super) struct Here<'s, G: Game> {
    pub(super) id: u64,
    pub(super) parent: u64,
    /// The position before the move.
    pub(super) from: &'s G::State,
    pub(super) mv: &'s G::Move,
}

impl<G: Game> Clone for Here<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Here<'_, G> {}

/// A value in a step: the number, what it is, and what it rests on.
fn worth_data(step: Step, known: Known) -> Step {
    let told = known.told();
    let step = step
        .data("value", told.json())
        .data("is", told.proof.word())
        .data("proved", told.proved());
    let step = if known.ends {
        step
    } else {
        step.data("judged", true)
    };
    if known.table {
        step.data("by", "table")
    } else {
        step
    }
}

/// A number as people write it in the language that is spoken: `12,345` in English.
pub fn grouped(number: u64) -> String {
    let lang = Lang::spoken();
    if lang != Lang::En {
        return Figure::whole(number).to(lang);
    }
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

impl<G: Game, W: Watch> Teller<'_, G, W> {
    /// How a move is written in the thread.
    pub(super) fn label(&self, state: &G::State, mv: &G::Move) -> String {
        self.game.write(state, mv, self.eyes)
    }

    fn mover(&self, state: &G::State) -> Message {
        match self.game.turn(state) {
            Turn::Of(seat) => self.game.seat_name(seat),
            Turn::Chance => WORDS.say("tree-chance"),
            Turn::Over(_) => WORDS.say("tree-nobody"),
        }
    }

    /// The root is entered by the seat that the search thinks for.
    pub(super) fn root(&mut self) {
        let who = self.seat;
        let game = self.game;
        self.watch.step(|| {
            Step::new(
                Kind::Open,
                WORDS.say("tree-root").with("who", game.seat_name(who)),
            )
            .data("id", 0)
            .data("parent", Value::Null)
            .data("move", Value::Null)
            .data("alpha", Worth::WORST.json())
            .data("beta", Worth::BEST.json())
        });
    }

    /// One round of deepening begins under the root.
    pub(super) fn round(&mut self, id: u64, depth: u32, (alpha, beta): (Worth, Worth)) {
        self.watch.step(|| {
            Step::new(Kind::Open, WORDS.say("tree-round").with("depth", depth))
                .data("id", id)
                .data("parent", 0)
                .data("move", Value::Null)
                .data("depth", depth)
                .data("alpha", alpha.json())
                .data("beta", beta.json())
        });
    }

    /// One round of deepening ends.
    pub(super) fn round_done(&mut self, id: u64, depth: u32, known: Option<Known>, settled: bool) {
        self.watch.step(|| {
            let worth = known.map(Known::told);
            let says = match worth {
                Some(worth) if settled => WORDS
                    .say("tree-round-done")
                    .with("depth", depth)
                    .with("value", worth.to_string()),
                Some(_) => WORDS.say("tree-round-again").with("depth", depth),
                None => WORDS.say("tree-stopped"),
            };
            let step = Step::new(Kind::Close, says).data("id", id);
            let step = match known {
                Some(known) => worth_data(step, known),
                None => step.data("value", Value::Null),
            };
            step.data("best", settled)
        });
    }

    /// A move is tried.
    pub(super) fn open(&mut self, here: Here<'_, G>, window: Option<(Worth, Worth)>) {
        if W::ON {
            let label = self.label(here.from, here.mv);
            let chance = matches!(self.game.turn(here.from), Turn::Chance);
            self.watch.step(|| {
                let key = if chance { "tree-deal" } else { "tree-try" };
                let step = Step::new(Kind::Open, WORDS.say(key).with("move", &label))
                    .data("id", here.id)
                    .data("parent", here.parent)
                    .data("move", label);
                match window {
                    Some((alpha, beta)) => {
                        step.data("alpha", alpha.json()).data("beta", beta.json())
                    }
                    None => step,
                }
            });
        }
    }

    /// A move has its worth. `best` says that it is the best of its parent so far.
    pub(super) fn close(&mut self, here: Here<'_, G>, known: Known, best: bool) {
        if W::ON {
            let label = self.label(here.from, here.mv);
            let next = after(self.game, here.from, here.mv);
            let turn = self.game.turn(&next);
            self.watch.step(|| {
                let value = known.told().to_string();
                let says = match turn {
                    Turn::Over(ref outcome) => {
                        WORDS.say("tree-end").with("why", outcome.why.clone())
                    }
                    _ if known.table => WORDS.say("tree-known"),
                    _ if known.told().bound() => WORDS.say("tree-bound"),
                    _ => WORDS.say("tree-worth"),
                };
                let step = Step::new(Kind::Close, says.with("move", label).with("value", value))
                    .data("id", here.id);
                let step = worth_data(step, known).data("best", best);
                match turn {
                    Turn::Over(outcome) => step.data("outcome", outcome.payoffs),
                    _ => step,
                }
            });
        }
    }

    /// A node is left before its worth is known: the budget ended.
    pub(super) fn stop(&mut self, id: u64) {
        self.watch.step(|| {
            Step::new(Kind::Close, WORDS.say("tree-stopped"))
                .data("id", id)
                .data("value", Value::Null)
        });
    }

    /// After `mv` the other `rest` moves at node `id` are skipped: they cannot change the answer.
    pub(super) fn cut(&mut self, id: u64, state: &G::State, mv: &G::Move, rest: usize, at: Worth) {
        if W::ON && rest > 0 {
            let label = self.label(state, mv);
            let who = self.mover(state);
            self.watch.step(|| {
                Step::new(
                    Kind::Cut,
                    WORDS
                        .say("tree-cut")
                        .with("move", label)
                        .with("who", who)
                        .with("rest", rest),
                )
                .data("id", id)
                .data("rest", rest)
                .data("by", "bound")
                .data("bound", at.json())
            });
        }
    }

    /// The budget has ended before the last `rest` moves at node `id` were looked at.
    pub(super) fn unseen(&mut self, id: u64, rest: usize) {
        if W::ON && rest > 0 {
            self.watch.step(|| {
                Step::new(Kind::Cut, WORDS.say("tree-unseen").with("rest", rest))
                    .data("id", id)
                    .data("rest", rest)
                    .data("by", "budget")
            });
        }
    }

    /// A better answer at the root.
    pub(super) fn improve(&mut self, root: &G::State, line: &[G::Move], worth: Worth) {
        if W::ON {
            let texts = self.texts(root, line);
            self.better(&texts, worth);
        }
    }

    /// A better answer at the root, already written.
    pub(super) fn better(&mut self, line: &[String], worth: Worth) {
        self.watch.step(|| {
            Step::new(
                Kind::Improve,
                WORDS
                    .say("tree-improve")
                    .with("move", line.first().map_or("", String::as_str))
                    .with("value", worth.to_string()),
            )
            .data("id", 0)
            .data("line", line)
            .data("value", worth.json())
        });
    }

    /// Counters so far.
    pub(super) fn count(&mut self, nodes: u64, rounds: Option<u64>) {
        self.watch.step(|| {
            let says = match rounds {
                Some(rounds) => WORDS
                    .say("tree-count-rounds")
                    .with("rounds", grouped(rounds)),
                None => WORDS.say("tree-count"),
            };
            let step =
                Step::new(Kind::Count, says.with("nodes", grouped(nodes))).data("nodes", nodes);
            match rounds {
                Some(rounds) => step.data("rounds", rounds),
                None => step,
            }
        });
    }

    /// How the moves of the root stand after so many games: what each is worth on average, and how
    /// often it was tried.
    pub(super) fn grown(&mut self, rounds: u64, nodes: u64, moves: &[(String, Worth, u64)]) {
        self.watch.step(|| {
            let lead = moves
                .iter()
                .reduce(|most, other| if other.2 > most.2 { other } else { most });
            let (label, visits) = lead.map_or(("-", 0), |lead| (lead.0.as_str(), lead.2));
            let says = WORDS
                .say("tree-root-moves")
                .with("rounds", grouped(rounds))
                .with("move", label)
                .with("visits", grouped(visits));
            let moves: Vec<Value> = moves
                .iter()
                .map(|(mv, worth, visits)| {
                    serde_json::json!({"move": mv, "value": worth.json(), "visits": visits})
                })
                .collect();
            Step::new(Kind::Count, says)
                .data("nodes", nodes)
                .data("rounds", rounds)
                .data("moves", moves)
        });
    }

    /// A node of a tree of playouts is added.
    pub(super) fn add(&mut self, id: u64, parent: u64, label: &str) {
        self.watch.step(|| {
            Step::new(Kind::Open, WORDS.say("tree-try").with("move", label))
                .data("id", id)
                .data("parent", parent)
                .data("move", label)
        });
    }

    /// A node of a tree of playouts has its average for the searching seat; where the budget ended inside its first
    /// game it has none.
    pub(super) fn visited(&mut self, id: u64, label: &str, (mean, visits): (f64, u64), best: bool) {
        if visits == 0 {
            self.stop(id);
            return;
        }
        self.watch.step(|| {
            let worth = Worth::mean(mean);
            Step::new(
                Kind::Close,
                WORDS
                    .say("tree-visited")
                    .with("move", label)
                    .with("value", worth.to_string())
                    .with("visits", grouped(visits)),
            )
            .data("id", id)
            .data("value", worth.json())
            .data("is", Proof::Estimate.word())
            .data("visits", visits)
            .data("best", best)
        });
    }

    /// The search of a position is over.
    pub(super) fn choose(&mut self, root: &G::State, found: &Found<G::Move>) {
        if W::ON {
            let texts = self.texts(root, &found.line);
            let others: Vec<(String, Worth)> = found
                .moves
                .iter()
                .map(|(mv, worth)| (self.label(root, mv), *worth))
                .collect();
            self.decide(found, None, &texts, &others);
        }
    }

    /// The search is over: the root is closed, the counters stand, the decision is made.
    /// `others` are the moves of the root that have a worth.
    pub(super) fn decide<M>(
        &mut self,
        found: &Found<M>,
        rounds: Option<u64>,
        line: &[String],
        others: &[(String, Worth)],
    ) {
        if W::ON {
            let who = self.game.seat_name(self.seat);
            let value = found.worth.to_string();
            // No trial game was finished, so there is no average of any.
            let nothing = rounds == Some(0);
            self.watch.step(|| {
                let key = match found.complete {
                    _ if nothing => "tree-root-untried",
                    true => "tree-root-worth",
                    false => "tree-root-stopped",
                };
                let says = WORDS.say(key).with("who", who).with("value", &value);
                let step = Step::new(Kind::Close, says).data("id", 0);
                let step = if nothing {
                    step.data("value", Value::Null)
                } else {
                    step.data("value", found.worth.json())
                        .data("is", found.worth.proof.word())
                        .data("proved", found.worth.proved())
                };
                match rounds {
                    Some(rounds) => step.data("visits", rounds),
                    None => step,
                }
            });
            self.sum_up(found, rounds, line, others);
            self.count(found.nodes, rounds);
            self.watch.step(|| {
                let says = match line.first() {
                    Some(answer) if nothing => {
                        WORDS.say("tree-choose-untried").with("move", answer)
                    }
                    Some(answer) => WORDS.say("tree-choose").with("move", answer),
                    None => WORDS.say("tree-choose-nothing"),
                };
                let step = Step::new(Kind::Choose, says.with("value", value)).data(
                    "answer",
                    line.first().map_or(Value::Null, |m| m.as_str().into()),
                );
                let step = match rounds {
                    None if found.complete => step.data("depth", found.depth),
                    _ => step,
                };
                let step = if nothing {
                    step.data("value", Value::Null)
                } else {
                    step.data("value", found.worth.json())
                        .data("is", found.worth.proof.word())
                };
                step.data("line", line)
            });
        }
    }

    /// What was done, what decided, and what the runner-up lacked.
    fn sum_up<M>(
        &mut self,
        found: &Found<M>,
        rounds: Option<u64>,
        line: &[String],
        others: &[(String, Worth)],
    ) {
        let best = line.first().map_or("", String::as_str);
        let runner = others
            .iter()
            .filter(|(label, _)| label != best)
            .reduce(|most, other| if other.1 > most.1 { other } else { most });
        let seats = self.game.seats();
        if rounds == Some(0) {
            let did = WORDS.say("sum-untried").with("nodes", grouped(found.nodes));
            self.watch.sum_up(|| {
                Summary::new(Backup::Mean)
                    .say(did)
                    .say(WORDS.say("sum-first").with("move", best))
                    .say(WORDS.say("sum-unknown"))
            });
            return;
        }
        self.watch.sum_up(|| {
            let did = match rounds {
                Some(rounds) => WORDS.say("sum-tried").with("rounds", grouped(rounds)),
                None if found.complete => WORDS.say("sum-searched").with("depth", found.depth),
                None => WORDS.say("sum-stopped"),
            };
            let decided = if best.is_empty() {
                WORDS.say("sum-nothing")
            } else {
                WORDS.say("sum-decided").with("move", best)
            };
            let last = match runner {
                None => WORDS.say("sum-alone").with("move", best),
                Some((other, worth)) if *worth == found.worth && !worth.bound() => WORDS
                    .say("sum-equal")
                    .with("move", other)
                    .with("best", best),
                Some((other, worth)) if *worth == found.worth => {
                    WORDS.say("sum-no-better").with("move", other)
                }
                // The most visited move is chosen, not the one with the best average.
                Some((other, worth)) if rounds.is_some() && *worth > found.worth => WORDS
                    .say("sum-fewer")
                    .with("move", other)
                    .with("value", worth.to_string()),
                Some((other, worth)) => WORDS
                    .say("sum-runner-up")
                    .with("move", other)
                    .with("value", worth.to_string()),
            };
            let backup = match rounds {
                Some(_) => Backup::Mean,
                None if seats <= 2 => Backup::Max,
                None => Backup::None,
            };
            Summary::new(backup)
                .say(did.with("nodes", grouped(found.nodes)))
                .say(decided.with("value", found.worth.to_string()))
                .say(last)
        });
    }

    fn texts(&self, root: &G::State, line: &[G::Move]) -> Vec<String> {
        let mut state = root.clone();
        line.iter()
            .map(|mv| {
                let text = self.label(&state, mv);
                self.game.play(&mut state, mv);
                text
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use wits_game::Lang;

    use super::grouped;

    #[test]
    fn numbers_are_grouped_as_people_write_them() {
        let cases = [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (12_345_678, "12,345,678"),
        ];
        for (number, text) in cases {
            assert_eq!(grouped(number), text);
        }
        // Where a comma stands before decimals, thousands are set apart by a blank.
        assert_eq!(Lang::Pl.speak(|| grouped(12_345)), "12\u{202f}345");
    }
}
