//! Pictures made of pixels, for what would be too many shapes: points of large tables, regions,
//! maps of gaps. They stand inside an SVG as a PNG with a palette.

use super::canvas::{Canvas, colour};

/// Pixels to a unit of the canvas.
pub(super) const SHARP: f64 = 2.0;
/// More marks than this are drawn as pixels: as shapes they would make a file of megabytes.
const MOST_SHAPES: usize = 16_000;
/// Colours of classes; the first of the palette is no colour at all.
const CLASSES: usize = 24;

/// The marks of [`Canvas::mark`] in five by five pixels, a row in five bits.
const STAMPS: [[u8; 5]; 6] = [
    [0b01110, 0b11111, 0b11111, 0b11111, 0b01110],
    [0b11111, 0b11111, 0b11111, 0b11111, 0b11111],
    [0b00100, 0b00100, 0b01110, 0b01110, 0b11111],
    [0b00100, 0b01110, 0b11111, 0b01110, 0b00100],
    [0b11111, 0b01110, 0b01110, 0b00100, 0b00100],
    [0b00100, 0b00100, 0b11111, 0b00100, 0b00100],
];

/// A picture in the making: a number of the palette for every pixel, 0 where nothing is.
pub(super) struct Raster {
    width: usize,
    height: usize,
    palette: Vec<[u8; 4]>,
    pixels: Vec<u8>,
}

impl Raster {
    /// A picture of nothing, with a palette of red, green, blue and opacity.
    pub(super) fn new(width: usize, height: usize, colours: &[[u8; 4]]) -> Raster {
        let mut palette = vec![[0; 4]];
        palette.extend(colours.iter().take(255));
        Raster {
            width,
            height,
            palette,
            pixels: vec![0; width * height],
        }
    }

    /// A picture whose palette is the colours of the classes, all of one opacity.
    pub(super) fn of_classes(width: usize, height: usize, opacity: u8) -> Raster {
        let each: Vec<[u8; 4]> = (0..CLASSES)
            .map(|class| {
                let [red, green, blue] = channels(colour(class));
                [red, green, blue, opacity]
            })
            .collect();
        Raster::new(width, height, &each)
    }

    /// Gives a pixel a colour, counted from 1; nothing happens outside.
    pub(super) fn set(&mut self, x: usize, y: usize, colour: usize) {
        if x < self.width && y < self.height {
            let most = self.palette.len() - 1;
            self.pixels[y * self.width + x] = (1 + (colour - 1) % most) as u8;
        }
    }

    /// The mark of a class around a pixel.
    fn stamp(&mut self, x: f64, y: f64, class: usize) {
        let (left, top) = (x.round() as i64 - 2, y.round() as i64 - 2);
        for (down, bits) in STAMPS[class % STAMPS.len()].iter().enumerate() {
            for across in (0..5).filter(|k| bits >> (4 - k) & 1 == 1) {
                let (x, y) = (left + across, top + down as i64);
                if let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) {
                    self.set(x, y, 1 + class);
                }
            }
        }
    }

    /// The file.
    pub(super) fn png(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_palette(
            self.palette
                .iter()
                .flat_map(|c| [c[0], c[1], c[2]])
                .collect::<Vec<u8>>(),
        );
        encoder.set_trns(self.palette.iter().map(|c| c[3]).collect::<Vec<u8>>());
        let whole = "a picture of its own size is written to memory";
        let mut writer = encoder.write_header().expect(whole);
        writer.write_image_data(&self.pixels).expect(whole);
        writer.finish().expect(whole);
        bytes
    }
}

/// `#rrggbb` as numbers.
pub(super) fn channels(colour: &str) -> [u8; 3] {
    let part = |at: usize| u8::from_str_radix(&colour[at..at + 2], 16).unwrap_or(0);
    [part(1), part(3), part(5)]
}

/// Marks of classes on a part of the canvas: shapes while they are few, pixels when they are many.
pub(super) struct Marks {
    raster: Option<Raster>,
    corner: (f64, f64),
    size: (f64, f64),
}

impl Marks {
    /// So many marks on a part of the canvas that begins at a corner.
    pub(super) fn new(count: usize, corner: (f64, f64), size: (f64, f64)) -> Marks {
        let pixels = |units: f64| (units * SHARP).ceil() as usize;
        Marks {
            raster: (count > MOST_SHAPES)
                .then(|| Raster::of_classes(pixels(size.0), pixels(size.1), 190)),
            corner,
            size,
        }
    }

    /// One more.
    pub(super) fn mark(&mut self, c: &mut Canvas, (x, y): (f64, f64), class: usize, size: f64) {
        match &mut self.raster {
            None => c.mark(x, y, class, size),
            Some(raster) => raster.stamp(
                (x - self.corner.0) * SHARP,
                (y - self.corner.1) * SHARP,
                class,
            ),
        }
    }

    /// Puts what was not drawn yet on the canvas.
    pub(super) fn finish(self, c: &mut Canvas) {
        if let Some(raster) = self.raster {
            c.image(self.corner, self.size, &raster);
        }
    }
}

/// The rows in an order that mixes them, at most so many: of a file sorted by class no class covers
/// the others.
pub(super) fn mixed(rows: usize, most: usize) -> impl Iterator<Item = usize> {
    // A step near the golden section of the whole that shares no factor with it meets every row.
    let mut step = (rows as f64 * 0.618) as usize;
    while step > 1 && common(step, rows) > 1 {
        step -= 1;
    }
    (0..rows.min(most)).map(move |k| k * step.max(1) % rows)
}

fn common(a: usize, b: usize) -> usize {
    if b == 0 { a } else { common(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_read_back_as_it_was_drawn() {
        let mut raster = Raster::of_classes(12, 9, 200);
        raster.stamp(5.0, 4.0, 3);
        raster.stamp(-1.0, 20.0, 1);
        let bytes = raster.png();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        assert_eq!(pixels, raster.pixels);
        // A diamond has thirteen pixels.
        let own: Vec<u8> = pixels.into_iter().filter(|&p| p == 4).collect();
        assert_eq!(own.len(), 13);
    }

    #[test]
    fn mixing_meets_every_row_once() {
        for rows in [1, 2, 7, 100, 214, 5000] {
            let mut seen: Vec<usize> = mixed(rows, rows).collect();
            seen.sort_unstable();
            assert_eq!(seen, (0..rows).collect::<Vec<_>>(), "{rows}");
        }
        assert_eq!(mixed(1000, 10).count(), 10);
    }
}
