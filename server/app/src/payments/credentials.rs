//! Credentials that a caller sends (`merchant_connector_details`): they go from the request to the call, and are sealed
//! in between.

use multirail_domain::accounts::connector_account::Credentials;
use multirail_domain::payments::payment::{AtHand, Attempt, Payment};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_platform::Changes;
use multirail_sdk::connector::Access;

use super::super::AppError;
use super::Payments;
use crate::operations::processors::Processors;
use crate::payments::ports::HeldChange;
use crate::platform::ports::Change;

/// Credentials from a request.
#[derive(Clone, Debug)]
pub struct GivenCredentials {
    /// `creds_identifier`
    pub identifier: String,
    /// The credentials, in the form that connectors read.
    pub credentials: SecretText,
}

/// The credentials of one request, if it sent any.
#[derive(Clone, Debug, Default)]
pub struct CallCredentials(pub Option<GivenCredentials>);

impl Payments {
    /// Returns the credentials for a command about the newest attempt: those of the request, else those stored for the
    /// attempt.
    pub(super) async fn at_hand(
        &self,
        payment: &Payment,
        given: &CallCredentials,
    ) -> Result<(AtHand, CallCredentials), AppError> {
        if let Some(own) = &given.0 {
            let at_hand = AtHand {
                given: Some(own.identifier.clone()),
                are_held: false,
            };
            return Ok((at_hand, given.clone()));
        }
        let active = payment.active();
        let Some(brought) = &active.brought else {
            return Ok((AtHand::default(), CallCredentials::default()));
        };
        let kept = self.stored_credentials(payment, active).await?;
        let at_hand = AtHand {
            given: None,
            are_held: kept.is_some(),
        };
        let kept = kept.map(|credentials| GivenCredentials {
            identifier: brought.identifier.clone(),
            credentials,
        });
        Ok((at_hand, CallCredentials(kept)))
    }

    /// Returns the account for a call about this attempt, or `None` where the caller's own credentials are gone. No
    /// other account can replace them: it wouldn't know the operation, or would know another one.
    pub(super) async fn access_of(
        &self,
        payment: &Payment,
        attempt: &Attempt,
        at_hand: &CallCredentials,
    ) -> Result<Option<Access>, AppError> {
        let merchant_id = &payment.merchant_id;
        let account_id = attempt.merchant_connector_id.as_ref();
        let Some(brought) = &attempt.brought else {
            return self
                .processors
                .access(merchant_id, account_id)
                .await
                .map(Some);
        };
        let is_newest = attempt.number == payment.active().number;
        let credentials = match &at_hand.0 {
            Some(own) if is_newest && own.identifier == brought.identifier => {
                Some(own.credentials.clone())
            }
            Some(_) | None => self.stored_credentials(payment, attempt).await?,
        };
        let Some(credentials) = credentials else {
            return Ok(None);
        };
        let access = self
            .processors
            .access_with(credentials, merchant_id, account_id);
        access.await.map(Some)
    }

    async fn stored_credentials(
        &self,
        payment: &Payment,
        attempt: &Attempt,
    ) -> Result<Option<SecretText>, AppError> {
        let (merchant_id, payment_id) = (&payment.merchant_id, &payment.payment_id);
        let (number, now) = (attempt.number, self.base.now());
        let kept = self
            .held
            .held_credentials(merchant_id, payment_id, number, now);
        Ok(kept.await?)
    }
}

/// Refuses credentials that the connector of the newest attempt doesn't accept.
pub(crate) fn check_kind(
    processors: &Processors,
    payment: &Payment,
    credentials: &CallCredentials,
) -> Result<(), Refusal> {
    let connector = payment.active().connector.as_deref().unwrap_or_default();
    let (Some(given), Some(described)) =
        (&credentials.0, processors.connectors.describe(connector))
    else {
        return Ok(());
    };
    let wanted = described.credentials;
    match Credentials::from_json(&given.credentials) {
        Ok(credentials) if credentials.kind() == wanted => Ok(()),
        Ok(_) | Err(_) => Err(Refusal::invalid_value(format!(
            "merchant_connector_details.encoded_data.connector_account_details.auth_type has to be {wanted}, which \
             {connector} takes"
        ))),
    }
}

/// Stores the caller's credentials for the newest attempt: before the confirm as long as a card, then while the attempt
/// is open.
pub(super) fn hold_credentials(
    store: &dyn Changes<HeldChange>,
    payment: &Payment,
    credentials: &CallCredentials,
) -> Option<Change> {
    let given = credentials.0.as_ref()?;
    let active = payment.active();
    let is_sent = active.authorization.is_some();
    active.holds_credentials().then(|| {
        let hold = HeldChange::HoldCredentials {
            merchant_id: payment.merchant_id.clone(),
            payment_id: payment.payment_id.clone(),
            attempt: active.number,
            credentials: given.credentials.clone(),
            expires_at: (!is_sent).then_some(payment.expires_at),
        };
        store.change(hold)
    })
}
