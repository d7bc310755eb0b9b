//! Packs the built files of the console. A program that is built without them has no console.

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::Compression;
use flate2::write::GzEncoder;

/// The folder of the built files.
const BUILT: &str = "../../client/console/dist";

/// The only file whose name stays the same.
const INDEX: &str = "index.html";

type Done = Result<(), Box<dyn Error>>;

fn main() -> Done {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo names no folder")?);
    let source = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo names no folder")?);
    for read in [BUILT, "build.rs"] {
        println!("cargo:rerun-if-changed={read}");
    }
    let built = source.join(BUILT);
    let mut table = String::from("&[\n");
    for (number, path) in paths(&built)?.iter().enumerate() {
        let packed = format!("{number}.gz");
        pack(&built.join(path), &out.join(&packed))?;
        let content_type = content_type(path)?;
        let may_be_kept = path != INDEX;
        // The files are named without their folder: a target folder that was moved or copied still has them.
        writeln!(
            table,
            "    File {{ path: {path:?}, content_type: {content_type:?}, may_be_kept: {may_be_kept}, \
             packed: include_bytes!({packed:?}) }},",
        )?;
    }
    table.push(']');
    fs::write(out.join("files.rs"), table)?;
    Ok(())
}

/// Returns the paths of the built files below their folder, in a fixed order.
fn paths(built: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    if !built.join(INDEX).is_file() {
        println!("cargo:warning=client/console is not built, so the program has no console");
        return Ok(Vec::new());
    }
    let mut paths = vec![INDEX.to_owned()];
    for entry in fs::read_dir(built.join("assets"))? {
        let name = entry?.file_name();
        let name = name.to_str().ok_or("a file's name is no text")?;
        paths.push(format!("assets/{name}"));
    }
    paths.sort();
    Ok(paths)
}

fn pack(from: &Path, to: &Path) -> Done {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(&fs::read(from)?)?;
    fs::write(to, packed.finish()?)?;
    Ok(())
}

fn content_type(path: &str) -> Result<&'static str, String> {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => Ok("text/html; charset=utf-8"),
        "js" => Ok("text/javascript; charset=utf-8"),
        "css" => Ok("text/css; charset=utf-8"),
        "json" | "map" => Ok("application/json"),
        "svg" => Ok("image/svg+xml"),
        "png" => Ok("image/png"),
        "webp" => Ok("image/webp"),
        "woff2" => Ok("font/woff2"),
        "wasm" => Ok("application/wasm"),
        other => Err(format!(
            "{path}: nothing says how browsers get a file of the kind {other}"
        )),
    }
}
