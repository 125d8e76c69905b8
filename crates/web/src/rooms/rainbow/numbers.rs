//! The explorer: aw(n, k) with its witness, and the rainbows of a colouring.

use maud::{Markup, html};
use wits_play::Budget;
use wits_rainbow::drawing::draw;
use wits_rainbow::numbers::{Aw, Checked, Colouring, aw, check};
use wits_rainbow::verbs::{aw_blocks, checked_blocks};

use super::room::Asked;
use super::table::as_on_board;
use super::{Wrong, given, number, picture};
use crate::WORDS;
use crate::desk::{Question, blocks};
use crate::pages::say;
use crate::told::told;

/// Where there is no closed form, strips up to this length are searched here.
const MOST_SEARCHED: u64 = 32;
/// The longest colouring that is checked here.
const MOST_CHECKED: usize = 2_000;
/// The most rainbows that are listed and drawn.
const MOST_LISTED: usize = 100;
/// Pictures end after this many numbers.
const MOST_DRAWN: usize = 400;

/// Finds the number that is asked for, if one is.
pub(super) fn explore(asked: &Asked, budget: &Budget) -> Option<Result<Aw, Wrong>> {
    given(asked.aw_n.as_ref())?;
    let find = || {
        let n = number("n", asked.aw_n.as_ref(), 0)?;
        let k = number("k", asked.aw_k.as_ref(), 3)?;
        let searched = k > 3 && k <= n && n - k + 2 > k;
        if searched && n > MOST_SEARCHED {
            let why = WORDS.say("rainbow-too-long").with("n", n).with("k", k);
            let hint = WORDS
                .say("rainbow-too-long-hint")
                .with("most", MOST_SEARCHED);
            return Err(Wrong::new(why, hint));
        }
        Ok(aw(n, k, false, budget)?)
    };
    Some(find())
}

/// A colouring, and what was found in it.
pub(super) struct Found {
    colouring: Colouring,
    checked: Checked,
}

/// Checks the colouring that is asked for, if one is.
pub(super) fn check_colouring(asked: &Asked) -> Option<Result<Found, Wrong>> {
    let text = given(asked.colouring.as_ref())?;
    let find = || {
        let hint = || WORDS.say("rainbow-bad-colouring-hint");
        let colouring: Colouring = text.parse().map_err(|bad| {
            let what: wits_rainbow::numbers::BadColouring = bad;
            let why = WORDS.say("rainbow-bad-colouring");
            Wrong::new(why.with("what", told(what)), hint())
        })?;
        let n = colouring.colours().len();
        if n > MOST_CHECKED {
            let why = WORDS.say("rainbow-long-colouring").with("n", n);
            return Err(Wrong::new(why.with("most", MOST_CHECKED), hint()));
        }
        let k = number("k", asked.check_k.as_ref(), 3)?;
        let k = u32::try_from(k).unwrap_or(u32::MAX);
        let checked = check(&colouring, k, MOST_LISTED)?;
        Ok(Found { colouring, checked })
    };
    Some(find())
}

/// The form of the explorer, as it was filled in.
pub(super) fn explore_form(asked: &Asked) -> Markup {
    let most: u64 = 1_000_000_000_000_000_000;
    html! {
        form.rb-form action="/rainbow#numbers" method="get" {
            div.field {
                label for="aw-n" { (say("rainbow-aw-n")) }
                input #aw-n name="aw-n" type="number" min="2" max=(most) required value=(given(asked.aw_n.as_ref()).unwrap_or("9"));
            }
            div.field {
                label for="aw-k" { (say("rainbow-aw-k")) }
                input #aw-k name="aw-k" type="number" min="2" max=(most) required value=(given(asked.aw_k.as_ref()).unwrap_or("3"));
            }
            button.button type="submit" { (say("rainbow-find")) }
        }
    }
}

