//! Each screen of the console, on a phone and on a wide screen, in light and dark: WCAG 2.2 AA as far as axe-core can
//! judge it, nothing wider than the screen, and the pictures of the documentation.

use std::io::Write;
use std::path::PathBuf;

use fantoccini::key::Key;
use serde_json::json;

use super::accessible::readable;
use super::axe;
use super::clerk::{Clerk, usd};
use super::console_life::Life;
use super::console_links::shows;
use super::payer::Payer;

/// The widths of a phone and of a desk's screen, in CSS pixels.
pub const WIDTHS: [u32; 2] = [360, 1440];

/// Checks a part of the page, or all of it, in light and dark.
pub async fn is_fine(clerk: &Clerk, width: u32, place: &str, part: Option<&str>) {
    clerk.fits(width, place).await;
    for scheme in ["dark", "light"] {
        clerk.prefers("en-US", scheme).await;
        println!("{place}, {width} pixels, {scheme}");
        match part {
            None => axe::is_content(clerk).await,
            Some(css) => axe::is_content_with(clerk, css).await,
        }
        readable(clerk, scheme, &json!(place)).await;
    }
}

/// Returns the paths of the screens with a text of their headings.
fn screens(life: &Life, account: &str) -> Vec<(String, String)> {
    let Life {
        payment,
        linked,
        dispute,
        event,
        request,
        routing,
    } = life;
    [
        ("/".to_owned(), "Home".to_owned()),
        ("/payments".to_owned(), "Payments".to_owned()),
        (format!("/payments/{payment}"), usd("65.40")),
        (format!("/payments/{linked}"), usd("65.40")),
        ("/links".to_owned(), "Payment links".to_owned()),
        ("/refunds".to_owned(), "Refunds".to_owned()),
        ("/disputes".to_owned(), "Disputes".to_owned()),
        (format!("/disputes/{dispute}"), usd("65.40")),
        ("/customers".to_owned(), "Customers".to_owned()),
        ("/customers/ada".to_owned(), "Ada Okafor".to_owned()),
        ("/subscriptions".to_owned(), "Subscriptions".to_owned()),
        ("/catalogue".to_owned(), "Catalogue".to_owned()),
        ("/processors".to_owned(), "Processors".to_owned()),
        (
            "/processors/new".to_owned(),
            "Connect a processor account".to_owned(),
        ),
        (
            format!("/processors/accounts/{account}"),
            "fauxpay".to_owned(),
        ),
        ("/routing".to_owned(), "Routing".to_owned()),
        (
            "/routing/new".to_owned(),
            "New routing configuration".to_owned(),
        ),
        (
            format!("/routing/configurations/{routing}"),
            "Europe first".to_owned(),
        ),
        ("/deliveries".to_owned(), "Webhook deliveries".to_owned()),
        (format!("/deliveries/{event}"), "Payment".to_owned()),
        ("/endpoints".to_owned(), "Webhook endpoints".to_owned()),
        ("/keys".to_owned(), "API keys".to_owned()),
        ("/requests".to_owned(), "Request log".to_owned()),
        (format!("/requests/{request}"), String::new()),
        ("/team".to_owned(), "Team".to_owned()),
        ("/audit".to_owned(), "Audit log".to_owned()),
        ("/second_factor".to_owned(), "Second factor".to_owned()),
        ("/sessions".to_owned(), "Sessions".to_owned()),
        ("/identity".to_owned(), "Your identity provider".to_owned()),
        ("/nowhere".to_owned(), "There is no such page".to_owned()),
        ("/payments/pay_none".to_owned(), "Payment".to_owned()),
    ]
    .into()
}

