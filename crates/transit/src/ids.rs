//! Many short texts in one piece of memory: a feed has a hundred thousand ids of trips.

/// A list of texts. Indices follow the order in which they were added.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ids {
    text: String,
    ends: Vec<u32>,
}

impl Ids {
    /// Adds a text behind the others.
    pub fn push(&mut self, id: &str) {
        self.text.push_str(id);
        self.ends.push(self.text.len() as u32);
    }

    /// The text of an index; empty where there is none.
    pub fn get(&self, index: u32) -> &str {
        let Some(&end) = self.ends.get(index as usize) else {
            return "";
        };
        let first = match index {
            0 => 0,
            _ => self.ends[index as usize - 1],
        };
        &self.text[first as usize..end as usize]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Whether all of them are empty.
    pub fn is_blank(&self) -> bool {
        self.text.is_empty()
    }

    /// All of them in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> + '_ {
        (0..self.ends.len() as u32).map(|i| self.get(i))
    }
}

#[cfg(test)]
mod tests {
    use super::Ids;

    #[test]
    fn texts_come_back_in_their_order() {
        let mut ids = Ids::default();
        let texts = ["a1", "", "zażółć", "b"];
        for text in texts {
            ids.push(text);
        }
        assert_eq!(ids.iter().collect::<Vec<_>>(), texts);
        assert_eq!(ids.get(9), "");
    }
}
