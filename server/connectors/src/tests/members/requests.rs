//! The requests of every connector for the same operations. Snapshots lie in the connectors' folders.

use std::sync::Arc;

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::money::Money;
use multirail_kernel::secret::SecretText;
use multirail_sdk::card::Card;
use multirail_sdk::charge::AuthenticationType;
use multirail_sdk::connector::details::{FutureUsage, MitCategory, ScaExemption};
use multirail_sdk::connector::{
    AuthorizeRequest, CaptureRequest, Connector, Descriptor, Details, IncrementRequest, Outcome,
    RefundRequest, VoidRequest,
};
use multirail_sdk::instrument::{NetworkToken, PaymentMethodData};
use multirail_sdk::wallet::Wallet;

use super::{COLUMNS, Written, written};
use crate::canned::Canned;
use crate::fixture::{self, in_short};
use crate::fuzz::{KEY, access, connector};

/// The processor's reference of the payment.
const PAYMENT: &str = "pay_1";
const PRICE: Money = Money {
    amount_minor: 6540,
    currency: Currency::EUR,
};
const PART: Money = Money {
    amount_minor: 2000,
    currency: Currency::EUR,
};

/// A sale that differs in this from the plain one.
type Sale = (&'static str, fn(&mut AuthorizeRequest));

fn details(request: &mut AuthorizeRequest) -> &mut Details {
    &mut request.details
}

fn wants_three_ds(request: &mut AuthorizeRequest) {
    request.details.authentication.wanted = Some(AuthenticationType::ThreeDs);
}

fn is_by(request: &mut AuthorizeRequest, channel: &str) {
    request.details.initiation.channel = Some(channel.to_owned());
}

/// Charges without the payer, who agreed in an earlier payment.
fn follows(request: &mut AuthorizeRequest, category: Option<MitCategory>) {
    let initiation = &mut request.details.initiation;
    initiation.off_session = Some(true);
    initiation.mit_category = category;
    initiation.network_transaction_id = Some("638284745624527".to_owned());
}

/// Pays with the number that a network has for the card.
fn pays_by_token(request: &mut AuthorizeRequest, wallet: Option<Wallet>) {
    let PaymentMethodData::Card(card) = &request.data else {
        return;
    };
    request.data = PaymentMethodData::NetworkToken(NetworkToken {
        card: Card {
            code: None,
            ..card.clone()
        },
        cryptogram: Some(SecretText::new("AgAAAAAAAIR8CQrXcIhbQAAAAAA=")),
        eci: Some("05".to_owned()),
        wallet,
    });
}

const SALES: [Sale; 20] = [
    ("reserved", |sale| sale.capture = false),
    ("a check of the card", |sale| {
        sale.money = Money::zero(Currency::EUR)
    }),
    ("with 3-D Secure", wants_three_ds),
    ("without 3-D Secure", |sale| {
        let wanted = &mut details(sale).authentication.wanted;
        *wanted = Some(AuthenticationType::NoThreeDs);
    }),
    ("with a challenge", |sale| {
        details(sale).authentication.force_challenge = Some(true)
    }),
    ("exempt", |sale| {
        let exemption = &mut details(sale).authentication.exemption;
        *exemption = Some(ScaExemption::TransactionRiskAnalysis);
    }),
    ("in a shop of the web", |sale| is_by(sale, "ecommerce")),
    ("by post", |sale| {
        wants_three_ds(sale);
        is_by(sale, "mail_order");
    }),
    ("by telephone", |sale| is_by(sale, "telephone_order")),
    ("without the payer", |sale| {
        wants_three_ds(sale);
        follows(sale, None);
    }),
    ("regularly", |sale| {
        follows(sale, Some(MitCategory::Recurring))
    }),
    ("in parts", |sale| {
        follows(sale, Some(MitCategory::Installment))
    }),
    ("again after a decline", |sale| {
        follows(sale, Some(MitCategory::Resubmission))
    }),
    ("saved for charges without the payer", |sale| {
        details(sale).initiation.future_usage = Some(FutureUsage::OffSession)
    }),
    ("saved for the payer", |sale| {
        details(sale).initiation.future_usage = Some(FutureUsage::OnSession)
    }),
    ("with a card from the store", |sale| {
        details(sale).initiation.is_stored_credential = Some(true)
    }),
    ("with a network token", |sale| pays_by_token(sale, None)),
    ("with Apple Pay", |sale| {
        pays_by_token(sale, Some(Wallet::ApplePay))
    }),
    ("with Google Pay", |sale| {
        pays_by_token(sale, Some(Wallet::GooglePay))
    }),
    ("with Paze", |sale| pays_by_token(sale, Some(Wallet::Paze))),
];

fn key() -> ProcessorKey {
    ProcessorKey::parse(KEY).expect("a key")
}

fn asked(name: &str) -> (Arc<dyn Connector>, Canned) {
    let canned = Canned::read(b"500\n");
    (connector(name, canned.clone()), canned)
}

/// Returns the requests that were made, or the outcome without one.
fn heard(canned: &Canned, outcome: &Outcome) -> Written {
    let mut found = Written::new();
    for body in canned.heard() {
        found.extend(written(&body));
    }
    if canned.heard().is_empty() {
        found.insert("no request".to_owned(), in_short(outcome));
    }
    found
}

fn sale() -> AuthorizeRequest {
    let mut request = fixture::authorize(KEY, PRICE, Details::default());
    request.access = access();
    request
}

async fn sold(name: &str, request: AuthorizeRequest) -> Written {
    let (connector, canned) = asked(name);
    heard(&canned, &connector.authorize(request).await)
}

async fn captured(name: &str, is_final: bool) -> Written {
    let (connector, canned) = asked(name);
    let request = CaptureRequest {
        key: key(),
        access: access(),
        authorization_key: key(),
        authorization_reference: Some(PAYMENT.to_owned()),
        money: PART,
        is_final,
        descriptor: Descriptor::default(),
    };
    heard(&canned, &connector.capture(request).await)
}

async fn voided(name: &str, captured_at_once: bool) -> Written {
    let (connector, canned) = asked(name);
    let request = VoidRequest {
        key: key(),
        access: access(),
        authorization_key: key(),
        authorization_reference: Some(PAYMENT.to_owned()),
        captured_at_once,
        reason: Some("a mistake".to_owned()),
    };
    heard(&canned, &connector.void(request).await)
}

async fn refunded(name: &str) -> Written {
    let (connector, canned) = asked(name);
    let request = RefundRequest {
        key: key(),
        access: access(),
        authorization_key: key(),
        authorization_reference: Some(PAYMENT.to_owned()),
        money: PART,
        of_excess: false,
        reason: Some("broken".to_owned()),
    };
    heard(&canned, &connector.refund(request).await)
}

async fn raised(name: &str) -> Written {
    let (connector, canned) = asked(name);
    let request = IncrementRequest {
        key: key(),
        access: access(),
        authorization_key: key(),
        authorization_reference: Some(PAYMENT.to_owned()),
        money: PRICE,
        reason: Some("a longer stay".to_owned()),
    };
    let outcome = match connector.able(|able| able.raises_authorizations) {
        Some(raises) => raises.increment(request).await,
        None => Outcome::never_happened("it raises no authorizations"),
    };
    heard(&canned, &outcome)
}

/// Lists the members that differ from those of the plain request. A minus marks one that is gone.
fn told(title: &str, plain: &Written, found: &Written) -> String {
    let mut lines = vec![format!("{title}:")];
    for name in plain.keys().filter(|name| !found.contains_key(*name)) {
        lines.push(format!("  - {name}"));
    }
    for (name, value) in found
        .iter()
        .filter(|(name, value)| plain.get(*name) != Some(*value))
    {
        lines.push(format!("  {name}: {value}"));
    }
    lines.join("\n")
}

/// Lists the members of the requests that change a payment.
async fn changes(name: &str) -> Vec<String> {
    let found = [
        ("a last capture", captured(name, true).await),
        ("another capture", captured(name, false).await),
        ("a void", voided(name, false).await),
        ("a void of a sale", voided(name, true).await),
        ("a refund", refunded(name).await),
        ("a raise", raised(name).await),
    ];
    let none = Written::new();
    let found = found.iter();
    found
        .map(|(title, members)| told(title, &none, members))
        .collect()
}

#[tokio::test]
async fn every_connector_requests_the_same_operations() {
    for (_, name) in COLUMNS {
        let plain = sold(name, sale()).await;
        let mut lines = vec![told("a sale", &Written::new(), &plain)];
        for (title, change) in SALES {
            let mut request = sale();
            change(&mut request);
            lines.push(told(title, &plain, &sold(name, request).await));
        }
        lines.extend(changes(name).await);
        insta::with_settings!({
            snapshot_path => format!("../../{name}/snapshots"),
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!("requests", lines.join("\n"));
        });
    }
}
