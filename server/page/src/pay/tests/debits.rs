use super::*;

fn debit<'a>(kind: &'a str, kind_of_field: FieldKind<'a>) -> Method<'a> {
    let number = Field {
        kind: kind_of_field,
        member: format!("payment_method_data.bank_debit.{kind}_bank_debit.account_number"),
        is_required: true,
    };
    Method {
        family: "bank_debit",
        at_page: false,
        mandate: Some(MandateScope::Once),
        ..method(kind, "bank_debit", vec![number])
    }
}

#[test]
fn a_debit_shows_its_mandate_before_the_consent() {
    let choice = choosing(true, vec![debit("sepa", FieldKind::Iban)]);
    let html = page(choice).write().html;
    let after = |part: &str| html.find(part).unwrap_or_else(|| panic!("{part}: {html}"));
    let order = [
        after("id=\"sepa-iban\""),
        after("<h3>SEPA Direct Debit mandate</h3>"),
        after("<dt>Creditor</dt><dd>Books &lt;&amp; more&gt;</dd>"),
        after("<dt>Amount</dt><dd>$65.40</dd>"),
        after("you authorise (A) the creditor"),
        after("type=\"checkbox\""),
        after("<span>I agree to this mandate.</span>"),
    ];
    assert!(order.is_sorted(), "{order:?}");
    assert!(html.contains("aria-describedby=\"sepa-mandate sepa-consent-error\""));
    assert!(!html.contains("<div data-step"), "{html}");
}

#[test]
fn bacs_shows_the_account_once_more_before_the_mandate() {
    let choice = choosing(false, vec![debit("bacs", FieldKind::BacsAccount)]);
    let html = page(choice).write().html;
    for part in [
        "<div data-step=\"review\" hidden>",
        "<dt>Account number</dt><dd data-entered=\"bacs-account\">",
        "data-pay=\"Pay $65.40\" data-go-on=\"Continue\">Continue</button>",
        "Direct Debit Guarantee",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
}
