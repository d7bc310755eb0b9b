//! The changes to a payment by a create, update or confirm, and how they are merged.

use std::sync::Arc;

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{CustomerId, ProfileId};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::words::words;
use multirail_sdk::browser::Browser;
use multirail_sdk::consent::Consent;
use multirail_sdk::payment_method::{PaymentMethod, PaymentMethodType};

use crate::accounts::profile::link_look::{LinkConfig, UnbuiltLook};
use crate::payments::payment::recurring::FoundMandate;
use crate::payments::payment::{
    AuthenticationType, CaptureMethod, FutureUsage, Instrument, InstrumentInput, Particulars,
    PayerDetails, Payment, PaymentMethodData, Program, Surcharge, Terms,
};
use crate::routing::StraightThrough;

/// The seconds by which a payer's consent may be ahead of the server's clock.
const AHEAD_AT_MOST: i64 = 86_400;

/// The members of a request; `None` for absent ones.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Repeats the payment's profile; it can't be changed.
    pub profile_id: Option<ProfileId>,
    pub amount: Option<i64>,
    pub currency: Option<Currency>,
    pub shipping_cost: Option<i64>,
    pub order_tax_amount: Option<i64>,
    pub surcharge: Option<Surcharge>,
    pub amount_to_capture: Option<i64>,
    pub capture_method: Option<CaptureMethod>,
    pub authentication_type: Option<AuthenticationType>,
    pub customer_id: Option<CustomerId>,
    pub return_url: Option<String>,
    pub setup_future_usage: Option<FutureUsage>,
    pub enable_partial_authorization: Option<bool>,
    pub enable_overcapture: Option<bool>,
    pub session_expiry_seconds: Option<i64>,
    pub routing: Option<StraightThrough>,
    pub instrument: InstrumentInput,
    /// The mandate that the payment is to change (`mandate_data.update_mandate_id`), if any.
    pub changed_mandate: Option<FoundMandate>,
    /// `merchant_connector_details.creds_identifier`. The credentials themselves are passed separately.
    pub creds_identifier: Option<String>,
    /// Requested capabilities that aren't built.
    pub flows: Vec<Flow>,
    /// A requested look of the payment's page that isn't built.
    pub unbuilt_look: Option<UnbuiltLook>,
    /// True if `retry_action` is `manual_retry`: a failed payment is to be retried.
    pub retries: bool,
    pub particulars: Particulars,
    pub payer: PayerDetails,
    /// True if the request has the payer's consent only in `mandate_data`. Refusals name the member there.
    pub consent_in_mandate_data: bool,
    /// The program that sends the request.
    pub program: Program,
    /// The data that a payer's browser shows when it confirms.
    pub browser: Option<Box<Browser>>,
}

words! {
    /// Members that ask for another amount, payment method or page in a way that isn't built. They are refused, never ignored.
    pub enum Flow {
        SplitPayments = "split_payments",
        PaymentLinkConfigId = "payment_link_config_id",
        IframeRedirection = "is_iframe_redirection_enabled",
        LinkConfigWithoutLink = "payment_link_config without payment_link",
        RetryRequeue = "retry_action requeue",
        SkipExternalTaxCalculation = "skip_external_tax_calculation",
        AllKeysRequired = "all_keys_required",
        ExternalThreeDsAuthentication = "request_external_three_ds_authentication",
        CtpServiceDetails = "ctp_service_details",
    }
}

