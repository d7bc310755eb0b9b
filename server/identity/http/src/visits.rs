//! The client of a request: its address, its place, and its part in a sign-in.

use std::net::IpAddr;

use dropshot::RequestContext;
use http::header;
use multirail_guard::network;
use multirail_http::Context;
use multirail_identity::app::Visit;
use multirail_identity_domain::{SessionKind, SignInClient};

/// Returns the address of the client.
pub(crate) fn address(rqctx: &RequestContext<Context>) -> IpAddr {
    let request = &rqctx.request;
    let traffic = &rqctx.context().traffic;
    traffic.client(request.remote_addr(), request.headers())
}

/// Returns the request's id and client, for a token that a program holds.
pub(crate) fn visit(rqctx: &RequestContext<Context>) -> Visit {
    let user_agent = rqctx.request.headers().get(header::USER_AGENT);
    let user_agent = user_agent.and_then(|value| value.to_str().ok());
    Visit {
        request_id: rqctx.request_id.clone(),
        client: SignInClient::new(address(rqctx), user_agent),
        kind: SessionKind::Token,
    }
}

/// Returns the place of a request, by which tries are counted.
pub(crate) fn place(rqctx: &RequestContext<Context>) -> String {
    network::client_network(address(rqctx)).to_string()
}
