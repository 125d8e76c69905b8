//! The languages that players read, and which of them is spoken now.

use std::cell::Cell;

/// The languages that players read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Lang {
    /// English: every book has it, and the others fall back to it.
    #[default]
    En,
    /// Polish.
    Pl,
    /// Czech.
    Cs,
}

thread_local! {
    /// A sentence is often written far from where its reader is known (an error inside an error, a
    /// step of a thread), so the language goes along with the work and not with every call.
    static SPOKEN: Cell<Lang> = const { Cell::new(Lang::En) };
}

impl Lang {
    /// All of them, English first.
    pub const ALL: [Lang; 3] = [Lang::En, Lang::Pl, Lang::Cs];

    /// The two letters that browsers send.
    pub const fn code(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Pl => "pl",
            Lang::Cs => "cs",
        }
    }

    /// What its speakers call it.
    pub const fn name(self) -> &'static str {
        match self {
            Lang::En => "English",
            Lang::Pl => "polski",
            Lang::Cs => "čeština",
        }
    }

    /// The language of a code as browsers send it, with or without a region: `pl`, `cs-CZ`.
    pub fn of_code(code: &str) -> Option<Lang> {
        let first = code.trim().split(['-', '_']).next()?;
        Lang::ALL
            .into_iter()
            .find(|lang| lang.code().eq_ignore_ascii_case(first))
    }

    /// The language of the work that this thread does now: English unless somebody
    /// [speaks](Lang::speak) another.
    pub fn spoken() -> Lang {
        SPOKEN.get()
    }

    /// Does some work in this language; afterwards the thread speaks as before.
    ///
    /// ```
    /// use wits_game::Lang;
    /// assert_eq!(Lang::Cs.speak(Lang::spoken), Lang::Cs);
    /// assert_eq!(Lang::spoken(), Lang::En);
    /// ```
    pub fn speak<T>(self, work: impl FnOnce() -> T) -> T {
        /// Restores the language even when the work panics: threads are used again.
        struct Before(Lang);
        impl Drop for Before {
            fn drop(&mut self) {
                SPOKEN.set(self.0);
            }
        }
        let _before = Before(SPOKEN.replace(self));
        work()
    }

    /// How many forms a counted word has: English 2 (game, games), Polish 3 (partia, partie,
    /// partii), Czech 3 (hra, hry, her).
    pub const fn forms(self) -> usize {
        match self {
            Lang::En => 2,
            Lang::Pl | Lang::Cs => 3,
        }
    }

    /// The form of a word that goes with a number, out of forms parted by `|`: for one, for few,
    /// for many; one more form may follow for numbers that are not whole, which otherwise take the
    /// last. Blanks, commas and low lines inside the number are passed over.
    ///
    /// ```
    /// use wits_game::Lang;
    /// let few = |n| Lang::Pl.form(n, "partia|partie|partii");
    /// assert_eq!((few("1"), few("3"), few("13"), few("22")), ("partia", "partie", "partii", "partie"));
    /// assert_eq!(Lang::En.form("1,000", "game|games"), "games");
    /// ```
    pub fn form<'a>(self, number: &str, forms: &'a str) -> &'a str {
        let plain: String = number
            .chars()
            .filter(|c| !c.is_whitespace() && !matches!(c, ',' | '_' | '-' | '+' | '−'))
            .collect();
        let few = |n: u128| match self {
            Lang::En => n != 1,
            Lang::Pl => (2..=4).contains(&(n % 10)) && !(12..=14).contains(&(n % 100)),
            Lang::Cs => (2..=4).contains(&n),
        };
        let which = match plain.parse() {
            Err(_) => usize::MAX,
            Ok(1) => 0,
            Ok(n) if few(n) => 1,
            Ok(_) => 2,
        };
        let all: Vec<&str> = forms.split('|').collect();
        all[which.min(all.len() - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_as_browsers_send_them() {
        for (code, lang) in [
            ("pl", Some(Lang::Pl)),
            ("cs-CZ", Some(Lang::Cs)),
            (" EN-us", Some(Lang::En)),
            ("de", None),
            ("", None),
            ("plx", None),
        ] {
            assert_eq!(Lang::of_code(code), lang, "{code}");
        }
    }

    #[test]
    fn numbers_take_the_form_that_their_language_wants() {
        let cases = "0:mmm 1:ooo 2:mff 4:mff 5:mmm 11:mmm 12:mmm 14:mmm 21:mmm 22:mfm 24:mfm 25:mmm 102:mfm 112:mmm 1000:mmm 1.5:xxx";
        for case in cases.split(' ') {
            let (number, wanted) = case.split_once(':').unwrap();
            let english = Lang::En.form(number, "o|m|x");
            let polish = Lang::Pl.form(number, "o|f|m|x");
            let czech = Lang::Cs.form(number, "o|f|m|x");
            assert_eq!(format!("{english}{polish}{czech}"), wanted, "{number}");
        }
        assert_eq!(Lang::Pl.form("1.5", "o|f|m"), "m");
    }

    #[test]
    fn a_panic_leaves_the_language_as_it_was() {
        let panicked = std::panic::catch_unwind(|| Lang::Pl.speak(|| panic!("on purpose")));
        assert!(panicked.is_err());
        assert_eq!(Lang::spoken(), Lang::En);
    }
}
