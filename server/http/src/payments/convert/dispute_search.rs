//! Filters of the lists of disputes.

use std::fmt::Display;

use multirail_api::disputes::{DisputesListQuery, DisputesProfileListQuery};
use multirail_app::payments::disputes::list::ListDisputes;
use multirail_app::payments::ports::disputes::DisputeSearch;
use multirail_domain::payments::dispute::{DisputeStage, DisputeStatus};
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{DisputeId, PaymentId};
use multirail_kernel::refusal::Refusal;
use multirail_types as types;

use crate::platform::convert::id;
use crate::platform::convert::moments::{shown_from, shown_until};
use crate::platform::convert::words::{ToDomain, text_word};

/// Reads the query of the list. `scope` is the one profile that the call is narrowed to, which overrules the query.
///
/// # Errors
/// An invalid id or word.
pub fn list(query: DisputesListQuery, scope: Option<String>) -> Result<ListDisputes, Refusal> {
    let DisputesListQuery {
        limit,
        offset,
        dispute_id,
        payment_id,
        profile_id,
        merchant_connector_id,
        dispute_status,
        dispute_stage,
        reason,
        connector,
        currency,
        received_time,
        received_time_lt,
        received_time_gt,
        received_time_lte,
        received_time_gte,
        start_time,
        end_time,
    } = query;
    let exactly = received_time;
    let from = [received_time_gte, exactly, start_time];
    let until = [received_time_lte, exactly, end_time];
    Ok(ListDisputes {
        search: DisputeSearch {
            dispute_id: id(dispute_id, "dispute_id", DisputeId::parse)?,
            payment_id: id(payment_id, "payment_id", PaymentId::parse)?,
            profile_id: scope.or(profile_id),
            merchant_connector_id,
            stages: words::<types::DisputeStage, DisputeStage>("dispute_stage", dispute_stage)?,
            statuses: words::<types::DisputeStatus, DisputeStatus>(
                "dispute_status",
                dispute_status,
            )?,
            currencies: words::<types::Currency, Currency>("currency", currency)?,
            connectors: connectors(connector)?,
            reason,
            created_from: from.into_iter().flatten().max().map(shown_from),
            created_until: until.into_iter().flatten().min().map(shown_until),
            created_after: received_time_gt.map(shown_until),
            created_before: received_time_lt.map(shown_from),
            ..DisputeSearch::default()
        },
        limit: limit.map(i64::from),
        offset: offset.map(i64::from),
    })
}

/// Writes `of_profiles`, with every parameter of both queries.
macro_rules! of_profiles {
    ($($parameter:ident)+) => {
        /// Converts the query of the profiles' list, which has the same parameters.
        pub fn of_profiles(query: DisputesProfileListQuery) -> DisputesListQuery {
            let DisputesProfileListQuery { $($parameter),+ } = query;
            DisputesListQuery { $($parameter),+ }
        }
    };
}

of_profiles! {
    limit offset dispute_id payment_id profile_id merchant_connector_id dispute_status dispute_stage
    reason connector currency received_time received_time_lt received_time_gt received_time_lte
    received_time_gte start_time end_time
}

/// Returns the words of a comma-separated list as the domain stores them. Each has to be one of the document's `W`.
fn words<W, D>(member: &str, given: Option<String>) -> Result<Vec<String>, Refusal>
where
    W: for<'a> From<&'a str> + ToDomain<D>,
    D: Display,
{
    read(member, given, |word| {
        text_word::<W, D>(word).map(|known| known.to_string())
    })
}

/// Returns the names of connectors, each of which the document has to know.
fn connectors(given: Option<String>) -> Result<Vec<String>, Refusal> {
    read(
        "connector",
        given,
        |name| match types::ConnectorName::from(name) {
            types::ConnectorName::Unknown(_) => None,
            known => Some(known.to_string()),
        },
    )
}

fn read(
    member: &str,
    given: Option<String>,
    known: impl Fn(&str) -> Option<String>,
) -> Result<Vec<String>, Refusal> {
    let given = split(given);
    let words = given
        .iter()
        .map(|word| known(word).ok_or_else(|| Refusal::unknown_word(member, word)));
    words.collect()
}

/// Returns each word once.
fn split(given: Option<String>) -> Vec<String> {
    let given = given.unwrap_or_default();
    let mut words: Vec<String> = Vec::new();
    for word in given.split(',').filter(|word| !word.is_empty()) {
        if !words.iter().any(|known| known == word) {
            words.push(word.to_owned());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use multirail_kernel::timestamp::Timestamp;

    fn read(query: DisputesListQuery) -> Result<DisputeSearch, String> {
        let read = list(query, None).map_err(|refusal| refusal.to_string());
        read.map(|list| list.search)
    }

    #[test]
    fn of_several_bounds_all_hold() {
        let at = |text: &str| {
            let moment = Timestamp::parse_rfc3339(text).expect("a date-time");
            Some(moment.to_datetime())
        };
        let search = read(DisputesListQuery {
            received_time_gte: at("2026-02-01T00:00:00Z"),
            start_time: at("2026-02-03T00:00:00Z"),
            end_time: at("2026-02-09T00:00:00Z"),
            received_time_lte: at("2026-02-05T00:00:00Z"),
            ..DisputesListQuery::default()
        });
        let search = search.expect("a search");
        let shown = |bound: Option<Timestamp>| bound.map(|at| at.to_datetime().to_rfc3339());
        insta::assert_snapshot!(
            format!("{:?} to {:?}", shown(search.created_from), shown(search.created_until)),
            @r#"Some("2026-02-03T00:00:00+00:00") to Some("2026-02-05T00:00:00.000999+00:00")"#
        );
    }

    #[test]
    fn words_stand_between_commas_and_have_to_be_known() {
        let statuses = |text: &str| {
            let search = read(DisputesListQuery {
                dispute_status: Some(text.to_owned()),
                ..DisputesListQuery::default()
            });
            search.map(|search| search.statuses.join(" "))
        };
        assert_eq!(
            statuses("dispute_won,dispute_lost,dispute_won").as_deref(),
            Ok("dispute_won dispute_lost")
        );
        let refused = statuses("dispute_won,won").expect_err("no status");
        assert_eq!(
            refused,
            "dispute_status has the word `won` that this service doesn't know"
        );
    }
}
