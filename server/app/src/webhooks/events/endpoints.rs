//! A profile's further webhook endpoints: managed, replayed to, tested.

use std::sync::Arc;

use multirail_domain::accounts::profile::{Profile, WebhookEndpoint, WebhookEndpointInput};
use multirail_domain::webhooks::event_filter::check_period;
use multirail_domain::webhooks::webhook::Exchange;
use multirail_kernel::envelope::test_body;
use multirail_kernel::ids::{EventId, MerchantId, ProfileId, WebhookEndpointId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;

use super::Events;
use super::deliver::signed;
use super::replay::Replayed;
use crate::accounts::ports::ProfileChange;
use crate::accounts::ports::profiles::{Endpoint, EndpointHealth, Endpoints};
use crate::platform::decisions::Decisions;
use crate::platform::idempotency::{ForKey, Made};
use crate::platform::ports::StoreFailure;
use crate::webhooks::ports::events::EndpointReplay;
use crate::{AppError, Origin};

/// The most events that one replay queues.
const REPLAYED_AT_MOST: i64 = 10_000;

/// A profile, as a path names it. A call that is narrowed to another profile doesn't see it.
#[derive(Clone, Copy)]
pub struct OfProfile<'a> {
    pub merchant_id: &'a MerchantId,
    pub profile_id: &'a ProfileId,
    pub scope: Option<&'a ProfileId>,
}

/// An endpoint as the API shows it.
#[derive(Clone, Debug)]
pub struct EndpointView {
    pub profile_id: ProfileId,
    pub endpoint: WebhookEndpoint,
    pub delivery: EndpointHealth,
    /// Only of a new endpoint.
    pub secret: Option<SecretText>,
}

/// The filter of a replay to an endpoint.
#[derive(Clone, Copy, Debug)]
pub struct ReplayRequest {
    pub created_after: Timestamp,
    pub created_before: Option<Timestamp>,
    pub only_failed: bool,
    pub dry_run: bool,
}

/// A test event that was sent.
#[derive(Clone, Debug)]
pub struct TestedEndpoint {
    pub event_id: EventId,
    pub body: String,
    pub exchange: Exchange,
    pub sent_at: Timestamp,
}

/// A decided change of a profile's endpoints.
struct Change {
    profile: Profile,
    /// The answer where there is one.
    view: Option<EndpointView>,
    /// True if deliveries that wait at the answered endpoint become due.
    resumes: bool,
}

type Decided = Result<Change, Refusal>;

impl Events {
    /// Lists the endpoints of a profile, oldest first.
    ///
    /// # Errors
    /// An unknown merchant account or profile.
    pub async fn list_endpoints(&self, of: OfProfile<'_>) -> Result<Vec<EndpointView>, AppError> {
        let profile = self.profile_of(of).await?;
        let mut views = Vec::with_capacity(profile.webhook_endpoints.len());
        for endpoint in &profile.webhook_endpoints {
            views.push(self.endpoint_view(&profile, endpoint.clone()).await?);
        }
        Ok(views)
    }

    /// Returns one endpoint.
    ///
    /// # Errors
    /// An unknown merchant account, profile or endpoint.
    pub async fn find_endpoint(
        &self,
        of: OfProfile<'_>,
        id: &WebhookEndpointId,
    ) -> Result<EndpointView, AppError> {
        let profile = self.profile_of(of).await?;
        let endpoint = profile.webhook_endpoint(id)?.clone();
        Ok(self.endpoint_view(&profile, endpoint).await?)
    }

    /// Adds an endpoint with a new secret.
    ///
    /// # Errors
    /// An unknown merchant account or profile, a bad address, one endpoint too many.
    pub async fn create_endpoint(
        &self,
        origin: &Origin,
        of: OfProfile<'_>,
        input: WebhookEndpointInput,
    ) -> Result<EndpointView, AppError> {
        let decide = |profile: &Profile| -> Decided {
            let (now, random) = (self.base.now(), self.base.random.as_ref());
            self.check_endpoint_target(&input)?;
            let (changed, endpoint, secret) =
                profile.with_webhook_endpoint(input.clone(), now, random)?;
            // A new endpoint has no deliveries yet.
            let view = EndpointView {
                profile_id: profile.profile_id.clone(),
                endpoint,
                delivery: EndpointHealth::default(),
                secret: Some(secret.secret),
            };
            Ok(Change {
                profile: changed,
                view: Some(view),
                resumes: false,
            })
        };
        let view = self.change_endpoints(origin, of, decide).await?;
        view.ok_or_else(|| Refusal::not_found(Object::WebhookEndpoint).into())
    }

