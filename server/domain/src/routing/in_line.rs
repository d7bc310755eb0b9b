//! The accounts of a routing trace as one line of text.
//!
//! Example: `stripe/mca_a mca_b!amount adyen/mca_c>elimination*9750=117`. Blanks separate the accounts. The connector precedes
//! an account if it differs from that of the account before. After the id come the reason why the account was dropped, the
//! reason why it was moved, its success rate, and its expected cost.

use std::fmt::{Display, Write};
use std::str::FromStr;

use multirail_kernel::ids::ConnectorAccountId;

use super::trace::Considered;

const CONNECTOR: char = '/';
const DROPPED: char = '!';
const MOVED: char = '>';
const SUCCESS_RATE: char = '*';
const EXPECTED_COST: char = '=';
const SIGNS: [char; 4] = [DROPPED, MOVED, SUCCESS_RATE, EXPECTED_COST];

/// A line that can't be read, or that has a word of a later version.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an account that was looked at")]
pub(super) struct Unreadable(String);

/// Writes accounts as a line. Connector names and ids contain no blanks or signs.
pub(super) fn write(candidates: &[Considered]) -> String {
    /// The approximate length of an account without further values.
    const ONE: usize = 32;
    let mut line = String::with_capacity(candidates.len() * ONE);
    let mut connector = None;
    for one in candidates {
        if !line.is_empty() {
            line.push(' ');
        }
        if connector != Some(&one.connector) {
            line.push_str(&one.connector);
            line.push(CONNECTOR);
            connector = Some(&one.connector);
        }
        line.push_str(one.merchant_connector_id.as_str());
        add(&mut line, DROPPED, one.dropped);
        add(&mut line, MOVED, one.moved);
        add(&mut line, SUCCESS_RATE, one.success_rate);
        add(&mut line, EXPECTED_COST, one.expected_cost);
    }
    line
}

fn add(line: &mut String, sign: char, told: Option<impl Display>) {
    if let Some(told) = told {
        write!(line, "{sign}{told}").expect("a text takes what is written");
    }
}

/// Reads a line that [`write`] wrote.
pub(super) fn read(line: &str) -> Result<Vec<Considered>, Unreadable> {
    let mut connector = None;
    let ones = line.split(' ').filter(|one| !one.is_empty());
    ones.map(|one| {
        let unreadable = || Unreadable(one.to_owned());
        let rest = match one.split_once(CONNECTOR) {
            Some((named, rest)) => {
                connector = Some(named);
                rest
            }
            None => one,
        };
        let end = rest.find(SIGNS).unwrap_or(rest.len());
        let (id, told) = rest.split_at(end);
        let mut considered = Considered {
            connector: connector.ok_or_else(unreadable)?.to_owned(),
            merchant_connector_id: ConnectorAccountId::parse(id).map_err(|_| unreadable())?,
            dropped: None,
            moved: None,
            success_rate: None,
            expected_cost: None,
        };
        tell(&mut considered, told).ok_or_else(unreadable)?;
        Ok(considered)
    })
    .collect()
}

/// Reads the values after the id: any number of signs with a word each.
fn tell(of: &mut Considered, mut told: &str) -> Option<()> {
    while let Some(sign) = told.chars().next() {
        let rest = &told[sign.len_utf8()..];
        let (word, more) = rest.split_at(rest.find(SIGNS).unwrap_or(rest.len()));
        match sign {
            DROPPED => of.dropped = Some(parsed(word)?),
            MOVED => of.moved = Some(parsed(word)?),
            SUCCESS_RATE => of.success_rate = Some(parsed(word)?),
            EXPECTED_COST => of.expected_cost = Some(parsed(word)?),
            _ => return None,
        }
        told = more;
    }
    Some(())
}

fn parsed<T: FromStr>(word: &str) -> Option<T> {
    word.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::{Dropped, Moved};

    fn considered(connector: &str, id: &str) -> Considered {
        Considered {
            connector: connector.to_owned(),
            merchant_connector_id: ConnectorAccountId::parse(id).expect("an id"),
            dropped: None,
            moved: None,
            success_rate: None,
            expected_cost: None,
        }
    }

    #[test]
    fn every_value_of_an_account_is_read_again() {
        let all = [
            considered("stripe", "mca_a"),
            Considered {
                dropped: Some(Dropped::ThreeDs),
                expected_cost: Some(-3),
                ..considered("stripe", "mca_b")
            },
            Considered {
                moved: Some(Moved::Elimination),
                success_rate: Some(9_750),
                expected_cost: Some(117),
                ..considered("adyen", "mca_c")
            },
            considered("stripe", "mca_d"),
        ];
        let line = write(&all);
        insta::assert_snapshot!(line, @"stripe/mca_a mca_b!three_ds=-3 adyen/mca_c>elimination*9750=117 stripe/mca_d");
        assert_eq!(read(&line).expect("its own words"), all);
        assert_eq!(read(&write(&[])), Ok(Vec::new()), "nobody was looked at");
    }

    #[test]
    fn what_does_not_read_is_named() {
        for (line, named) in [
            ("mca_a", "mca_a"),
            ("stripe/mca_a mca_b!mood", "mca_b!mood"),
            ("stripe/mca_a*many", "stripe/mca_a*many"),
            ("stripe/mca_a=117=", "stripe/mca_a=117="),
            ("stripe/", "stripe/"),
        ] {
            assert_eq!(read(line), Err(Unreadable(named.to_owned())), "{line}");
        }
    }
}