pub async fn every_screen_is_accessible(payer: Payer) {
    let clerk = Clerk::with(payer).await;
    let life = Life::make(&clerk).await;
    for width in WIDTHS {
        clerk.has_width(width).await;
        clerk.goes_to("/payments").await;
        clerk.is_at("Sign in").await;
        is_fine(&clerk, width, "sign-in", None).await;
        clerk.clicks_exactly("main//button", "Sign in").await;
        let missing = "Enter your e-mail address.";
        clerk.is_told_at("E-mail address", missing).await;
        is_fine(&clerk, width, "sign-in without an address", None).await;
    }
    clerk.heard_refusals_only().await;
    clerk.opens_the_link().await;
    for width in WIDTHS {
        clerk.has_width(width).await;
        for (path, heading) in screens(&life, &clerk.shop.connector_account_id) {
            clerk.goes_to(&path).await;
            clerk.is_at(&heading).await;
            is_fine(&clerk, width, &path, None).await;
        }
    }
    // One of the screens is that of a payment that doesn't exist.
    clerk.heard_refusals_only().await;
}

/// The operator signs in by the admin key, looks around and signs out.
pub async fn screens_of_the_operator_are_accessible(payer: Payer) {
    let clerk = Clerk::with(payer).await;
    let account = format!("/operator/accounts/{}", clerk.shop.merchant_id);
    for width in WIDTHS {
        clerk.has_width(width).await;
        clerk.goes_to("/operator").await;
        clerk.is_at("Sign in as the operator").await;
        is_fine(&clerk, width, "sign-in of the operator", None).await;
        let key = clerk.shop.server.admin_key().to_owned();
        clerk.writes("Admin key", &key).await;
        clerk.clicks_exactly("main//button", "Look around").await;
        clerk.is_at("Merchant accounts").await;
        for (path, heading) in [
            ("/operator", "Merchant accounts"),
            (account.as_str(), clerk.shop.merchant_id.as_str()),
            ("/operator/organizations", "Organizations"),
            ("/operator/unresolved", "Unresolved operations"),
            ("/operator/keys", "Keys of the service"),
            ("/operator/server", "This server"),
        ] {
            clerk.goes_to(path).await;
            clerk.is_at(heading).await;
            is_fine(&clerk, width, path, None).await;
        }
        clerk.clicks_exactly("header//button", "Sign out").await;
        clerk.is_at("Sign in as the operator").await;
    }
    // Nobody was signed in at first.
    clerk.heard_refusals_only().await;
}

pub async fn empty_screens_say_what_to_do(payer: Payer) {
    let clerk = Clerk::with(payer).await;
    clerk.opens_the_link().await;
    for width in WIDTHS {
        clerk.has_width(width).await;
        for (path, heading, text) in [
            ("/", "Home", "Make a first payment with your secret key."),
            ("/payments", "Payments", "Payments appear here as soon as"),
            ("/payments?group=failed", "Payments", "Clear a filter"),
            ("/links", "Payment links", "A program makes a link when"),
            ("/refunds", "Refunds", "Open a captured payment"),
            ("/disputes", "Disputes", "No payer has claimed money back."),
            (
                "/customers",
                "Customers",
                "Customers appear here as soon as",
            ),
            ("/subscriptions", "Subscriptions", "A program creates one"),
            ("/deliveries", "Webhook deliveries", "Clear a filter"),
        ] {
            clerk.goes_to(path).await;
            clerk.is_at(heading).await;
            clerk.finds_text("main//p", text).await;
            is_fine(&clerk, width, path, None).await;
        }
    }
    clerk.heard_no_complaint().await;
}

