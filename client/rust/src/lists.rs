//! Lists as streams: fill in the call of a list, and `stream` it instead of sending it.

use std::future::Future;

use futures::{Stream, TryStreamExt, stream};
use multirail_types::{
    ApiKey, AuditEntry, AuditOwnEntry, Coupon, Customer, Dispute, Event, EventListRequest, Invoice,
    ItemPrice, Mandate, MerchantAccountListed, Notice, OfferedItem, Organization,
    OrganizationAccount, Payment, PaymentFilterRequest, Product, Refund, RefundListRequest,
    RequestLogEntry, RoutingRecord, Subscription, TeamMember, UnresolvedOperation,
    UserMerchantListed,
};

use crate::{Client, Error, builder};

/// The page size, which every list allows.
const PAGE_SIZE: i32 = 50;

/// Streams a list by offset, page after page. A page that isn't full is the last one.
fn by_offset<T, A>(ask: impl Fn(i32) -> A + Send) -> impl Stream<Item = Result<T, Error>> + Send
where
    T: Send,
    A: Future<Output = Result<Vec<T>, Error>> + Send,
{
    stream::try_unfold(Some(0), move |offset: Option<i32>| {
        let asked = offset.map(|offset| (offset, ask(offset)));
        async move {
            let Some((offset, page)) = asked else {
                return Ok::<_, Error>(None);
            };
            let page = page.await?;
            let length = i32::try_from(page.len()).unwrap_or(i32::MAX);
            let next = (length >= PAGE_SIZE).then(|| offset.saturating_add(length));
            Ok(Some((stream::iter(page.into_iter().map(Ok)), next)))
        }
    })
    .try_flatten()
}

macro_rules! streams {
    ($($builder:ident: $item:ty, $offset:ident, |$page:ident| $items:expr;)*) => { $(
        impl<'a> builder::$builder<'a> {
            /// Streams all items of the list over as many calls as needed. It sets `limit` and the offset itself. Each
            /// call is made when its first item is requested. Items added meanwhile may shift the rest, so that an item
            /// occurs twice.
            ///
            /// # Errors
            /// The stream ends with the first call that fails. The items before it are valid.
            pub fn stream(self) -> impl Stream<Item = Result<$item, Error>> + Send + 'a {
                by_offset(move |offset| {
                    let call = self.clone().limit(PAGE_SIZE).$offset(offset);
                    async move {
                        let $page = call.send().await?.into_inner();
                        Ok($items)
                    }
                })
            }
        }
    )* };
}

streams! {
    ApiKeysList: ApiKey, skip, |page| page;
    CustomerMandatesList: Mandate, offset, |page| page;
    CustomersList: Customer, offset, |page| page;
    DisputesList: Dispute, offset, |page| page;
    DisputesProfileList: Dispute, offset, |page| page;
    MandatesList: Mandate, offset, |page| page;
    MerchantAccountsList: MerchantAccountListed, offset, |page| page;
    NoticesList: Notice, offset, |page| page;
    OrganizationAccountsList: OrganizationAccount, offset, |page| page;
    OrganizationsList: Organization, offset, |page| page;
    RoutingList: RoutingRecord, offset, |page| page.records;
    SubscriptionCouponsList: Coupon, offset, |page| page;
    SubscriptionItemPricesList: ItemPrice, offset, |page| page;
    SubscriptionItemsList: OfferedItem, offset, |page| page;
    SubscriptionProductsList: Product, offset, |page| page;
    SubscriptionsList: Subscription, offset, |page| page;
    SubscriptionsListInvoices: Invoice, offset, |page| page;
    TeamList: TeamMember, offset, |page| page;
    UnresolvedOperationsList: UnresolvedOperation, offset, |page| page;
    UserSubscriptionsList: Subscription, offset, |page| page;
    UserSubscriptionsListInvoices: Invoice, offset, |page| page;
    UsersListMerchants: UserMerchantListed, offset, |page| page;
}

impl<'a> builder::AuditList<'a> {
    /// Streams all entries, newest first, over as many calls as needed. It sets `limit` and `before` itself. Entries
    /// added meanwhile don't appear.
    ///
    /// # Errors
    /// The stream ends with the first call that fails. The entries before it are valid.
    pub fn stream(self) -> impl Stream<Item = Result<AuditEntry, Error>> + Send + 'a {
        backwards(
            |last: &AuditEntry| last.sequence,
            move |before| {
                let call = self.clone().limit(PAGE_SIZE);
                async move {
                    let call = match before {
                        Some(sequence) => call.before(sequence),
                        None => call,
                    };
                    Ok(call.send().await?.into_inner())
                }
            },
        )
    }
}

impl<'a> builder::AuditListOwn<'a> {
    /// Streams all entries of the own account, newest first, over as many calls as needed. It sets `limit` and `before`
    /// itself. Entries added meanwhile don't appear.
    ///
    /// # Errors
    /// The stream ends with the first call that fails. The entries before it are valid.
    pub fn stream(self) -> impl Stream<Item = Result<AuditOwnEntry, Error>> + Send + 'a {
        backwards(
            |last: &AuditOwnEntry| last.sequence,
            move |before| {
                let call = self.clone().limit(PAGE_SIZE);
                async move {
                    let call = match before {
                        Some(sequence) => call.before(sequence),
                        None => call,
                    };
                    Ok(call.send().await?.into_inner())
                }
            },
        )
    }
}

