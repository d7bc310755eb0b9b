//! A test bench: payments over the shelf.

use std::sync::Arc;
use std::time::Duration;

use multirail_domain::payments::payment::instrument::CardInput;
use multirail_domain::payments::payment::trial::TrialPayment;
use multirail_domain::payments::payment::{CaptureMethod, Changes, InstrumentInput, Payment};
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::PaymentId;
use multirail_kernel::secret::SecretText;
use multirail_kernel::target::TargetRules;
use multirail_platform::account_limits::AccountLimits;
use multirail_sdk::card::GivenCardDetails;
use multirail_sdk::connector::{Approval, CaptureDescriptor, ConnectorDirectory, Outcome};
use multirail_sdk::payment_method::PaymentMethod;

use super::idle::Idle;
use super::routing::InOrder;
use super::shelf::{Directory, Shelf};
use crate::accounts::merchant_accounts::Merchants;
use crate::accounts::merchant_deletion::MerchantDeletion;
use crate::accounts::organizations::Organizations;
use crate::accounts::processor_accounts::ProcessorAccounts;
use crate::accounts::profiles::Profiles;
use crate::customers::Customers;
use crate::customers::saved_methods::EphemeralKeys;
use crate::fixture::{announcer, base_over, operator};
use crate::operations::driver::Driver;
use crate::operations::error_mappings::ErrorMappings;
use crate::operations::processors::Processors;
use crate::operations::questions::Questions;
use crate::payments::capture::CapturePayment;
use crate::payments::confirm::ConfirmPayment;
use crate::payments::create::CreatePayment;
use crate::payments::refunds::Refunds;
use crate::payments::{CallCredentials, Payments};
use crate::routing::Routing;
use crate::{AppError, Origin};

/// The services over one shelf.
pub struct Bench {
    pub shelf: Arc<Shelf>,
    pub payments: Arc<Payments>,
    pub deletion: MerchantDeletion,
    origin: Origin,
}

impl Bench {
    pub fn new() -> Self {
        let (shelf, idle) = (Shelf::new(), Arc::new(Idle));
        let base = base_over(shelf.clone());
        let connectors: Arc<dyn ConnectorDirectory> = Arc::new(Directory(shelf.clone()));
        let merchants = Arc::new(Merchants {
            base: base.clone(),
            store: shelf.clone(),
            profiles: shelf.clone(),
            organizations: Arc::new(Organizations {
                base: base.clone(),
                store: idle.clone(),
            }),
            webhook_targets: TargetRules::default(),
        });
        let accounts = Arc::new(ProcessorAccounts {
            store: shelf.clone(),
            connectors: connectors.clone(),
        });
        let driver = Arc::new(Driver {
            base: base.clone(),
            announcer: Arc::new(announcer(&base)),
            mandates: shelf.clone(),
            ended_requests: Default::default(),
        });
        let processors = Arc::new(Processors {
            base: base.clone(),
            connectors: connectors.clone(),
            accounts: accounts.clone(),
            questions: AccountLimits::new(1, Duration::ZERO),
        });
        let customers = Arc::new(Customers {
            base: base.clone(),
            store: idle.clone(),
            mandates: idle.clone(),
            guard: shelf.clone(),
            redactions: Arc::default(),
            reserved_ids: &[],
        });
        let routing = Arc::new(Routing {
            base: base.clone(),
            store: idle.clone(),
            learned: idle.clone(),
            past: idle.clone(),
            merchants: merchants.clone(),
            profiles: Arc::new(Profiles {
                base: base.clone(),
                store: shelf.clone(),
                merchants: merchants.clone(),
                accounts: shelf.clone(),
                endpoints: idle.clone(),
            }),
            accounts,
            connectors: Arc::default(),
            strategy: &InOrder,
            trials: TrialPayment::boxed,
        });
        let questions: Arc<Questions> = Arc::default();
        let payments = Arc::new(Payments {
            base: base.clone(),
            driver: driver.clone(),
            processors: processors.clone(),
            store: shelf.clone(),
            held: idle.clone(),
            codes: Arc::default(),
            vault: idle.clone(),
            wallet_opener: idle.clone(),
            merchants: merchants.clone(),
            profiles: shelf.clone(),
            connector_accounts: shelf.clone(),
            customers: idle.clone(),
            connector_customers: idle.clone(),
            saved_methods: idle.clone(),
            mandates: idle.clone(),
            ephemeral_keys: Arc::new(EphemeralKeys {
                base: base.clone(),
                customers,
            }),
            routing,
            counted: idle.clone(),
            error_mappings: Arc::new(ErrorMappings {
                base: base.clone(),
                store: shelf.clone(),
                connectors,
            }),
            refunds: Arc::new(Refunds {
                base: base.clone(),
                driver,
                processors,
                store: idle.clone(),
                payments: shelf.clone(),
                owners: idle.clone(),
                content: shelf.clone(),
                questions: questions.clone(),
                reserved_ids: &[],
            }),
            disputes: idle.clone(),
            owners: idle,
            content: shelf.clone(),
            questions,
            public_url: "https://pay.example".to_owned(),
            reserved_ids: &[],
            reserved_customer_ids: &[],
        });
        Bench {
            deletion: MerchantDeletion {
                base,
                merchants,
                guard: shelf.clone(),
                payments: payments.clone(),
            },
            shelf,
            payments,
            origin: operator(),
        }
    }