/// Dialogs and menus are checked without the page behind them, which is hidden from assistive technology.
pub async fn dialogs_and_menus_are_accessible(payer: Payer) {
    let clerk = Clerk::with(payer).await;
    let life = Life::make(&clerk).await;
    clerk.opens_the_link().await;
    for width in WIDTHS {
        clerk.has_width(width).await;
        clerk.goes_to(&format!("/payments/{}", life.payment)).await;
        clerk.is_at(&usd("65.40")).await;
        clerk.clicks_exactly("main//button", "Refund").await;
        clerk.writes("Amount in USD", "nothing").await;
        let wrong = "Enter an amount above 0";
        clerk.is_told_at("Amount in USD", wrong).await;
        let dialog = Some("[role=dialog]");
        is_fine(&clerk, width, "refund", dialog).await;
        closes(&clerk).await;

        clerk.goes_to("/payments").await;
        clerk.is_at("Payments").await;
        clerk.clicks_exactly("main//button", "New payment").await;
        clerk.writes("Amount in EUR", "12.00").await;
        is_fine(&clerk, width, "new payment", dialog).await;
        closes(&clerk).await;

        clerk.goes_to("/links").await;
        clerk.is_at("Payment links").await;
        clerk.clicks_labelled(&shows(&life.linked)).await;
        clerk.sees("[role=dialog] svg").await;
        is_fine(&clerk, width, "link", dialog).await;
        closes(&clerk).await;

        clerk.clicks("header//button", "Search or jump to").await;
        clerk.has_focus_in("Search and commands").await;
        is_fine(&clerk, width, "palette", dialog).await;
        closes(&clerk).await;

        clerk.clicks_labelled("Account of owner@demo.example").await;
        is_fine(&clerk, width, "account", Some("[role=menu]")).await;
        closes(&clerk).await;
    }
    let phone = WIDTHS[0];
    clerk.has_width(phone).await;
    clerk.clicks_labelled("Menu").await;
    clerk
        .finds_text("nav[@aria-label='Console']//a", "Payments")
        .await;
    is_fine(&clerk, phone, "navigation", None).await;
    clerk.navigates_to("Payments").await;
    clerk.clicks_exactly("main//button", "Filters").await;
    clerk.sees("button[aria-expanded=true]").await;
    is_fine(&clerk, phone, "filters", None).await;
    clerk.heard_no_complaint().await;
}

/// Closes the dialog or menu that is open.
async fn closes(clerk: &Clerk) {
    clerk.strikes(&Key::Escape).await;
    let closed = "return !document.querySelector('[role=dialog], [role=menu]')";
    clerk.waits("nothing open", closed).await;
}

/// Takes the pictures of the documentation. They are written to the folder that `MULTIRAIL_PICTURES` names.
pub async fn pictures_are_taken(payer: Payer) {
    let clerk = Clerk::with(payer).await;
    let life = Life::make(&clerk).await;
    clerk.opens_the_link().await;
    let folder = std::env::var_os("MULTIRAIL_PICTURES").map(PathBuf::from);
    if folder.is_none() {
        // Writes to stderr directly, because the test harness hides the output of passing tests.
        let _ = writeln!(
            std::io::stderr(),
            "no pictures were written: MULTIRAIL_PICTURES names no folder"
        );
    }
    let payment = format!("/payments/{}", life.payment);
    let routing = format!("/routing/configurations/{}", life.routing);
    let [phone, wide] = WIDTHS;
    for (name, path, heading, scheme, width) in [
        ("home", "/", "Home", "light", wide),
        ("payments", "/payments", "Payments", "light", wide),
        ("payment", payment.as_str(), "65.40", "light", wide),
        ("routing", routing.as_str(), "Europe first", "light", wide),
        ("home-dark", "/", "Home", "dark", wide),
        ("payments-phone", "/payments", "Payments", "light", phone),
    ] {
        clerk.has_width(width).await;
        clerk.prefers("en-US", scheme).await;
        clerk.goes_to(path).await;
        clerk.is_at(heading).await;
        let picture = clerk.browser.screenshot().await.expect("a picture");
        assert!(picture.starts_with(b"\x89PNG"), "{name}");
        if let Some(folder) = &folder {
            std::fs::create_dir_all(folder).expect("a folder");
            let file = folder.join(format!("console-{name}.png"));
            std::fs::write(file, picture).expect("a file");
        }
    }
    clerk.heard_no_complaint().await;
}
