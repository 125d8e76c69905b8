//! Finding stops by name, with or without diacritics, and with typos.

use serde::Serialize;

use crate::timetable::Timetable;

/// A name that fits what was typed, and the stops that bear it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Candidate {
    /// The name.
    pub name: String,
    /// How far it is from what was typed: 0 is the same text.
    pub distance: u32,
    /// The stops of that name.
    pub posts: Vec<Post>,
}

/// One stop of a name.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Post {
    /// Index of the stop.
    pub stop: u32,
    /// The feed's id; `#id` names this stop alone.
    pub code: String,
    /// Degrees north.
    pub lat: Option<f64>,
    /// Degrees east.
    pub lon: Option<f64>,
    /// Lines that call here.
    pub lines: Vec<String>,
}

/// Why a text names no stop.
#[derive(Clone, PartialEq, Debug, thiserror::Error, Serialize)]
pub enum NoStop {
    /// Nothing fits exactly.
    #[error("there is no stop `{asked}`{}", did_you_mean(.candidates))]
    Unknown {
        /// What was typed.
        asked: String,
        /// What may have been meant, best first.
        candidates: Vec<Candidate>,
    },
    /// Several names fit equally well.
    #[error("`{asked}` may be any of several stops{}", did_you_mean(.candidates))]
    Ambiguous {
        /// What was typed.
        asked: String,
        /// The names that fit.
        candidates: Vec<Candidate>,
    },
}

fn did_you_mean(candidates: &[Candidate]) -> String {
    if candidates.is_empty() {
        return "; `wits transit stops` lists them".to_owned();
    }
    let names: Vec<String> = candidates
        .iter()
        .take(5)
        .map(|c| {
            let place = c.posts.first().and_then(|p| Some((p.lat?, p.lon?)));
            let lines = c
                .posts
                .iter()
                .flat_map(|p| p.lines.iter())
                .take(4)
                .cloned()
                .collect::<Vec<_>>();
            match place {
                Some((lat, lon)) => format!(
                    "`{}` ({lat:.4}, {lon:.4}; lines {})",
                    c.name,
                    lines.join(" ")
                ),
                None => format!("`{}`", c.name),
            }
        })
        .collect();
    format!("; did you mean {}?", names.join(", "))
}

/// Text without case and diacritics: `Świdnicka` becomes `swidnicka`.
pub fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        match c {
            'à'..='å' | 'ā' | 'ă' | 'ą' => out.push('a'),
            'ç' | 'ć' | 'ĉ' | 'č' => out.push('c'),
            'ď' | 'đ' => out.push('d'),
            'è'..='ë' | 'ē' | 'ė' | 'ę' | 'ě' => out.push('e'),
            'ģ' | 'ğ' => out.push('g'),
            'ì'..='ï' | 'ī' | 'į' | 'ı' => out.push('i'),
            'ķ' => out.push('k'),
            'ĺ' | 'ļ' | 'ľ' | 'ł' => out.push('l'),
            'ñ' | 'ń' | 'ņ' | 'ň' => out.push('n'),
            'ò'..='ö' | 'ø' | 'ō' | 'ő' => out.push('o'),
            'ŕ' | 'ŗ' | 'ř' => out.push('r'),
            'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => out.push('s'),
            'ť' | 'ţ' | 'ț' => out.push('t'),
            'ù'..='ü' | 'ū' | 'ů' | 'ű' | 'ų' => out.push('u'),
            'ý' | 'ÿ' => out.push('y'),
            'ź' | 'ż' | 'ž' => out.push('z'),
            'ß' => out.push_str("ss"),
            'æ' => out.push_str("ae"),
            // A combining mark has already lost its letter's shape.
            '\u{300}'..='\u{36f}' => {}
            c if c.is_whitespace() => {
                if !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            c => out.push(c),
        }
    }
    out.trim().to_owned()
}

/// Names that fit what was typed, best first, at most `most`.
///
/// The same text comes first, then the same letters, beginnings, words, parts, and last what is
/// a few typos away (insert, drop, change or swap a letter).
pub fn find(table: &Timetable, typed: &str, most: usize) -> Vec<Candidate> {
    let wanted = fold(typed);
    if wanted.is_empty() {
        return Vec::new();
    }
    let letters: Vec<char> = wanted.chars().collect();
    let allowed = 1 + letters.len() as u32 / 4;
    let mut fits: Vec<(u32, usize, usize)> = Vec::new();
    for (index, name) in table.names.iter().enumerate() {
        let folded = fold(name);
        let rank = if name == typed.trim() {
            0
        } else if folded == wanted {
            1
        } else if folded.starts_with(&wanted) {
            2
        } else if folded
            .split([' ', '(', '-', '.'])
            .any(|word| word.starts_with(&wanted))
        {
            3
        } else if folded.contains(&wanted) {
            4
        } else {
            let typos = typos(&letters, &folded.chars().collect::<Vec<_>>(), allowed);
            if typos > allowed {
                continue;
            }
            4 + typos
        };
        fits.push((rank, folded.chars().count(), index));
    }
    fits.sort_unstable();
    fits.truncate(most);
    let lines_at = table.lines_at();
    fits.into_iter()
        .map(|(distance, _, name)| Candidate {
            name: table.names[name].clone(),
            distance,
            posts: posts(table, name as u32, &lines_at),
        })
        .collect()
}

