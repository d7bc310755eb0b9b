//! Finds the operation that a notice is about: the store returns candidates, and each object says what the notice means
//! for it.

use multirail_domain::operations::received_notice::{Sender, ToldOf};
use multirail_kernel::ids::MerchantId;
use multirail_sdk::connector::{About, Outcome};

use super::super::told::{Adoption, Told};
use super::Notices;
use crate::AppError;
use crate::operations::ports::open_operations::OpenObject;

/// The object that a notice is matched with.
pub(crate) enum Match {
    /// The notice reports something about this object's operation.
    Told {
        object: OpenObject,
        told: Box<ToldOf>,
    },
    /// The object has no such operation here. Holds the change that others made at the processor, if the notice reports
    /// one.
    NotAskedFor(Option<Box<dyn Adoption>>),
    Nothing,
}

impl Notices {
    /// Finds the operation that a notice is about, and checks whether its account may report on it.
    pub(crate) async fn match_operation(
        &self,
        merchant_id: &MerchantId,
        sender: Sender<'_>,
        about: &About,
        outcome: Option<&Outcome>,
    ) -> Result<Match, AppError> {
        let mut found = Match::Nothing;
        for OpenObject { class, id } in self.store.objects_of_notice(merchant_id, about).await? {
            let object = self.objects.get(class)?;
            let told = object.read_notice(merchant_id, &id, sender, about, outcome);
            let Told {
                object,
                told,
                by_others,
            } = told.await?;
            found = match (told, by_others, found) {
                (told @ (ToldOf::Fact(_) | ToldOf::Hint(_) | ToldOf::HintOfBrought { .. }), ..) => {
                    return Ok(Match::Told {
                        object,
                        told: Box::new(told),
                    });
                }
                (ToldOf::NotAskedFor | ToldOf::AnotherAccount, Some(done), _) => {
                    Match::NotAskedFor(Some(done))
                }
                (ToldOf::NotAskedFor, None, Match::Nothing) => Match::NotAskedFor(None),
                (ToldOf::NotAskedFor | ToldOf::AnotherAccount, None, found) => found,
            };
        }
        Ok(found)
    }
}
