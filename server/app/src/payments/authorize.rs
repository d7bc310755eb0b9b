//! Authorizations at the processor: the request, its repetition, and the continuation with data of the payer's device.

use std::time::Instant;

use multirail_domain::payments::payment::PaymentMethodData;
use multirail_sdk::connector::{
    AuthorizeRequest, CompleteAuthorizationRequest, Connector, Description, OperationKind, Outcome,
};

use super::Payments;
use super::calls::Addressed;

impl Payments {
    /// Asks for an authorization. Repeats an unknown one within the call, where the processor answers repeats.
    pub(super) async fn authorize(
        &self,
        connector: &dyn Connector,
        addressed: Addressed<'_>,
        data: PaymentMethodData,
    ) -> Outcome {
        let Description {
            name, capabilities, ..
        } = connector.description();
        let call = OperationKind::Authorize.as_str();
        let began = Instant::now();
        let left = || {
            let deadline = self.base.leases.processor_deadline;
            deadline.saturating_sub(began.elapsed())
        };
        let customers = connector.able(|able| able.keeps_customers);
        let of_customer = customers.map(|customers| (customers, addressed.clone()));
        let customer = match &of_customer {
            Some((customers, addressed)) => {
                Box::pin(self.processor_customer(*customers, addressed, None)).await
            }
            None => None,
        };
        let repeats = capabilities.repeats_authorizations;
        let kept = capabilities.kept_answers;
        let is_safe = |reason| kept.is_none_or(|kept| kept.cover(reason));
        let again = repeats.then(|| {
            let request = self.authorization(addressed.clone(), data.clone(), customer.clone());
            Box::new(request)
        });
        let gone = customer.clone();
        let request = self.authorization(addressed, data, customer);
        let answer = connector.authorize(request);
        let first = self.processors.within(left(), name, call, answer).await;
        if let (Some((customers, addressed)), Some(gone)) =
            (of_customer, gone.filter(|_| first.says_customer_gone()))
        {
            // The new customer id is not for this request: its key stands for the refused one.
            Box::pin(self.replace_processor_customer(customers, &addressed, gone)).await;
        }
        let left = left();
        match (first, again) {
            (unknown @ Outcome::Unknown(reason), Some(again))
                if !left.is_zero() && is_safe(reason) =>
            {
                let answer = async { connector.authorize(*again).await.of_a_repeat() };
                match self.processors.within(left, name, call, answer).await {
                    Outcome::Unknown(_) => unknown,
                    known => known,
                }
            }
            (first, _) => first,
        }
    }

    /// Continues an authorization at the processor. A request that didn't reach the processor leaves the authorization
    /// as it was.
    pub(super) async fn complete(
        &self,
        connector: &dyn Connector,
        addressed: Addressed<'_>,
    ) -> Outcome {
        let Addressed {
            payment,
            attempt,
            operation,
            access,
        } = addressed;
        let request = CompleteAuthorizationRequest {
            key: operation.key.clone(),
            access,
            reference: operation.reference.clone(),
            device_data_collected: payment.particulars.device_data_collected,
            shipping: payment.payer.shipping.as_deref().cloned(),
        };
        let name = connector.description().name;
        let outcome = match connector.able(|able| able.completes_authorizations) {
            Some(device_data) => {
                let answer = device_data.complete_authorization(request);
                self.processors
                    .in_time(name, "complete_authorization", answer)
                    .await
            }
            None => Outcome::never_happened("the connector asks for no device data"),
        };
        match (outcome, &attempt.device_data_url) {
            (Outcome::NeverHappened { .. }, Some(url)) => Outcome::DeviceDataNeeded {
                reference: None,
                url: url.clone(),
            },
            (outcome, _) => outcome,
        }
    }

    fn authorization(
        &self,
        addressed: Addressed<'_>,
        data: PaymentMethodData,
        customer: Option<String>,
    ) -> AuthorizeRequest {
        let money = addressed.money();
        let Addressed {
            payment,
            attempt,
            operation,
            access,
        } = addressed;
        let mut details = payment.details(attempt);
        details.payer.connector_customer_id = customer;
        AuthorizeRequest {
            key: operation.key.clone(),
            access,
            money,
            capture: attempt.captures_at_once,
            data,
            return_url: self.payer_return_address(payment, attempt),
            details,
        }
    }
}
