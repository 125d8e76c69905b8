//! Knowledge bases, diagnosis dialogues and explanations on the logic engine.
#![forbid(unsafe_code)]