impl Changes {
    /// Merges the changes into `terms` and `particulars`.
    pub(crate) fn merge(
        &mut self,
        terms: &mut Terms,
        particulars: &mut Particulars,
        now: Timestamp,
    ) -> Result<(), Refusal> {
        set(&mut terms.amount, self.amount);
        set(&mut terms.currency, self.currency);
        set(&mut terms.capture_method, self.capture_method);
        terms.authentication_type_given |= self.authentication_type.is_some();
        set(&mut terms.authentication_type, self.authentication_type);
        set(
            &mut terms.session_expiry_seconds,
            self.session_expiry_seconds,
        );
        keep(&mut terms.shipping_cost, self.shipping_cost);
        keep(&mut terms.order_tax_amount, self.order_tax_amount);
        keep(&mut terms.surcharge, self.surcharge);
        keep(&mut terms.amount_to_capture, self.amount_to_capture);
        keep(&mut terms.customer_id, self.named_customer().cloned());
        keep(&mut terms.return_url, self.return_url.take());
        keep(&mut terms.setup_future_usage, self.setup_future_usage);
        keep(
            &mut terms.enable_partial_authorization,
            self.enable_partial_authorization,
        );
        keep(&mut terms.enable_overcapture, self.enable_overcapture);
        keep(&mut terms.routing, self.routing.take());
        let mut look_without_link = None;
        if let Some(config) = &self.particulars.link_config {
            config.check()?;
            let has_link = self.particulars.payment_link.or(particulars.payment_link);
            if has_link != Some(true) && **config != LinkConfig::default() {
                look_without_link = Some(Flow::LinkConfigWithoutLink);
            }
        }
        particulars.merge(std::mem::take(&mut self.particulars));
        particulars.ask_for_mandate(terms, now)?;
        self.check_consent(now)?;
        terms.check()?;
        let flow = self.flows.first().map(|flow| flow.as_str());
        let flow = flow.or(self.unbuilt_look.map(UnbuiltLook::as_str));
        match flow.or(look_without_link.map(Flow::as_str)) {
            Some(flow) => Err(Refusal::FlowNotSupported {
                flow: flow.to_owned(),
            }),
            None => Ok(()),
        }
    }

    /// Merges the payer's data into `payer`. It is copied only if there are any.
    fn merge_payer(&mut self, payer: &mut Arc<PayerDetails>, now: Timestamp) {
        let (mut given, shown) = (std::mem::take(&mut self.payer), self.browser.take());
        if given == PayerDetails::default() && shown.is_none() {
            return;
        }
        if let Some(shown) = &shown {
            given.complete_consent(shown, now);
        }
        let payer = Arc::make_mut(payer);
        payer.merge(given);
        payer.add_browser(shown);
    }

    fn check_customer(&self) -> Result<(), Refusal> {
        let differ = |member: &str| {
            Refusal::precondition(format!(
                "{member} is given twice, at the top and inside customer, with different values"
            ))
        };
        let customer = self.payer.customer.as_ref();
        if let (Some(top), Some(customer)) = (&self.customer_id, customer)
            && *top != customer.id
        {
            return Err(differ("customer_id"));
        }
        match self.payer.contradiction() {
            Some(member) => Err(differ(member)),
            None => Ok(()),
        }
    }

    /// Refuses a consent that the payer hasn't given yet. The clocks of other machines may be ahead.
    fn check_consent(&self, now: Timestamp) -> Result<(), Refusal> {
        let consent = self.payer.consent.as_deref();
        let given = consent.and_then(|consent| consent.accepted_at.as_deref());
        let given = given.and_then(|text| Timestamp::parse_rfc3339(text).ok());
        if given.is_none_or(|given| given.seconds_since(now) <= AHEAD_AT_MOST) {
            return Ok(());
        }
        let member = match self.consent_in_mandate_data {
            true => "mandate_data.customer_acceptance.accepted_at",
            false => "customer_acceptance.accepted_at",
        };
        Err(Refusal::Malformed {
            member: member.to_owned(),
            why: "is in the future".to_owned(),
        })
    }
}

/// Payment method data that came with changes.
#[derive(Debug)]
pub(crate) struct Merged {
    pub data: PaymentMethodData,
    /// True if it is a saved method. The data isn't held for the confirm, which looks the method up again.
    pub is_saved: bool,
    /// True if it is a saved method that a processor stores.
    pub is_kept: bool,
}

