//! `thue words`: letters of a famous infinite word.

use wits_desk::{Answer, Cost, Param, Served, Verb};
use wits_game::Message;

use super::{parsed, refusal, say};
use crate::WORDS;
use crate::report::letters;
use crate::words::source::{MOST, Source};

pub(super) fn verb() -> Verb {
    let offers = &[
        "thue-1912",
        "keranen",
        "dekking",
        "thue-1906",
        "thue-morse",
        "prouhet-3",
        "v-6",
        "a->abcab,b->acabcb,c->acbcacb",
    ];
    let generator = Param::text("generator", &WORDS, "param-generator").positional();
    let mut from = Param::text("from", &WORDS, "param-from").shown_as("I");
    from.default = Some("0".to_owned());
    Verb {
        id: "words",
        about: say("verb-words"),
        params: vec![
            generator.shown_as("GENERATOR").offering(offers),
            from,
            Param::int("count", 0, MOST as i64, 64, &WORDS, "param-count"),
        ],
        examples: &[
            "wits thue words thue-1906 --count 64",
            "wits thue words thue-morse --from 1000000000000000000 --count 20",
            "wits thue words 'a->abcab,b->acabcb,c->acbcacb' --count 29",
        ],
        served: Served::Everywhere,
        cost: Cost::QUICK,
        run: |args, _, _| {
            let source: Source = parsed(args, "generator", "words-hint")?;
            let from: u128 = parsed(args, "from", "from-hint")?;
            let word = source.letters(from, args.int("count") as usize);
            let word = word.map_err(|error| refusal(error, "words-hint"))?;
            let found = letters(&word, from);
            let kinds = [
                (
                    Some(found.square_free),
                    "letters-no-squares",
                    "letters-squares",
                ),
                (
                    Some(found.overlap_free),
                    "letters-no-overlaps",
                    "letters-overlaps",
                ),
                (Some(found.cube_free), "letters-no-cubes", "letters-cubes"),
                (
                    found.abelian_square_free,
                    "letters-no-abelian",
                    "letters-abelian",
                ),
            ];
            let says = kinds.map(|(free, without, with)| {
                free.map(|free| say(if free { without } else { with }).to_string())
            });
            let says: Vec<String> = says.into_iter().flatten().collect();
            let shown = Message::plain(found.letters.clone());
            let says = Message::plain(says.join(", "));
            Ok(Answer::of(&found).say(shown).say(says))
        },
    }
}
