//! What level 4 may play in a position, and how likely each is.

use super::lines::{Lines, Set, members, ones};
use super::stand::{Stand, Step};
use super::{MOST_C, MOST_N};

/// A step of level 4, with its chance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reply {
    pub(super) step: Step,
    pub(super) chance: f64,
}

/// A series that level 4 may take: how heavy its heaviest number is and its lightest lacking colour.
#[derive(Clone, Copy)]
struct Scored {
    series: usize,
    field: u32,
    colour: u32,
}

impl Scored {
    fn score(self) -> i64 {
        i64::from(self.field) - i64::from(self.colour)
    }
}

/// Everything that level 4 may play: of the nearest series those whose heaviest number less lightest lacking
/// colour is greatest, each equally likely; then the heaviest numbers and the lightest colours, likewise.
pub(super) fn replies(stand: &Stand, lines: &Lines) -> Vec<Reply> {
    let Some(&near) = stand.by.iter().find(|set| **set != 0) else {
        return Vec::new();
    };
    let scale = Scale::new(stand, lines);
    let mut best: Vec<Scored> = Vec::new();
    for series in members(near) {
        let scored = scale.score(series);
        let lead = best.first().map_or(i64::MIN, |first| first.score());
        if scored.score() > lead {
            best.clear();
        }
        if scored.score() >= lead {
            best.push(scored);
        }
    }
    let mut replies: Vec<Reply> = Vec::new();
    for scored in &best {
        let fields = || {
            scale
                .fields(scored.series)
                .filter(|&x| scale.weight[x] == scored.field)
        };
        let colours = || {
            scale
                .lacking(scored.series)
                .filter(|&class| scale.spread[class] == scored.colour)
        };
        let chance = 1.0 / (best.len() * fields().count() * colours().count()) as f64;
        for step in fields().flat_map(|x| colours().map(move |class| Step { x, class })) {
            match replies.iter_mut().find(|reply| reply.step == step) {
                Some(reply) => reply.chance += chance,
                None => replies.push(Reply { step, chance }),
            }
        }
    }
    replies
}

/// The weights of numbers and colours: in how many live series they are.
struct Scale<'a> {
    stand: &'a Stand,
    lines: &'a Lines,
    weight: [u32; MOST_N],
    /// By class; the class not there yet is in none.
    spread: [u32; MOST_C + 1],
    /// The classes that may be the lightest: a colour in no live series is, if there is one.
    palette: std::ops::Range<usize>,
}

impl<'a> Scale<'a> {
    fn new(stand: &'a Stand, lines: &'a Lines) -> Scale<'a> {
        let live = stand.live();
        let among = |set: Set| (set & live).count_ones();
        let mut weight = [0; MOST_N];
        for x in ones(stand.open) {
            weight[x] = among(lines.through[x]);
        }
        let mut spread = [0; MOST_C + 1];
        let palette = if stand.count < lines.c {
            stand.count..stand.count + 1
        } else {
            for (class, spread) in spread.iter_mut().enumerate().take(stand.count) {
                *spread = among(stand.spoiled(class));
            }
            0..stand.count
        };
        Scale {
            stand,
            lines,
            weight,
            spread,
            palette,
        }
    }

    fn fields(&self, series: usize) -> impl Iterator<Item = usize> {
        ones(self.lines.numbers[series] & self.stand.open)
    }

    fn lacking(&self, series: usize) -> impl Iterator<Item = usize> {
        let classes = self.palette.clone();
        classes.filter(move |&class| self.stand.spoiled(class) >> series & 1 == 0)
    }

    fn score(&self, series: usize) -> Scored {
        let field = self.fields(series).map(|x| self.weight[x]).max();
        let colour = self.lacking(series).map(|class| self.spread[class]).min();
        Scored {
            series,
            field: field.unwrap_or(0),
            colour: colour.unwrap_or(0),
        }
    }
}
