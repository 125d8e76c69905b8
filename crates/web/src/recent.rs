//! The last few things that were made, by name.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// A small cache of `MOST` things: what was asked for last stays longest.
#[derive(Debug)]
pub(crate) struct Recent<T, const MOST: usize = 12>(Mutex<VecDeque<(String, Arc<T>)>>);

impl<T, const MOST: usize> Default for Recent<T, MOST> {
    fn default() -> Self {
        Recent(Mutex::default())
    }
}

impl<T, const MOST: usize> Recent<T, MOST> {
    /// What has this name, if it was made lately.
    pub(crate) fn get(&self, name: &str) -> Option<Arc<T>> {
        let list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = list.iter().find(|(own, _)| own == name);
        found.map(|(_, thing)| Arc::clone(thing))
    }

    /// Keeps a thing for a while.
    pub(crate) fn put(&self, name: String, thing: T) -> Arc<T> {
        let thing = Arc::new(thing);
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.retain(|(own, _)| *own != name);
        list.push_back((name, Arc::clone(&thing)));
        if list.len() > MOST {
            list.pop_front();
        }
        thing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_few_are_kept() {
        let recent: Recent<i32> = Recent::default();
        for n in 0..20 {
            recent.put(n.to_string(), n);
        }
        assert!(recent.get("7").is_none());
        assert_eq!(recent.get("19").as_deref(), Some(&19));
    }
}
