//! Our pages for payers, with the state of their payment in their own words. They show no status word of the contract
//! and no id.

use multirail_app::payments::payer::{PayerOutcome, Standing};
use multirail_page::{document, escape};

/// The words for a payment's state: title, mark and style, meaning, and the next step.
struct Words {
    title: &'static str,
    mark: Option<(&'static str, &'static str)>,
    text: &'static str,
}

const GOOD: Option<(&str, &str)> = Some(("good", "✓"));
const BAD: Option<(&str, &str)> = Some(("bad", "✕"));
const WAITING: Option<(&str, &str)> = Some(("", "…"));

/// Returns the page with a payment's state.
pub(crate) fn standing(standing: &Standing) -> String {
    let Words { title, mark, text } = words(&standing.outcome);
    let text = match standing.missing {
        Some(missing) => format!(
            "A part of your transfer has arrived. {missing} of it are still missing: please transfer them with the same reference."
        ),
        None => text.to_owned(),
    };
    let mut main = String::new();
    if let Some((class, sign)) = mark {
        main += &format!("<p class=\"mark {class}\" aria-hidden=\"true\">{sign}</p>\n");
    }
    main += &format!("<h1>{title}</h1>\n<p>{text}</p>\n");
    if let Some(money) = standing.money {
        main += &format!("<p class=\"amount\">{}</p>\n", escape(&money.to_string()));
    }
    if let Some(shop) = &standing.shop {
        main += &format!("<p>{}</p>\n", escape(shop));
    }
    main += &match &standing.outcome {
        PayerOutcome::WaitsForPayer { address } => link(address, "Go on"),
        PayerOutcome::Approved
        | PayerOutcome::Failed
        | PayerOutcome::Processing
        | PayerOutcome::Cancelled
        | PayerOutcome::Expired
        | PayerOutcome::Superseded
        | PayerOutcome::NotBegun => "<small>You can close this page.</small>".to_owned(),
    };
    document(title, &main)
}

fn words(outcome: &PayerOutcome) -> Words {
    match outcome {
        PayerOutcome::Approved => Words {
            title: "Thank you",
            mark: GOOD,
            text: "Your payment was approved.",
        },
        PayerOutcome::Failed => Words {
            title: "The payment did not go through",
            mark: BAD,
            text: "No money was taken. You can go back to the shop and try again, or pay in another way.",
        },
        PayerOutcome::Processing => Words {
            title: "Your payment is being processed",
            mark: WAITING,
            text: "It is not decided yet. Please don't pay again: the shop is told as soon as it is.",
        },
        PayerOutcome::Cancelled => Words {
            title: "The payment was cancelled",
            mark: BAD,
            text: "There is nothing left to pay here. What may have been reserved is set free.",
        },
        PayerOutcome::Expired => Words {
            title: "The payment has expired",
            mark: BAD,
            text: "The time for it is over. What may have been reserved is set free.",
        },
        PayerOutcome::WaitsForPayer { .. } => Words {
            title: "One step is missing",
            mark: WAITING,
            text: "Your bank still waits for you to approve the payment.",
        },
        PayerOutcome::Superseded => Words {
            title: "This try is over",
            mark: None,
            text: "Paying was tried once more after this. Please go on there.",
        },
        PayerOutcome::NotBegun => Words {
            title: "There is nothing to do here",
            mark: None,
            text: "This payment does not wait for you. Please go back to the shop.",
        },
    }
}

/// Returns the page for an address without a payment.
pub(crate) fn lost() -> String {
    let title = "This page does not exist";
    let main = format!(
        "<h1>{title}</h1>\n<p>The address may be incomplete, or the payment it led to is gone. Nothing was charged. Please ask the \
         shop for a new link.</p>\n<small>You can close this page.</small>"
    );
    document(title, &main)
}

/// Returns the page for browsers that don't follow redirects by themselves.
pub(crate) fn redirect(address: &str) -> String {
    let main = format!("<h1>One moment</h1>\n{}", link(address, "Continue"));
    document("One moment", &main)
}

/// Returns a form that sends itself. Without scripts the payer presses the button.
pub(crate) fn self_posting_form(address: &str, pairs: &[(String, String)]) -> String {
    let inputs: String = pairs
        .iter()
        .map(|(name, value)| {
            format!(
                "<input type=\"hidden\" name=\"{}\" value=\"{}\">",
                escape(name),
                escape(value)
            )
        })
        .collect();
    let main = format!(
        "<h1>Almost done</h1>\n<p>One press, and the shop knows how it went.</p>\n\
         <form method=\"post\" action=\"{}\">{inputs}<button class=\"yes\">Back to the shop</button></form>",
        escape(address)
    );
    document("Almost done", &main)
}

/// Returns the page for a failure of the service.
pub(crate) fn trouble() -> String {
    document(
        "Please try again",
        "<h1>Please try again</h1>\n<p>We can't look at your payment right now. Nothing is lost: load this page once more \
         in a moment.</p>",
    )
}

fn link(address: &str, words: &str) -> String {
    format!(
        "<a class=\"button yes\" href=\"{}\">{words}</a>",
        escape(address)
    )
}

#[cfg(test)]
mod tests {
    use multirail_kernel::money::Money;

    use super::*;

    fn page(outcome: PayerOutcome) -> String {
        standing(&Standing {
            outcome,
            money: Some(Money::new(6540, "JPY".parse().expect("a currency"))),
            missing: None,
            shop: Some("Books <& more>".to_owned()),
        })
    }

    #[test]
    fn each_outcome_has_its_own_words() {
        let mut titles = Vec::new();
        for outcome in [
            PayerOutcome::Approved,
            PayerOutcome::Failed,
            PayerOutcome::Processing,
            PayerOutcome::Cancelled,
            PayerOutcome::Expired,
            PayerOutcome::Superseded,
            PayerOutcome::NotBegun,
        ] {
            let page = page(outcome);
            let title = page
                .split("<h1>")
                .nth(1)
                .and_then(|rest| rest.split("</h1>").next());
            let title = title.expect("a heading").to_owned();
            assert!(page.contains(&format!("<title>{title}</title>")));
            assert!(page.contains("<p class=\"amount\">6540 JPY</p>"), "{page}");
            assert!(page.contains("Books &lt;&amp; more&gt;"), "{page}");
            assert!(page.contains("You can close this page"), "{page}");
            assert!(!titles.contains(&title), "{title}");
            titles.push(title);
        }
    }

    #[test]
    fn a_payer_who_transferred_too_little_learns_what_is_missing() {
        let euro = "EUR".parse().expect("a currency");
        let page = standing(&Standing {
            outcome: PayerOutcome::WaitsForPayer {
                address: "https://pay.example/a".to_owned(),
            },
            money: Some(Money::new(6540, euro)),
            missing: Some(Money::new(3270, euro)),
            shop: None,
        });
        assert!(page.contains("32.70 EUR of it are still missing"), "{page}");
        assert!(!page.contains("approve"), "{page}");
    }

    #[test]
    fn a_payer_who_is_awaited_is_shown_the_way() {
        let page = page(PayerOutcome::WaitsForPayer {
            address: "https://pay.example/a?b=1&c=\"2\"".to_owned(),
        });
        assert!(
            page.contains("href=\"https://pay.example/a?b=1&amp;c=&quot;2&quot;\">Go on</a>"),
            "{page}"
        );
        assert!(!page.contains("close this page"), "{page}");
    }
}
