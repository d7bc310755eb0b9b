mod debits;
mod other_way;

use super::*;

fn page(state: State<'_>) -> PayPage<'_> {
    PayPage {
        language: Language::English,
        nonce: "n0nce",
        seller: Some("Books <& more>"),
        amount: Amount {
            minor: 6540,
            decimals: 2,
            currency: "USD",
        },
        look: Look::default(),
        description: None,
        details: Vec::new(),
        state,
        other_way: None,
        way_back: None,
    }
}

fn form() -> State<'static> {
    State::Form {
        client: Client {
            payment_id: "pay_1",
            publishable_key: "pk_snd_1",
            client_secret: "pay_1_secret_1",
        },
        was_declined: false,
        choices: Choices {
            card: true,
            ..Choices::default()
        },
    }
}

fn title(html: &str) -> String {
    let rest = html.split("<h1>").nth(1).expect("a heading");
    rest.split("</h1>").next().expect("its end").to_owned()
}

#[test]
fn every_state_has_its_own_words_in_every_language() {
    let client = Client {
        payment_id: "pay_1",
        publishable_key: "pk_snd_1",
        client_secret: "pay_1_secret_1",
    };
    let mut titles = Vec::new();
    for language in Language::ALL {
        for state in [
            form(),
            State::WaitsForPayer {
                address: "https://bank.example/",
                method: None,
            },
            State::Processing {
                client,
                status: "processing",
            },
            State::Paid,
            State::Failed,
            State::Cancelled,
            State::Expired,
        ] {
            let shows_secret = matches!(state, State::Form { .. } | State::Processing { .. });
            let written = PayPage {
                language,
                ..page(state)
            }
            .write();
            let html = &written.html;
            assert!(html.contains(&format!("<html lang=\"{}\">", language.tag())));
            assert!(html.contains("Books &lt;&amp; more&gt;"), "{html}");
            assert_eq!(html.contains("pay_1_secret_1"), shows_secret, "{html}");
            let title = title(html);
            assert!(!titles.contains(&title), "{title}");
            titles.push(title);
        }
    }
    assert_eq!(titles.len(), 35);
}

fn method<'a>(kind: &'a str, member: &'a str, fields: Vec<Field<'a>>) -> Method<'a> {
    Method {
        kind,
        family: "bank_redirect",
        member,
        at_page: true,
        fields,
        mandate: None,
    }
}

fn bank_of_ideal() -> Field<'static> {
    Field {
        kind: FieldKind::Bank(banks("ideal").to_vec()),
        member: "payment_method_data.bank_redirect.ideal.bank_name".to_owned(),
        is_required: false,
    }
}

