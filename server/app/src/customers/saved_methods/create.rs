//! Saves a card or a bank account without a payment. (`POST /payment_methods`)

use multirail_domain::customers::saved_method::bank_account::BankAccount;
use multirail_domain::customers::saved_method::{MethodParticulars, SavedCard, SavedMethod};
use multirail_kernel::ids::{CustomerId, MerchantId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::try_limit::TryLimit;
use multirail_sdk::card::{CardNumber, CardRecord, Expiry, GivenCardDetails};
use multirail_sdk::payment_method::{PaymentMethod, PaymentMethodType};

use super::{Reach, Reached, SavedMethods, ShownMethod};
use crate::customers::ports::{SavedMethodChange, SavedMethodStore};
use crate::platform::decisions::Decisions;
use crate::platform::idempotency::{ForKey, Made};
use crate::{AppError, Origin};

/// The request, translated.
#[derive(Debug)]
pub struct SaveMethod {
    pub merchant_id: MerchantId,
    pub reach: Reach,
    pub customer_id: Option<CustomerId>,
    pub instrument: InstrumentToSave,
    pub payment_method_type: Option<PaymentMethodType>,
    /// The particulars without the account.
    pub particulars: MethodParticulars,
}

/// The instrument to save.
#[derive(Debug)]
pub enum InstrumentToSave {
    Card {
        number: CardNumber,
        expiry: Expiry,
        given: GivenCardDetails,
    },
    /// A bank account, with the payment method that uses it.
    Account(PaymentMethod, Box<BankAccount>),
}

/// The number of methods that a merchant may save for a customer.
pub(crate) const ROOM: i64 = 1_000;

/// The number of methods that a payer's client may save, since no one has checked them.
const ROOM_FOR_PAYERS: i64 = 25;

impl SavedMethods {
    /// Saves a card or an account. Renews the details where the customer has saved it already.
    ///
    /// # Errors
    /// A customer who is absent, unknown, redacted, not the caller's, or has saved too many methods; a payer's client
    /// that saves too often.
    pub async fn save(
        &self,
        origin: &Origin,
        request: SaveMethod,
    ) -> Result<ShownMethod, AppError> {
        let SaveMethod {
            merchant_id,
            reach,
            customer_id,
            instrument,
            payment_method_type,
            particulars,
        } = request;
        let customer_id = match (
            self.customer_within(&merchant_id, &reach).await?,
            customer_id,
        ) {
            (Reached::Anybody, Some(named)) => named,
            (Reached::Customer(own), None) => own,
            (Reached::Customer(own), Some(named)) if own == named => own,
            (Reached::Customer(_), Some(_)) | (Reached::Guest, Some(_)) => {
                return Err(Refusal::precondition(
                    "client_secret is one of a payment that is not this customer's",
                )
                .into());
            }
            (Reached::Anybody | Reached::Guest, None) => {
                return Err(Refusal::missing("customer_id").into());
            }
        };
        self.customers.check(&merchant_id, &customer_id).await?;
        self.check_payers_save(&merchant_id, &reach, &customer_id)
            .await?;
        let (method, entry) = match instrument {
            InstrumentToSave::Card {
                number,
                expiry,
                given,
            } => {
                let entry = self
                    .vault
                    .seal(&merchant_id, &number, self.base.now())
                    .await?;
                let CardRecord { details, holder } = CardRecord::new(&number, expiry, given);
                let card = SavedCard {
                    fingerprint: entry.fingerprint.clone(),
                    details,
                    holder,
                };
                let method = SavedMethod::of_card(
                    merchant_id.clone(),
                    customer_id,
                    card,
                    payment_method_type,
                    particulars,
                    self.base.now(),
                );
                (method, Some(entry))
            }
            InstrumentToSave::Account(family, account) => {
                let hash = self.vault.account_hash(&merchant_id, &account);
                let method = SavedMethod::of_account(
                    merchant_id.clone(),
                    customer_id,
                    (family, payment_method_type),
                    &hash,
                    MethodParticulars {
                        bank_account: Some(account),
                        ..particulars
                    },
                    self.base.now(),
                );
                (method, None)
            }
        };
        let room = match reach {
            Reach::Merchant => ROOM,
            Reach::Customer(_) | Reach::PayerOf(_) => ROOM_FOR_PAYERS,
        };
        let mut decisions = Decisions::begin(Object::PaymentMethod);
        loop {
            let found = self
                .store
                .saved_method(&merchant_id, &method.payment_method_id);
            let saved = match found.await? {
                Some(saved) => saved.renewed(method.clone()),
                None => {
                    check_room(&*self.store, &merchant_id, &method.customer_id, room).await?;
                    method.clone()
                }
            };
            let change = if saved.version == 0 {
                SavedMethodChange::Insert {
                    method: Box::new(saved.clone()),
                    entry: entry.clone(),
                    room,
                }
            } else {
                SavedMethodChange::Update(Box::new(saved.clone()))
            };
            let shown = self.shown(saved).await?;
            let for_key = ForKey::Whole {
                object_id: shown.method.payment_method_id.as_str(),
                made: Made::object(&shown, Some(&shown.method.customer_id)),
            };
            let changes = vec![self.store.change(change)];
            let change_set = self
                .base
                .change_set(origin, Some(&merchant_id), for_key, changes);
            match self.base.commit(change_set).await {
                Ok(()) => return Ok(shown),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
            // The customer may be redacted by now.
            self.customers
                .check(&merchant_id, &method.customer_id)
                .await?;
        }
    }

    /// Counts a save by a payer's client, and refuses it after too many. It doesn't look whether the method exists: by
    /// saving one number after another, a client could otherwise find the number behind the visible digits.
    async fn check_payers_save(
        &self,
        merchant_id: &MerchantId,
        reach: &Reach,
        customer_id: &CustomerId,
    ) -> Result<(), AppError> {
        match reach {
            Reach::Merchant => return Ok(()),
            Reach::Customer(_) | Reach::PayerOf(_) => {}
        }
        // No id contains a line break.
        let whose = format!("{merchant_id}\n{customer_id}");
        let hash = self.base.seal.fingerprint("payers_saves", &whose);
        let counted = self
            .tries
            .count_try(&hash, TryLimit::SAVES, self.base.now());
        if let Some(wait_seconds) = counted.await? {
            return Err(Refusal::TooManyTries { wait_seconds }.into());
        }
        check_room(&*self.store, merchant_id, customer_id, ROOM_FOR_PAYERS).await
    }
}

/// Refuses to save another method for a customer who has too many.
pub(crate) async fn check_room(
    methods: &dyn SavedMethodStore,
    merchant_id: &MerchantId,
    customer_id: &CustomerId,
    room: i64,
) -> Result<(), AppError> {
    let found = methods.saved_methods_of(merchant_id, customer_id, room);
    let count = found.await?.map_or(0, |(_, methods)| methods.len());
    if i64::try_from(count).is_ok_and(|count| count < room) {
        return Ok(());
    }
    Err(Refusal::precondition(format!(
        "the customer has {count} saved methods: delete one first"
    ))
    .into())
}
