//! Searches the files of servers and databases for numbers and codes.

use std::fs;
use std::path::{Path, PathBuf};

use multirail_conformance::bodies::{
    APPROVED, DECLINED, HELD, PENDING, SEPA_PAYS, THREE_DS, UNKNOWN,
};
use multirail_test_postgres::Cluster;

use crate::servers::stored::all_rows;

/// No other text has these digits between quotes or as a whole value.
pub(super) const CODE: &str = "8317";

/// A network's cryptogram for one payment.
pub(super) const CRYPTOGRAM: &str = "AgCanaryAIR8CQrXcIhbQAAAAAA=";

/// A payer's tax number and UPI address, which serve one payment.
pub(super) const TEXTS: [&str; 2] = ["97531864203", "canary@upi"];

pub(super) const NUMBERS: [&str; 6] = [APPROVED, DECLINED, HELD, PENDING, THREE_DS, UNKNOWN];

/// Accounts that pay, by SEPA and by ACH.
pub(super) const ACCOUNTS: [&str; 2] = [SEPA_PAYS, "000333333335"];

/// Makes PostgreSQL log every statement with its parameters.
pub(super) fn says_everything(cluster: &Cluster) {
    for setting in [
        "log_statement = 'all'",
        "log_parameter_max_length = -1",
        "log_parameter_max_length_on_error = -1",
        "log_min_messages = 'info'",
    ] {
        cluster.execute("postgres", &format!("alter system set {setting}"));
    }
    cluster.execute("postgres", "select pg_reload_conf()");
}

/// The files with their content, and the rows of PostgreSQL's tables, because its files may be compressed.
pub(super) struct Found(Vec<(PathBuf, String)>);

impl Found {
    /// Reads the folders of a server and of its database.
    pub(super) async fn now(folder: &Path, cluster: Option<&Cluster>, url: Option<&str>) -> Self {
        let mut found = files(folder);
        if let Some(cluster) = cluster {
            if cluster.is_started() {
                cluster.execute("postgres", "checkpoint");
            }
            let of_database = files(cluster.directory());
            let is_named = |part: &str| {
                let mut paths = of_database.iter().map(|(path, _)| path.to_string_lossy());
                paths.any(|path| path.contains(part))
            };
            assert!(is_named("pg_wal/0000") && is_named("/base/"), "its files");
            assert!(cluster.log().contains("insert into payments"), "its log");
            found.extend(of_database);
        }
        if let Some(url) = url {
            found.push((PathBuf::from("the tables"), all_rows(url).await));
        }
        Found(found)
    }

    /// Checks that a text that must be stored is found.
    pub(super) fn has(&self, text: &str) {
        assert!(self.0.iter().any(|(_, held)| held.contains(text)), "{text}");
    }

    pub(super) fn tells_nothing(&self) {
        let telling = telling();
        for (path, held) in &self.0 {
            for text in &telling {
                assert!(!held.contains(text), "{text} in {}", path.display());
            }
        }
    }
}

/// Checks answers and other texts that left the server.
pub(super) fn tell_nothing(said: &[String]) {
    for one in said {
        for text in NUMBERS.iter().chain(&TEXTS).chain(&ACCOUNTS) {
            assert!(!one.contains(text), "{one}");
        }
        assert!(!one.contains(&format!("\"{CODE}\"")), "{one}");
    }
}

fn files(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if let Ok(bytes) = fs::read(&path) {
            // A socket can't be read, and a file of a running database may be gone by now.
            found.push((path, String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
    found
}

/// Returns the forms in which a number or a code could be stored.
fn telling() -> Vec<String> {
    let mut all = vec![
        format!("\"{CODE}\""),
        "card_cvc".to_owned(),
        CRYPTOGRAM.to_owned(),
        "token_cryptogram".to_owned(),
    ];
    all.extend(TEXTS.map(str::to_owned));
    for number in NUMBERS.into_iter().chain(ACCOUNTS) {
        let digits: Vec<char> = number.chars().collect();
        let grouped = |between: &str| {
            let groups = digits
                .chunks(4)
                .map(|group| group.iter().collect::<String>());
            groups.collect::<Vec<String>>().join(between)
        };
        let hex: String = number.bytes().map(|byte| format!("{byte:02x}")).collect();
        all.extend([number.to_owned(), grouped(" "), grouped("-"), hex]);
    }
    all
}
