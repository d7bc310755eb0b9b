//! A merchant's life, from opening the account to closing it, told to any running sandbox. Every operation of the
//! document has a part in it, and a test says so: a new operation belongs into one of the chapters.

mod accounts;
mod billing;
mod customers;
mod disputes;
mod events;
mod mandates;
mod notices;
mod oidc;
mod payers;
mod payments;
mod platforms;
mod refunds;
mod routing;
mod run;
mod saved_methods;
mod subscriptions;
mod two_factor;
mod users;

use crate::identity_provider::IdentityProvider;
use crate::report::Report;
use crate::wire::Wire;
use run::Run;

/// Tells the whole story to the server at the end of the wire. It leaves behind a closed merchant account.
pub async fn run(wire: &Wire, admin_key: &str) -> Report {
    run_with(wire, admin_key, None).await
}

/// The same, where the server knows this identity provider.
pub async fn run_with(wire: &Wire, admin_key: &str, provider: Option<&IdentityProvider>) -> Report {
    let mut run = Run::new(wire.clone(), admin_key);
    accounts::health(&mut run).await;
    // Without an account nothing else can be tried; what was not tried shows in the report.
    if let Ok(merchant) = accounts::open(&mut run).await {
        // A chapter that breaks off ends where its calls depend on each other; the next one still gets its turn.
        let _ = payments::automatic(&mut run, &merchant).await;
        let _ = payments::manual(&mut run, &merchant).await;
        let _ = payments::several_captures(&mut run, &merchant).await;
        let _ = payments::raised(&mut run, &merchant).await;
        let _ = payments::held(&mut run, &merchant).await;
        let _ = payments::cancelled(&mut run, &merchant).await;
        let _ = payments::declined(&mut run, &merchant).await;
        let _ = payers::three_d_secure(&mut run, &merchant).await;
        let _ = payers::with_device_data(&mut run, &merchant).await;
        let _ = payers::by_link(&mut run, &merchant).await;
        let _ = payers::from_the_payers_side(&mut run, &merchant).await;
        let _ = payments::not_known_yet(&mut run, &merchant).await;
        let _ = refunds::in_parts(&mut run, &merchant).await;
        let _ = refunds::not_known_yet(&mut run, &merchant).await;
        let _ = refunds::declined(&mut run, &merchant).await;
        let _ = customers::known_and_forgotten(&mut run, &merchant).await;
        let _ = saved_methods::saved_and_paid_with(&mut run, &merchant).await;
        let _ = mandates::permitted_and_taken_back(&mut run, &merchant).await;
        let _ = routing::configured(&mut run, &merchant).await;
        let _ = billing::offered(&mut run, &merchant).await;
        let _ = subscriptions::billed(&mut run, &merchant).await;
        let _ = notices::told(&mut run, &merchant).await;
        let _ = disputes::challenged(&mut run, &merchant).await;
        let _ = disputes::accepted(&mut run, &merchant).await;
        let _ = payments::lists(&mut run, &merchant).await;
        let _ = events::told(&mut run, &merchant).await;
        let _ = events::signed(&mut run, &merchant).await;
        let _ = users::signed_in(&mut run, &merchant).await;
        let _ = two_factor::asked_for(&mut run).await;
        let _ = oidc::let_in(&mut run, &merchant, provider).await;
        let _ = accounts::settings(&mut run, &merchant).await;
        let _ = accounts::close(&mut run, &merchant).await;
    }
    run.report
}
