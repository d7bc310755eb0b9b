//! Tests of the matcher, as a table.

use http::Method;

use crate::{OPERATIONS, RESERVED, Route, route};

fn find(method: &Method, path: &str) -> String {
    let segments: Vec<&str> = path
        .split('/')
        .filter(|segment| !segment.is_empty())
        .collect();
    match route(method, &segments) {
        Route::Found(op, variables) => format!("{}({})", op.info().id, variables.join(", ")),
        Route::WrongMethod(operations) => {
            let methods: Vec<_> = operations
                .iter()
                .map(|op| op.info().method.as_str())
                .collect();
            format!("405 {}", methods.join(", "))
        }
        Route::Unknown => "404".to_owned(),
    }
}

#[test]
fn every_operation_is_found_at_its_own_path() {
    for info in OPERATIONS {
        let path: Vec<&str> = info
            .path
            .split('/')
            .filter(|segment| !segment.is_empty())
            .collect();
        let Route::Found(op, variables) = route(&info.method, &path) else {
            panic!("{} is not found", info.id)
        };
        assert_eq!(op, info.op);
        let names: Vec<String> = path
            .iter()
            .filter(|segment| segment.starts_with('{'))
            .map(|one| (*one).to_owned())
            .collect();
        assert_eq!(variables, names);
    }
}

#[test]
fn table() {
    let rows = [
        (Method::POST, "/payments"),
        (Method::GET, "/payments"),
        (Method::GET, "/payments/list"),
        (Method::POST, "/payments/list"),
        (Method::DELETE, "/payments/list"),
        (Method::GET, "/payments/lists"),
        (Method::HEAD, "/payments/pay_1"),
        (Method::POST, "/payments/pay_1/confirm"),
        (Method::POST, "/payments/list/confirm"),
        (Method::GET, "/payments/pay_1/confirm"),
        (Method::GET, "/payments/pay_1/confirm/more"),
        (Method::POST, "/refunds/list"),
        (Method::POST, "/refunds/ref_1"),
        (Method::GET, "/api_keys/m/list"),
        (Method::GET, "/api_keys/m/k"),
        (Method::DELETE, "/api_keys/m/list"),
        (Method::DELETE, "/account/m/connectors/mca_1"),
        (Method::OPTIONS, "/health"),
        (Method::GET, "/"),
    ];
    let table: Vec<String> = rows
        .iter()
        .map(|(method, path)| format!("{method} {path} -> {}", find(method, path)))
        .collect();
    insta::assert_snapshot!(table.join("\n"), @r"
    POST /payments -> payments_create()
    GET /payments -> 405 POST
    GET /payments/list -> payments_list()
    POST /payments/list -> payments_filter()
    DELETE /payments/list -> 405 GET, POST
    GET /payments/lists -> payments_retrieve(lists)
    HEAD /payments/pay_1 -> payments_retrieve(pay_1)
    POST /payments/pay_1/confirm -> payments_confirm(pay_1)
    POST /payments/list/confirm -> payments_confirm(list)
    GET /payments/pay_1/confirm -> 405 POST
    GET /payments/pay_1/confirm/more -> 404
    POST /refunds/list -> refunds_list()
    POST /refunds/ref_1 -> refunds_update(ref_1)
    GET /api_keys/m/list -> api_keys_list(m)
    GET /api_keys/m/k -> api_keys_retrieve(m, k)
    DELETE /api_keys/m/list -> 405 GET
    DELETE /account/m/connectors/mca_1 -> connector_accounts_delete(m, mca_1)
    OPTIONS /health -> 405 GET
    GET / -> 404
    ");
}

#[test]
fn words_that_no_identifier_may_be() {
    assert_eq!(
        RESERVED,
        [
            ("account_id", ["payment_methods"].as_slice()),
            ("customer_id", ["list", "payment_methods"].as_slice()),
            (
                "dispute_id",
                ["list", "profile", "evidence", "fetch", "accept"].as_slice()
            ),
            ("event_id", ["replay"].as_slice()),
            ("key_id", ["list"].as_slice()),
            ("mandate_id", ["list", "revoke"].as_slice()),
            ("merchant_id", ["profile"].as_slice()),
            ("payment_id", ["list", "session_tokens"].as_slice()),
            ("refund_id", ["list"].as_slice()),
            (
                "routing_id",
                ["active", "deactivate", "evaluate", "estimate", "default"].as_slice()
            ),
            (
                "subscription_id",
                [
                    "create",
                    "products",
                    "items",
                    "item_prices",
                    "coupons",
                    "estimate"
                ]
                .as_slice()
            )
        ]
    );
}
