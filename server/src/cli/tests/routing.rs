//! `multirail routing simulate`.

use super::*;

/// Writes a file with two accounts, one of them with a fee table, and an algorithm.
fn routing_file(folder: &std::path::Path, name: &str, algorithm: &str) -> String {
    let path = folder.join(name);
    let accounts = r#"[
        {"connector": "acme", "merchant_connector_id": "mca_1", "fee_table": [{"percentage_basis_points": 100}]},
        {"connector": "acme", "merchant_connector_id": "mca_2", "fee_table": [
            {"percentage_basis_points": 50, "fixed_amount": 25, "currency": "EUR"}
        ]}
    ]"#;
    let text = format!(r#"{{"accounts": {accounts}, "algorithm": {algorithm}}}"#);
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn routing_is_simulated_and_compared() {
    let folder = tempfile::tempdir().unwrap();
    let payments = folder.path().join("payments.jsonl");
    let lines = [
        r#"{"amount": 10000, "currency": "EUR", "merchant_connector_id": "mca_1", "succeeded": true}"#,
        r#"{"amount": 1000, "currency": "EUR", "merchant_connector_id": "mca_1", "succeeded": false}"#,
        r#"{"amount": 500, "currency": "USD", "merchant_connector_id": "mca_2", "succeeded": true}"#,
    ];
    std::fs::write(&payments, lines.join("\n")).unwrap();
    let choice = |id: &str| format!(r#"{{"connector": "acme", "merchant_connector_id": "{id}"}}"#);
    let single = format!(r#"{{"type": "single", "data": {}}}"#, choice("mca_1"));
    let cheapest = format!(
        r#"{{"type": "advanced", "data": {{"defaultSelection": {{"type": "least_cost", "data": [{}, {}]}}, "rules": [], "metadata": {{}}}}}}"#,
        choice("mca_1"),
        choice("mca_2")
    );
    let one = routing_file(folder.path(), "one.json", &single);
    let other = routing_file(folder.path(), "other.json", &cheapest);
    let line = format!(
        "routing simulate --routing {one} --payments {} --against {other}",
        payments.display()
    );
    let (answer, _) = ask(&line);
    assert_eq!(answer.code, 0, "{}", answer.err);
    let shown = answer.out.replace(&folder.path().display().to_string(), "");
    insta::assert_snapshot!(shown, @r"
    /one.json
    account                          currency  payments    share         amount  success         cost
    mca_1                            EUR              2   66.7 %          11000   50.0 %          110
    mca_1                            USD              1   33.3 %            500   50.0 %            5
    all                              EUR              2                   11000                   110
    all                              USD              1                     500                     5
    expected success 50.0 % of 3 payments

    /other.json
    account                          currency  payments    share         amount  success         cost
    mca_1                            EUR              1   33.3 %           1000   50.0 %           10
    mca_1                            USD              1   33.3 %            500   50.0 %            5
    mca_2                            EUR              1   33.3 %          10000  100.0 %           75
    all                              EUR              2                   11000                    85
    all                              USD              1                     500                     5
    expected success 66.7 % of 3 payments

    1 of 3 payments go elsewhere
    expected success 50.0 % -> 66.7 % (+16.7)
    cost EUR 110 -> 85 (-25)
    cost USD 5 -> 5 (+0)
    ");
}

#[test]
fn what_cant_be_simulated_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let payments = folder.path().join("payments.jsonl");
    std::fs::write(&payments, "{\"amount\": 1, \"currency\": \"EURO\"}\n").unwrap();
    let file = routing_file(folder.path(), "one.json", "null");
    let ask_for = |config: &str| {
        let line = format!(
            "routing simulate {config} --payments {}",
            payments.display()
        );
        let (answer, _) = ask(&line);
        assert_eq!(answer.code, WRONGLY_ASKED, "{}", answer.out);
        answer.err
    };
    let said = ask_for(&format!("--routing {file}"));
    assert!(said.contains("payments.jsonl:1: currency"), "{said}");
    assert!(ask_for("").contains("--routing"));
    std::fs::write(&payments, "").unwrap();
    let wrong = routing_file(
        folder.path(),
        "two.json",
        r#"{"type": "single", "data": {"connector": "other"}}"#,
    );
    let said = ask_for(&format!("--routing {wrong}"));
    assert!(said.contains("algorithm.data.connector"), "{said}");
    for (text, named) in [
        (r#"{"accounts": [], "algoritm": null}"#, "algoritm"),
        (
            r#"{"accounts": [{"connector": "acme", "merchant_connector_id": "mca_1", "disabled": "yes"}]}"#,
            "accounts[0] disabled has to be true or false",
        ),
    ] {
        let slip = folder.path().join("slip.json");
        std::fs::write(&slip, text).unwrap();
        let said = ask_for(&format!("--routing {}", slip.display()));
        assert!(said.contains(named), "{said}");
    }
}
