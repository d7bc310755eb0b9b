//! Packs the built files of the console. A program that is built without them has no console.

use std::error::Error;

use multirail_embed::pack::pack_folder;

fn main() -> Result<(), Box<dyn Error>> {
    pack_folder(
        "../../client/console/dist",
        &["index.html"],
        "client/console is not built, so the program has no console",
    )
}
