//! A colouring as a drawing: the numbers in a row, rainbows as arcs above them.

use std::fmt::Write;

use crate::series::Series;

/// One cell is so wide and so high.
const CELL: u32 = 28;

/// A row of more cells than this is cut short.
const MOST_DRAWN: usize = 400;

/// Draws a colouring as an SVG picture: tiles in a row, each with its number below and its colour as a digit and
/// a shade, and every given progression of `k` as a chain of half circles.
///
/// Colours are spread around the circle of hues by the golden angle, so neighbours in the palette differ; the
/// digit says the same to whoever does not see the shade. Zero is uncoloured.
///
/// ```
/// use wits_rainbow::{Series, drawing::draw};
/// let svg = draw(&[1, 2, 3, 0], 3, &[Series { step: 1, start: 1 }]);
/// assert!(svg.starts_with("<svg") && svg.contains("<path"));
/// ```
pub fn draw(colours: &[u16], k: u32, arcs: &[Series]) -> String {
    let shown = colours.len().min(MOST_DRAWN);
    let inside = |series: &&Series| {
        series
            .numbers(k)
            .last()
            .is_some_and(|x| x as usize <= shown)
    };
    let arcs: Vec<&Series> = arcs.iter().filter(inside).collect();
    let widest = arcs.iter().map(|series| series.step).max().unwrap_or(0);
    let above = widest * CELL / 2 + 8;
    let (width, height) = (shown as u32 * CELL + 8, above + CELL + 22);
    let mut svg = String::new();
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\" font-family=\"sans-serif\" \
         text-anchor=\"middle\"><title>{}</title>",
        title(colours, k, &arcs)
    );
    for (i, series) in arcs.iter().enumerate() {
        let radius = series.step * CELL / 2;
        let from = middle(series.start);
        let mut path = format!("M{from} {above}");
        for x in series.numbers(k).skip(1) {
            let _ = write!(path, "A{radius} {radius} 0 0 1 {} {above}", middle(x));
        }
        let dash = ["", " stroke-dasharray=\"6 3\"", " stroke-dasharray=\"2 3\""][i % 3];
        let _ = write!(
            svg,
            "<path d=\"{path}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.5\"{dash}/>"
        );
    }
    for (x, &colour) in (1u32..).zip(&colours[..shown]) {
        let left = (x - 1) * CELL + 5;
        let fill = if colour == 0 {
            "none".to_owned()
        } else {
            shade(colour)
        };
        let _ = write!(
            svg,
            "<rect x=\"{left}\" y=\"{above}\" width=\"{}\" height=\"{}\" rx=\"4\" fill=\"{fill}\" stroke=\"currentColor\"/>",
            CELL - 2,
            CELL - 2
        );
        if colour != 0 {
            let _ = write!(
                svg,
                "<text x=\"{}\" y=\"{}\" font-size=\"12\" fill=\"#111\">{colour}</text>",
                middle(x),
                above + CELL / 2 + 3
            );
        }
        let _ = write!(
            svg,
            "<text x=\"{}\" y=\"{}\" font-size=\"9\" fill=\"currentColor\">{x}</text>",
            middle(x),
            above + CELL + 10
        );
    }
    svg.push_str("</svg>");
    svg
}

/// Where the middle of a cell is.
fn middle(number: u32) -> u32 {
    (number - 1) * CELL + CELL / 2 + 4
}

/// A light shade on which dark digits stand out.
fn shade(colour: u16) -> String {
    // The golden angle, 137.5 degrees, in tenths.
    let hue = u32::from(colour) * 1375 % 3600 / 10;
    let light = 68 + u32::from(colour) % 3 * 7;
    format!("hsl({hue} 70% {light}%)")
}

fn title(colours: &[u16], k: u32, arcs: &[&Series]) -> String {
    let mut palette: Vec<u16> = colours.iter().copied().filter(|&c| c != 0).collect();
    palette.sort_unstable();
    palette.dedup();
    let key = if arcs.is_empty() {
        "drawing-plain"
    } else {
        "drawing-rainbow"
    };
    let first = arcs
        .first()
        .map(|series| series.text(k))
        .unwrap_or_default();
    crate::WORDS
        .say(key)
        .with("n", colours.len())
        .with("colours", palette.len())
        .with("count", arcs.len())
        .with("series", first)
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_shows_every_number_and_every_arc() {
        let rainbows = [Series { step: 2, start: 1 }, Series { step: 1, start: 3 }];
        let svg = draw(&[1, 0, 2, 3, 3, 200], 3, &rainbows);
        assert_eq!(svg.matches("<rect").count(), 6);
        assert_eq!(svg.matches("<path").count(), 2);
        assert_eq!(
            svg.matches('A').count(),
            4,
            "two half circles for each progression of three"
        );
        assert!(svg.contains(">200</text>") && svg.contains("1, 3, 5") && svg.ends_with("</svg>"));
        let outside = draw(&[1, 2], 3, &[Series { step: 1, start: 1 }]);
        assert!(!outside.contains("<path"));
        assert_eq!(
            draw(&[7; 1000], 3, &[]).matches("<rect").count(),
            MOST_DRAWN
        );
    }
}
