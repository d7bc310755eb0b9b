//! The objects that have operations at processors. Each kind is a value that its subject provides.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use multirail_domain::operations::received_notice::{Heard, Sender, ToldOf};
use multirail_kernel::ids::{MerchantId, ProcessorKey};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{About, Fact, Outcome};

use super::driver::{Aggregate, Driver};
use super::told::Told;
use super::unresolved_operation::Unresolved;
use crate::operations::ports::open_operations::UnresolvedOperation;
use crate::platform::idempotency::Claim;
use crate::platform::lease::is_held;
use crate::platform::ports::ObjectClass;
use crate::platform::ports::idempotency::{Answer, KeyRecord};
use crate::platform::replays::Replay;
use crate::{AppError, Origin};

/// A kind of object with operations at processors.
#[async_trait]
pub trait OperatedObject: Replay {
    /// Asks the processor about one claimed operation. `now` is the time that counts as the time of the question.
    ///
    /// # Errors
    /// An object that can't be read.
    async fn ask(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        id: &str,
        key: &ProcessorKey,
        now: &(dyn Fn() -> Timestamp + Send + Sync),
    ) -> Result<Asked, AppError>;

    /// Describes an operation without a final answer; `None` where the answer is stored by now.
    async fn unresolved(&self, found: &UnresolvedOperation)
    -> Result<Option<Unresolved>, AppError>;

    /// Reads the part of a notice that concerns the object.
    async fn read_notice(
        &self,
        merchant_id: &MerchantId,
        id: &str,
        sender: Sender<'_>,
        about: &About,
        outcome: Option<&Outcome>,
    ) -> Result<Told, AppError>;

    /// Applies the outcome that a notice reports. Where the notice alone proves nothing, asks the processor.
    async fn hear(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        id: &str,
        told: ToldOf,
    ) -> Result<Heard, AppError>;
}

/// The result of a question.
pub struct Asked {
    /// The time of the next question about the operation, if there is one.
    pub next: Option<Timestamp>,
    /// An error means that the question was not asked. An outcome that stays unknown is no error.
    pub result: Result<(), AppError>,
}

/// The kinds of objects that the program has.
pub struct OperatedObjects(Vec<Arc<dyn OperatedObject>>);

impl OperatedObjects {
    /// Takes one object kind for each of these classes.
    ///
    /// # Errors
    /// A sentence about missing, unknown or repeated classes.
    pub fn new(
        objects: Vec<Arc<dyn OperatedObject>>,
        classes: &[ObjectClass],
    ) -> Result<Self, String> {
        let mut missing: BTreeSet<ObjectClass> = classes.iter().copied().collect();
        for object in &objects {
            let class = object.class();
            if !missing.remove(&class) {
                return Err(format!(
                    "{class} is no class of stored operations, or is registered twice"
                ));
            }
        }
        match missing.first() {
            Some(class) => Err(format!("nothing knows the stored operations of a {class}")),
            None => Ok(OperatedObjects(objects)),
        }
    }

    /// Returns the object kind of this class.
    pub(crate) fn get(&self, class: ObjectClass) -> Result<&dyn OperatedObject, AppError> {
        let mut of_class = self.0.iter().filter(|object| object.class() == class);
        let object = of_class.next().map(|object| &**object);
        object
            .ok_or_else(|| AppError::Broken(format!("operations of a {class} are not known here")))
    }

    /// Returns the same kinds as [`Replay`]s, which answer repeated requests.
    pub fn replays(&self) -> Vec<Arc<dyn Replay>> {
        let objects = self.0.iter().cloned();
        objects.map(|object| object as Arc<dyn Replay>).collect()
    }
}

/// An aggregate with its services and the driver.
pub(crate) struct Operated<A: Aggregate> {
    pub services: Arc<A::Services>,
    pub driver: Arc<Driver>,
}

impl<A: Aggregate> Operated<A> {
    fn parse(id: &str) -> Result<A::Id, AppError> {
        let class = A::CLASS;
        A::parse_id(id).ok_or_else(|| AppError::Broken(format!("{id} is no id of a {class}")))
    }
}

