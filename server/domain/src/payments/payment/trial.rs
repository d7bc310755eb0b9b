//! Hypothetical payments for routing trials.

use multirail_kernel::address::{Address, Place};
use multirail_kernel::ids::{CustomerId, MerchantId, PaymentId, ProfileId};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::instrument::Instrument;
use serde_json::Value;

use crate::payments::payment::create::Create;
use crate::payments::payment::{Changes, Particulars, PayerDetails, Payment};
use crate::routing::{Facts, RoutingRecord, RoutingStrategy, ThreeDsDecided, Trial, TrialRequest};

/// A payment that is never stored, with its payment method.
#[derive(Clone, Debug)]
pub struct TrialPayment {
    payment: Payment,
    instrument: Instrument,
    draw: Option<u32>,
}

impl TrialPayment {
    /// Creates a trial like a payment.
    ///
    /// # Errors
    /// As for [`Payment::create`], and for a payment method that can't pay.
    pub fn create(request: TrialRequest, now: Timestamp) -> Result<Self, Refusal> {
        let instrument = request.instrument()?;
        let TrialRequest {
            amount,
            currency,
            // The payment method is made of them.
            payment_method: _,
            payment_method_type: _,
            card: _,
            billing_country,
            capture_method,
            authentication_type,
            setup_future_usage,
            off_session,
            business_country,
            business_label,
            metadata,
            routing,
            request_extended_authorization,
            enable_overcapture,
            draw,
        } = request;
        let metadata = metadata.map(|metadata| ("metadata".to_owned(), Value::Object(metadata)));
        let billing = billing_country.map(|country| {
            let place = Place {
                country: Some(country),
                ..Place::default()
            };
            Box::new(Address {
                address: Some(place),
                ..Address::default()
            })
        });
        let changes = Changes {
            amount: Some(amount),
            currency: Some(currency),
            capture_method,
            authentication_type,
            // A payment method is saved for some customer; here the customer doesn't exist.
            customer_id: setup_future_usage.map(|_| CustomerId::parse("nobody").expect("an id")),
            setup_future_usage,
            enable_overcapture,
            routing,
            particulars: Particulars {
                business_country,
                business_label,
                off_session,
                request_extended_authorization,
                notes: metadata.into_iter().collect(),
                ..Particulars::default()
            },
            payer: PayerDetails {
                billing,
                ..PayerDetails::default()
            },
            ..Changes::default()
        };
        let created = Payment::create(
            Create {
                merchant_id: MerchantId::parse("nobody").expect("an id"),
                payment_id: PaymentId::parse("pay_trial").expect("an id"),
                profile_id: ProfileId::parse("pro_trial").expect("an id"),
                publishable_key: String::new(),
                initiator: None,
                owner: None,
                named_merchant_id: None,
                session_expiry_seconds: 900,
                confirm_at_once: false,
                changes,
            },
            now,
        )?;
        let mut payment = created.payment;
        payment.active_mut().instrument = Some(instrument.clone());
        Ok(TrialPayment {
            payment,
            instrument,
            draw,
        })
    }

    /// Creates a boxed trial for routing: a [`MakeTrial`](crate::routing::trial::MakeTrial).
    ///
    /// # Errors
    /// As for [`TrialPayment::create`].
    pub fn boxed(request: TrialRequest, now: Timestamp) -> Result<Box<dyn Trial>, Refusal> {
        Ok(Box::new(TrialPayment::create(request, now)?))
    }
}

impl Trial for TrialPayment {
    fn decide_three_ds(&mut self, rules: Option<&RoutingRecord>, routing: &dyn RoutingStrategy) {
        self.payment.decide_three_ds(rules, routing);
    }

    fn three_ds(&self) -> Option<&ThreeDsDecided> {
        self.payment.active().three_ds.as_deref()
    }

    fn instrument(&self) -> &Instrument {
        &self.instrument
    }

    fn facts(&self) -> Facts<'_> {
        Facts {
            knows_payer: false,
            ..self.payment.facts(Some(&self.instrument))
        }
    }

    fn draw(&self) -> Option<u32> {
        self.draw
    }
}
