//! Ctrl-C: once to stop kindly, twice to stop at once.

use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// What a command ends with that was stopped, as shells have it: what it gave is not the whole.
pub(crate) const CODE: u8 = 130;

/// Whether somebody stopped the command before its end.
pub(crate) fn raised() -> bool {
    FLAG.get().is_some_and(|flag| flag.load(Ordering::Relaxed))
}

/// A flag that Ctrl-C raises. Long work looks at it and gives what it has.
pub(crate) fn flag() -> Arc<AtomicBool> {
    let flag = FLAG.get_or_init(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let raised = Arc::clone(&flag);
        // Without a handler Ctrl-C still works, only less kindly.
        let _ = ctrlc::set_handler(move || {
            if raised.swap(true, Ordering::Relaxed) {
                std::process::exit(CODE.into());
            }
        });
        flag
    });
    Arc::clone(flag)
}
