//! What a create, update or confirm says about a payment, and how it is merged with what is known.

use serde_json::{Map, Value};

use crate::currency::Currency;
use crate::ids::{CustomerId, ProfileId};
use crate::payment::{
    AuthenticationType, CaptureMethod, Instrument, InstrumentInput, Payment, PaymentMethodData,
    Program, Surcharge, Terms,
};
use crate::payment_method::PaymentMethodType;
use crate::refusal::Refusal;
use crate::routing::StraightThrough;
use crate::timestamp::Timestamp;
use crate::words::words;

/// The members of a request, absent ones `None`.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Names the payment's profile again; it can't be changed.
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
    /// `customer.id`, which has to agree with `customer_id`.
    pub customer_object_id: Option<CustomerId>,
    pub return_url: Option<String>,
    pub setup_future_usage: Option<String>,
    pub enable_partial_authorization: Option<bool>,
    pub enable_overcapture: Option<bool>,
    pub session_expiry_seconds: Option<i64>,
    pub routing: Option<StraightThrough>,
    pub instrument: InstrumentInput,
    /// `merchant_connector_details.creds_identifier`; the credentials go another way.
    pub creds_identifier: Option<String>,
    /// Capabilities that were asked for and aren't built.
    pub flows: Vec<Flow>,
    /// The merchant's own notes, by wire name.
    pub notes: Map<String, Value>,
    /// The program that sends the request.
    pub program: Program,
    /// What a payer's browser shows of itself by confirming, by the names of `BROWSER`'s members.
    pub browser: Map<String, Value>,
}

words! {
    /// What would change the money, the instrument or what the payer sees in a way that isn't built: refused, never
    /// dropped.
    pub enum Flow {
        SplitPayments = "split_payments",
        PaymentLink = "payment_link",
        PaymentLinkConfig = "payment_link_config",
        PaymentLinkConfigId = "payment_link_config_id",
        IframeRedirection = "is_iframe_redirection_enabled",
        Overcapture = "enable_overcapture",
        IncrementalAuthorization = "request_incremental_authorization",
        ExtendedAuthorization = "request_extended_authorization",
        /// Keeping the instrument for charges without the payer.
        FutureUsageOffSession = "setup_future_usage off_session",
        MitCategory = "mit_category",
        RetryRequeue = "retry_action requeue",
        MandateData = "mandate_data",
        MandateId = "mandate_id",
        RecurringDetails = "recurring_details",
        PaymentType = "payment_type",
        ExternalThreeDsAuthentication = "request_external_three_ds_authentication",
        CtpServiceDetails = "ctp_service_details",
    }
}

/// The note about the payer's browser.
const BROWSER: &str = "browser_info";

/// The members that may stand both at the top and inside `customer`, and then have to agree.
const CUSTOMER_TWINS: [&str; 4] = ["name", "email", "phone", "phone_country_code"];

impl Changes {
    /// Lays the terms over `terms` and the notes over `notes`.
    pub(crate) fn merge(
        &mut self,
        terms: &mut Terms,
        notes: &mut Map<String, Value>,
    ) -> Result<(), Refusal> {
        self.check_customer()?;
        set(&mut terms.amount, self.amount);
        set(&mut terms.currency, self.currency);
        set(&mut terms.capture_method, self.capture_method);
        set(&mut terms.authentication_type, self.authentication_type);
        set(
            &mut terms.session_expiry_seconds,
            self.session_expiry_seconds,
        );
        keep(&mut terms.shipping_cost, self.shipping_cost);
        keep(&mut terms.order_tax_amount, self.order_tax_amount);
        keep(&mut terms.surcharge, self.surcharge);
        keep(&mut terms.amount_to_capture, self.amount_to_capture);
        keep(
            &mut terms.customer_id,
            self.customer_id.take().or(self.customer_object_id.take()),
        );
        keep(&mut terms.return_url, self.return_url.take());
        keep(
            &mut terms.setup_future_usage,
            self.setup_future_usage.take(),
        );
        keep(
            &mut terms.enable_partial_authorization,
            self.enable_partial_authorization,
        );
        keep(&mut terms.enable_overcapture, self.enable_overcapture);
        keep(&mut terms.routing, self.routing.take());
        notes.append(&mut self.notes);
        add_browser(notes, std::mem::take(&mut self.browser));
        terms.check()?;
        match self.flows.first() {
            Some(flow) => Err(Refusal::FlowNotSupported {
                flow: flow.to_string(),
            }),
            None => Ok(()),
        }
    }