/// The first names of a timetable, in its own order.
pub fn first(table: &Timetable, most: usize) -> Vec<Candidate> {
    let lines_at = table.lines_at();
    let names = (0u32..).zip(&table.names).take(most);
    let candidate = |(index, name): (u32, &String)| Candidate {
        name: name.clone(),
        distance: 0,
        posts: posts(table, index, &lines_at),
    };
    names.map(candidate).collect()
}

fn posts(table: &Timetable, name: u32, lines_at: &[Vec<u32>]) -> Vec<Post> {
    (0u32..)
        .zip(&table.stops)
        .filter(|(_, s)| s.name == name)
        .map(|(stop, s)| Post {
            stop,
            code: s.code.clone(),
            lat: s.at.map(|g| g.lat),
            lon: s.at.map(|g| g.lon),
            lines: lines_at[stop as usize]
                .iter()
                .map(|&l| table.lines[l as usize].name.clone())
                .collect(),
        })
        .collect()
}

/// The stops that a text names: a name as written or without diacritics and case, or `#id`.
pub fn resolve(table: &Timetable, typed: &str) -> Result<Vec<u32>, NoStop> {
    let asked = typed.trim();
    let of_name = |name: u32| -> Vec<u32> {
        (0u32..)
            .zip(&table.stops)
            .filter(|(_, s)| s.name == name)
            .map(|(i, _)| i)
            .collect()
    };
    if let Some(code) = asked.strip_prefix('#') {
        let found = (0u32..)
            .zip(&table.stops)
            .find(|(_, s)| s.code == code && !code.is_empty());
        if let Some((stop, _)) = found {
            return Ok(vec![stop]);
        }
    }
    if let Some(name) = table.names.iter().position(|n| n == asked) {
        return Ok(of_name(name as u32));
    }
    let wanted = fold(asked);
    let same: Vec<u32> = (0u32..)
        .zip(&table.names)
        .filter(|(_, n)| fold(n) == wanted)
        .map(|(i, _)| i)
        .collect();
    match same[..] {
        [name] => Ok(of_name(name)),
        [] => Err(NoStop::Unknown {
            asked: asked.to_owned(),
            candidates: find(table, asked, 8),
        }),
        _ => Err(NoStop::Ambiguous {
            asked: asked.to_owned(),
            candidates: find(table, asked, same.len()),
        }),
    }
}

/// The stops that a text names, or those of the one name that comes nearest, with that name.
pub fn resolve_nearly(
    table: &Timetable,
    typed: &str,
) -> Result<(Vec<u32>, Option<String>), NoStop> {
    let unknown = match resolve(table, typed) {
        Ok(stops) => return Ok((stops, None)),
        Err(unknown) => unknown,
    };
    match &unknown {
        NoStop::Unknown { candidates, .. } => match &candidates[..] {
            [near, rest @ ..] if rest.first().is_none_or(|r| r.distance > near.distance) => {
                Ok((resolve(table, &near.name)?, Some(near.name.clone())))
            }
            _ => Err(unknown),
        },
        NoStop::Ambiguous { .. } => Err(unknown),
    }
}

/// Typos between two words (Damerau's four kinds), or more than `limit`.
fn typos(a: &[char], b: &[char], limit: u32) -> u32 {
    if a.len().abs_diff(b.len()) as u32 > limit {
        return limit + 1;
    }
    let width = b.len() + 1;
    let mut rows: Vec<Vec<u32>> = vec![(0..width as u32).collect(), vec![0; width], vec![0; width]];
    for i in 1..=a.len() {
        // The row two before is needed for swapped letters.
        let before: Vec<u32> = rows[(i + 1) % 3].clone();
        let last: Vec<u32> = rows[(i + 2) % 3].clone();
        let row = &mut rows[i % 3];
        row[0] = i as u32;
        for j in 1..width {
            let same = u32::from(a[i - 1] != b[j - 1]);
            row[j] = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + same);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
    }
    rows[a.len() % 3][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos_of_all_four_kinds() {
        let count = |a: &str, b: &str| {
            typos(
                &a.chars().collect::<Vec<_>>(),
                &b.chars().collect::<Vec<_>>(),
                9,
            )
        };
        assert_eq!(count("", "abc"), 3);
        assert_eq!(count("rynek", "rynek"), 0);
        assert_eq!(count("rynk", "rynek"), 1);
        assert_eq!(count("rynekk", "rynek"), 1);
        assert_eq!(count("rymek", "rynek"), 1);
        assert_eq!(count("rnyek", "rynek"), 1);
        assert_eq!(count("kitten", "sitting"), 3);
    }

    #[test]
    fn folding_drops_case_and_marks() {
        assert_eq!(fold("  GALERIA   Dominikańska "), "galeria dominikanska");
        assert_eq!(fold("Źródlaná – Łąki"), "zrodlana – laki");
    }
}
