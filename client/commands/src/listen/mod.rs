//! `multirail listen`: a receiver that registers itself in a sandbox.

mod listener_url;
pub(crate) mod options;
mod registration;

use std::io::Write;
use std::net::SocketAddr;

use multirail_client::types::{BusinessProfile, EventType, WebhookDetailsRequest};
use multirail_client::{Client, Error};
use multirail_webhooks::{UnusableSecret, Verifier};
use url::Url;

use crate::access::Access;
use crate::address::is_loopback;
use crate::failure::Failure;
use crate::receiver::{Forwarder, Manners, StopSignals, bind, read_secrets, serve_until_stopped};
use crate::shop::merchant_id;
use crate::terminal::one_line;
use listener_url::{is_listener, listener_url, merchants_settings};
use options::ListenOptions;
pub(crate) use registration::Registration;

/// Runs `multirail listen`.
pub(crate) async fn run(options: ListenOptions, out: &mut dyn Write) -> Result<(), Failure> {
    let access = Access::find(&options.access)?;
    access.check_sandbox("listen")?;
    check_reach(&access.server)?;
    let forwarder = options.forward_to.as_deref().map(Forwarder::new);
    let forwarder = forwarder
        .transpose()
        .map_err(|why| Failure::Usage(format!("--forward-to: {why}")))?;
    let client = access.client(None)?;
    let merchant_id = merchant_id(&client).await?;
    let profile = choose_profile(&client, &merchant_id, options.profile_id.as_deref()).await?;
    let manners = Manners {
        by_secret: Some(by_secrets(&profile)?),
        by_hash_key: Some(by_hash_key(&profile)?),
        requires_signature: true,
        shows_body: options.show_body,
        events: options
            .events
            .iter()
            .map(|word| EventType::from(word.as_str()))
            .collect(),
        forwarder,
        ..Manners::default()
    };
    let socket = bind(options.port).await?;
    let settings = merchants_settings(&profile);
    let url = listener_url(socket.local_addr()?, &settings);
    tell(&profile, &settings, &url, &manners, out)?;
    // A signal in the middle of the registration must not leave it behind.
    let stop = StopSignals::catch()?;
    let registration = Registration::make(&client, profile, settings, url).await?;
    serve_until_stopped(socket, manners, stop).await;
    writeln!(out, "{}", one_line(&registration.undo(&client).await?))?;
    Ok(())
}

/// Makes this socket's address the webhook address of a profile.
pub(crate) async fn register(
    client: &Client,
    profile: BusinessProfile,
    socket: SocketAddr,
) -> Result<Registration, Failure> {
    let settings = merchants_settings(&profile);
    let url = listener_url(socket, &settings);
    Registration::make(client, profile, settings, url).await
}

/// Returns whether a server can deliver to this machine. One on another machine can't reach the loopback address.
pub(crate) fn can_deliver_here(server: &str) -> bool {
    Url::parse(server).is_ok_and(|url| is_loopback(&url))
}

/// Refuses a server on another machine.
fn check_reach(server: &str) -> Result<(), Failure> {
    if can_deliver_here(server) {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "a sandbox at {server} can't deliver to this machine: start one here, with `multirail`"
    )))
}

/// Returns the profile with this id, or the only one of the merchant.
pub(crate) async fn choose_profile(
    client: &Client,
    merchant_id: &str,
    wanted: Option<&str>,
) -> Result<BusinessProfile, Failure> {
    let listed = client.business_profiles_list().account_id(merchant_id);
    let listed = listed.send().await.map_err(Error::from);
    let listed = listed.map_err(|error| Failure::call("the list of business profiles", error))?;
    let mut profiles = listed.into_inner();
    let ids: Vec<_> = profiles.iter().map(|one| one.profile_id.clone()).collect();
    if let Some(wanted) = wanted {
        profiles.retain(|one| one.profile_id == wanted);
    }
    match (profiles.pop(), profiles.is_empty()) {
        (Some(profile), true) => Ok(profile),
        (Some(_) | None, _) => Err(Failure::Usage(format!(
            "choose a business profile with --profile-id: {}",
            ids.join(", ")
        ))),
    }
}

/// Returns the check of `webhook-signature`.
fn by_secrets(profile: &BusinessProfile) -> Result<Verifier, Failure> {
    let secrets = profile.webhook_secrets.iter();
    let verifier = read_secrets(secrets.map(|one| one.secret.as_str())).map_err(unusable)?;
    verifier
        .ok_or_else(|| Failure::Unexpected(format!("{} has no webhook secret", profile.profile_id)))
}

/// Returns the check of `x-webhook-signature-512`.
fn by_hash_key(profile: &BusinessProfile) -> Result<Verifier, Failure> {
    Verifier::with_hash_key(profile.payment_response_hash_key.as_str()).map_err(unusable)
}

fn unusable(error: UnusableSecret) -> Failure {
    Failure::Unexpected(format!("the profile's webhook settings: {error}"))
}

fn tell(
    profile: &BusinessProfile,
    settings: &WebhookDetailsRequest,
    url: &str,
    manners: &Manners,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let profile_id = one_line(&profile.profile_id);
    let shown = |url: &str| one_line(url.split('?').next().unwrap_or_default());
    let own = shown(url);
    writeln!(
        out,
        "multirail receives the webhooks of {profile_id} on {own}"
    )?;
    let former = profile.webhook_details.as_ref();
    let former = former.and_then(|details| details.webhook_url.as_deref());
    if let Some(other) = former.filter(|url| is_listener(url)) {
        let other = shown(other);
        writeln!(
            out,
            "another `multirail listen` on {other} was killed, or receives nothing from now on"
        )?;
    }
    if let Some(usual) = &settings.webhook_url {
        let usual = one_line(usual);
        writeln!(out, "until Ctrl-C, {usual} receives nothing")?;
    }
    if let Some(forwarder) = &manners.forwarder {
        writeln!(out, "forwards to {}", forwarder.to())?;
    }
    writeln!(out)?;
    Ok(out.flush()?)
}
