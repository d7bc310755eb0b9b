//! Stories of the check that looks at the directory only.

use std::fs;

use tempfile::TempDir;

use super::*;

/// Returns what the writer checks, a number of milliseconds after its first check.
fn look(
    quiet: &mut Quiet,
    first: Instant,
    milliseconds: u64,
    stamp: Option<Stamp>,
) -> &'static str {
    let now = first + Duration::from_millis(milliseconds);
    if quiet.vouches(stamp, now) {
        return "directory";
    }
    quiet.looked(stamp, now);
    "files"
}

#[test]
fn the_directory_vouches_for_its_files_once_it_has_settled_and_for_a_second() {
    let directories = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    let [before, after] = directories.each_ref().map(|d| Stamp::at(d.path()).ok());
    let (mut quiet, first) = (Quiet::default(), Instant::now());
    let looks = [
        (0, before),
        (99, before),
        (100, before),
        (101, before),
        (1_099, before),
        (1_100, before),
        (1_101, before),
        (1_102, after),
        (1_150, after),
        (1_202, after),
        (1_203, after),
        // The directory can't be read.
        (1_204, None),
        (1_205, after),
    ];
    let seen: Vec<String> = looks
        .into_iter()
        .map(|(at, stamp)| format!("{at} {}", look(&mut quiet, first, at, stamp)))
        .collect();
    insta::assert_snapshot!(seen.join("\n"), @"
    0 files
    99 files
    100 files
    101 directory
    1099 directory
    1100 files
    1101 directory
    1102 files
    1150 files
    1202 files
    1203 directory
    1204 files
    1205 files
    ");
}

#[test]
fn a_file_that_goes_from_a_settled_directory_is_missed_at_once() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("test.db");
    let names =
        ["", "-wal", "-shm"].map(|suffix| directory.path().join(format!("test.db{suffix}")));
    for name in &names {
        fs::write(name, "").unwrap();
    }
    let files = Files::open(&path, FileId::at(&path).unwrap()).unwrap();
    let mut watch = Watch::new(Arc::new(files), &path);
    for name in &names {
        let stamp = Stamp::at(directory.path()).unwrap();
        let now = Instant::now();
        watch.quiet = Quiet(Some(Seen {
            stamp,
            first: now.checked_sub(Quiet::SETTLED).unwrap(),
            last_look: now,
        }));
        let aside = directory.path().join("aside");
        fs::rename(name, &aside).unwrap();
        // The check needs the file system's clock to have moved past the stamp.
        while Stamp::at(directory.path()).unwrap() == stamp {
            fs::write(directory.path().join("tick"), "").unwrap();
            fs::remove_file(directory.path().join("tick")).unwrap();
        }
        let error = watch.check().unwrap_err();
        assert!(
            matches!(error, StoreError::Standstill(Standstill::Gone, _)),
            "{error}"
        );
        fs::rename(&aside, name).unwrap();
        watch.check().unwrap();
    }
}

#[test]
fn a_database_that_a_link_leads_to_has_no_directory_that_vouches_for_it() {
    let directory = TempDir::new().unwrap();
    let (file, link) = (directory.path().join("file"), directory.path().join("link"));
    fs::write(&file, "").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    assert_eq!(directory_of(&file), Some(directory.path().to_owned()));
    assert_eq!(directory_of(&link), None);
}
