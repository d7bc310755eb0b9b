//! Views of the list of payments that users save.

use multirail_conformance::{Call, Shop};
use serde_json::{Value, json};

use super::{PASSWORD, Person};

fn saves(who: &Person, name: &str, query: &str) -> Call {
    let body = json!({ "name": name, "query": query });
    who.call("saved_views_create").json(&body)
}

fn deletes(who: &Person, view: &Value) -> Call {
    let id = view["saved_view_id"].as_str().expect("a view");
    who.call("saved_views_delete").at("saved_view_id", id)
}

async fn names(who: &Person) -> Vec<String> {
    let listed = who.call("saved_views_list").await.ok();
    let views = listed.as_array().expect("a list").iter();
    let name = |one: &Value| one["name"].as_str().expect("a name").to_owned();
    views.map(name).collect()
}

#[tokio::test]
async fn a_user_keeps_views_that_nobody_else_sees() {
    let shop = Shop::open().await;
    let server = &shop.server;
    let joan = Person::invited(server, "joan", "merchant_view_only", "bookshop").await;
    let failed = saves(&joan, " Failed in euros ", "group=failed&currency=EUR");
    let failed = failed.await.ok();
    assert_eq!(failed["name"], "Failed in euros");
    server.time_passes(1).await;
    saves(&joan, "Large", "currency=EUR&least=1000%2C00")
        .await
        .ok();
    let listed = joan.call("saved_views_list").await.ok();
    assert_eq!(listed[0], failed);
    assert_eq!(listed[1]["query"], "currency=EUR&least=1000%2C00");
    // A colleague and another account of the same user have none of them.
    let ada = Person::invited(server, "ada", "org_admin", "bookshop").await;
    assert!(names(&ada).await.is_empty());
    deletes(&ada, &failed).await.refused(404, "HE_02");
    saves(&ada, "Failed in euros", "group=failed").await.ok();
    let company = json!({ "company_name": "Flower shop" });
    let florist = ada.call("users_create_merchant").json(&company).await.ok();
    let there = ada.in_account(&florist["merchant_id"]).await;
    assert!(names(&there).await.is_empty());
    // Deleted, a view is gone, and its name is free again.
    assert_eq!(deletes(&joan, &failed).await.status, 200);
    deletes(&joan, &failed).await.refused(404, "HE_02");
    assert_eq!(names(&joan).await, ["Large"]);
    saves(&joan, "Failed in euros", "group=failed").await.ok();
}

/// A user who comes back begins without the views of their former role.
#[tokio::test]
async fn views_end_with_the_role() {
    let shop = Shop::open().await;
    let server = &shop.server;
    let ada = Person::invited(server, "ada", "merchant_admin", "bookshop").await;
    for removed_by_team in [true, false] {
        let name = format!("joan.{removed_by_team}");
        let mut joan = Person::invited(server, &name, "merchant_view_only", "bookshop").await;
        saves(&joan, "Failed", "group=failed").await.ok();
        let user_id = joan.details().await["user_id"].clone();
        let user_id = user_id.as_str().expect("an id");
        let removed = if removed_by_team {
            ada.call("team_remove").at("user_id", user_id).await
        } else {
            let role = json!({
                "email": joan.email, "merchant_id": "bookshop", "role_id": "merchant_view_only",
            });
            server.operator("users_remove_role").json(&role).await
        };
        assert_eq!(removed.status, 200, "{}", removed.text);
        let again = json!({
            "email": joan.email, "role_id": "merchant_view_only", "merchant_id": "bookshop",
        });
        let invited = server.operator("users_invite").json(&again).await.ok();
        joan.accepts(&invited, PASSWORD).await;
        assert_eq!(names(&joan).await, [""; 0], "{name}");
    }
}

#[tokio::test]
async fn names_and_numbers_of_views_have_bounds() {
    let shop = Shop::open().await;
    let ada = Person::invited(&shop.server, "ada", "merchant_admin", "bookshop").await;
    let long = "ä".repeat(60);
    let padded = format!("  {long}  ");
    let saved = saves(&ada, &long, &"a".repeat(1_000)).await.ok();
    assert_eq!(saved["name"], json!(long));
    let trimmed = saves(&ada, "  View 0  ", "group=failed").await.ok();
    assert_eq!(trimmed["name"], json!("View 0"), "saved without its blanks");
    let message = saves(&ada, &long, "group=failed").await;
    message.refused(400, "IR_16");
    for (name, query, member) in [
        ("", "group=failed", "name"),
        ("   ", "group=failed", "name"),
        (&*"ä".repeat(61), "group=failed", "name"),
        (&*padded, "group=failed", "name"),
        ("All", "", "query"),
        ("All", "group=<failed>", "query"),
        ("All", &*"a".repeat(1_001), "query"),
    ] {
        let message = saves(&ada, name, query).await.refused(422, "IR_05");
        assert!(message.contains(member), "{message}");
    }
    for number in 1..19 {
        let name = format!("View {number}");
        saves(&ada, &name, "group=failed").await.ok();
    }
    let message = saves(&ada, "One more", "group=failed").await;
    let message = message.refused(400, "IR_16");
    assert!(message.contains("20 saved views"), "{message}");
    assert_eq!(names(&ada).await.len(), 20);
}
