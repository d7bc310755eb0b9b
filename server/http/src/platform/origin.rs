//! The origin of a request's changes. Every change-set names it, with the request's claim on its idempotency key.

use dropshot::RequestContext;
use multirail_api::{
    ActsBy, Admin, AdminOrMerchant, AdminOrUser, Caller, Client, Merchant, MerchantOrClient,
    MerchantOrCustomer, MerchantOrPayer, MerchantOrSubscriber, User,
};
use multirail_app::Origin;
use multirail_app::platform::idempotency::Claim;
use multirail_app::platform::ports::Actor;

use crate::Context;

/// Returns the origin of a call by the operator.
pub fn admin(rqctx: &RequestContext<Context>, caller: &Caller<Admin>) -> Origin {
    of_caller(rqctx, Actor::Admin, caller)
}

/// Returns the origin of a call by a merchant's server.
pub fn merchant(rqctx: &RequestContext<Context>, caller: &Caller<Merchant>) -> Origin {
    of_caller(rqctx, merchants_actor(caller), caller)
}

/// Returns the origin of a call by a merchant's server or a payer's client.
pub(crate) fn merchant_or_client(
    rqctx: &RequestContext<Context>,
    caller: &Caller<MerchantOrClient>,
) -> Origin {
    let actor = match &**caller {
        MerchantOrClient::Merchant(merchant) => merchants_actor(merchant),
        MerchantOrClient::Client(_) => Actor::Client,
    };
    of_caller(rqctx, actor, caller)
}

/// Returns the origin of a call by a merchant's server or a payer's client for a subscription.
pub fn merchant_or_subscriber(
    rqctx: &RequestContext<Context>,
    caller: &Caller<MerchantOrSubscriber>,
) -> Origin {
    let actor = match &**caller {
        MerchantOrSubscriber::Merchant(merchant) => merchants_actor(merchant),
        MerchantOrSubscriber::Subscriber(_) => Actor::Client,
    };
    of_caller(rqctx, actor, caller)
}

/// Returns the origin of a call by a payer's client.
pub(crate) fn client(rqctx: &RequestContext<Context>, caller: &Caller<Client>) -> Origin {
    of_caller(rqctx, Actor::Client, caller)
}

/// Returns the origin of a call by a merchant's server or one customer's app.
pub(crate) fn merchant_or_customer(
    rqctx: &RequestContext<Context>,
    caller: &Caller<MerchantOrCustomer>,
) -> Origin {
    let actor = match &**caller {
        MerchantOrCustomer::Merchant(merchant) => merchants_actor(merchant),
        MerchantOrCustomer::Customer(_) => Actor::Client,
    };
    of_caller(rqctx, actor, caller)
}

/// Returns the origin of a call by a merchant's server, a payer's client or one customer's app.
pub(crate) fn merchant_or_payer(
    rqctx: &RequestContext<Context>,
    caller: &Caller<MerchantOrPayer>,
) -> Origin {
    let actor = match &**caller {
        MerchantOrPayer::Merchant(merchant) => merchants_actor(merchant),
        MerchantOrPayer::Client(_) | MerchantOrPayer::Customer(_) => Actor::Client,
    };
    of_caller(rqctx, actor, caller)
}

/// Returns the origin of a call by the operator or a merchant's server.
pub(crate) fn admin_or_merchant(
    rqctx: &RequestContext<Context>,
    caller: &Caller<AdminOrMerchant>,
) -> Origin {
    let actor = match &**caller {
        AdminOrMerchant::Admin(_) => Actor::Admin,
        AdminOrMerchant::Merchant(merchant) => merchants_actor(merchant),
    };
    of_caller(rqctx, actor, caller)
}

/// Returns the origin of a call by the operator or a signed-in user.
pub(crate) fn admin_or_user(
    rqctx: &RequestContext<Context>,
    caller: &Caller<AdminOrUser>,
) -> Origin {
    let actor = match &**caller {
        AdminOrUser::Admin(_) => Actor::Admin,
        AdminOrUser::User(user) => Actor::User(user.user_id.clone()),
    };
    of_caller(rqctx, actor, caller)
}

/// Returns the origin of a call by a signed-in user.
pub fn user(rqctx: &RequestContext<Context>, caller: &Caller<User>) -> Origin {
    of_caller(rqctx, Actor::User(caller.user_id.clone()), caller)
}

/// Returns the actor who acts for a merchant.
pub(crate) fn merchants_actor(merchant: &Merchant) -> Actor {
    match &merchant.by {
        ActsBy::Key(key_id) => Actor::ApiKey(key_id.clone()),
        ActsBy::User(user_id) => Actor::User(user_id.clone()),
        ActsBy::Platform {
            merchant_id,
            key_id,
        } => Actor::Platform {
            merchant_id: merchant_id.clone(),
            key_id: key_id.clone(),
        },
    }
}

fn of_caller<P>(rqctx: &RequestContext<Context>, actor: Actor, caller: &Caller<P>) -> Origin {
    Origin::of_request(actor, rqctx.request_id.clone(), caller.claim::<Claim>())
}
