//! A merchant's life on any running sandbox, from opening the account to closing it. Every operation of the document
//! has a part in it, as a test checks; a new operation belongs into one of the chapters.

mod accounts;
mod billing;
mod customers;
mod disputes;
mod events;
mod everything;
mod lapsed;
mod mandates;
mod notices;
mod oidc;
mod orders;
mod pages;
mod payers;
mod payments;
mod platforms;
mod reads;
mod refunds;
mod refused;
mod request_log;
mod routing;
mod saved_methods;
mod saved_views;
mod secrets;
mod subscriptions;
mod team;
mod two_factor;
mod user_payments;
mod user_subscriptions;
mod users;

use crate::run::Need::{Clock, Operator, OwnAccount, PublishableKey, SignUp, Simulator};

use crate::run::{Merchant, Run, Stop};

/// Checks the server's health, and opens a merchant account with a processor. `None` if that failed or was left out;
/// the report says why.
pub(crate) async fn open(run: &mut Run) -> Option<Merchant> {
    accounts::health(run).await;
    match run.can_tell("an account is opened", &[Operator]) {
        true => {
            let opened = accounts::open(run).await;
            opened.inspect_err(|_: &Stop| run.broke_off()).ok()
        }
        false => None,
    }
}

/// Plays the merchant's whole life except for its end.
pub(crate) async fn tell(run: &mut Run, merchant: &Merchant) {
    // A chapter whose calls depend on each other breaks off at a failure. The next chapter still runs.
    macro_rules! chapter {
        ($name:literal, $needs:expr, $told:expr) => {
            if run.can_tell($name, &$needs) {
                let told: Result<(), Stop> = $told.await;
                if told.is_err() {
                    run.broke_off();
                }
            }
        };
    }
    chapter!("orders", [], orders::never_paid(run, merchant));
    chapter!("pages", [], pages::turned(run, merchant));
    let simulated = [Simulator];
    chapter!(
        "paid at once",
        simulated,
        payments::automatic(run, merchant)
    );
    chapter!(
        "captured by hand",
        simulated,
        payments::manual(run, merchant)
    );
    chapter!(
        "captured in parts",
        simulated,
        payments::several_captures(run, merchant)
    );
    chapter!("raised", simulated, payments::raised(run, merchant));
    chapter!("held", simulated, payments::held(run, merchant));
    chapter!("cancelled", simulated, payments::cancelled(run, merchant));
    chapter!("declined", simulated, payments::declined(run, merchant));
    chapter!(
        "3-D Secure",
        simulated,
        payers::three_d_secure(run, merchant)
    );
    chapter!(
        "device data",
        simulated,
        payers::with_device_data(run, merchant)
    );
    let by_payers = [Simulator, PublishableKey];
    chapter!("a payment link", by_payers, payers::by_link(run, merchant));
    chapter!(
        "the payer's side",
        by_payers,
        payers::from_the_payers_side(run, merchant)
    );
    chapter!(
        "pending",
        [Simulator, Operator],
        payments::not_known_yet(run, merchant)
    );
    chapter!(
        "refunds",
        [Simulator, Operator],
        refunds::in_parts(run, merchant)
    );
    chapter!(
        "pending refunds",
        simulated,
        refunds::not_known_yet(run, merchant)
    );
    chapter!(
        "declined refunds",
        simulated,
        refunds::declined(run, merchant)
    );
    chapter!(
        "the excess of a transfer",
        simulated,
        refunds::of_excess(run, merchant)
    );
    chapter!(
        "customers",
        [],
        customers::known_and_forgotten(run, merchant)
    );
    chapter!(
        "saved methods",
        by_payers,
        saved_methods::saved_and_paid_with(run, merchant)
    );
    chapter!(
        "secrets of payers",
        [PublishableKey],
        secrets::separated(run, merchant)
    );
    chapter!(
        "mandates",
        simulated,
        mandates::permitted_and_taken_back(run, merchant)
    );
    chapter!("routing", [OwnAccount], routing::configured(run, merchant));
    chapter!("a catalogue", [OwnAccount], billing::offered(run, merchant));
    chapter!(
        "subscriptions",
        [Simulator, OwnAccount],
        subscriptions::billed(run, merchant)
    );
    chapter!(
        "notices",
        [Simulator, OwnAccount, Operator],
        notices::received(run, merchant)
    );
    let told_of = [Simulator, OwnAccount];
    chapter!(
        "a dispute that is challenged",
        told_of,
        disputes::challenged(run, merchant)
    );
    chapter!(
        "a dispute that is accepted",
        told_of,
        disputes::accepted(run, merchant)
    );
    chapter!(
        "a processor that knows nobody",
        told_of,
        disputes::refused(run, merchant)
    );
    chapter!("lists", told_of, payments::lists(run, merchant));
    chapter!(
        "events",
        [Simulator, Operator],
        events::announced(run, merchant)
    );
    chapter!("webhooks", [OwnAccount], events::signed(run, merchant));
    chapter!(
        "webhook endpoints",
        [OwnAccount],
        events::delivered_elsewhere(run, merchant)
    );
    chapter!("users", [SignUp, Operator], users::signed_in(run, merchant));
    chapter!("a team", [SignUp, Operator], team::managed(run, merchant));
    chapter!(
        "payments of a team",
        [Simulator, Operator],
        user_payments::looked_after(run, merchant)
    );
    chapter!(
        "subscriptions of a team",
        [Simulator, OwnAccount, Operator],
        user_subscriptions::looked_after(run, merchant)
    );
    chapter!("a second factor", [SignUp], two_factor::asked_for(run));
    chapter!(
        "an identity provider",
        [SignUp, Operator],
        oidc::let_in(run, merchant)
    );
    chapter!(
        "what people get wrong",
        [SignUp, Operator],
        refused::people(run, merchant)
    );
    chapter!(
        "what guessers get wrong",
        [SignUp],
        refused::second_factor(run)
    );
    chapter!(
        "mappings that there are not",
        [Operator],
        refused::mappings(run)
    );
    chapter!("what can be read", [], reads::as_it_is(run, merchant));
    chapter!(
        "settings",
        [OwnAccount, Operator],
        accounts::settings(run, merchant)
    );
    chapter!("the request log", [], request_log::read(run, merchant));
    let checked = [Simulator, OwnAccount, Operator];
    chapter!("everything", checked, everything::said(run, merchant));
    chapter!(
        "the account at the processor",
        checked,
        accounts::processor(run, merchant)
    );
    chapter!(
        "the sandbox's clock",
        [Simulator, Operator],
        accounts::clock(run)
    );
    chapter!(
        "the service's keys",
        [Operator],
        accounts::service_keys(run)
    );
}

/// Opens a second merchant account, whose key must not reach the first one's objects.
pub(crate) async fn open_another(run: &mut Run) -> Option<String> {
    accounts::another(run).await.ok()
}

/// Invites a user into the merchant's organization, who chooses a password and signs in; returns the token.
pub(crate) async fn invite(run: &mut Run, merchant: &Merchant) -> Option<String> {
    users::invited(run, merchant).await.ok()
}

/// Lets secrets expire. The run's secrets of payers are invalid after this.
pub(crate) async fn wait(run: &mut Run, merchant: &Merchant) {
    if run.can_tell("guessing", &[SignUp]) {
        refused::guessing(run).await;
    }
    if run.can_tell("secrets that lapse", &[Operator, PublishableKey, Clock]) {
        let _ = lapsed::secrets(run, merchant).await;
    }
}

/// Closes the opened accounts.
pub(crate) async fn close(run: &mut Run, merchant: &Merchant) {
    let _ = accounts::close(run, merchant).await;
}