    /// Changes the members that are given. Enabling the endpoint, or another address of an enabled one, makes waiting
    /// deliveries due.
    ///
    /// # Errors
    /// As for [`Events::create_endpoint`], and an unknown endpoint.
    pub async fn update_endpoint(
        &self,
        origin: &Origin,
        of: OfProfile<'_>,
        id: &WebhookEndpointId,
        input: WebhookEndpointInput,
    ) -> Result<EndpointView, AppError> {
        let health = self.deliveries.health(&endpoint(of, id)).await?;
        let decide = |profile: &Profile| -> Decided {
            let now = self.base.now();
            let resumes = profile.webhook_endpoint(id)?.is_resumed_by(&input);
            self.check_endpoint_target(&input)?;
            let (changed, endpoint) = profile.with_changed_endpoint(id, input.clone(), now)?;
            let view = EndpointView {
                profile_id: profile.profile_id.clone(),
                endpoint,
                delivery: match resumes {
                    true => EndpointHealth::default(),
                    false => health,
                },
                secret: None,
            };
            Ok(Change {
                profile: changed,
                view: Some(view),
                resumes,
            })
        };
        let view = self.change_endpoints(origin, of, decide).await?;
        view.ok_or_else(|| Refusal::not_found(Object::WebhookEndpoint).into())
    }

    /// Deletes an endpoint with its secret and its waiting deliveries.
    ///
    /// # Errors
    /// An unknown merchant account, profile or endpoint.
    pub async fn delete_endpoint(
        &self,
        origin: &Origin,
        of: OfProfile<'_>,
        id: &WebhookEndpointId,
    ) -> Result<(), AppError> {
        let decide = |profile: &Profile| -> Decided {
            Ok(Change {
                profile: profile.without_endpoint(id, self.base.now())?,
                view: None,
                resumes: false,
            })
        };
        self.change_endpoints(origin, of, decide).await?;
        // The worker deletes the rest, if this fails or a commit queues more at this moment.
        if let Err(error) = self.store.drop_endpoint(&endpoint(of, id)).await {
            tracing::warn!(%error, "deliveries to a deleted endpoint could not be deleted: the worker does it later");
        }
        Ok(())
    }

    /// Queues the profile's events of a time for an endpoint, or only counts them.
    ///
    /// # Errors
    /// An unknown merchant account, profile or endpoint, a period that ends before it begins, too many events.
    pub async fn replay_to_endpoint(
        &self,
        origin: &Origin,
        of: OfProfile<'_>,
        id: &WebhookEndpointId,
        request: ReplayRequest,
    ) -> Result<Replayed, AppError> {
        let profile = self.profile_of(of).await?;
        let event_types = profile.webhook_endpoint(id)?.event_types.clone();
        check_period(Some(request.created_after), request.created_before)?;
        let (now, dry_run) = (self.base.now(), request.dry_run);
        let replay = EndpointReplay {
            endpoint: endpoint(of, id),
            event_types,
            created_after: request.created_after,
            created_before: request.created_before.unwrap_or(now),
            only_failed: request.only_failed,
        };
        let matched = self.store.count_endpoint_replay(&replay).await?;
        let queued = match dry_run {
            true => 0,
            false if matched > REPLAYED_AT_MOST => {
                return Err(Refusal::invalid_value(format!(
                    "created_after and created_before select {matched} events; one replay sends at most \
                     {REPLAYED_AT_MOST}"
                ))
                .into());
            }
            false => {
                let queued = self.store.queue_endpoint_replay(&replay, now).await?;
                self.deliveries.notifier.notify(replay.endpoint);
                i64::try_from(queued).unwrap_or(i64::MAX)
            }
        };
        let done = Replayed {
            dry_run,
            matched: if dry_run { matched } else { queued },
            queued,
        };
        // A repeated replay queues the same events once more, so nothing is lost where only the answer isn't stored.
        let for_key = ForKey::Whole {
            object_id: id.as_str(),
            made: Made::object(&done, None),
        };
        let change_set = self
            .base
            .change_set(origin, Some(of.merchant_id), for_key, Vec::new());
        if !change_set.is_empty() {
            let stored = self.base.commit(change_set).await;
            stored.map_err(AppError::of_commit)?;
        }
        Ok(done)
    }