    fn check_customer(&self) -> Result<(), Refusal> {
        let differ = |member: &str| {
            Refusal::precondition(format!(
                "{member} is given twice, at the top and inside customer, with different values"
            ))
        };
        if let (Some(top), Some(inner)) = (&self.customer_id, &self.customer_object_id)
            && top != inner
        {
            return Err(differ("customer_id"));
        }
        let customer = self.notes.get("customer").and_then(Value::as_object);
        for member in CUSTOMER_TWINS {
            let inner = customer
                .and_then(|c| c.get(member))
                .filter(|v| !v.is_null());
            let top = self.notes.get(member).filter(|v| !v.is_null());
            if let (Some(top), Some(inner)) = (top, inner)
                && top != inner
            {
                return Err(differ(member));
            }
        }
        Ok(())
    }
}

impl Payment {
    /// Lays changes over a payment that was not sent to a processor yet; its status follows from the instrument.
    /// Returns what came with them to pay with.
    pub(crate) fn merge(
        &mut self,
        mut changes: Changes,
        now: Timestamp,
    ) -> Result<Option<PaymentMethodData>, Refusal> {
        if changes
            .profile_id
            .as_ref()
            .is_some_and(|named| *named != self.profile_id)
        {
            return Err(Refusal::invalid_value(
                "profile_id of the body is not the payment's: a payment keeps the profile that it was created under",
            ));
        }
        changes.merge(&mut self.terms, &mut self.notes)?;
        let given = changes.instrument.check(now)?;
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
        let data = given.map(|(instrument, data)| {
            attempt.instrument = Some(instrument);
            data
        });
        self.check_allowed_types()?;
        Ok(data)
    }

    /// Refuses an instrument that `allowed_payment_method_types` leaves out. A card that doesn't say what it is may be
    /// either kind.
    fn check_allowed_types(&self) -> Result<(), Refusal> {
        let words = self.notes.get("allowed_payment_method_types");
        let words = words.and_then(Value::as_array).into_iter().flatten();
        let allowed: Vec<PaymentMethodType> = words
            .filter_map(|word| word.as_str()?.parse().ok())
            .collect();
        let Some(instrument) = self.instrument().filter(|_| !allowed.is_empty()) else {
            return Ok(());
        };
        let is_allowed = match instrument.payment_method_type {
            Some(kind) => allowed.contains(&kind),
            None => allowed
                .iter()
                .any(|kind| kind.parent() == instrument.payment_method),
        };
        if is_allowed {
            Ok(())
        } else {
            Err(Refusal::invalid_value(
                "payment_method_type is not one of the payment's allowed_payment_method_types",
            ))
        }
    }

    /// The instrument that a confirm would use.
    pub fn instrument(&self) -> Option<&Instrument> {
        self.active().instrument.as_ref()
    }
}

/// What a request says of the browser counts; what it shows by itself is added where nothing was said.
fn add_browser(notes: &mut Map<String, Value>, shown: Map<String, Value>) {
    if shown.is_empty() {
        return;
    }
    let told = notes
        .entry(BROWSER)
        .or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(told) = told {
        for (member, value) in shown {
            let known = told.entry(member).or_insert(Value::Null);
            if known.is_null() {
                *known = value;
            }
        }
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
