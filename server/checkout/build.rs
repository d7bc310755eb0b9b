//! Packs the built files of the checkout. A program that is built without them has no checkout to embed.

use std::error::Error;

use multirail_embed::pack::pack_folder;

fn main() -> Result<(), Box<dyn Error>> {
    pack_folder(
        "../../client/checkout/dist",
        &["frame.html", "multirail.js"],
        "client/checkout is not built, so the program has no checkout to embed",
    )
}
