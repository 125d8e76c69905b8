//! The last few things that were made, by name.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// A small cache: what was asked for last stays longest.
#[derive(Debug)]
pub(crate) struct Recent<T>(Mutex<VecDeque<(String, Arc<T>)>>);

impl<T> Default for Recent<T> {
    fn default() -> Recent<T> {
        Recent(Mutex::default())
    }
}

impl<T> Recent<T> {
    const MOST: usize = 12;

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
        if list.len() > Recent::<T>::MOST {
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
        let recent = Recent::default();
        for n in 0..20 {
            recent.put(n.to_string(), n);
        }
        assert!(recent.get("7").is_none());
        assert_eq!(recent.get("19").as_deref(), Some(&19));
    }
}
