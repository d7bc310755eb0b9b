//! Creates a subscription, and confirms it in the same call if requested. (`POST /subscriptions/create`,
//! `POST /subscriptions`)

use multirail_app::payments::PaymentView;
use multirail_app::payments::create::NewOfOwner;
use multirail_app::platform::decisions::Decisions;
use multirail_app::platform::idempotency::ForKey;
use multirail_app::platform::ports::failure::duplicate;
use multirail_app::platform::ports::{Change, CommitError};
use multirail_app::{AppError, Origin};
use multirail_billing_domain::chargeable::Chargeable;
use multirail_billing_domain::subscription::{
    Command, Context, Create, Input, Standing, Step, Subscription, transition,
};
use multirail_domain::payments::payment::recurring::FoundMethod;
use multirail_domain::payments::payment::{Changes, FutureUsage, RecurringInput};
use multirail_kernel::ids::{
    CustomerId, InvoiceId, MerchantId, PaymentId, PaymentMethodId, ProfileId, SubscriptionId,
};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_sdk::charge::MitCategory;

use super::begin::{Found, Wanted};
use super::confirm::Otherwise;
use super::{Named, SubscriptionView, Subscriptions};
use crate::ports::SubscriptionChange;

/// The request to create, translated.
#[derive(Debug)]
pub struct CreateSubscription {
    pub merchant_id: MerchantId,
    pub profile_id: ProfileId,
    pub customer_id: CustomerId,
    pub merchant_reference_id: Option<String>,
    pub wanted: Wanted,
    /// The details of the first payment before its confirm.
    pub payment: Changes,
    /// The confirm in the same call; unset if it comes later.
    pub confirm: Option<FirstPayment>,
}

/// The instrument of the first payment.
#[derive(Clone, Debug)]
pub enum FirstPayment {
    /// The payer's instrument, which is saved for all further charges.
    Payer(Box<Changes>),
    /// A saved method, which is charged from the first payment on.
    Saved(PaymentMethodId),
}

/// A subscription that was just stored.
enum New {
    /// The subscription waits to be confirmed.
    Waits(Box<SubscriptionView>),
    /// The same request confirms the subscription.
    Begun(Box<Standing>),
}