impl<'a> builder::RequestLogList<'a> {
    /// Streams all requests, newest first, over as many calls as needed. It sets `limit` and `before` itself. Requests
    /// added meanwhile don't appear.
    ///
    /// # Errors
    /// The stream ends with the first call that fails. The requests before it are valid.
    pub fn stream(self) -> impl Stream<Item = Result<RequestLogEntry, Error>> + Send + 'a {
        backwards(
            |last: &RequestLogEntry| last.request_id.clone(),
            move |before| {
                let call = self.clone().limit(PAGE_SIZE);
                async move {
                    let call = match before {
                        Some(request_id) => call.before(request_id),
                        None => call,
                    };
                    Ok(call.send().await?.into_inner())
                }
            },
        )
    }
}

/// Streams a list, newest first. Each page begins before the last item of the page before it.
fn backwards<T, K, A>(
    key: fn(&T) -> K,
    ask: impl Fn(Option<K>) -> A + Send,
) -> impl Stream<Item = Result<T, Error>> + Send
where
    T: Send,
    K: Send,
    A: Future<Output = Result<Vec<T>, Error>> + Send,
{
    stream::try_unfold(Before::Anything, move |before| {
        let asked = match before {
            Before::Anything => Some(ask(None)),
            Before::Item(last) => Some(ask(Some(last))),
            Before::Nothing => None,
        };
        async move {
            let Some(asked) = asked else {
                return Ok::<_, Error>(None);
            };
            let page = asked.await?;
            let is_full = i32::try_from(page.len()).is_ok_and(|length| length >= PAGE_SIZE);
            let next = match page.last().filter(|_| is_full) {
                Some(last) => Before::Item(key(last)),
                None => Before::Nothing,
            };
            Ok(Some((stream::iter(page.into_iter().map(Ok)), next)))
        }
    })
    .try_flatten()
}

/// The start of the next page.
enum Before<K> {
    Anything,
    Item(K),
    Nothing,
}

impl Client {
    /// Streams the payments that match a filter, over as many calls as needed. It sets `limit` and `offset` of the
    /// filter. [`payments`](Self::payments) lists without a filter, and is cheaper because it doesn't count.
    ///
    /// # Errors
    /// The stream ends with the first call that fails. The payments before it are valid.
    pub fn filtered_payments(
        &self,
        filter: PaymentFilterRequest,
    ) -> impl Stream<Item = Result<Payment, Error>> + Send + use<> {
        let client = self.clone();
        by_offset(move |offset| {
            let (client, filter) = (client.clone(), filter.clone());
            let body = filter.limit(PAGE_SIZE).offset(offset);
            async move {
                Ok(client
                    .payments_filter()
                    .body(body)
                    .send()
                    .await?
                    .into_inner()
                    .data)
            }
        })
    }

    /// Streams the refunds that match a filter, over as many calls as needed. It sets `limit` and `offset` of the
    /// filter.
    ///
    /// # Errors
    /// The stream ends with the first call that fails. The refunds before it are valid.
    pub fn refunds(
        &self,
        filter: RefundListRequest,
    ) -> impl Stream<Item = Result<Refund, Error>> + Send + use<> {
        let client = self.clone();
        by_offset(move |offset| {
            let (client, filter) = (client.clone(), filter.clone());
            let body = filter.limit(PAGE_SIZE).offset(offset);
            async move {
                Ok(client
                    .refunds_list()
                    .body(body)
                    .send()
                    .await?
                    .into_inner()
                    .data)
            }
        })
    }

    /// Streams a merchant's events that match a filter, for the operator. It sets `limit` and `offset` of the filter.
    ///
    /// # Errors
    /// The stream ends with the first call that fails. The events before it are valid.
    pub fn events(
        &self,
        merchant_id: &str,
        filter: EventListRequest,
    ) -> impl Stream<Item = Result<Event, Error>> + Send + use<> {
        let (client, merchant_id) = (self.clone(), merchant_id.to_owned());
        by_offset(move |offset| {
            let (client, filter) = (client.clone(), filter.clone());
            let (body, merchant_id) = (filter.limit(PAGE_SIZE).offset(offset), merchant_id.clone());
            async move {
                let call = client.events_list().merchant_id(merchant_id).body(body);
                Ok(call.send().await?.into_inner().events)
            }
        })
    }

    /// Streams the events of the key's profile, like [`events`](Self::events) for a merchant.
    ///
    /// # Errors
    /// The stream ends with the first call that fails. The events before it are valid.
    pub fn profile_events(
        &self,
        filter: EventListRequest,
    ) -> impl Stream<Item = Result<Event, Error>> + Send + use<> {
        let client = self.clone();
        by_offset(move |offset| {
            let (client, filter) = (client.clone(), filter.clone());
            let body = filter.limit(PAGE_SIZE).offset(offset);
            async move {
                Ok(client
                    .events_profile_list()
                    .body(body)
                    .send()
                    .await?
                    .into_inner()
                    .events)
            }
        })
    }
}
