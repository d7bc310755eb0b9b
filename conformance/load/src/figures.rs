//! The server's metrics of its commits, from `/metrics`.

use std::io;

use crate::connection::Connection;

/// Counts since the server was started.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Commits {
    /// Change-sets that were stored.
    pub change_sets: f64,
    /// Database transactions with them.
    pub transactions: f64,
}

impl Commits {
    /// Reads the metrics at `address` (`host:port`).
    ///
    /// # Errors
    /// Fails when nothing answers there.
    pub async fn read(address: &str) -> io::Result<Self> {
        let request = format!("GET /metrics HTTP/1.1\r\nhost: {address}\r\n\r\n");
        let mut connection = Connection::open(address).await?;
        let answer = connection.exchange(request.as_bytes()).await?;
        Ok(Self::parse(&String::from_utf8_lossy(answer.body)))
    }

    /// Parses the text form of Prometheus. SQLite's writer counts its groups; on PostgreSQL each change-set is a
    /// transaction.
    fn parse(text: &str) -> Self {
        let sum = |name: &str| -> f64 {
            let lines = text.lines().filter_map(|line| line.strip_prefix(name));
            lines
                .filter(|rest| rest.starts_with(['{', ' ']))
                .filter_map(|rest| rest.rsplit(' ').next()?.parse().ok())
                .fold(0.0, |sum, value: f64| sum + value)
        };
        match sum("multirail_store_commit_batch_size_count") {
            0.0 => {
                let all = sum("multirail_store_commit_duration_seconds_count");
                Self {
                    change_sets: all,
                    transactions: all,
                }
            }
            groups => Self {
                change_sets: sum("multirail_store_commit_batch_size_sum"),
                transactions: groups,
            },
        }
    }

    /// Returns the counts since an earlier reading.
    pub fn since(self, before: Self) -> Self {
        Self {
            change_sets: self.change_sets - before.change_sets,
            transactions: self.transactions - before.transactions,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_are_read() {
        let grouped = "# TYPE multirail_store_commit_batch_size histogram\n\
             multirail_store_commit_batch_size_bucket{le=\"1\"} 2\n\
             multirail_store_commit_batch_size_sum 12\nmultirail_store_commit_batch_size_count 4\n\
             multirail_store_commit_duration_seconds_count{engine=\"sqlite\"} 12\n";
        assert_eq!(
            Commits::parse(grouped),
            Commits {
                change_sets: 12.0,
                transactions: 4.0
            }
        );
        let single = "multirail_store_commit_duration_seconds_count{engine=\"postgres\",result=\"stored\"} 7\n\
             multirail_store_commit_duration_seconds_count{engine=\"postgres\",result=\"conflict\"} 1\n";
        assert_eq!(
            Commits::parse(single),
            Commits {
                change_sets: 8.0,
                transactions: 8.0
            }
        );
        assert_eq!(Commits::parse(""), Commits::default());
    }
}
