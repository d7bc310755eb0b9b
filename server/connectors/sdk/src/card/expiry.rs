//! The expiry of a card.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;

/// Seconds after UTC midnight at which a month ends in the last time zone.
const LAST_ZONE_SECONDS: i64 = 12 * 3_600;

/// Month and year printed on a card. The card is valid until that month ends everywhere on earth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Expiry {
    year: u16,
    month: u8,
}

impl Expiry {
    /// Reads a month (`3`, `03`) and a year (`35` is 2035, or four digits), and refuses a card that
    /// has expired. `path` is the card's place in the body, e.g. `payment_method_data.card`.
    ///
    /// # Errors
    /// - [`Refusal::Unreadable`]: not digits.
    /// - [`Refusal::Precondition`]: no such month or year (2000 to 2099), or expired.
    pub fn parse(month: &str, year: &str, path: &str, now: Timestamp) -> Result<Self, Refusal> {
        let (month_member, year_member) = (
            format!("{path}.card_exp_month"),
            format!("{path}.card_exp_year"),
        );
        Expiry::parse_at((month, &month_member), (year, &year_member), now)
    }

    /// Reads the expiry of a card that is charged as a stored credential. An expired card is
    /// accepted: the issuer judges it.
    ///
    /// # Errors
    /// The errors of [`Expiry::parse`], except the one for an expired card.
    pub fn read_stored(month: &str, year: &str, path: &str) -> Result<Self, Refusal> {
        let (month_member, year_member) = (
            format!("{path}.card_exp_month"),
            format!("{path}.card_exp_year"),
        );
        Expiry::read((month, &month_member), (year, &year_member))
    }

    /// Reads month and year like [`Expiry::parse`]. Each comes with the full name of its member.
    pub fn parse_at(
        (month, month_member): (&str, &str),
        (year, year_member): (&str, &str),
        now: Timestamp,
    ) -> Result<Self, Refusal> {
        let expiry = Expiry::read((month, month_member), (year, year_member))?;
        if expiry.is_past(now) {
            return Err(Refusal::precondition(format!(
                "{year_member}: the card expired at the end of {}/{}",
                expiry.month_text(),
                expiry.year_text()
            )));
        }
        Ok(expiry)
    }

    fn read(
        (month, month_member): (&str, &str),
        (year, year_member): (&str, &str),
    ) -> Result<Self, Refusal> {
        let month = match digits(month, month_member)? {
            (1..=2, number @ 1..=12) => number as u8,
            (_, _) => return Err(no_such(month_member, "01 to 12")),
        };
        let year = match digits(year, year_member)? {
            (2, number) => 2000 + number as u16,
            (4, number @ 2000..=2099) => number as u16,
            (_, _) => {
                return Err(no_such(
                    year_member,
                    "a year of this century, with two or four digits",
                ));
            }
        };
        Ok(Expiry { year, month })
    }

    /// Reads the texts of [`Expiry::month_text`] and [`Expiry::year_text`]. An expired card is
    /// accepted.
    pub fn stored(month: &str, year: &str) -> Option<Self> {
        let month: u8 = month
            .parse()
            .ok()
            .filter(|month| (1..=12).contains(month))?;
        let year: u16 = year
            .parse()
            .ok()
            .filter(|year| (2000..=2099).contains(year))?;
        Some(Expiry { year, month })
    }

    /// Returns the month, 1 to 12.
    pub fn month(self) -> u8 {
        self.month
    }

    /// Returns the year, 2000 to 2099.
    pub fn year(self) -> u16 {
        self.year
    }

    /// Returns the month with two digits, as answers show it.
    pub fn month_text(self) -> String {
        format!("{:02}", self.month)
    }

    /// Returns the year with four digits, as answers show it.
    pub fn year_text(self) -> String {
        format!("{:04}", self.year)
    }

    /// Checks whether the month is over everywhere on earth. It ends last in UTC-12.
    pub fn is_past(self, now: Timestamp) -> bool {
        let (year, month) = match self.month {
            12 => (i32::from(self.year) + 1, 1),
            earlier => (i32::from(self.year), u32::from(earlier) + 1),
        };
        let end = NaiveDate::from_ymd_opt(year, month, 1)
            .and_then(|day| day.and_hms_opt(0, 0, 0))
            .map(|midnight| DateTime::<Utc>::from_naive_utc_and_offset(midnight, Utc));
        let end = end.and_then(|end| Timestamp::from_datetime(end).plus_seconds(LAST_ZONE_SECONDS));
        end.is_some_and(|end| now >= end)
    }
}

/// Returns the number of digits and their value. A value that is too large becomes the largest
/// `u32`.
fn digits(text: &str, member: &str) -> Result<(usize, u32), Refusal> {
    let text = text.trim();
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Refusal::Unreadable {
            member: member.to_owned(),
        });
    }
    Ok((text.len(), text.parse().unwrap_or(u32::MAX)))
}

fn no_such(member: &str, expected: &str) -> Refusal {
    Refusal::precondition(format!("{member} must be {expected}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(month: &str, year: &str) -> Result<String, String> {
        let now = Timestamp::parse_rfc3339("2026-02-28T23:59:59.999Z").expect("a date-time");
        Expiry::parse(month, year, "payment_method_data.card", now)
            .map(|expiry| format!("{}/{}", expiry.month_text(), expiry.year_text()))
            .map_err(|refusal| format!("{refusal:?}"))
    }

    #[test]
    fn months_and_years_as_people_write_them() {
        let table = [
            ("10", "2035", "10/2035"),
            ("3", "35", "03/2035"),
            ("03", " 35 ", "03/2035"),
            ("02", "2026", "02/2026"),
            ("12", "99", "12/2099"),
        ];
        for (month, year, expected) in table {
            assert_eq!(read(month, year).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn every_kind_of_refusal() {
        let table = [
            ("aa", "35"),
            ("", "35"),
            ("+1", "35"),
            ("0", "35"),
            ("13", "35"),
            ("012", "35"),
            ("99999999999", "35"),
            ("10", "xx"),
            ("10", ""),
            ("10", "-5"),
            ("10", "5"),
            ("10", "035"),
            ("10", "1999"),
            ("10", "2100"),
            ("01", "2026"),
            ("12", "25"),
            ("1", "00"),
        ];
        let seen: Vec<String> = table
            .iter()
            .map(|(month, year)| match read(month, year) {
                Ok(shown) => format!("{month:?} {year:?} -> accepted {shown}"),
                Err(refusal) => format!("{month:?} {year:?} -> {refusal}"),
            })
            .collect();
        insta::assert_snapshot!(seen.join("\n"));
    }

    #[test]
    fn valid_until_the_month_ends_everywhere() {
        let december = Expiry {
            year: 2026,
            month: 12,
        };
        let last = Timestamp::parse_rfc3339("2027-01-01T11:59:59.999999Z").expect("a date-time");
        let next = Timestamp::parse_rfc3339("2027-01-01T12:00:00Z").expect("a date-time");
        assert!(!december.is_past(last));
        assert!(december.is_past(next));
    }
}
