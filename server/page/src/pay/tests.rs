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
