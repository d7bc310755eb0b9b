//! Authentication: the key, token or text that a request sends, and the operations that it opens.

use dropshot::RequestContext;
use http::{HeaderMap, HeaderValue, header};
use multirail_api::{
    ActsBy, Admin, ApiError, Authenticated, Customer, Merchant, OPERATIONS, Op, OpInfo, Principal,
    Scheme, Session, User, is_console_call, path_parameter,
};
use multirail_app::customers::saved_methods::is_ephemeral;
use multirail_domain::accounts::api_key::{KeyRestriction, is_publishable};
use multirail_domain::payments::session::SdkAuthorization;
use multirail_kernel::ids::{MerchantId, ProfileId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::secret::SecretText;

use super::Context;
use super::hooks::HttpHooks;
use crate::accounts::acting;
use crate::accounts::acting::CONNECTED_HEADER;
use crate::accounts::operation_groups::opens;
use crate::platform::console;
use crate::platform::errors::{api_error, refused};
use crate::platform::scope;
use crate::platform::token_reader::Use;

const KEY_HEADER: &str = "api-key";
pub(super) const PROFILE_HEADER: &str = "x-profile-id";

impl HttpHooks {
    /// Authenticates the caller.
    pub(super) async fn caller(
        &self,
        rqctx: &RequestContext<Context>,
        operation: &'static OpInfo,
    ) -> Result<Authenticated, ApiError> {
        let headers = rqctx.request.headers();
        if is_console_call(rqctx.request.uri().path()) {
            return self.by_cookie(rqctx, operation).await;
        }
        let takes = |scheme: Scheme| operation.security.contains(&scheme);
        let Some(key) = headers.get(KEY_HEADER) else {
            if takes(Scheme::SdkAuthorization) {
                return self.by_authorization(rqctx).await;
            }
            return self.by_token(headers, operation).await;
        };
        if operation.security == [Scheme::Bearer] {
            return Err(ApiError::wrong_token());
        }
        let key = key.to_str().map(SecretText::new);
        let key = key.map_err(|_| ApiError::unauthorized())?;
        if takes(Scheme::AdminApiKey) && self.0.admin_keys.include(key.expose()) {
            let admin = self.operator(rqctx, operation).await?;
            return Ok(Authenticated::Principal(Principal::Admin(admin)));
        }
        if is_publishable(key.expose()) {
            if !operation.is_for_clients() {
                return Err(ApiError::unauthorized());
            }
            return Ok(Authenticated::Publishable {
                merchant_id: self.published(rqctx, key.expose()).await?,
                session: None,
            });
        }
        if is_ephemeral(key.expose()) {
            let is_taken = takes(Scheme::EphemeralKey);
            return self.customer(&key, headers, is_taken).await;
        }
        if !takes(Scheme::ApiKey) {
            return Err(ApiError::unauthorized());
        }
        let merchant = self.merchant(&key, headers, operation).await?;
        Ok(Authenticated::Principal(Principal::Merchant(merchant)))
    }

    /// Returns the operator. Where the operation also takes a secret key, the operator's call may be narrowed to a
    /// profile of the path's merchant account.
    async fn operator(
        &self,
        rqctx: &RequestContext<Context>,
        operation: &OpInfo,
    ) -> Result<Admin, ApiError> {
        let named = rqctx.request.headers().get(PROFILE_HEADER);
        let Some(named) = named.filter(|_| operation.security.contains(&Scheme::ApiKey)) else {
            return Ok(Admin::default());
        };
        let account_id = path_parameter(rqctx, operation, "account_id");
        let merchant_id = scope::any_account(&account_id.unwrap_or_default())?;
        let profile_id = self.profile(&merchant_id, named).await?;
        Ok(Admin {
            profile_id: Some(profile_id),
            ..Admin::default()
        })
    }

    /// Returns the merchant of a publishable key.
    async fn published(
        &self,
        rqctx: &RequestContext<Context>,
        key: &str,
    ) -> Result<String, ApiError> {
        let found = self.0.services.store.merchant_by_publishable_key(key);
        let merchant = found.await.map_err(|failure| api_error(failure.into()))?;
        let merchant = merchant.ok_or_else(ApiError::unauthorized)?;
        let traffic = &self.0.traffic;
        let client = traffic.client(rqctx.request.remote_addr(), rqctx.request.headers());
        traffic.admit_client(key, client)?;
        Ok(merchant.merchant_id.to_string())
    }

    /// Reads a publishable key and a client secret from one text.
    async fn by_authorization(
        &self,
        rqctx: &RequestContext<Context>,
    ) -> Result<Authenticated, ApiError> {
        let given = rqctx.request.headers().get(header::AUTHORIZATION);
        let given = given
            .and_then(|value| value.to_str().ok())
            .and_then(SdkAuthorization::decode)
            .ok_or_else(ApiError::unauthorized)?;
        Ok(Authenticated::Publishable {
            merchant_id: self.published(rqctx, &given.publishable_key).await?,
            session: Some(Session {
                client_secret: given.client_secret.expose().to_owned(),
                profile_id: given.profile_id.to_string(),
                customer_id: given.customer_id.map(|own| own.to_string()),
            }),
        })
    }

    /// Returns the signed-in user, where their role may call the operation.
    async fn by_token(
        &self,
        headers: &HeaderMap,
        operation: &'static OpInfo,
    ) -> Result<Authenticated, ApiError> {
        let given = headers.get(header::AUTHORIZATION).and_then(bearer);
        let token = match given {
            Some(token) if operation.accepts(Scheme::Bearer) => token,
            // The error mentions the token only where the operation takes nothing else.
            _ if operation.security == [Scheme::Bearer] => return Err(ApiError::wrong_token()),
            _ => return Err(ApiError::unauthorized()),
        };
        let found = self.0.tokens.read(token, use_of(operation)).await;
        let found = found.map_err(api_error)?;
        let user = found.ok_or_else(ApiError::wrong_token)?;
        self.user(user, headers, operation).await
    }

    /// Returns the user or the operator who works in the console. There only the cookie counts.
    async fn by_cookie(
        &self,
        rqctx: &RequestContext<Context>,
        operation: &'static OpInfo,
    ) -> Result<Authenticated, ApiError> {
        let headers = rqctx.request.headers();
        let is_with_key =
            headers.contains_key(KEY_HEADER) || headers.contains_key(header::AUTHORIZATION);
        if is_with_key {
            return Err(ApiError::unauthorized());
        }
        let token = self.0.console.token(headers);
        if let Some(token) = token.filter(|token| self.0.tokens.is_operators(token)) {
            let admin = self.operator_by_cookie(rqctx, operation, token).await?;
            return Ok(Authenticated::Principal(Principal::Admin(admin)));
        }
        if !operation.accepts(Scheme::Bearer) {
            return Err(ApiError::unauthorized());
        }
        let token = token.ok_or_else(console::nobody_signed_in)?;
        let found = self.0.tokens.read_cookie(token, use_of(operation)).await;
        let found = found.map_err(api_error)?;
        let user = found.ok_or_else(console::nobody_signed_in)?;
        // Its answer is a token, which no script of the console may read.
        if operation.op == Op::UsersSwitchMerchant {
            let message = "The console switches with `console_sessions_switch_merchant`.";
            return Err(ApiError::not_allowed(message));
        }
        self.user(user, headers, operation).await
    }

    /// Returns the operator who works in the console. Their session only reads, and changes need the admin key itself.
    /// So a foreign script in the page could move no money and close no account.
    async fn operator_by_cookie(
        &self,
        rqctx: &RequestContext<Context>,
        operation: &'static OpInfo,
        token: &str,
    ) -> Result<Admin, ApiError> {
        let found = self.0.tokens.read_operators(token, &self.0.admin_keys);
        if !found.await.map_err(api_error)? {
            return Err(console::nobody_signed_in());
        }
        if !operation.accepts(Scheme::AdminApiKey) {
            let message =
                "The operator is signed in at the console. Only users may make this call.";
            return Err(ApiError::not_allowed(message));
        }
        let reader = Admin {
            only_reads: true,
            ..Admin::default()
        };
        if !Principal::Admin(reader).may_call(operation) {
            let message = "The operator's session at the console only reads. Make this call with the admin key.";
            return Err(ApiError::not_allowed(message));
        }
        Ok(Admin {
            only_reads: true,
            ..self.operator(rqctx, operation).await?
        })
    }

    /// Returns a user with a valid token, where their role may call the operation.
    async fn user(
        &self,
        mut user: User,
        headers: &HeaderMap,
        operation: &'static OpInfo,
    ) -> Result<Authenticated, ApiError> {
        self.0.traffic.admit_key(&user.user_id)?;
        let merchant_id = MerchantId::parse(&user.merchant_id);
        let merchant_id =
            merchant_id.map_err(|_| ApiError::internal("a sign-in names what is no id"))?;
        user.narrowed_to = self.narrowed_to(&merchant_id, headers).await?;
        if !operation.roles.contains(&user.role) {
            let message = "Your role in this merchant account doesn't allow this call.";
            return Err(ApiError::not_allowed(message));
        }
        if user.lacks_second_factor && !sets_up_second_factor(operation) {
            let message = "This merchant account requires a second factor. Set it up with `two_factor_begin`.";
            return Err(ApiError::not_allowed(message));
        }
        Ok(Authenticated::Principal(Principal::User(Box::new(user))))
    }

    async fn customer(
        &self,
        key: &SecretText,
        headers: &HeaderMap,
        is_taken: bool,
    ) -> Result<Authenticated, ApiError> {
        let found = self
            .0
            .services
            .ephemeral_keys
            .find(key)
            .filter(|_| is_taken);
        let found = found.ok_or_else(ApiError::unauthorized)?;
        // The merchant may have closed the account since.
        let merchant = self.0.services.store.merchant(&found.merchant_id).await;
        let merchant = merchant.map_err(|failure| api_error(failure.into()))?;
        merchant.ok_or_else(ApiError::unauthorized)?;
        // All keys of a customer share one rate limit.
        let counted = format!("{}.{}", found.merchant_id, found.customer_id);
        self.0.traffic.admit_key(&counted)?;
        Ok(Authenticated::Principal(Principal::Customer(Customer {
            merchant_id: found.merchant_id.to_string(),
            customer_id: found.customer_id.to_string(),
            profile_id: self.narrowed_to(&found.merchant_id, headers).await?,
        })))
    }

    async fn merchant(
        &self,
        key: &SecretText,
        headers: &HeaderMap,
        operation: &OpInfo,
    ) -> Result<Merchant, ApiError> {
        let services = &self.0.services;
        let hash = services.base.seal.hash_api_key(key);
        let found = services.store.api_key_by_hash(&hash).await;
        let stored = found
            .map_err(|failure| api_error(failure.into()))?
            .filter(|stored| !stored.is_expired(services.base.now()))
            .ok_or_else(ApiError::unauthorized)?;
        self.0.traffic.admit_key(stored.key_id.as_str())?;
        if let Some(restriction) = &stored.restriction
            && !opens(restriction, operation)
        {
            let message = "This key is restricted, and doesn't open this call.";
            return Err(ApiError::not_allowed(message));
        }
        let key_id = stored.key_id.to_string();
        let (merchant_id, by) = match headers.get(CONNECTED_HEADER) {
            Some(named) => {
                let own = &stored.merchant_id;
                let other =
                    acting::merchant_of_call(&services.merchants, operation, own, named).await?;
                let merchant_id = own.to_string();
                (
                    other,
                    ActsBy::Platform {
                        merchant_id,
                        key_id,
                    },
                )
            }
            None => (stored.merchant_id.clone(), ActsBy::Key(key_id)),
        };
        let profile_id = self.narrowed_to(&merchant_id, headers).await?;
        let closed = stored.restriction.as_ref().map(closed).unwrap_or_default();
        Ok(Merchant {
            merchant_id: merchant_id.to_string(),
            profile_id,
            by,
            closed,
        })
    }

    /// Returns the profile that a call is narrowed to, if it names one.
    async fn narrowed_to(
        &self,
        merchant_id: &MerchantId,
        headers: &HeaderMap,
    ) -> Result<Option<String>, ApiError> {
        match headers.get(PROFILE_HEADER) {
            Some(named) => self.profile(merchant_id, named).await.map(Some),
            None => Ok(None),
        }
    }

    /// Returns the profile with this id, which has to belong to the merchant.
    pub(super) async fn profile(
        &self,
        merchant_id: &MerchantId,
        named: &HeaderValue,
    ) -> Result<String, ApiError> {
        let unknown = || refused(Refusal::not_found(Object::BusinessProfile));
        let named = named.to_str().map_err(|_| unknown())?;
        let profile_id = ProfileId::parse(named).map_err(|_| unknown())?;
        let found = self
            .0
            .services
            .store
            .profile(merchant_id, &profile_id)
            .await;
        let profile = found
            .map_err(|failure| api_error(failure.into()))?
            .ok_or_else(unknown)?;
        Ok(profile.profile_id.to_string())
    }
}

/// Returns the token of `Bearer <token>`. The scheme's name may have any case.
fn bearer(value: &HeaderValue) -> Option<&str> {
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then_some(token.trim())
}

/// Returns whether a call is a use of its session. The console follows changes by itself, as long as a tab is open.
fn use_of(operation: &OpInfo) -> Use {
    if operation.op == Op::EventsFollow {
        Use::CountsNot
    } else {
        Use::Counts
    }
}

/// Returns whether a user calls the operation to set up a second factor, to go elsewhere or to sign out.
fn sets_up_second_factor(operation: &OpInfo) -> bool {
    matches!(
        operation.op,
        Op::TwoFactorBegin
            | Op::TwoFactorConfirm
            | Op::UsersRetrieve
            | Op::UsersListMerchants
            | Op::UsersSwitchMerchant
            | Op::ConsoleSessionsSwitchMerchant
            | Op::UsersSignOut
    )
}

/// Returns the operations that a restricted key doesn't open.
fn closed(restriction: &KeyRestriction) -> Vec<Op> {
    let for_keys = OPERATIONS.iter().filter(|one| one.accepts(Scheme::ApiKey));
    let closed = for_keys.filter(|operation| !opens(restriction, operation));
    closed.map(|operation| operation.op).collect()
}
