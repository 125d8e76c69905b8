//! Untrusted work in a process of its own.
//!
//! One job, one fresh process of the same program: nothing of one visitor's work reaches the next
//! one's, and whatever the work does, it can be ended. The child limits itself after it has started
//! (address space, processor time, files, sockets, priority), speaks JSON lines, and ends when its
//! standard input closes, so that nothing outlives a server that was killed.
//!
//! ```text
//! parent → child   {"room":"expert","verb":"query","args":{…},"items":{"base":812},"lang":"en","caps":{…}}
//!                  812 bytes of `base`
//!                  {"stop":true}                        perhaps, later
//! child → parent   {"progress":{"done":3,"total":12}}   as often as there is news
//!                  {"answer":{"verdict":"yes","data":…},"items":{"packed":4096}}
//!                  4096 bytes of `packed`
//! ```
//!
//! - [`Sandbox`] starts children and waits for them, see [`Sandbox::run`];
//! - [`serve_one`] is what a child does;
//! - [`Job`], [`Caps`], [`Output`]: what goes in, what it may cost, what comes out.
#![forbid(unsafe_code)]

mod child;
mod confine;
mod job;
mod line;
mod parent;

pub use child::serve_one;
pub use job::{Caps, Items, Job, Output};
pub use parent::{Failure, Sandbox};
