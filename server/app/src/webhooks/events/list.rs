//! Lists events.

use multirail_kernel::ids::{MerchantId, ProfileId};

use super::Events;
use crate::AppError;
use crate::platform::paging::page_size;
use crate::webhooks::ports::events::{EventSearch, StoredEvent};

/// A page by offset. `limit` is 0 to 100; with 0 events are only counted.
#[derive(Debug, Default)]
pub struct ListEvents {
    /// The filter. The other members set its page.
    pub search: EventSearch,
    pub limit: Option<i64>,
    pub offset: Option<i64>,
}

const LARGEST_PAGE: i64 = 100;

impl Events {
    /// Returns a page of events that match, newest first, and the number of all that match.
    ///
    /// # Errors
    /// A limit out of range, an unknown merchant account, a profile that isn't this merchant's.
    pub async fn list(
        &self,
        merchant_id: &MerchantId,
        request: ListEvents,
    ) -> Result<(Vec<StoredEvent>, i64), AppError> {
        let mut search = request.search;
        search.limit = page_size(request.limit.or(Some(LARGEST_PAGE)), LARGEST_PAGE)?;
        search.offset = request.offset.unwrap_or(0);
        self.check_owner(merchant_id, search.profile_id.as_ref())
            .await?;
        if search.nothing_fits {
            return Ok((Vec::new(), 0));
        }
        // The count follows the page, so that it includes every event of the page.
        let page = self.store.events(merchant_id, &search).await?;
        let total = self.store.count_events(merchant_id, &search).await?;
        Ok((page, total))
    }

    /// Checks that the merchant account exists and has the profile, if one is named.
    pub(crate) async fn check_owner(
        &self,
        merchant_id: &MerchantId,
        profile_id: Option<&ProfileId>,
    ) -> Result<(), AppError> {
        match profile_id {
            Some(profile_id) => {
                self.profiles.stored(merchant_id, profile_id, None).await?;
            }
            None => {
                self.merchants.find(merchant_id).await?;
            }
        }
        Ok(())
    }
}
