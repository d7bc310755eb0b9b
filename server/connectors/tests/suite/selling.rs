//! Sales to given cards with given details.

use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::money::Money;
use multirail_sdk::card::Card;
use multirail_sdk::connector::{Approval, AuthorizeRequest, Details, KeepCustomerRequest, Outcome};
use multirail_sdk::instrument::PaymentMethodData;

use super::bench::{Authorization, Bench, PRICE, RETURN_URL, done};
use super::subject::CardThat;

impl Bench {
    /// Sells at the price to this card.
    pub async fn sold_to(&self, card: Card) -> Authorization {
        let (authorization, _) = self.sells_to(card).await;
        authorization
    }

    /// Sells to this card and returns the approval too.
    pub async fn sells_to(&self, card: Card) -> (Authorization, Approval) {
        self.sells_as(card, Details::default()).await
    }

    /// Sells with these details.
    pub async fn sells_as(&self, card: Card, details: Details) -> (Authorization, Approval) {
        let details = self.with_customer(details).await;
        let asked = self.authorize(CardThat::IsApproved, PRICE, true);
        let request = AuthorizeRequest {
            key: asked.key.clone(),
            access: self.subject.access(),
            money: PRICE,
            capture: true,
            data: PaymentMethodData::Card(card),
            return_url: RETURN_URL.to_owned(),
            details,
        };
        let approval = done(self.connector.authorize(request).await);
        let authorization = Authorization {
            reference: approval.reference.clone(),
            ..asked.authorization()
        };
        (authorization, approval)
    }

    /// Adds the customer for whom the instrument is stored, if the processor has customers.
    pub async fn with_customer(&self, mut details: Details) -> Details {
        let keeps = self.connector.able(|able| able.keeps_customers);
        if let Some(keeps) = keeps.filter(|_| details.keeps()) {
            let access = self.subject.access();
            let customer = KeepCustomerRequest::for_payer(
                &access,
                "mca_1",
                &details.payer,
                self.subject.now(),
            );
            let customer = customer.expect("the payer is a customer");
            let id = keeps.keep_customer(customer).await;
            details.payer.connector_customer_id = Some(id.expect("a customer"));
        }
        details
    }

    /// Requests a sale with these details and returns any outcome.
    pub async fn asks_as(&self, card: Card, details: Details) -> Outcome {
        self.charges_as(&self.key(), card, details).await
    }

    /// Requests a sale under this key with these details and returns any outcome.
    pub async fn charges_as(&self, key: &ProcessorKey, card: Card, details: Details) -> Outcome {
        let request = AuthorizeRequest {
            key: key.clone(),
            access: self.subject.access(),
            money: PRICE,
            capture: true,
            data: PaymentMethodData::Card(card),
            return_url: RETURN_URL.to_owned(),
            details,
        };
        self.connector.authorize(request).await
    }

    /// Checks a card with an amount of 0 and these details.
    pub async fn checks_as(&self, card: Card, details: Details) -> Approval {
        let details = self.with_customer(details).await;
        let request = AuthorizeRequest {
            key: self.key(),
            access: self.subject.access(),
            money: Money {
                amount_minor: 0,
                ..PRICE
            },
            capture: true,
            data: PaymentMethodData::Card(card),
            return_url: RETURN_URL.to_owned(),
            details,
        };
        done(self.connector.authorize(request).await)
    }
}
