//! The accounts that can accept a payment.

use multirail_domain::accounts::connector_account::{
    Candidate, ConnectorAccount, Ineligible, PaymentQuery,
};
use multirail_domain::routing::{Dropped, Facts, lacking};
use multirail_kernel::ids::ConnectorAccountId;
use multirail_kernel::money::Money;
use multirail_sdk::bank_name::BankName;
use multirail_sdk::charge::AuthenticationType;
use multirail_sdk::connector::{Capabilities, NotCounted};
use multirail_sdk::instrument::{Instrument, InstrumentDetails};
use multirail_sdk::payer_method::PayerMethodRules;
use multirail_sdk::payment_method::PaymentMethodType;
use multirail_sdk::required_field::RequiredField;

use crate::order::is_stored_by;

/// Returns why the account can't accept the payment; `None` if it can.
pub(crate) fn dropped(
    candidate: &Candidate,
    facts: &Facts<'_>,
    instrument: &Instrument,
    query: &PaymentQuery,
) -> Option<Dropped> {
    if let Err(reason) = enables(&candidate.account, facts, query) {
        return Some(reason.into());
    }
    if !candidate.takes(instrument) {
        return Some(Dropped::ConnectorPaymentMethod);
    }
    if is_bound_to_others_than(facts, &candidate.account.merchant_connector_id) {
        return Some(Dropped::AgreedElsewhere);
    }
    let unmet = || {
        let needs = candidate.capabilities.authenticates_by_browser && has_three_ds(instrument);
        (needs && facts.unknown_of_browser.is_some()).then_some(Dropped::Browser)
    };
    lacks(facts, candidate).or_else(unmet)
}

/// Returns the candidate of this account.
pub(crate) fn candidate_of<'a>(
    account: &ConnectorAccountId,
    candidates: &'a [Candidate],
) -> Option<&'a Candidate> {
    let mut candidates = candidates.iter();
    candidates.find(|one| one.account.merchant_connector_id == *account)
}

/// Returns whether the charge is bound to other accounts. If no account is known, the charge isn't bound.
fn is_bound_to_others_than(facts: &Facts<'_>, account: &ConnectorAccountId) -> bool {
    let is_known = facts.agreed_through.is_some() || !facts.kept.is_empty();
    let is_its_own = is_stored_by(facts, account) || facts.agreed_through == Some(account);
    facts.is_bound && is_known && !is_its_own
}

/// Checks that the account is enabled for the payment. If the payment method's type isn't known, any type that the payment
/// allows may pass.
fn enables(
    account: &ConnectorAccount,
    facts: &Facts<'_>,
    query: &PaymentQuery,
) -> Result<(), Ineligible> {
    let checked = account.check(query);
    if checked.is_err() || query.payment_method_type.is_some() || facts.allowed_types.is_empty() {
        return checked;
    }
    let varieties = PaymentMethodType::ALL.iter().copied();
    let mut varieties = varieties.filter(|kind| kind.belongs_to(query.payment_method));
    let is_enabled = varieties.any(|kind| {
        let query = PaymentQuery {
            payment_method_type: Some(kind),
            ..*query
        };
        allows(facts, kind) && account.check(&query).is_ok()
    });
    is_enabled
        .then_some(())
        .ok_or(Ineligible::PaymentMethodType)
}

/// Returns whether the payment allows this payment method type.
fn allows(facts: &Facts<'_>, kind: PaymentMethodType) -> bool {
    facts.allowed_types.is_empty() || facts.allowed_types.contains(&kind)
}

/// Returns the first requirement of the payment, apart from the payment method, that the account's connector can't meet. `None`
/// if it meets all.
pub fn lacks(facts: &Facts<'_>, candidate: &Candidate) -> Option<Dropped> {
    let captures = candidate.captures(facts.capture_method);
    let able = &candidate.capabilities;
    let rules = facts.instrument.and_then(|one| payer_rules(able, one));
    // The refusal names a missing member only if the account meets everything else.
    lacks_ability(facts, able, captures).or_else(|| {
        let lacks_field = rules.is_some_and(|rules| missing(rules, facts).is_some());
        lacks_field.then_some(Dropped::RequiredField)
    })
}

