//! What came of something that was asked.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wits_game::Message;

use crate::Block;

/// Whether the answer is what the asker hoped for; the command line ends with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It is done, or the answer is yes: exit code 0.
    #[default]
    Yes,
    /// The answer is no: exit code 1.
    No,
}

impl Verdict {
    /// The exit code of a command with this verdict.
    pub const fn exit_code(self) -> u8 {
        match self {
            Verdict::Yes => 0,
            Verdict::No => 1,
        }
    }
}

/// An answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// Whether it is a yes.
    #[serde(default)]
    pub verdict: Verdict,
    /// What `--json` prints and the API sends.
    pub data: Value,
    /// What a person sees, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<Block>,
}

impl Answer {
    /// Something that is done, or a yes.
    pub fn yes(data: Value) -> Answer {
        Answer {
            verdict: Verdict::Yes,
            data,
            blocks: Vec::new(),
        }
    }

    /// What was found, as data; people see nothing yet.
    pub fn of(found: &impl Serialize) -> Answer {
        let data = serde_json::to_value(found);
        Answer::yes(data.expect("what rooms find has names for keys"))
    }

    /// The same answer with one more piece for people.
    pub fn with(mut self, block: Block) -> Answer {
        self.blocks.push(block);
        self
    }

    /// The same answer with one more sentence.
    pub fn say(self, message: Message) -> Answer {
        self.with(Block::Says(message))
    }
}