impl Subscriptions {
    /// Creates a subscription with its first invoice and payment. The payment waits to be confirmed, unless the request
    /// confirms it.
    ///
    /// # Errors
    /// A plan that can't be subscribed to, an unknown customer, a reference that is taken, and the refusals of a
    /// payment. Nothing is stored then.
    pub async fn create(
        &self,
        origin: &Origin,
        request: CreateSubscription,
    ) -> Result<SubscriptionView, AppError> {
        if let Some(standing) = self.resumed(origin, &request).await? {
            let changes = confirming(request.confirm);
            let standing = self.begin_again(origin, &standing).await?;
            return self
                .confirm_begun(origin, &standing, changes, Otherwise::Delete)
                .await;
        }
        let mut decisions = Decisions::begin(Object::Coupon);
        loop {
            match self.create_new(origin, &request).await {
                Ok(New::Waits(view)) => return Ok(*view),
                Ok(New::Begun(standing)) => {
                    let changes = confirming(request.confirm);
                    let confirmed =
                        self.confirm_begun(origin, &standing, changes, Otherwise::Delete);
                    return confirmed.await;
                }
                // Other requests redeem the coupon at the same time.
                Err(AppError::Refused(Refusal::Busy {
                    of: Some(Object::Coupon),
                })) => {
                    let random = self.base.random.as_ref();
                    let conflict = CommitError::Conflict;
                    let again = decisions.retry_on_conflict(random, conflict, AppError::of_commit);
                    again.await?;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Decides a new subscription and stores it in one commit.
    async fn create_new(
        &self,
        origin: &Origin,
        request: &CreateSubscription,
    ) -> Result<New, AppError> {
        let merchant_id = &request.merchant_id;
        let customer_id = &request.customer_id;
        self.owners.check_customer(merchant_id, customer_id).await?;
        if let Some(FirstPayment::Payer(changes)) = &request.confirm {
            self.check_token_recurs(merchant_id, changes).await?;
        }
        let Found {
            plan,
            coupon,
            redemption,
        } = self
            .subscribed(merchant_id, &request.profile_id, &request.wanted)
            .await?;
        let create = Create {
            merchant_id: merchant_id.clone(),
            subscription_id: SubscriptionId::generate(self.base.random.as_ref()),
            profile_id: request.profile_id.clone(),
            customer_id: request.customer_id.clone(),
            merchant_reference_id: request.merchant_reference_id.clone(),
            plan,
            coupon,
            invoice_id: InvoiceId::generate(self.base.random.as_ref()),
            payment_id: PaymentId::generate(self.base.clock.wall(), self.base.random.as_ref()),
        };
        let currency = create.plan.price.currency;
        let chargeable =
            self.catalogue
                .accounts
                .chargeable(merchant_id, &request.profile_id, currency);
        let chargeable = chargeable.await?;
        let created = Subscription::create(create, chargeable, self.base.now())?;
        let (payment, mut beside) = self.make_first_payment(origin, request, &created).await?;
        beside.extend(redemption);
        match request.confirm {
            None => {
                let stored = self.store_created(origin, created, payment, beside);
                Ok(New::Waits(Box::new(stored.await?)))
            }
            Some(_) => {
                let begun = self.store_begun(origin, created, chargeable, beside);
                Ok(New::Begun(Box::new(begun.await?)))
            }
        }
    }

    /// Makes the payment that is stored with the subscription.
    async fn make_first_payment(
        &self,
        origin: &Origin,
        request: &CreateSubscription,
        created: &Standing,
    ) -> Result<(PaymentView<'static>, Vec<Change>), AppError> {
        let (_, payment_id) = super::confirm::first_payment(created)?;
        let invoice = created.open.first();
        let is_by_payer = match &request.confirm {
            None | Some(FirstPayment::Payer(_)) => true,
            Some(FirstPayment::Saved(_)) => false,
        };
        let mut changes = request.payment.clone();
        changes.amount = invoice.map(|invoice| invoice.amount);
        changes.currency = invoice.map(|invoice| invoice.currency);
        changes.customer_id = Some(request.customer_id.clone());
        changes.setup_future_usage = is_by_payer.then_some(FutureUsage::OffSession);
        let order_reference = invoice.map(|invoice| invoice.invoice_id.to_string());
        changes.particulars.order_reference = order_reference;
        let subscription = &created.subscription;
        let new = NewOfOwner {
            merchant_id: &subscription.merchant_id,
            profile_id: &subscription.profile_id,
            payment_id,
            owner: subscription.as_owner(),
            changes,
        };
        self.payments.decide_first(origin, new).await
    }

    /// Stores a subscription that is confirmed later, in the request's only commit.
    async fn store_created(
        &self,
        origin: &Origin,
        created: Standing,
        payment: PaymentView<'static>,
        beside: Vec<Change>,
    ) -> Result<SubscriptionView, AppError> {
        let invoice = created.open.first().cloned();
        let view = self
            .reads
            .view(&created.subscription, invoice, Some(payment));
        let for_key = ForKey::Whole {
            object_id: view.subscription.subscription_id.as_str(),
            made: view.made(),
        };
        self.insert(origin, created, beside, for_key).await?;
        Ok(view)
    }

    /// Stores a subscription that is confirmed at once, in the request's first commit.
    async fn store_begun(
        &self,
        origin: &Origin,
        created: Standing,
        chargeable: Chargeable,
        mut beside: Vec<Change>,
    ) -> Result<Standing, AppError> {
        let Step {
            subscription,
            invoices,
            effects: _,
        } = transition(
            &created,
            Input::Command(Command::Confirm),
            &Context {
                chargeable,
                ..self.decider.context()
            },
        )?;
        let open = if invoices.is_empty() {
            created.open
        } else {
            invoices
        };
        let begun = Standing { subscription, open };
        let id = begun.subscription.subscription_id.clone();
        let for_key = ForKey::Step {
            claimed_for: Some(id.as_str()),
            goes_on: false,
            answer: None,
        };
        beside.push(self.decider.protect_owners(&begun.subscription).await?);
        self.insert(origin, begun.clone(), beside, for_key).await?;
        let mut begun = begun;
        begun.subscription.version = 1;
        Ok(begun)
    }

    async fn insert(
        &self,
        origin: &Origin,
        standing: Standing,
        beside: Vec<Change>,
        for_key: ForKey<'_>,
    ) -> Result<(), AppError> {
        let merchant_id = standing.subscription.merchant_id.clone();
        let reference = standing.subscription.merchant_reference_id.clone();
        let has_coupon = standing.subscription.coupon.is_some();
        let insert = SubscriptionChange::Insert(Box::new(standing));
        let mut changes = vec![self.reads.store.change(insert)];
        changes.extend(beside);
        let change_set = self
            .base
            .change_set(origin, Some(&merchant_id), for_key, changes);
        match self.base.commit(change_set).await {
            Ok(()) => Ok(()),
            Err(CommitError::Duplicate(duplicate::SUBSCRIPTION_REFERENCE)) => {
                let reference = reference.unwrap_or_default();
                Err(Refusal::Duplicate {
                    message: format!(
                        "there is a subscription with the merchant_reference_id {reference} already"
                    ),
                }
                .into())
            }
            // Other requests redeem the coupon at the same time.
            Err(CommitError::Conflict) if has_coupon => Err(Refusal::busy(Object::Coupon).into()),
            Err(error) => Err(AppError::of_commit(error)),
        }
    }

    /// Returns the subscription that an earlier run of this request left unconfirmed.
    async fn resumed(
        &self,
        origin: &Origin,
        request: &CreateSubscription,
    ) -> Result<Option<Standing>, AppError> {
        let claim = origin.claim.as_ref();
        let Some(left) = claim.and_then(|claim| claim.resumes.get()) else {
            return Ok(None);
        };
        let Ok(subscription_id) = SubscriptionId::parse(&left.object_id) else {
            return Ok(None);
        };
        let named = Named {
            merchant_id: &request.merchant_id,
            profile_id: Some(&request.profile_id),
            subscription_id: &subscription_id,
        };
        self.reads.standing(named).await.map(Some)
    }

    /// Takes over the request's key.
    async fn begin_again(
        &self,
        origin: &Origin,
        standing: &Standing,
    ) -> Result<Standing, AppError> {
        let subscription = &standing.subscription;
        let (merchant_id, id) = (&subscription.merchant_id, &subscription.subscription_id);
        let with = super::decide::With {
            brings: super::decide::Brings::Claim,
            payment: None,
        };
        self.lapse(origin, standing).await?;
        let input = Input::Command(Command::Confirm);
        let decided = self.decider.decide(origin, merchant_id, id, input, with);
        Ok(decided.await?.standing)
    }
}

/// Returns the payment details of the confirm.
fn confirming(confirm: Option<FirstPayment>) -> Changes {
    match confirm {
        None => Changes::default(),
        Some(FirstPayment::Payer(changes)) => *changes,
        Some(FirstPayment::Saved(id)) => {
            let mut changes = Changes::default();
            changes.instrument.recurring = Some(RecurringInput::Method {
                id: id.to_string(),
                found: FoundMethod::default(),
            });
            changes.particulars.off_session = Some(true);
            changes.particulars.mit_category = Some(MitCategory::Recurring);
            changes
        }
    }
}