#[async_trait]
impl<A: Aggregate> OperatedObject for Operated<A> {
    async fn ask(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        id: &str,
        key: &ProcessorKey,
        now: &(dyn Fn() -> Timestamp + Send + Sync),
    ) -> Result<Asked, AppError> {
        let id = Self::parse(id)?;
        let (services, driver) = (&*self.services, &self.driver);
        let asked = driver.sync_operation::<A>(services, origin, merchant_id, &id, key);
        let (object, result) = match asked.await {
            Ok(object) => (object, Ok(())),
            // An operation that can't be asked about is due again no sooner than others.
            Err(error) => (A::load(services, merchant_id, &id).await?, Err(error)),
        };
        let in_flight = driver.base.leases.in_flight_seconds();
        Ok(Asked {
            next: object.next_question_at(key, now(), in_flight),
            result,
        })
    }

    async fn unresolved(
        &self,
        found: &UnresolvedOperation,
    ) -> Result<Option<Unresolved>, AppError> {
        let id = Self::parse(&found.object.id)?;
        A::unresolved(&self.services, &id, found).await
    }

    async fn read_notice(
        &self,
        merchant_id: &MerchantId,
        id: &str,
        sender: Sender<'_>,
        about: &About,
        outcome: Option<&Outcome>,
    ) -> Result<Told, AppError> {
        let id = Self::parse(id)?;
        A::read_notice(&self.services, merchant_id, &id, sender, about, outcome).await
    }

    async fn hear(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        id: &str,
        told: ToldOf,
    ) -> Result<Heard, AppError> {
        let id = Self::parse(id)?;
        let (services, driver) = (&*self.services, &self.driver);
        match told {
            ToldOf::Fact(fact) => {
                let told = fact.clone();
                let applied = driver.apply_fact::<A>(services, origin, merchant_id, &id, told);
                Ok(heard(&applied.await?, Some(&fact)))
            }
            ToldOf::Hint(key) => {
                let asked = driver.sync_operation::<A>(services, origin, merchant_id, &id, &key);
                asked.await?;
                Ok(Heard::Applied)
            }
            // Otherwise the notice stays unmatched: it may match later, when the processor's reference is known.
            ToldOf::HintOfBrought { key, said } => {
                let asked = driver.sync_operation::<A>(services, origin, merchant_id, &id, &key);
                let object = asked.await?;
                let operation = object.operation(&key);
                if operation.is_some_and(|operation| operation.progress.is_open()) {
                    return Ok(Heard::Unmatched);
                }
                let fact = said.map(|outcome| Fact {
                    about: key,
                    outcome,
                });
                Ok(heard(&object, fact.as_ref()))
            }
            ToldOf::NotAskedFor | ToldOf::AnotherAccount => Ok(Heard::Unmatched),
        }
    }
}

/// Returns what a fact came to for the object, after it was recorded or asked about.
fn heard<A: Aggregate>(object: &A, told: Option<&Fact>) -> Heard {
    if told.is_some_and(|fact| object.contradicts(fact)) {
        Heard::Contradicted
    } else {
        Heard::Applied
    }
}

#[async_trait]
impl<A: Aggregate> Replay for Operated<A> {
    fn class(&self) -> ObjectClass {
        A::CLASS
    }

    /// Finds out how the first request ended, which died before it stored an answer. Where nothing that it wanted has
    /// happened, the repeat carries it out.
    async fn replay(
        &self,
        worker: &Origin,
        claim: &Claim,
        record: &KeyRecord,
    ) -> Result<Option<Answer>, AppError> {
        let id = A::parse_id(&record.object_id)
            .ok_or_else(|| AppError::Broken("an idempotency key points nowhere".to_owned()))?;
        let (services, driver) = (&*self.services, &self.driver);
        let lease_until = record.lease_until;
        let settled = driver.settle_uncalled::<A>(services, worker, claim, &id, lease_until);
        let has_ended = settled.await?;
        if !has_ended && is_held(lease_until, driver.base.clock.wall()) {
            return Err(Refusal::KeyInUse.into());
        }
        let asked = driver.sync::<A>(services, worker, &claim.merchant_id, &id);
        let object = match asked.await {
            Ok(object) => object,
            Err(error @ (AppError::Unavailable(_) | AppError::Standstill(..))) => {
                return Err(error);
            }
            // A processor may be out of reach for good, for instance when this server lacks its connector. The caller
            // gets the stored state.
            Err(error) => {
                let object = A::load(services, &claim.merchant_id, &id).await?;
                let object_id = object.identity().object_id;
                tracing::warn!(object_id, %error, "a repeat is answered without asking the processor");
                object
            }
        };
        if object.is_left_to_repeat(claim) {
            claim.resume(object.identity().object_id.to_owned(), lease_until);
            return Ok(None);
        }
        object
            .answer(services, |made| claim.answer_or_broken(made))
            .map(Some)
    }
}

#[cfg(test)]
mod tests;
