//! Colours that merchants choose, and readable text on them. (WCAG 2.2, 1.4.3)

use std::fmt;

/// Red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour([u8; 3]);

/// The smallest contrast between text and background.
const READABLE: f64 = 4.5;

impl Colour {
    pub const BLACK: Colour = Colour([0; 3]);
    pub const WHITE: Colour = Colour([255; 3]);
    pub const BLUE: Colour = Colour([0x1d, 0x4e, 0xd8]);

    /// Reads `#RGB` or `#RRGGBB`.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#')?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let channel = |at: usize| match digits.len() {
            3 => u8::from_str_radix(&digits[at..=at], 16)
                .ok()
                .map(|c| c * 17),
            6 => u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).ok(),
            _ => None,
        };
        Some(Colour([channel(0)?, channel(1)?, channel(2)?]))
    }

    /// Returns the colour of text on this one: the wanted one where it is readable, else black or white. One of these
    /// always is.
    pub fn text_on_it(self, wanted: Option<Colour>) -> Colour {
        if let Some(wanted) = wanted
            && self.contrast(wanted) >= READABLE
        {
            return wanted;
        }
        if self.contrast(Colour::WHITE) >= self.contrast(Colour::BLACK) {
            Colour::WHITE
        } else {
            Colour::BLACK
        }
    }

    /// Returns the contrast: 1 for the same colour, 21 between black and white.
    pub fn contrast(self, other: Colour) -> f64 {
        let (one, other) = (self.luminance(), other.luminance());
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    fn luminance(self) -> f64 {
        let [red, green, blue] = self.0.map(|channel| {
            let share = f64::from(channel) / 255.0;
            if share <= 0.04045 {
                share / 12.92
            } else {
                ((share + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
}

/// Writes the colour as style sheets do.
impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Colour([red, green, blue]) = self;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_and_written() {
        for (text, written) in [
            ("#1A73E8", Some("#1a73e8")),
            ("#fa0", Some("#ffaa00")),
            ("1A73E8", None),
            ("#1A73E", None),
            ("#1A73E8ff", None),
            ("#+1+2+3", None),
            ("#éé", None),
            ("red;}", None),
            ("", None),
        ] {
            let read = Colour::parse(text).map(|colour| colour.to_string());
            assert_eq!(read.as_deref(), written, "{text}");
        }
    }

    #[test]
    fn text_can_be_read_on_every_colour() {
        let steps = || (0..=255).step_by(17);
        for red in steps() {
            for green in steps() {
                for blue in steps() {
                    let colour = Colour([red, green, blue]);
                    let text = colour.text_on_it(Some(Colour([255, 0, 0])));
                    assert!(colour.contrast(text) >= READABLE, "{text} on {colour}");
                }
            }
        }
    }

    #[test]
    fn a_wanted_colour_is_taken_where_it_can_be_read() {
        let colour = |text| Colour::parse(text).expect("a colour");
        let navy = colour("#001f3f");
        assert_eq!(navy.text_on_it(Some(colour("#ffdc00"))), colour("#ffdc00"));
        assert_eq!(navy.text_on_it(Some(colour("#003366"))), Colour::WHITE);
        assert!((Colour::BLACK.contrast(Colour::WHITE) - 21.0).abs() < 1e-9);
    }
}
