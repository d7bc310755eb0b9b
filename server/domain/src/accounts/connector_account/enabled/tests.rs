use super::*;

const QUERY: PaymentQuery = PaymentQuery {
    payment_method: PaymentMethod::Card,
    payment_method_type: Some(PaymentMethodType::Credit),
    card_network: Some(Network::Visa),
    currency: Currency::USD,
    country: None,
    amount: 6540,
    recurs: false,
};

fn card() -> PaymentMethodEnabled {
    PaymentMethodEnabled::unrestricted(PaymentMethod::Card)
}

#[test]
fn every_restriction_restricts() {
    let country = |code: &str| code.parse::<CountryCode>().ok();
    let list = |code: &str| vec![code.parse::<CountryCode>().expect("a country")];
    let debit = vec![PaymentMethodType::Debit];
    let table = [
        (card(), QUERY, Ok(())),
        (
            PaymentMethodEnabled::unrestricted(PaymentMethod::Wallet),
            QUERY,
            Err(Ineligible::PaymentMethod),
        ),
        (
            PaymentMethodEnabled {
                payment_method_types: debit.clone(),
                ..card()
            },
            QUERY,
            Err(Ineligible::PaymentMethodType),
        ),
        (
            PaymentMethodEnabled {
                payment_method_types: debit,
                ..card()
            },
            PaymentQuery {
                payment_method_type: None,
                ..QUERY
            },
            Ok(()),
        ),
        (
            PaymentMethodEnabled {
                payment_schemes: vec![Network::Mastercard],
                ..card()
            },
            QUERY,
            Err(Ineligible::CardNetwork),
        ),
        (
            PaymentMethodEnabled {
                payment_schemes: vec![Network::Mastercard],
                ..card()
            },
            PaymentQuery {
                card_network: None,
                ..QUERY
            },
            Err(Ineligible::CardNetwork),
        ),
        (
            PaymentMethodEnabled {
                accepted_currencies: Some(Acceptance::EnableOnly(vec![Currency::EUR])),
                ..card()
            },
            QUERY,
            Err(Ineligible::Currency),
        ),
        (
            PaymentMethodEnabled {
                accepted_currencies: Some(Acceptance::DisableOnly(vec![Currency::EUR])),
                ..card()
            },
            QUERY,
            Ok(()),
        ),
        (
            PaymentMethodEnabled {
                accepted_countries: Some(Acceptance::DisableOnly(list("US"))),
                ..card()
            },
            PaymentQuery {
                country: country("US"),
                ..QUERY
            },
            Err(Ineligible::Country),
        ),
        (
            PaymentMethodEnabled {
                accepted_countries: Some(Acceptance::EnableOnly(list("US"))),
                ..card()
            },
            QUERY,
            Ok(()),
        ),
        (
            PaymentMethodEnabled {
                minimum_amount: Some(6541),
                ..card()
            },
            QUERY,
            Err(Ineligible::Amount),
        ),
        (
            PaymentMethodEnabled {
                maximum_amount: Some(6539),
                ..card()
            },
            QUERY,
            Err(Ineligible::Amount),
        ),
        (
            PaymentMethodEnabled {
                minimum_amount: Some(6540),
                maximum_amount: Some(6540),
                ..card()
            },
            QUERY,
            Ok(()),
        ),
        (
            PaymentMethodEnabled {
                recurring_enabled: Some(false),
                ..card()
            },
            PaymentQuery {
                recurs: true,
                ..QUERY
            },
            Err(Ineligible::Recurring),
        ),
        (
            PaymentMethodEnabled {
                recurring_enabled: Some(false),
                ..card()
            },
            QUERY,
            Ok(()),
        ),
        (
            card(),
            PaymentQuery {
                recurs: true,
                ..QUERY
            },
            Ok(()),
        ),
    ];
    for (item, query, expected) in table {
        assert_eq!(item.check(&query), expected, "{item:?}");
    }
}

#[test]
fn one_item_is_enough_and_the_closest_tells_the_reason() {
    let wallet = PaymentMethodEnabled::unrestricted(PaymentMethod::Wallet);
    let small = PaymentMethodEnabled {
        maximum_amount: Some(1),
        ..card()
    };
    let items = [small.clone(), wallet.clone(), card()];
    assert_eq!(check_enabled(Some(&items), &QUERY), Ok(()));
    assert_eq!(
        check_enabled(Some(&[small, wallet]), &QUERY),
        Err(Ineligible::Amount)
    );
    assert_eq!(
        check_enabled(Some(&[]), &QUERY),
        Err(Ineligible::PaymentMethod)
    );
    assert_eq!(check_enabled(None, &QUERY), Ok(()));
}

#[test]
fn acceptance_has_the_shape_of_the_contract() {
    let table = [
        (
            Acceptance::EnableOnly(vec![Currency::USD, Currency::EUR]),
            r#"{"type":"enable_only","list":["USD","EUR"]}"#,
        ),
        (
            Acceptance::DisableOnly(vec![]),
            r#"{"type":"disable_only","list":[]}"#,
        ),
        (Acceptance::AllAccepted, r#"{"type":"all_accepted"}"#),
    ];
    for (acceptance, text) in table {
        assert_eq!(
            serde_json::to_string(&acceptance).ok().as_deref(),
            Some(text)
        );
        assert_eq!(serde_json::from_str(text).ok(), Some(acceptance));
    }
}
