//! Offers of roles, and the admins who make them.

use multirail_conformance::mailbox::Mailbox;
use multirail_conformance::patience::until_found;
use serde_json::{Value, json};

use super::forgotten::with_mail;
use super::{PASSWORD, Person, sign_in};

#[tokio::test]
async fn the_offer_of_an_admin_ends_with_their_role() {
    let mailbox = Mailbox::open().await;
    let server = with_mail(&mailbox).await;
    server.shop_without_connector("bookshop").await;
    let ada = Person::invited(&server, "ada", "org_admin", "bookshop").await;
    let joan = Person::invited(&server, "joan", "merchant_admin", "bookshop").await;
    let body = json!({ "email": "grace@books.example", "role_id": "merchant_operator" });
    joan.call("team_invite").json(&body).await.ok();
    // The others may have got letters before they chose a password.
    let letter = until_found("the letter to Grace", async || {
        let mut letters = mailbox.letters(0).await.into_iter();
        let found = letters.find(|letter| letter.to == "grace@books.example");
        found.ok_or("no letter")
    })
    .await;

    let joans = joan.details().await["user_id"].clone();
    let remove = ada.call("team_remove");
    let remove = remove.at("user_id", joans.as_str().expect("an id"));
    assert_eq!(remove.await.status, 200);
    let team = ada.call("team_list").await.ok();
    let members = team.as_array().expect("a list");
    let addresses: Vec<&Value> = members.iter().map(|one| &one["email"]).collect();
    assert_eq!(addresses, ["ada@books.example"]);
    // The token only chooses a password.
    let chosen = json!({ "token": letter.token(), "password": PASSWORD });
    let call = server.wire.call("users_reset_password").json(&chosen);
    call.await.ok();
    sign_in(&server, "grace@books.example", PASSWORD)
        .await
        .refused(403, "IR_22");
}