fn choosing(card: bool, methods: Vec<Method<'_>>) -> State<'_> {
    let State::Form { client, .. } = form() else {
        panic!("a form");
    };
    State::Form {
        client,
        was_declined: true,
        choices: Choices {
            card,
            methods,
            billing: None,
        },
    }
}

#[test]
fn the_card_is_first_and_open_among_several_methods() {
    let ideal = method("ideal", "bank_redirect.ideal", vec![bank_of_ideal()]);
    let eps = method("eps", "bank_redirect.eps", Vec::new());
    let html = page(choosing(true, vec![ideal.clone(), eps.clone()]))
        .write()
        .html;
    let radios: Vec<&str> = html.split("name=\"method\" value=\"").skip(1).collect();
    let radios = radios.iter().map(|rest| {
        let (kind, rest) = rest.split_once('"').expect("a kind");
        let tag = rest.split('>').next().unwrap_or_default();
        (kind, tag.contains("checked"))
    });
    assert_eq!(
        radios.collect::<Vec<_>>(),
        [("card", true), ("ideal", false), ("eps", false)]
    );
    assert!(!html.contains("<form id=\"card\" method=\"post\" novalidate hidden"));
    assert!(html.contains("<form id=\"pay-ideal\" method=\"post\" novalidate hidden"));
    assert!(html.contains("<label for=\"ideal-bank\">Your bank (optional)</label>"));
    assert!(html.contains("<option value=\"ing\">ING</option>"));
    assert!(html.contains("You go on to eps to pay."));
    assert!(html.contains("also in another way"));

    let without_card = page(choosing(false, vec![ideal, eps])).write().html;
    assert!(!without_card.contains("cc-number"));
    assert!(without_card.contains("<form id=\"pay-ideal\" method=\"post\" novalidate aria"));
    assert!(without_card.contains("<form id=\"pay-eps\" method=\"post\" novalidate hidden"));
}

#[test]
fn one_method_needs_no_choice() {
    let ideal = method("ideal", "bank_redirect.ideal", Vec::new());
    for (state, title) in [
        (form(), "Card details"),
        (choosing(false, vec![ideal]), "iDEAL"),
    ] {
        let html = page(state).write().html;
        assert!(!html.contains("type=\"radio\""), "{html}");
        assert!(html.contains(&format!("title\">{title}</h2>")), "{html}");
    }
    let html = page(choosing(false, Vec::new())).write().html;
    assert!(
        html.contains("There is no way to pay here at the moment."),
        "{html}"
    );
    assert!(!html.contains("<form"), "{html}");
}

#[test]
fn a_state_is_asked_for_when_the_server_wants_it() {
    let member = |name: &str| format!("payment_method_data.billing.address.{name}");
    let country = Field {
        kind: FieldKind::Country(vec!["US", "NL"]),
        member: member("country"),
        is_required: true,
    };
    let state = Field {
        kind: FieldKind::State,
        member: member("state"),
        is_required: true,
    };
    let shown = |fields| {
        let klarna = method("klarna", "pay_later.klarna_redirect", fields);
        page(choosing(true, vec![klarna])).write().html
    };
    let html = shown(vec![country.clone()]);
    assert!(html.contains("<div hidden data-if-asked=\"\">"), "{html}");
    assert_eq!(html.matches("id=\"klarna-state\"").count(), 1);
    let html = shown(vec![country, state]);
    assert!(!html.contains("<div hidden data-if-asked"), "{html}");
    assert_eq!(html.matches("id=\"klarna-state\"").count(), 1);
}

fn acts(form: StepForm<'_>) -> State<'_> {
    let State::Form { client, .. } = self::form() else {
        panic!("a form");
    };
    State::Acts {
        client,
        status: "requires_customer_action",
        received: 0,
        step: Step {
            form,
            page: Some("https://pay.example/go"),
            ends_at: Some("2026-11-29T21:00:00.000Z".to_owned()),
        },
    }
}

#[test]
fn a_code_is_drawn_in_the_document_itself() {
    let code = QrCode {
        size: 29,
        path: "M4 4h7v1h-7z".to_owned(),
    };
    let text = "<&>";
    let Written { html, policy } = page(acts(StepForm::Scan {
        code: Some(code),
        text,
    }))
    .write();
    assert!(policy.contains("img-src 'none';"), "{policy}");
    assert!(html.contains("role=\"img\" aria-label=\"QR code of this payment;"));
    assert!(html.contains("<span id=\"fact-code\">&lt;&amp;&gt;</span>"));
    assert!(html.contains("data-copy=\"&lt;&amp;&gt;\""));
    assert!(html.contains("<time datetime=\"2026-11-29T21:00:00.000Z\">"));
    assert!(html.contains("href=\"https://pay.example/go\""));
    assert!(html.contains("data-received=\"0\""));
}

#[test]
fn each_step_has_its_own_words_in_every_language() {
    let mut titles = Vec::new();
    for language in Language::ALL {
        for step in [
            StepForm::Scan {
                code: None,
                text: "pix",
            },
            StepForm::Wait,
            StepForm::Voucher {
                number: "123456789",
            },
            StepForm::Transfer(Transfer {
                iban: Some("NL91ABNA0417164300"),
                reference: "123456789",
                remaining: Some("€32.70".to_owned()),
                ..Transfer::default()
            }),
        ] {
            let is_transfer = matches!(step, StepForm::Transfer(_));
            let html = PayPage {
                language,
                ..page(acts(step))
            }
            .write()
            .html;
            assert_eq!(html.contains("NL91 ABNA 0417 1643 00"), is_transfer);
            assert!(html.contains("role=\"status\""), "{html}");
            titles.push(title(&html));
        }
    }
    let several = titles.len();
    titles.sort();
    titles.dedup();
    assert_eq!(titles.len(), several);
}

#[test]
fn the_way_to_a_method_has_its_name() {
    let waits = State::WaitsForPayer {
        address: "https://pay.example/go",
        method: Some("iDEAL"),
    };
    let html = page(waits).write().html;
    assert!(html.contains("iDEAL still waits for you to approve the payment."));
    assert!(html.contains(">Go on to iDEAL</a>"), "{html}");
}

#[test]
fn only_a_page_that_waits_for_the_device_goes_on_by_itself() {
    let client = Client {
        payment_id: "pay_1",
        publishable_key: "pk_snd_1",
        client_secret: "pay_1_secret_1",
    };
    let processing = State::Processing {
        client,
        status: "processing",
    };
    let goes_on = |state| {
        let html = page(state).write().html;
        html.contains("data-waits-for-device")
    };
    assert!(goes_on(State::WaitsForDevice { client }));
    assert!(!goes_on(processing));
    assert!(!goes_on(form()));
}

#[test]
fn what_comes_from_outside_stays_text() {
    let evil = "\"><script>alert(1)</script>";
    let colour = "red;}body{display:none";
    let mut page = page(form());
    page.seller = Some(evil);
    page.description = Some(evil);
    page.details = vec![Detail {
        name: evil,
        value: evil.to_owned(),
        bold_name: true,
        bold_value: false,
    }];
    page.look = Look {
        theme: Some(colour),
        background: Some(colour),
        button: Some(colour),
        button_text_colour: Some(colour),
        logo: Some("https://cdn.example; script-src *"),
        button_text: Some(evil),
        header: Some(evil),
        terms: Some(evil),
        ..Look::default()
    };
    let Written { html, policy } = page.write();
    assert_eq!(html.matches("<script").count(), 1, "{html}");
    assert!(!html.contains(colour), "{html}");
    assert!(!html.contains("<img"), "{html}");
    assert!(policy.contains("img-src 'none';"), "{policy}");
}

#[test]
fn the_policy_lets_nothing_else_run_load_or_go_out() {
    let mut page = page(form());
    assert_eq!(
        page.write().policy,
        "default-src 'none'; script-src 'nonce-n0nce'; style-src 'nonce-n0nce'; img-src 'none'; connect-src 'self'; \
         form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
    );
    page.look.logo = Some("https://cdn.shop.example:8443/logo.png?v=1");
    let Written { html, policy } = page.write();
    assert!(
        policy.contains("img-src https://cdn.shop.example:8443;"),
        "{policy}"
    );
    assert!(html.contains("<img src=\"https://cdn.shop.example:8443/logo.png?v=1\" alt=\"\">"));
    // Two elements have the nonce, and none has an inline handler or style.
    assert_eq!(html.matches("nonce=\"n0nce\"").count(), 2);
    for inline in [" on", " style="] {
        let tags = html
            .split('<')
            .map(|tag| tag.split('>').next().unwrap_or_default());
        for tag in tags.filter(|tag| !tag.starts_with('/')) {
            let names = tag.split('"').step_by(2);
            for name in names {
                assert!(!name.contains(inline) || tag.contains(':'), "{tag}");
            }
        }
    }
}

#[test]
fn only_a_page_that_posts_may_send_a_form() {
    let pairs = [("status".to_owned(), "succeeded".to_owned())];
    let mut page = page(State::Paid);
    page.way_back = Some(WayBack::Post {
        address: "https://shop.example/thanks",
        pairs: &pairs,
    });
    let Written { html, policy } = page.write();
    assert!(!policy.contains("form-action"), "{policy}");
    assert!(
        html.contains("<input type=\"hidden\" name=\"status\" value=\"succeeded\">"),
        "{html}"
    );
}

#[test]
fn colours_that_can_not_be_read_are_replaced() {
    let style = |button, text| {
        let mut page = page(form());
        page.look.button = Some(button);
        page.look.button_text_colour = Some(text);
        page.write().html
    };
    assert!(style("#001f3f", "#ffdc00").contains("--button:#001f3f;--on-button:#ffdc00}"));
    assert!(style("#ffff00", "#ffffff").contains("--button:#ffff00;--on-button:#000000}"));
    assert!(page(form()).write().html.contains("--on-button:#ffffff}"));
}