    /// Sends one test event, also to a disabled endpoint. Nothing is recorded.
    ///
    /// # Errors
    /// An unknown merchant account, profile or endpoint.
    pub async fn test_endpoint(
        &self,
        of: OfProfile<'_>,
        id: &WebhookEndpointId,
    ) -> Result<TestedEndpoint, AppError> {
        let profile = self.profile_of(of).await?;
        let endpoint = profile.webhook_endpoint(id)?;
        let (now, wall) = (self.base.now(), self.base.clock.wall());
        let event_id = self.base.event_id();
        let body = test_body(of.merchant_id, of.profile_id, id, &event_id, now);
        let secrets = profile.endpoint_secrets(id);
        let request = signed(&endpoint.url, &secrets, &event_id, &body, now, wall);
        let exchange = self.deliveries.sender.send(request).await;
        Ok(TestedEndpoint {
            event_id,
            body,
            exchange,
            sent_at: now,
        })
    }

    async fn profile_of(&self, of: OfProfile<'_>) -> Result<Arc<Profile>, AppError> {
        let OfProfile {
            merchant_id,
            profile_id,
            scope,
        } = of;
        self.profiles.stored(merchant_id, profile_id, scope).await
    }

    fn check_endpoint_target(&self, input: &WebhookEndpointInput) -> Result<(), Refusal> {
        let targets = &self.merchants.webhook_targets;
        let url = input.url.as_deref();
        url.map_or(Ok(()), |url| targets.check_setting("webhook_url", url))
    }

    async fn endpoint_view(
        &self,
        profile: &Profile,
        endpoint: WebhookEndpoint,
    ) -> Result<EndpointView, StoreFailure> {
        let of = Endpoint {
            merchant_id: profile.merchant_id.clone(),
            profile_id: profile.profile_id.clone(),
            endpoint_id: Some(endpoint.endpoint_id.clone()),
        };
        Ok(EndpointView {
            profile_id: of.profile_id.clone(),
            endpoint,
            delivery: self.deliveries.health(&of).await?,
            secret: None,
        })
    }

    /// Decides and stores, and then makes due what resumes; decides again where the profile changed meanwhile.
    async fn change_endpoints(
        &self,
        origin: &Origin,
        of: OfProfile<'_>,
        decide: impl Fn(&Profile) -> Decided,
    ) -> Result<Option<EndpointView>, AppError> {
        let store = &self.deliveries.profiles;
        let mut decisions = Decisions::begin(Object::BusinessProfile);
        loop {
            let profile = self.profile_of(of).await?;
            let Change {
                profile,
                view,
                resumes,
            } = decide(&profile)?;
            let changes = vec![store.change(ProfileChange::Update(profile))];
            let for_key = match &view {
                None => ForKey::Nothing,
                Some(view) => ForKey::Whole {
                    object_id: view.endpoint.endpoint_id.as_str(),
                    made: Made::object(view, None),
                },
            };
            let merchant_id = Some(of.merchant_id);
            let change_set = self.base.change_set(origin, merchant_id, for_key, changes);
            match self.base.commit(change_set).await {
                Ok(()) => {
                    if let (Some(view), true) = (&view, resumes) {
                        let resumed = endpoint(of, &view.endpoint.endpoint_id);
                        self.profiles.deliver_what_waited(resumed).await;
                    }
                    return Ok(view);
                }
                Err(error) => {
                    let random = self.base.random.as_ref();
                    decisions
                        .retry_on_conflict(random, error, AppError::of_commit)
                        .await?;
                }
            }
        }
    }
}

fn endpoint(of: OfProfile<'_>, id: &WebhookEndpointId) -> Endpoint {
    Endpoint {
        merchant_id: of.merchant_id.clone(),
        profile_id: of.profile_id.clone(),
        endpoint_id: Some(id.clone()),
    }
}