/// Returns the first requirement of the payment, apart from the payment method and its required members, that a connector with
/// these abilities can't meet. `captures` says whether it supports the capture method.
pub(crate) fn lacks_ability(
    facts: &Facts<'_>,
    able: &Capabilities,
    captures: bool,
) -> Option<Dropped> {
    let payer = facts.instrument.and_then(|one| payer_rules(able, one));
    let wants_three_ds = facts.authentication_type == AuthenticationType::ThreeDs
        && facts.instrument.is_none_or(has_three_ds);
    let wants = [
        (
            Dropped::ConnectorPaymentMethod,
            payer.is_some_and(|rules| {
                !rules.knows_bank(facts.instrument.and_then(bank))
                    || !rules.leads_by(facts.experience)
            }),
        ),
        (
            Dropped::ConnectorCurrency,
            payer.is_some_and(|rules| !rules.accepts(facts.currency)),
        ),
        (
            Dropped::ConnectorCountry,
            payer.is_some_and(|rules| !rules.serves(facts.payer_country())),
        ),
        (
            Dropped::CaptureMethod,
            !captures || payer.is_some_and(|rules| !rules.captures(facts.capture_method)),
        ),
        (
            Dropped::ZeroAmount,
            facts.only_verifies() && (!able.verifies_cards || payer.is_some()),
        ),
        (
            Dropped::Recurring,
            facts.recurs && payer.is_some_and(|rules| !rules.recurs),
        ),
        (Dropped::ThreeDs, wants_three_ds && !able.redirects),
        (Dropped::ProcessorAmount, not_counted(facts, able).is_some()),
        // These come last: the refusal names them only if the account meets everything else.
        (
            Dropped::ExtendedAuthorization,
            facts.wants_longer && !able.extends_authorizations,
        ),
        (
            Dropped::Overcapture,
            facts.wants_overcapture && !able.overcaptures,
        ),
    ];
    let mut lacking = wants.into_iter().filter(|(_, is_lacked)| *is_lacked);
    lacking.next().map(|(reason, _)| reason)
}

/// Returns whether the payer of this instrument may be authenticated by 3-D Secure.
fn has_three_ds(instrument: &Instrument) -> bool {
    match &instrument.details {
        InstrumentDetails::Payer(method) => method.has_three_ds(),
        InstrumentDetails::Card(_)
        | InstrumentDetails::NetworkToken(_)
        | InstrumentDetails::Wallet(_)
        | InstrumentDetails::Kept(_) => true,
        InstrumentDetails::BankDebit(_) => false,
    }
}

/// Returns the bank that the payer chose.
pub(crate) fn bank(instrument: &Instrument) -> Option<BankName> {
    match &instrument.details {
        InstrumentDetails::Payer(method) => method.bank_name,
        InstrumentDetails::Card(_)
        | InstrumentDetails::NetworkToken(_)
        | InstrumentDetails::Wallet(_)
        | InstrumentDetails::Kept(_)
        | InstrumentDetails::BankDebit(_) => None,
    }
}

/// Returns the connector's rules for a debit, or for a method that the payer finishes elsewhere.
pub(crate) fn payer_rules(
    able: &Capabilities,
    instrument: &Instrument,
) -> Option<&'static PayerMethodRules> {
    let kind = instrument.details.ruled_type()?;
    able.payer_method(kind)
}

/// Returns the first member that the rules require and the payment lacks.
pub(crate) fn missing(rules: &PayerMethodRules, facts: &Facts<'_>) -> Option<RequiredField> {
    if !facts.knows_payer {
        return None;
    }
    let address = facts.payer_address();
    let mut lacking = lacking(rules, address.as_deref(), facts.instrument);
    lacking.next()
}

/// Returns why the processor can't charge the payment's total by its method, or capture its `amount_to_capture`. `None` if it can.
pub(crate) fn not_counted(facts: &Facts<'_>, able: &Capabilities) -> Option<NotCounted> {
    let money = |amount| Money::new(amount, facts.currency);
    let kind = facts.instrument.and_then(|one| one.details.ruled_type());
    let charged = able.check_charged(kind, money(facts.total));
    let captured = facts
        .amount_to_capture
        .map_or(Ok(()), |amount| able.units.check_counted(money(amount)));
    charged.and(captured).err()
}
