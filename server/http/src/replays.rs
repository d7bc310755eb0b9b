//! The answers to repeats, for each operation with an idempotency key. The compiler finds a missing operation, and an
//! answer of another type than the document's.

use std::any::Any;

use multirail_api::keyed::{
    KeyedBusinessProfiles, KeyedConnectorAccounts, KeyedCustomers, KeyedDisputes,
    KeyedDynamicRouting, KeyedMandates, KeyedPayments, KeyedRefunds, KeyedRouting,
    KeyedSavedMethods, KeyedUserPayments, KeyedWebhookEndpoints,
};
use multirail_api::{Answers, Keyed, Principal};
use multirail_app::accounts::profile_view::ProfileView;
use multirail_app::customers::saved_methods::ShownMethod;
use multirail_app::payments::PaymentView;
use multirail_app::payments::answer::render;
use multirail_app::payments::disputes::DisputeView;
use multirail_app::payments::ports::PAYMENT;
use multirail_app::payments::ports::disputes::DISPUTE;
use multirail_app::payments::ports::refunds::REFUND;
use multirail_app::platform::idempotency::{Commits, Render};
use multirail_app::platform::ports::ObjectClass;
use multirail_app::routing::{DefaultRouting, RoutingSplit};
use multirail_app::webhooks::events::endpoints::EndpointView;
use multirail_app::webhooks::events::replay::Replayed;
use multirail_domain::accounts::connector_account::ConnectorAccount;
use multirail_domain::customers::customer::Customer;
use multirail_domain::customers::mandate::MandateView;
use multirail_domain::customers::saved_method::SavedMethod;
use multirail_domain::payments::refund::Refund;
use multirail_domain::routing::RoutingRecord;
use multirail_kernel::secret::SecretText;
use serde::Serialize;

use crate::accounts::convert::{business_profile, connector_account};
use crate::customers::convert::saved_method::AskedBy;
use crate::customers::convert::{customer, mandate, saved_method};
use crate::payments::convert::payment_answer::Shown;
use crate::payments::convert::{dispute, payment_answer, refund, user_payment};
use crate::platform::satellite_replays::SatelliteReplays;
use crate::routing::convert as routing;
use crate::routing::convert::dynamic_routing;
use crate::webhooks::convert::{endpoint, event};

/// Returns the writer of an operation's answer from its one kind of object.
fn answer<T: Any, W: Serialize + 'static>(
    answers: Answers<W>,
    answer: impl Fn(&T) -> W + Send + Sync + 'static,
) -> Render {
    Render::object(move |made: &T| write(answers, &answer(made)))
}

/// Returns the writer of an operation's answer from a payment.
fn answer_payment<W: Serialize + 'static>(
    answers: Answers<W>,
    answer: impl Fn(&PaymentView<'_>) -> W + Send + Sync + 'static,
) -> Render {
    render(move |view| write(answers, &answer(view)))
}

/// Returns the number of the operation's commits, and the writer of its answer to this caller.
pub(super) fn replay(
    operation: Keyed,
    principal: &Principal,
    satellites: &SatelliteReplays,
    public_url: Option<&str>,
) -> (Commits, Render) {
    let shown = shown(principal);
    match operation {
        Keyed::Payments(operation) => payments(operation, shown),
        Keyed::UserPayments(operation) => user_payments(operation, shown),
        Keyed::Refunds(operation) => refunds(operation),
        Keyed::Subscriptions(operation) => (satellites.subscriptions)(operation),
        Keyed::UserSubscriptions(operation) => (satellites.user_subscriptions)(operation),
        Keyed::Customers(operation) => (Commits::One, customers(operation)),
        Keyed::SavedMethods(operation) => (Commits::One, saved_methods(operation, shown)),
        Keyed::Mandates(operation) => (Commits::One, mandates(operation)),
        Keyed::Disputes(operation) => (several(DISPUTE, true), disputes(operation)),
        Keyed::Routing(operation) => (Commits::One, routing(operation)),
        Keyed::Billing(operation) => (satellites.billing)(operation),
        Keyed::ConnectorAccounts(operation) => {
            (Commits::One, connector_accounts(operation, public_url))
        }
        Keyed::BusinessProfiles(operation) => (Commits::One, business_profiles(operation)),
        Keyed::WebhookEndpoints(operation) => (Commits::One, webhook_endpoints(operation)),
        Keyed::DynamicRouting(operation) => (Commits::One, dynamic_routing(operation)),
    }
}

