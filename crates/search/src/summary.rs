//! What a decision came to, in at most three sentences.

use serde::{Deserialize, Serialize};
use wits_game::Message;

/// How the values of a thread's nodes follow from those below them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Backup {
    /// The seat that the thread is for takes the greatest, the other seat the least.
    Max,
    /// A node is worth the average of the games played through it; the most visited is chosen.
    Mean,
    /// The values were looked up in a table of the solved game.
    Table,
    /// They do not follow from each other: rules, luck or beads decide.
    #[default]
    None,
}

/// What stands in the header of a thread once the decision is made.
///
/// ```
/// use wits_search::{Backup, Summary};
/// # use wits_game::{Book, Lang};
/// # static WORDS: Book = Book::new("demo", &[(Lang::En, "done = Compared {n} moves.\nwhy = d3 turns most discs.")]);
/// let summary = Summary::new(Backup::Max)
///     .say(WORDS.say("done").with("n", 7))
///     .say(WORDS.say("why"));
/// assert_eq!(summary.text(Lang::En), "Compared 7 moves. d3 turns most discs.");
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summary {
    /// How the values back up.
    pub backup: Backup,
    /// The sentences: what was done, what decided, what the runner-up lacked.
    pub says: Vec<Message>,
}

impl Summary {
    /// More sentences than this are no summary.
    pub const MOST: usize = 3;

    /// A summary with no sentence yet.
    pub fn new(backup: Backup) -> Summary {
        Summary {
            backup,
            says: Vec::new(),
        }
    }

    /// The summary with one more sentence; a fourth is left out.
    pub fn say(mut self, sentence: Message) -> Summary {
        if self.says.len() < Self::MOST {
            self.says.push(sentence);
        }
        self
    }

    /// The sentences in one line.
    pub fn text(&self, lang: wits_game::Lang) -> String {
        let says: Vec<String> = self.says.iter().map(|says| says.to(lang)).collect();
        says.join(" ")
    }
}