/// The number, how it is known, and a witness below it.
pub(super) fn explored(explored: &Result<Aw, Wrong>) -> Markup {
    let found = match explored {
        Ok(found) => found,
        Err(wrong) => return wrong.show(),
    };
    html! {
        div.panel #aw {
            (blocks(&aw_blocks(found), &|_| String::new()))
            @if let Some(witness) = &found.witness {
                @let colours: Vec<u16> = witness.iter().map(|&colour| colour as u16).collect();
                @if colours.len() > MOST_DRAWN { p { (WORDS.say("rainbow-cut").with("most", MOST_DRAWN)) } }
                (picture(&say("rainbow-witness"), as_on_board(&draw(&colours, found.k as u32, &[]), &colours)))
            } @else {
                p.muted { (say("rainbow-no-witness")) }
            }
        }
    }
}

/// The form of the checker, as it was filled in.
pub(super) fn check_form(asked: &Asked) -> Markup {
    html! {
        form.rb-form action="/rainbow#check" method="get" {
            div.field.wide {
                label for="colouring" { (say("rainbow-colouring")) }
                input #colouring name="colouring" type="text" required maxlength="12000" autocomplete="off" value=(given(asked.colouring.as_ref()).unwrap_or("abacabad"));
                small { (say("rainbow-colouring-about")) }
            }
            div.field {
                label for="check-k" { (say("rainbow-aw-k")) }
                input #check-k name="check-k" type="number" min="2" max=(MOST_CHECKED) required value=(given(asked.check_k.as_ref()).unwrap_or("3"));
            }
            button.button type="submit" { (say("rainbow-find-rainbows")) }
        }
    }
}

/// Every rainbow of the colouring as arcs and in a list.
pub(super) fn checked(checked: &Result<Found, Wrong>) -> Markup {
    let Found { colouring, checked } = match checked {
        Ok(found) => found,
        Err(wrong) => return wrong.show(),
    };
    let colours: Vec<String> = colouring
        .colours()
        .iter()
        .map(ToString::to_string)
        .collect();
    let list = |name: &str| {
        let pairs = [
            ("colouring".to_owned(), colours.join(" ")),
            ("k".to_owned(), checked.k.to_string()),
        ];
        let check = Question::to("rainbow", "check", pairs.into());
        check.map_or_else(|_| String::new(), |check| check.address(&[("keep", name)]))
    };
    html! {
        div.panel #rainbows {
            (picture(&say("rainbow-arcs"), as_on_board(&draw(colouring.colours(), checked.k, &checked.rainbows), colouring.colours())))
            @if checked.n as usize > MOST_DRAWN { p { (WORDS.say("rainbow-cut").with("most", MOST_DRAWN)) } }
            (blocks(&checked_blocks(checked), &list))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wits_rainbow::numbers::Method;

    fn asked(n: &str, k: &str) -> Asked {
        Asked {
            aw_n: Some(n.to_owned()),
            aw_k: Some(k.to_owned()),
            ..Asked::default()
        }
    }

    #[test]
    fn numbers_are_found_or_refused_with_a_sentence() {
        let find = |n, k| explore(&asked(n, k), &Budget::endless()).unwrap();
        assert_eq!(find("9", "3").unwrap().aw, Some(4));
        assert_eq!(find("9", "4").unwrap().method, Method::Search);
        // Where only step 1 fits there is a closed form.
        assert_eq!(find("500", "400").unwrap().aw, Some(500));
        assert_eq!(find("1000000000000000000", "3").unwrap().aw, Some(40));
        let why = |n, k| find(n, k).unwrap_err().why.to_string();
        assert!(why("500", "4").contains("too long"));
        assert!(why("9", "10").contains("`k`"));
        assert!(why("nine", "3").contains("nine"));
        assert!(explore(&Asked::default(), &Budget::endless()).is_none());
    }

    #[test]
    fn colourings_are_checked_or_refused_with_a_sentence() {
        let look = |text: &str| {
            let asked = Asked {
                colouring: Some(text.to_owned()),
                ..Asked::default()
            };
            check_colouring(&asked).unwrap()
        };
        assert_eq!(look("abcabc").unwrap().checked.count, 6);
        assert!(look("abba").unwrap().checked.free);
        assert!(look("a?").is_err_and(|w| w.why.to_string().contains('?')));
        assert!(look(&"a".repeat(2_001)).is_err_and(|w| w.why.to_string().contains("2001")));
        assert!(look("ab").is_err(), "three do not fit into two");
    }
}
