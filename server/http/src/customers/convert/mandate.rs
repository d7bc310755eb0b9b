//! Mandates, wire to domain and back. (Specification 2.11; facts 7.13)

use multirail_api::mandates::{CustomerMandatesListQuery, MandatesListQuery};
use multirail_app::customers::mandates::ListMandates;
use multirail_app::customers::ports::MandateSearch;
use multirail_domain::customers::mandate::{MandateLimits, MandateTerms, MandateView};
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::CustomerId;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::card::CardRecord;
use multirail_types as types;

use crate::platform::convert::consent::consent_answer;
use crate::platform::convert::id;
use crate::platform::convert::moments::{moment, moment_answer, shown_from, shown_until};
use crate::platform::convert::words::{ToWire, maybe_word};

/// Reads the terms of a mandate.
///
/// # Errors
/// A currency that this service doesn't know.
pub fn terms(said: types::MandateType) -> Result<MandateTerms, Refusal> {
    let types::MandateType {
        single_use,
        multi_use,
    } = said;
    let single_use = single_use.map(|once| {
        let types::MandateAmount {
            amount,
            currency,
            start_date,
            end_date,
            metadata,
        } = once;
        limits(types::MandateLimits {
            amount: Some(amount),
            currency: Some(currency),
            start_date,
            end_date,
            metadata,
        })
    });
    Ok(MandateTerms {
        single_use: single_use.transpose()?,
        multi_use: multi_use.map(limits).transpose()?,
        unread: UnreadMembers::default(),
    })
}

fn limits(said: types::MandateLimits) -> Result<Box<MandateLimits>, Refusal> {
    let types::MandateLimits {
        amount,
        currency,
        start_date,
        end_date,
        metadata,
    } = said;
    let currency: Option<Currency> = maybe_word(currency, "mandate_data.mandate_type currency")?;
    Ok(Box::new(MandateLimits {
        amount,
        currency,
        start_date: start_date.map(moment),
        end_date: end_date.map(moment),
        metadata,
        unread: UnreadMembers::default(),
    }))
}

/// Returns the terms of a mandate.
pub fn terms_answer(terms: &MandateTerms) -> types::MandateType {
    types::MandateType {
        single_use: terms.single_use.as_deref().map(|limits| {
            let types::MandateLimits {
                amount,
                currency,
                start_date,
                end_date,
                metadata,
            } = limits_answer(limits);
            types::MandateAmount {
                // A single use has both.
                amount: amount.unwrap_or_default(),
                currency: currency.unwrap_or_else(|| types::Currency::Unknown(String::new())),
                start_date,
                end_date,
                metadata,
            }
        }),
        multi_use: terms.multi_use.as_deref().map(limits_answer),
    }
}

fn limits_answer(limits: &MandateLimits) -> types::MandateLimits {
    let date = |text: &Option<String>| text.as_deref().and_then(moment_answer);
    types::MandateLimits {
        amount: limits.amount,
        currency: limits.currency.map(|currency| currency.to_wire()),
        start_date: date(&limits.start_date),
        end_date: date(&limits.end_date),
        metadata: limits.metadata.clone(),
    }
}

/// Reads the query of the list.
///
/// # Errors
/// An invalid customer id.
pub fn list(query: MandatesListQuery) -> Result<ListMandates, Refusal> {
    let MandatesListQuery {
        limit,
        offset,
        mandate_status,
        connector,
        customer_id,
        created_time,
        created_time_lt,
        created_time_gt,
        created_time_lte,
        created_time_gte,
    } = query;
    let exactly = created_time;
    let from = [created_time_gte, exactly];
    let until = [created_time_lte, exactly];
    Ok(ListMandates {
        search: MandateSearch {
            customer_id: id(customer_id, "customer_id", CustomerId::parse)?,
            status: maybe_word(mandate_status, "mandate_status")?,
            connector: connector.map(|name| name.as_str().to_owned()),
            created_from: from.into_iter().flatten().max().map(shown_from),
            created_until: until.into_iter().flatten().min().map(shown_until),
            created_after: created_time_gt.map(shown_until),
            created_before: created_time_lt.map(shown_from),
            ..MandateSearch::default()
        },
        limit: limit.map(i64::from),
        offset: offset.map(i64::from),
    })
}

/// Reads the query of one customer's list.
pub fn of_customer(query: CustomerMandatesListQuery) -> ListMandates {
    let CustomerMandatesListQuery { limit, offset } = query;
    ListMandates {
        limit: limit.map(i64::from),
        offset: offset.map(i64::from),
        ..ListMandates::default()
    }
}

/// Returns the mandate's answer.
pub fn answer(view: &MandateView) -> types::Mandate {
    let mandate = &view.mandate;
    let kind = mandate.payment_method_type;
    types::Mandate {
        mandate_id: mandate.mandate_id.to_string(),
        status: mandate.status.to_wire(),
        payment_method_id: mandate.payment_method_id.to_string(),
        payment_method: mandate.payment_method.to_wire(),
        payment_method_type: kind.map(|kind| kind.to_wire()),
        card: view.card.as_ref().map(card),
        customer_acceptance: view.consent.clone().map(consent_answer),
        customer_id: mandate.customer_id.to_string(),
        payment_id: mandate.payment_id.to_string(),
        mandate_type: terms_answer(&mandate.terms),
        connector: mandate.connector.clone(),
        created_at: mandate.created_at.to_datetime(),
    }
}

fn card(CardRecord { details, holder }: &CardRecord) -> types::MandateCard {
    let network = details.network;
    types::MandateCard {
        last4_digits: Some(details.last4.clone()),
        card_exp_month: Some(details.exp_month.clone()),
        card_exp_year: Some(details.exp_year.clone()),
        card_holder_name: holder.name.clone(),
        card_token: None,
        scheme: network.map(|network| network.as_str().to_owned()),
        issuer_country: details.issuing_country.clone(),
        card_isin: details.isin.clone(),
        card_issuer: details.issuer.clone(),
        card_network: network.map(ToWire::to_wire),
        card_type: details.card_type.clone(),
        nick_name: holder.nick_name.clone(),
    }
}

/// Returns the answer to a revocation.
pub fn revoked(view: &MandateView) -> types::MandateRevoked {
    types::MandateRevoked {
        mandate_id: view.mandate.mandate_id.to_string(),
        status: view.mandate.status.to_wire(),
        error_code: None,
        error_message: None,
    }
}
