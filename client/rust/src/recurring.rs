//! Agreements that payers made elsewhere and that merchants charge without the payer: the values of
//! `recurring_details.data`.

use multirail_types::{CardNetwork, Secret};
use serde_json::{Value, json};

/// A method stored at a processor but not by this service, such as a merchant's older Stripe token `pm_...`.
///
/// ```
/// use multirail_client::types::{Currency, PaymentCreateRequest};
/// use multirail_client::{KeptElsewhere, PaysWith};
///
/// let kept = KeptElsewhere::new("pm_1Q8uXy", "mca_K2mQ8vRt5Yx1Zw4Hn7Lc").connector_customer_id("cus_R4Tq");
/// let charge = PaymentCreateRequest::new(6540, Currency::Usd).pays_with(kept).confirm(true);
/// assert_eq!(charge.off_session, Some(true));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct KeptElsewhere {
    /// The processor's own token.
    pub processor_payment_token: Secret,
    /// The account at the processor, through which it is charged.
    pub merchant_connector_id: String,
    /// The processor's id of the customer, for processors that need it.
    pub connector_customer_id: Option<String>,
}

impl KeptElsewhere {
    /// Creates it with the required members.
    pub fn new(
        processor_payment_token: impl Into<Secret>,
        merchant_connector_id: impl Into<String>,
    ) -> Self {
        Self {
            processor_payment_token: processor_payment_token.into(),
            merchant_connector_id: merchant_connector_id.into(),
            connector_customer_id: None,
        }
    }

    /// Sets [`KeptElsewhere::connector_customer_id`](field@Self::connector_customer_id).
    #[must_use]
    pub fn connector_customer_id(mut self, connector_customer_id: impl Into<String>) -> Self {
        self.connector_customer_id = Some(connector_customer_id.into());
        self
    }

    pub(crate) fn into_data(self) -> Value {
        let Self {
            processor_payment_token,
            merchant_connector_id,
            connector_customer_id,
        } = self;
        let mut data = json!({
            "processor_payment_token": processor_payment_token,
            "merchant_connector_id": merchant_connector_id,
        });
        if let Some(customer) = connector_customer_id {
            data["connector_customer_id"] = json!(customer);
        }
        data
    }
}

/// A card with the network's reference to its first payment, by which the issuer knows that the payer has agreed.
#[derive(Clone, Debug, PartialEq)]
pub struct SeriesCard {
    /// 8 to 19 digits with a correct check digit.
    pub card_number: Secret,
    /// Month of expiry, such as `10`.
    pub card_exp_month: String,
    /// Year of expiry, such as `2035`.
    pub card_exp_year: String,
    /// The reference: `network_transaction_id` of the first payment.
    pub network_transaction_id: String,
    /// Name on the card.
    pub card_holder_name: Option<String>,
    /// Scheme; read from the number when absent.
    pub card_network: Option<CardNetwork>,
}

impl SeriesCard {
    /// Creates it with the required members.
    pub fn new(
        card_number: impl Into<Secret>,
        card_exp_month: impl Into<String>,
        card_exp_year: impl Into<String>,
        network_transaction_id: impl Into<String>,
    ) -> Self {
        Self {
            card_number: card_number.into(),
            card_exp_month: card_exp_month.into(),
            card_exp_year: card_exp_year.into(),
            network_transaction_id: network_transaction_id.into(),
            card_holder_name: None,
            card_network: None,
        }
    }

    /// Sets [`SeriesCard::card_holder_name`](field@Self::card_holder_name).
    #[must_use]
    pub fn card_holder_name(mut self, card_holder_name: impl Into<String>) -> Self {
        self.card_holder_name = Some(card_holder_name.into());
        self
    }

    /// Sets [`SeriesCard::card_network`](field@Self::card_network).
    #[must_use]
    pub fn card_network(mut self, card_network: impl Into<CardNetwork>) -> Self {
        self.card_network = Some(card_network.into());
        self
    }

    pub(crate) fn into_data(self) -> Value {
        let Self {
            card_number,
            card_exp_month,
            card_exp_year,
            network_transaction_id,
            card_holder_name,
            card_network,
        } = self;
        let mut data = json!({
            "card_number": card_number,
            "card_exp_month": card_exp_month,
            "card_exp_year": card_exp_year,
            "network_transaction_id": network_transaction_id,
        });
        if let Some(name) = card_holder_name {
            data["card_holder_name"] = json!(name);
        }
        if let Some(network) = card_network {
            data["card_network"] = json!(network);
        }
        data
    }
}