fn several(of: ObjectClass, is_resumed: bool) -> Commits {
    Commits::Several { of, is_resumed }
}

fn shown(principal: &Principal) -> Shown {
    match principal {
        Principal::Anonymous
        | Principal::Admin(_)
        | Principal::Merchant(_)
        | Principal::User(_) => Shown::default(),
        Principal::Client(_) | Principal::Subscriber(_) | Principal::Customer(_) => {
            Shown::to_client()
        }
    }
}

fn payments(operation: KeyedPayments, shown: Shown) -> (Commits, Render) {
    let commits = |is_resumed| several(PAYMENT, is_resumed);
    match operation {
        KeyedPayments::PaymentsCreate(answers) => {
            let shown = Shown::at_creation();
            (
                commits(true),
                answer_payment(answers, move |view| payment_answer::payment(view, shown)),
            )
        }
        KeyedPayments::PaymentsUpdate(answers) | KeyedPayments::PaymentsConfirm(answers) => (
            commits(true),
            answer_payment(answers, move |view| payment_answer::payment(view, shown)),
        ),
        KeyedPayments::PaymentsCompleteAuthorize(answers)
        | KeyedPayments::PaymentsCapture(answers)
        | KeyedPayments::PaymentsIncrementalAuthorization(answers)
        | KeyedPayments::PaymentsCancel(answers)
        | KeyedPayments::PaymentsCancelPostCapture(answers)
        | KeyedPayments::PaymentsApprove(answers)
        | KeyedPayments::PaymentsReject(answers) => (
            commits(false),
            answer_payment(answers, move |view| payment_answer::payment(view, shown)),
        ),
        KeyedPayments::PaymentsUpdateMetadata(answers) => (
            commits(false),
            answer_payment(answers, payment_answer::metadata),
        ),
    }
}

fn user_payments(operation: KeyedUserPayments, shown: Shown) -> (Commits, Render) {
    let render = match operation {
        KeyedUserPayments::UserPaymentsCreate(answers) => {
            answer_payment(answers, user_payment::created)
        }
        KeyedUserPayments::UserPaymentsCapture(answers)
        | KeyedUserPayments::UserPaymentsCancel(answers)
        | KeyedUserPayments::UserPaymentsIncrementalAuthorization(answers)
        | KeyedUserPayments::UserPaymentsApprove(answers)
        | KeyedUserPayments::UserPaymentsReject(answers) => {
            answer_payment(answers, move |view| payment_answer::payment(view, shown))
        }
    };
    (several(PAYMENT, false), render)
}

fn refunds(operation: KeyedRefunds) -> (Commits, Render) {
    let (commits, answers) = match operation {
        KeyedRefunds::RefundsCreate(answers) => (several(REFUND, false), answers),
        KeyedRefunds::RefundsUpdate(answers) => (Commits::One, answers),
    };
    let render = answer(answers, |made: &Refund| refund::answer(made));
    (commits, render)
}

fn customers(operation: KeyedCustomers) -> Render {
    match operation {
        KeyedCustomers::CustomersCreate(answers) | KeyedCustomers::CustomersUpdate(answers) => {
            answer(answers, |made: &Customer| customer::answer(made))
        }
    }
}

fn saved_methods(operation: KeyedSavedMethods, shown: Shown) -> Render {
    match operation {
        KeyedSavedMethods::PaymentMethodsSetDefault(answers) => {
            answer(answers, |made: &SavedMethod| saved_method::default(made))
        }
        KeyedSavedMethods::PaymentMethodsCreate(answers)
        | KeyedSavedMethods::PaymentMethodsUpdate(answers) => {
            let asked_by = match shown.to_client {
                true => AskedBy::Payer,
                false => AskedBy::Merchant,
            };
            answer(answers, move |made: &ShownMethod| {
                saved_method::answer(made, asked_by)
            })
        }
    }
}