    /// Stores a payment of 65.40 USD that waits for its confirm, without a call.
    pub async fn creates(&self) -> PaymentId {
        let request = CreatePayment {
            merchant_id: self.shelf.merchant_id(),
            payment_id: None,
            profile_id: None,
            named_merchant_id: None,
            owner: None,
            confirm: false,
            changes: Changes {
                amount: Some(6540),
                currency: Some(Currency::USD),
                capture_method: Some(CaptureMethod::Manual),
                ..Changes::default()
            },
            credentials: CallCredentials::default(),
        };
        let view = self.payments.create(&self.origin, request).await;
        view.expect("a payment").payment.payment_id.clone()
    }

    /// Confirms the payment with a card.
    pub async fn confirms(&self, payment_id: &PaymentId) -> Result<Payment, AppError> {
        let card = CardInput {
            number: SecretText::new("4111111111111111"),
            exp_month: "10".to_owned(),
            exp_year: "2035".to_owned(),
            code: SecretText::new("737"),
            given: GivenCardDetails::default(),
        };
        let request = ConfirmPayment {
            merchant_id: self.shelf.merchant_id(),
            payment_id: payment_id.clone(),
            changes: Changes {
                instrument: InstrumentInput {
                    payment_method: Some(PaymentMethod::Card),
                    card: Some(card),
                    ..InstrumentInput::default()
                },
                ..Changes::default()
            },
            credentials: CallCredentials::default(),
            by_owner: false,
        };
        let view = self.payments.confirm(&self.origin, request).await?;
        Ok(view.payment.into_owned())
    }

    /// Returns a payment with 65.40 USD reserved and not captured.
    pub async fn authorizes(&self) -> PaymentId {
        let payment_id = self.creates().await;
        self.shelf.will_answer(Some(done()));
        let payment = self.confirms(&payment_id).await.expect("authorized");
        assert_eq!(payment.status.to_string(), "requires_capture");
        payment_id
    }

    pub async fn captures(
        &self,
        payment_id: &PaymentId,
        amount: Option<i64>,
    ) -> Result<Payment, AppError> {
        let request = CapturePayment {
            merchant_id: self.shelf.merchant_id(),
            payment_id: payment_id.clone(),
            amount_to_capture: amount,
            descriptor: CaptureDescriptor::default(),
            credentials: CallCredentials::default(),
        };
        let view = self.payments.capture(&self.origin, request).await?;
        Ok(view.payment.into_owned())
    }

    pub async fn cancels(&self, payment_id: &PaymentId) -> Result<Payment, AppError> {
        let merchant_id = self.shelf.merchant_id();
        let none = CallCredentials::default();
        let view = self
            .payments
            .cancel(&self.origin, &merchant_id, payment_id, None, none)
            .await?;
        Ok(view.payment.into_owned())
    }

    pub async fn deletes_the_merchant(&self) -> Result<(), AppError> {
        let merchant_id = self.shelf.merchant_id();
        let deleted = self.deletion.delete(&self.origin, &merchant_id, false);
        deleted.await
    }
}

pub fn done() -> Outcome {
    Outcome::Done(Approval {
        reference: Some("ref_1".to_owned()),
        ..Approval::default()
    })
}
