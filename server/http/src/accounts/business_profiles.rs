//! The business profile operations: translate, call, translate.

use dropshot::RequestContext;
use multirail_api::business_profiles::*;
use multirail_api::{AdminOrMerchant, ApiError, Caller, JsonAnswer, Path, TypedBody};
use multirail_kernel::ids::ProfileId;
use multirail_kernel::refusal::Object;
use multirail_types as types;

use super::convert::business_profile;
use crate::platform::errors::{api_error, refused};
use crate::platform::{origin, scope};
use crate::{Api, ApiResult, Context};

impl BusinessProfilesApi for Api {
    type Context = Context;

    async fn business_profiles_list(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrMerchant>,
        path: Path<BusinessProfilesListPath>,
    ) -> ApiResult<Vec<types::BusinessProfile>> {
        let merchant_id = scope::own_account(&caller, &path.into_inner().account_id)?;
        let scope = scope::narrowed(&caller);
        let services = &rqctx.context().services;
        let found = services.profiles.list(&merchant_id, scope.as_ref()).await;
        let profiles = found.map_err(api_error)?;
        let answers = profiles.iter().map(business_profile::answer).collect();
        Ok(JsonAnswer::new(answers))
    }

    async fn business_profiles_create(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrMerchant>,
        path: Path<BusinessProfilesCreatePath>,
        body: TypedBody<Box<types::BusinessProfileCreateRequest>>,
    ) -> ApiResult<types::BusinessProfile> {
        let merchant_id = scope::own_account(&caller, &path.into_inner().account_id)?;
        let input = business_profile::create(*body.into_inner()).map_err(refused)?;
        let origin = origin::admin_or_merchant(&rqctx, &caller);
        let services = &rqctx.context().services;
        let made = services.profiles.create(&origin, &merchant_id, input).await;
        let profile = made.map_err(api_error)?;
        Ok(JsonAnswer::new(business_profile::answer(&profile)))
    }

    async fn business_profiles_retrieve(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrMerchant>,
        path: Path<BusinessProfilesRetrievePath>,
    ) -> ApiResult<types::BusinessProfile> {
        let path = path.into_inner();
        let merchant_id = scope::own_account(&caller, &path.account_id)?;
        let profile_id = profile_id(&path.profile_id)?;
        let scope = scope::narrowed(&caller);
        let services = &rqctx.context().services;
        let found = services
            .profiles
            .find(&merchant_id, &profile_id, scope.as_ref());
        let profile = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(business_profile::answer(&profile)))
    }

    async fn business_profiles_update(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrMerchant>,
        path: Path<BusinessProfilesUpdatePath>,
        body: TypedBody<Box<types::BusinessProfileUpdateRequest>>,
    ) -> ApiResult<types::BusinessProfile> {
        let path = path.into_inner();
        let merchant_id = scope::own_account(&caller, &path.account_id)?;
        let profile_id = profile_id(&path.profile_id)?;
        let scope = scope::narrowed(&caller);
        let update = business_profile::update(*body.into_inner()).map_err(refused)?;
        let origin = origin::admin_or_merchant(&rqctx, &caller);
        let services = &rqctx.context().services;
        let updated =
            services
                .profiles
                .update(&origin, &merchant_id, &profile_id, scope.as_ref(), update);
        let profile = updated.await.map_err(api_error)?;
        Ok(JsonAnswer::new(business_profile::answer(&profile)))
    }

    async fn business_profiles_rotate_webhook_secret(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrMerchant>,
        path: Path<BusinessProfilesRotateWebhookSecretPath>,
        body: TypedBody<Box<types::WebhookSecretRotateRequest>>,
    ) -> ApiResult<types::BusinessProfile> {
        let path = path.into_inner();
        let merchant_id = scope::own_account(&caller, &path.account_id)?;
        let profile_id = profile_id(&path.profile_id)?;
        let scope = scope::narrowed(&caller);
        let types::WebhookSecretRotateRequest {
            previous_valid_for_seconds: seconds,
        } = *body.into_inner();
        let seconds = seconds.unwrap_or(PREVIOUS_SECRET_VALID_FOR_SECONDS);
        let origin = origin::admin_or_merchant(&rqctx, &caller);
        let services = &rqctx.context().services;
        let rotated = services.profiles.rotate_webhook_secret(
            &origin,
            &merchant_id,
            &profile_id,
            scope.as_ref(),
            seconds,
        );
        let profile = rotated.await.map_err(api_error)?;
        Ok(JsonAnswer::new(business_profile::answer(&profile)))
    }

    async fn business_profiles_resume_webhook_delivery(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrMerchant>,
        path: Path<BusinessProfilesResumeWebhookDeliveryPath>,
    ) -> ApiResult<types::BusinessProfile> {
        let path = path.into_inner();
        let merchant_id = scope::own_account(&caller, &path.account_id)?;
        let profile_id = profile_id(&path.profile_id)?;
        let scope = scope::narrowed(&caller);
        let origin = origin::admin_or_merchant(&rqctx, &caller);
        let services = &rqctx.context().services;
        let resumed =
            services
                .profiles
                .resume_delivery(&origin, &merchant_id, &profile_id, scope.as_ref());
        let profile = resumed.await.map_err(api_error)?;
        Ok(JsonAnswer::new(business_profile::answer(&profile)))
    }
}

/// The default for a rotation: a day.
const PREVIOUS_SECRET_VALID_FOR_SECONDS: i64 = 86_400;

fn profile_id(text: &str) -> Result<ProfileId, ApiError> {
    ProfileId::parse(text).map_err(|_| scope::not_found(Object::BusinessProfile))
}