impl Payment {
    /// Merges changes into a payment that wasn't sent to a processor yet. Its status follows from the payment method. Returns
    /// the payment method data of the changes.
    pub(crate) fn merge(
        &mut self,
        mut changes: Changes,
        now: Timestamp,
    ) -> Result<Option<Merged>, Refusal> {
        if changes
            .profile_id
            .as_ref()
            .is_some_and(|named| *named != self.profile_id)
        {
            return Err(Refusal::invalid_value(
                "profile_id of the body is not the payment's: a payment keeps the profile that it was created under",
            ));
        }
        if changes.retries && self.attempts.len() < 2 {
            return Err(Refusal::precondition(
                "retry_action manual_retry is for a payment that has failed: this one was not tried yet",
            ));
        }
        changes.check_customer()?;
        self.leave_customer(&changes)?;
        let particulars = Arc::make_mut(&mut self.particulars);
        changes.merge(&mut self.terms, particulars, now)?;
        changes.merge_payer(&mut self.payer, now);
        if let Some(found) = changes.changed_mandate {
            found
                .known()?
                .check_change(self.terms.customer_id.as_ref())?;
        }
        let mut given = changes.instrument.check(now)?;
        if let Some(given) = &mut given {
            self.keep_saved_consent(given.consent.take());
        }
        let expiry = self
            .created_at
            .plus_seconds(self.terms.session_expiry_seconds);
        self.expires_at = expiry.ok_or_else(|| {
            Refusal::invalid_value("session_expiry reaches beyond the end of time")
        })?;
        self.modified_at = now;
        let total = self.terms.total();
        let attempt = self.active_mut();
        attempt.amount = total;
        attempt.modified_at = now;
        attempt.bring(changes.creds_identifier);
        if !changes.program.is_unnamed() {
            attempt.program = changes.program;
        }
        let mandate = given.as_ref().and_then(|given| given.mandate.clone());
        let merged = given.map(|given| {
            attempt.instrument = Some(given.instrument);
            attempt.method = given.method;
            attempt.recurring = given.recurring;
            Merged {
                data: given.data,
                is_saved: attempt.method.is_some(),
                is_kept: given.is_kept,
            }
        });
        self.check_allowed_types()?;
        if let Some(mandate) = mandate {
            self.check_charge(&mandate, now)?;
        }
        Ok(merged)
    }

    /// Records the consent that was saved with the payment method, in place of another method's.
    fn keep_saved_consent(&mut self, consent: Option<Box<Consent>>) {
        if self.payer.saved_consent != consent {
            Arc::make_mut(&mut self.payer).saved_consent = consent;
        }
    }

    /// Refuses a payment method that `allowed_payment_method_types` excludes. A card of unknown type may be either type.
    fn check_allowed_types(&self) -> Result<(), Refusal> {
        let Some(instrument) = self.instrument() else {
            return Ok(());
        };
        let is_allowed = match instrument.payment_method_type {
            Some(kind) => self.allows(kind),
            None => self.allows_some(instrument.payment_method),
        };
        if is_allowed {
            Ok(())
        } else {
            Err(Refusal::invalid_value(
                "payment_method_type is not one of the payment's allowed_payment_method_types",
            ))
        }
    }

    /// Returns whether the payment allows this payment method type. No list, or an empty one, allows all.
    pub fn allows(&self, kind: PaymentMethodType) -> bool {
        let allowed = self.particulars.allowed_payment_method_types.as_deref();
        allowed.is_none_or(|allowed| allowed.is_empty() || allowed.contains(&kind))
    }

    /// Returns whether the payment excludes some payment method types.
    pub fn is_choosy(&self) -> bool {
        let allowed = self.particulars.allowed_payment_method_types.as_deref();
        allowed.is_some_and(|allowed| !allowed.is_empty())
    }

    /// Returns whether the payment allows any type of this payment method.
    fn allows_some(&self, method: PaymentMethod) -> bool {
        let mut varieties = PaymentMethodType::ALL.iter().copied();
        varieties.any(|kind| kind.belongs_to(method) && self.allows(kind))
    }

    /// Returns the payment method that a confirm would use.
    pub fn instrument(&self) -> Option<&Instrument> {
        self.active().instrument.as_ref()
    }
}

fn set<T>(slot: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *slot = value;
    }
}

fn keep<T>(slot: &mut Option<T>, value: Option<T>) {
    if value.is_some() {
        *slot = value;
    }
}
