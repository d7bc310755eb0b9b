//! On whose behalf a request changes something: named in every change-set, with the request's idempotency key.

use std::sync::Arc;

use dropshot::RequestContext;
use multirail_api::{Admin, AdminOrMerchant, Caller, Merchant, MerchantOrClient};
use multirail_app::Origin;
use multirail_app::ports::Actor;

use super::Context;
use super::idempotency::{self, Asker};

/// The operator.
pub(super) fn admin(rqctx: &RequestContext<Context>, caller: &Caller<Admin>) -> Origin {
    of(rqctx, Actor::Admin, caller, &Asker::default())
}

/// A merchant's server.
pub(super) fn merchant(rqctx: &RequestContext<Context>, caller: &Caller<Merchant>) -> Origin {
    let actor = Actor::ApiKey(caller.key_id.clone());
    of(rqctx, actor, caller, &Asker::merchant(caller))
}

/// A merchant's server or a payer's client.
pub(super) fn merchant_or_client(
    rqctx: &RequestContext<Context>,
    caller: &Caller<MerchantOrClient>,
) -> Origin {
    let (actor, asker) = match &**caller {
        MerchantOrClient::Merchant(merchant) => (
            Actor::ApiKey(merchant.key_id.clone()),
            Asker::merchant(merchant),
        ),
        MerchantOrClient::Client(client) => (Actor::Client, Asker::client(client)),
    };
    of(rqctx, actor, caller, &asker)
}

/// The operator or a merchant's server.
pub(super) fn admin_or_merchant(
    rqctx: &RequestContext<Context>,
    caller: &Caller<AdminOrMerchant>,
) -> Origin {
    let (actor, asker) = match &**caller {
        AdminOrMerchant::Admin(_) => (Actor::Admin, Asker::default()),
        AdminOrMerchant::Merchant(merchant) => (
            Actor::ApiKey(merchant.key_id.clone()),
            Asker::merchant(merchant),
        ),
    };
    of(rqctx, actor, caller, &asker)
}

fn of<P>(
    rqctx: &RequestContext<Context>,
    actor: Actor,
    caller: &Caller<P>,
    asker: &Asker<'_>,
) -> Origin {
    let claim = caller
        .idempotent()
        .and_then(|request| idempotency::claim(rqctx.context(), asker, request));
    Origin {
        claim: claim.map(Arc::new),
        ..Origin::new(actor, Some(rqctx.request_id.clone()))
    }
}