fn mandates(operation: KeyedMandates) -> Render {
    match operation {
        KeyedMandates::MandatesRevoke(answers) => {
            answer(answers, |made: &MandateView| mandate::revoked(made))
        }
    }
}

fn disputes(operation: KeyedDisputes) -> Render {
    match operation {
        KeyedDisputes::DisputesChallenge(answers) | KeyedDisputes::DisputesAccept(answers) => {
            answer(answers, |made: &DisputeView| dispute::answer(made))
        }
    }
}

fn routing(operation: KeyedRouting) -> Render {
    match operation {
        KeyedRouting::RoutingCreate(answers)
        | KeyedRouting::RoutingDeactivate(answers)
        | KeyedRouting::RoutingActivate(answers) => {
            answer(answers, |made: &RoutingRecord| routing::record(made))
        }
        KeyedRouting::RoutingDefaultUpdate(answers) => {
            answer(answers, |order: &DefaultRouting| routing::connectors(order))
        }
        KeyedRouting::RoutingDefaultUpdateOfProfile(answers) => {
            answer(answers, |order: &DefaultRouting| {
                routing::default_of_profile(order)
            })
        }
    }
}

fn connector_accounts(operation: KeyedConnectorAccounts, public_url: Option<&str>) -> Render {
    let public_url = public_url.map(str::to_owned);
    match operation {
        KeyedConnectorAccounts::ConnectorAccountsCreate(answers)
        | KeyedConnectorAccounts::ConnectorAccountsUpdate(answers) => {
            answer(answers, move |made: &ConnectorAccount| {
                connector_account::answer(made, public_url.as_deref())
            })
        }
    }
}

fn business_profiles(operation: KeyedBusinessProfiles) -> Render {
    match operation {
        KeyedBusinessProfiles::BusinessProfilesCreate(answers)
        | KeyedBusinessProfiles::BusinessProfilesUpdate(answers)
        | KeyedBusinessProfiles::BusinessProfilesRotateWebhookSecret(answers)
        | KeyedBusinessProfiles::BusinessProfilesResumeWebhookDelivery(answers) => {
            answer(answers, |made: &ProfileView| business_profile::answer(made))
        }
    }
}

fn webhook_endpoints(operation: KeyedWebhookEndpoints) -> Render {
    match operation {
        KeyedWebhookEndpoints::WebhookEndpointsCreate(answers) => {
            answer(answers, |made: &EndpointView| endpoint::created(made))
        }
        KeyedWebhookEndpoints::WebhookEndpointsUpdate(answers) => {
            answer(answers, |made: &EndpointView| endpoint::answer(made))
        }
        KeyedWebhookEndpoints::WebhookEndpointsReplay(answers) => {
            answer(answers, |done: &Replayed| event::replayed(done))
        }
    }
}

fn dynamic_routing(operation: KeyedDynamicRouting) -> Render {
    match operation {
        KeyedDynamicRouting::DynamicRoutingEliminationCreate(answers)
        | KeyedDynamicRouting::DynamicRoutingEliminationToggle(answers)
        | KeyedDynamicRouting::DynamicRoutingSuccessBasedCreate(answers)
        | KeyedDynamicRouting::DynamicRoutingSuccessBasedToggle(answers) => {
            answer(answers, |made: &RoutingRecord| routing::record(made))
        }
        KeyedDynamicRouting::DynamicRoutingSetVolumeSplit(answers) => {
            answer(answers, |split: &RoutingSplit| {
                dynamic_routing::split(split)
            })
        }
    }
}

fn write<T: Serialize>(answers: Answers<T>, answer: &T) -> Option<SecretText> {
    answers.write(answer).ok().map(SecretText::new)
}
