//! The output for each fixture, as snapshots to read.

use std::path::Path;

use multirail_codegen::files::Files;
use multirail_codegen::output::from_document;

use crate::fixtures;

fn files(name: &str) -> Files {
    from_document(&fixtures::checked(&fixtures::one(name))).unwrap()
}

/// Returns the named files, one after the other.
fn show(files: &Files, names: &[&str]) -> String {
    names
        .iter()
        .map(|name| {
            format!(
                "==> {name}\n{}",
                files
                    .get(Path::new(name))
                    .unwrap_or_else(|| panic!("no {name}"))
            )
        })
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn objects_become_structs_in_the_order_of_the_document() {
    let files = files("objects");
    insta::assert_snapshot!(show(
        &files,
        &[
            "client/rust/types/src/generated/types.rs",
            "client/rust/types/src/generated/setters.rs",
            "client/rust/types/src/generated/schemas.rs"
        ]
    ));
}

#[test]
fn enumerations_stay_open() {
    let files = files("enumerations");
    insta::assert_snapshot!(show(
        &files,
        &[
            "client/rust/types/src/generated/enums.rs",
            "server/api/src/generated/colours.rs"
        ]
    ));
}

#[test]
fn literal_siblings_get_a_trait_of_their_own() {
    let files = files("siblings");
    insta::assert_snapshot!(show(
        &files,
        &[
            "server/api/src/generated/siblings.rs",
            "server/api/src/generated/routes.rs"
        ]
    ));
}

#[test]
fn callers_are_typed() {
    let files = files("principals");
    insta::assert_snapshot!(show(
        &files,
        &[
            "server/api/src/generated/who_calls.rs",
            "server/api/src/generated/operations.rs",
            "server/api/src/generated/arms.rs",
        ]
    ));
}

#[test]
fn one_ofs_become_tagged_enums() {
    let files = files("variants");
    insta::assert_snapshot!(show(&files, &["client/rust/types/src/generated/types.rs"]));
}

#[test]
fn the_client_speaks_the_shared_types() {
    let files = files("principals");
    let client = show(&files, &["client/rust/src/generated/client.rs"]);
    let builders = show(&files, &["client/rust/src/generated/builders.rs"]);
    assert!(client.contains("pub use ::multirail_types as types;"));
    assert!(client.contains("pub fn merchant_or_client_act"));
    // Authentication sets this header once for the whole client.
    for text in [&client, &builders] {
        assert!(!text.to_lowercase().contains("x_profile_id"));
        assert!(!text.to_lowercase().contains("x-profile-id"));
        assert!(!text.to_lowercase().contains("x_connected_merchant_id"));
        assert!(!text.to_lowercase().contains("x-connected-merchant-id"));
    }
    // Every call has a key of its own.
    insta::assert_snapshot!(builders);
    let takers = r#"&["admin_or_merchant_act", "merchant_or_client_act"]"#;
    let listed = client.split("TAKES_IDEMPOTENCY_KEY").nth(1).unwrap();
    let listed = listed.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        listed
            .replace("&[ ", "&[")
            .replace(", ]", "]")
            .contains(takers),
        "{listed}"
    );
}
