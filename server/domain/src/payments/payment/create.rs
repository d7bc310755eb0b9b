//! Creating a payment. (Specification 3, first row)

use std::sync::Arc;

use multirail_kernel::ids::{MerchantId, PaymentId, ProfileId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;

use crate::accounts::acting::Initiator;
use crate::payments::payment::{
    Attempt, AttemptStatus, AuthenticationType, CaptureMethod, Changes, Owner, Payment,
    PaymentMethodData, Terms,
};

/// The input of a create.
#[derive(Debug)]
pub struct Create {
    pub merchant_id: MerchantId,
    pub payment_id: PaymentId,
    pub profile_id: ProfileId,
    /// The merchant's publishable key.
    pub publishable_key: String,
    /// The account that makes the payment, if a platform acts for the merchant.
    pub initiator: Option<Initiator>,
    /// The object that makes the payment, such as a subscription.
    pub owner: Option<Owner>,
    /// `merchant_id` of the body, which has to be the caller's own.
    pub named_merchant_id: Option<String>,
    /// The profile's lifetime of a client secret, in seconds.
    pub session_expiry_seconds: i64,
    /// True if the confirm follows in the same request, so that payment method data needn't be held.
    pub confirm_at_once: bool,
    pub changes: Changes,
}

/// A payment before its first request to a processor, with its payment method data.
#[derive(Debug)]
pub struct Created {
    pub payment: Payment,
    pub data: Option<PaymentMethodData>,
    /// True if the data is a saved card that a processor stores.
    pub is_kept: bool,
}

impl Payment {
    /// Creates a payment: `requires_confirmation` with a payment method, `requires_payment_method` without.
    ///
    /// # Errors
    /// The refusals of the request's members. Nothing is stored then.
    pub fn create(create: Create, now: Timestamp) -> Result<Created, Refusal> {
        let Create {
            merchant_id,
            payment_id,
            profile_id,
            publishable_key,
            initiator,
            owner,
            named_merchant_id,
            session_expiry_seconds,
            confirm_at_once,
            changes,
        } = create;
        if named_merchant_id.is_some_and(|named| named != merchant_id.as_str()) {
            return Err(Refusal::not_found(Object::MerchantAccount));
        }
        let amount = changes.amount.ok_or_else(|| Refusal::missing("amount"))?;
        let currency = changes
            .currency
            .ok_or_else(|| Refusal::missing("currency"))?;
        let terms = Terms {
            amount,
            currency,
            shipping_cost: None,
            order_tax_amount: None,
            surcharge: None,
            amount_to_capture: None,
            capture_method: CaptureMethod::Automatic,
            authentication_type: AuthenticationType::NoThreeDs,
            authentication_type_given: false,
            customer_id: None,
            return_url: None,
            setup_future_usage: None,
            enable_partial_authorization: None,
            enable_overcapture: None,
            session_expiry_seconds,
            routing: None,
            unread: UnreadMembers::default(),
        };
        let mut payment = Payment {
            merchant_id,
            payment_id,
            profile_id,
            publishable_key: Some(publishable_key),
            initiator,
            owner,
            version: 0,
            rests_apart: false,
            status: AttemptStatus::PaymentMethodAwaited.payment_status(),
            terms,
            cancellation_reason: None,
            merchant_decision: None,
            offered: Vec::new(),
            particulars: Arc::default(),
            payer: Arc::default(),
            created_at: now,
            modified_at: now,
            expires_at: now,
            holds_card: false,
            refunds: Vec::new(),
            disputes: Vec::new(),
            attempts: vec![Attempt::new(1, amount, None, now)],
            unread: UnreadMembers::default(),
        };
        let merged = payment.merge(changes, now)?;
        if let Some(merged) = &merged {
            if !confirm_at_once {
                merged.data.check_may_rest()?;
            }
            payment.follow(AttemptStatus::ConfirmationAwaited);
            payment.holds_card = !confirm_at_once && !merged.is_saved && merged.data.is_held();
        }
        let is_kept = merged.as_ref().is_some_and(|merged| merged.is_kept);
        let data = merged.map(|merged| merged.data);
        Ok(Created {
            payment,
            data,
            is_kept,
        })
    }
}
