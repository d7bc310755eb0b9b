//! QR codes as images.

use std::fmt::Write;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use qrcode::{Color, QrCode};

/// Light modules around the code, by its standard.
const QUIET: usize = 4;

/// A drawn code.
pub(crate) struct Drawing {
    /// Width and height in modules, with the light ones around the code.
    pub size: usize,
    /// The dark modules, as the data of an SVG path.
    pub path: String,
}

/// Draws the code with this text, or returns `None` for a text that no code can hold.
pub(crate) fn draw(text: &str) -> Option<Drawing> {
    let code = QrCode::new(text).ok()?;
    let size = code.width() + 2 * QUIET;
    let mut path = String::new();
    for (row, modules) in code.to_colors().chunks(code.width()).enumerate() {
        let (mut column, line) = (QUIET, row + QUIET);
        for run in modules.chunk_by(PartialEq::eq) {
            let length = run.len();
            if run.first() == Some(&Color::Dark) {
                write!(path, "M{column} {line}h{length}v1h-{length}z").ok()?;
            }
            column += length;
        }
    }
    Some(Drawing { size, path })
}

/// Returns the address of an image of the code with this text, or `None` for a text that no code can hold.
pub(super) fn image_data_url(text: &str) -> Option<String> {
    let Drawing { size, path } = draw(text)?;
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" shape-rendering=\"crispEdges\">\
         <path fill=\"#fff\" d=\"M0 0h{size}v{size}H0z\"/><path d=\"{path}\"/></svg>"
    );
    let encoded = BASE64_STANDARD.encode(svg);
    Some(format!("data:image/svg+xml;base64,{encoded}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_drawn_in_rows() {
        let url = image_data_url("pay").expect("a code");
        let encoded = url.strip_prefix("data:image/svg+xml;base64,");
        let svg = BASE64_STANDARD.decode(encoded.expect("an image"));
        let svg = String::from_utf8(svg.expect("base64")).expect("a text");
        assert!(svg.contains("viewBox=\"0 0 29 29\""), "{svg}");
        // The finder patterns of the first row, seven modules wide.
        assert!(svg.contains("M4 4h7v1h-7z"), "{svg}");
        assert!(svg.contains("M18 4h7v1h-7z"), "{svg}");
    }

    #[test]
    fn a_text_that_no_code_can_hold_has_no_image() {
        assert_eq!(image_data_url(&"x".repeat(3000)), None);
    }
}
