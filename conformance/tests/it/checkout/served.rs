//! The loader and the files of the frame.

use multirail_conformance::{Response, Shop, TestServer, wire::Wire};
use reqwest::Method;

use super::opens;

const FOR_GOOD: &str = "public, max-age=31536000, immutable";

fn has(answer: &Response, headers: &[(&str, &str)]) {
    assert_eq!(answer.status, 200, "{}", answer.asked);
    for (name, value) in headers {
        assert_eq!(answer.header(name), Some(*value), "{}", answer.asked);
    }
    assert_eq!(answer.header("set-cookie"), None, "{}", answer.asked);
}

#[tokio::test]
async fn pages_of_any_shop_load_the_script() {
    let server = TestServer::start().await;
    let wire = Wire::new(&server.address());
    let fixed = format!("/checkout/{}/multirail.js", env!("CARGO_PKG_VERSION"));
    for (path, cached) in [
        ("/checkout/v1/multirail.js", "public, max-age=300"),
        (&*fixed, FOR_GOOD),
    ] {
        for method in [Method::GET, Method::HEAD] {
            let asks = wire.request(method, path);
            let script = asks.header("origin", "https://shop.example").await;
            has(
                &script,
                &[
                    ("content-type", "text/javascript; charset=utf-8"),
                    ("content-encoding", "gzip"),
                    ("cache-control", cached),
                    ("access-control-allow-origin", "*"),
                    ("cross-origin-resource-policy", "cross-origin"),
                    ("x-content-type-options", "nosniff"),
                    ("referrer-policy", "no-referrer"),
                ],
            );
            assert_eq!(script.header("access-control-allow-credentials"), None);
        }
    }
}

#[tokio::test]
async fn the_frame_loads_files_that_browsers_keep() {
    let shop = Shop::open().await;
    let frame = opens(&shop, None).await;
    let (_, after) = frame.text.split_once("<head>").expect("a head");
    let (head, _) = after.split_once("</head>").expect("its end");
    let names = head.split("\"./assets/").skip(1);
    let names: Vec<&str> = names.filter_map(|rest| rest.split('"').next()).collect();
    assert!(
        names.iter().any(|name| name.ends_with(".js")),
        "a script: {head}"
    );
    for name in names {
        let path = format!("/checkout/v1/assets/{name}");
        let file = shop.wire.request(Method::HEAD, &path).await;
        has(
            &file,
            &[
                ("content-encoding", "gzip"),
                ("cache-control", FOR_GOOD),
                ("cross-origin-resource-policy", "cross-origin"),
                ("x-content-type-options", "nosniff"),
            ],
        );
    }
}

#[tokio::test]
async fn other_addresses_have_nothing() {
    let server = TestServer::start().await;
    let wire = Wire::new(&server.address());
    for path in [
        "/checkout",
        "/checkout/",
        "/checkout/v1",
        "/checkout/v1/",
        "/checkout/v1/frame/",
        "/checkout/v1/frame.html",
        "/checkout/v1/index.html",
        "/checkout/v2/frame",
        "/checkout/v2/multirail.js",
        "/checkout/0.0.1/multirail.js",
        "/checkout/multirail.js",
        "/checkout/v1/assets",
        "/checkout/v1/assets/",
        "/checkout/v1/assets/frame.html",
        "/checkout/v1/assets/none-0123456789.js",
        "/checkout/v1/assets/a/b.js",
    ] {
        let astray = wire.request(Method::GET, path).await;
        astray.refused(404, "IR_02");
    }
    for path in ["/checkout/v1/multirail.js", "/checkout/v1/frame"] {
        let posted = wire.request(Method::POST, path).await;
        posted.refused(404, "IR_02");
    }
}
