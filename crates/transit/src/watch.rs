//! Ends questions whose budget is spent.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use wits_search::Budget;

/// A budget that every search on a day looks at. Without one nothing is ever over.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch(Option<Arc<Watched>>);

#[derive(Debug)]
struct Watched {
    budget: Budget,
    cut: AtomicBool,
}

impl Watch {
    pub(crate) fn new(budget: &Budget) -> Watch {
        Watch(Some(Arc::new(Watched {
            budget: budget.clone(),
            cut: AtomicBool::new(false),
        })))
    }

    /// Whether searches are to end now. What they found by then is thrown away.
    pub(crate) fn over(&self) -> bool {
        let Some(watched) = &self.0 else {
            return false;
        };
        if watched.cut.load(Ordering::Relaxed) {
            return true;
        }
        let over = watched.budget.stopped() || watched.budget.late();
        if over {
            watched.cut.store(true, Ordering::Relaxed);
        }
        over
    }

    /// The same, looking only now and then: at every 1024th of a count.
    #[inline]
    pub(crate) fn over_at(&self, count: usize) -> bool {
        count.is_multiple_of(1024) && self.over()
    }

    /// Whether a search was ended.
    pub(crate) fn cut(&self) -> bool {
        let cut = |watched: &Arc<Watched>| watched.cut.load(Ordering::Relaxed);
        self.0.as_ref().is_some_and(cut)
    }

    /// The budget, endless where nobody watches.
    pub(crate) fn budget(&self) -> Budget {
        let budget = |watched: &Arc<Watched>| watched.budget.clone();
        self.0.as_ref().map_or_else(Budget::endless, budget)
    }
}
