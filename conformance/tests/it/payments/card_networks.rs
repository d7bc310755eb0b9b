//! The network of a typed card. Overlapping ranges are ambiguous, so the answer has no network.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{card, order, with};

/// Returns a number of sixteen digits with this beginning and the right check digit.
fn number(beginning: &str) -> String {
    let digits = format!("{beginning:0<15}");
    // Counted from the right, every other digit counts double, without the check digit.
    let double = |digit: u32| digit * 2 / 10 + digit * 2 % 10;
    let values = digits.chars().rev().filter_map(|one| one.to_digit(10));
    let sum: u32 = values
        .enumerate()
        .map(|(place, digit)| if place % 2 == 0 { double(digit) } else { digit })
        .sum();
    format!("{digits}{}", (10 - sum % 10) % 10)
}

#[tokio::test]
async fn a_network_is_named_where_it_is_sure() {
    let shop = Shop::open().await;
    let mut table = String::new();
    for (what, beginning) in [
        ("UnionPay", "62"),
        ("UnionPay", "8100"),
        ("UnionPay", "8171"),
        ("RuPay", "8172"),
        ("Elo in Visa", "401178"),
        ("its neighbour", "401177"),
        ("Elo in Maestro", "506699"),
        ("Elo in Discover", "650031"),
        ("its neighbour", "650030"),
        ("Hipercard", "606282"),
        ("Dankort", "5019"),
        ("its neighbour", "5018"),
    ] {
        let body = with(order(), card(&number(beginning)));
        let payment = shop.creates(body).await.ok();
        let network = &payment["payment_method_data"]["card"]["card_network"];
        let network = network.as_str().unwrap_or("null");
        table.push_str(&format!("{what:15} {beginning:6} {network}\n"));
    }
    insta::assert_snapshot!(table, @"
    UnionPay        62     UnionPay
    UnionPay        8100   UnionPay
    UnionPay        8171   UnionPay
    RuPay           8172   RuPay
    Elo in Visa     401178 null
    its neighbour   401177 Visa
    Elo in Maestro  506699 null
    Elo in Discover 650031 null
    its neighbour   650030 Discover
    Hipercard       606282 null
    Dankort         5019   null
    its neighbour   5018   Maestro
    ");
}
