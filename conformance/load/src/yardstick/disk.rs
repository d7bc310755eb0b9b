//! The disk alone: the time until a block is durable.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

const BLOCK: [u8; 4096] = [0x5a; 4096];
const BLOCKS: usize = 500;

/// Appends blocks to a file and waits for each; returns the microseconds of each.
///
/// # Errors
/// Fails when the disk can't be written.
pub fn measure(directory: &Path) -> io::Result<Vec<u32>> {
    let path = directory.join("blocks");
    let mut file = File::create(&path)?;
    let mut times = Vec::with_capacity(BLOCKS);
    for _ in 0..BLOCKS {
        let began = Instant::now();
        file.write_all(&BLOCK)?;
        file.sync_data()?;
        times.push(began.elapsed().as_micros() as u32);
    }
    std::fs::remove_file(path)?;
    Ok(times)
}
