//! Packs a folder of built files. Only build scripts call this.

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::Compression;
use flate2::write::GzEncoder;

type Done = Result<(), Box<dyn Error>>;

/// Packs the files of `folder`, which is relative to the crate of the build script. Writes `files.rs`, a table of
/// [`crate::File`], into the folder of the crate's output.
///
/// `stable` names the files that keep their names. The others are in `assets`, and their names change with their content.
/// The table is empty where a stable file is missing; `warning` then says what the program lacks.
///
/// # Errors
/// A file can't be read or written, or nothing says how browsers get it.
pub fn pack_folder(folder: &str, stable: &[&str], warning: &str) -> Done {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo names no folder")?);
    let source = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo names no folder")?);
    for read in [folder, "build.rs"] {
        println!("cargo:rerun-if-changed={read}");
    }
    let built = source.join(folder);
    let paths = if stable.iter().all(|path| built.join(path).is_file()) {
        paths(&built, stable)?
    } else {
        println!("cargo:warning={warning}");
        Vec::new()
    };
    let mut table = String::from("&[\n");
    for (number, path) in paths.iter().enumerate() {
        let packed = format!("{number}.gz");
        pack(&built.join(path), &out.join(&packed))?;
        let content_type = content_type(path)?;
        let may_be_kept = !stable.contains(&path.as_str());
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
fn paths(built: &Path, stable: &[&str]) -> Result<Vec<String>, Box<dyn Error>> {
    let mut paths: Vec<String> = stable.iter().map(|path| (*path).to_owned()).collect();
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
