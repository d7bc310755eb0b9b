//! Every kind of caller calls each operation of the document, and is let in or refused as the document says. The
//! snapshot is the table for people; an operation without a row fails. (Specification 5)

mod disclosure;

use multirail_conformance::bodies::{APPROVED, order_with, with};
use multirail_conformance::document::{Operation, document, operations};
use multirail_conformance::identity_provider::IdentityProvider;
use multirail_conformance::{Call, Shop, TestServer, shop};
use serde_json::{Value, json};

use crate::platforms::{ACTS_FOR, Hall};
use crate::tenancy::valid_body;
use crate::users::Person;
use crate::users::oidc::knows;

const ROLES: [&str; 5] = [
    "org_admin",
    "merchant_admin",
    "merchant_developer",
    "merchant_operator",
    "merchant_view_only",
];

/// A kind of caller.
enum Who {
    Nobody,
    /// A key of this scheme, of the shop or of nobody.
    Key(&'static str, String),
    /// A key of the shop that only reads.
    Reader(String),
    /// A key of the shop for refunds only.
    Clerk(String),
    /// A key of the shop for payments only.
    Cashier(String),
    /// The `sdk_authorization` of the shop's payment.
    Sdk(String),
    /// A user with this role in the shop.
    User(&'static str, Person),
    /// The secret key of another shop.
    OtherShop(String),
    /// The admin of another shop's organization.
    OtherUser(Person),
    /// The secret key of the shop's platform, acting for the shop.
    Platform(String),
    /// The same key, acting for a shop that isn't connected.
    PlatformElsewhere(String),
}

/// The outcome of authorization: let in, or refused with this status and code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Door {
    Open,
    Shut(u16, &'static str),
}

const NO_KEY: Door = Door::Shut(401, "IR_01");
const NO_TOKEN: Door = Door::Shut(401, "IR_17");
const NOT_ALLOWED: Door = Door::Shut(403, "IR_22");
const NOT_FOR_PLATFORMS: Door = Door::Shut(400, "IR_43");
const NOT_ACTED_FOR: Door = Door::Shut(401, "IR_44");

fn roles(operation: &Operation) -> Vec<&'static str> {
    let method = operation.method.as_str().to_ascii_lowercase();
    let listed = document()["paths"][&operation.path][method]["x-multirail-roles"].as_array();
    let listed = listed.into_iter().flatten().filter_map(Value::as_str);
    listed
        .map(|role| {
            let known = ROLES.iter().find(|known| **known == role);
            *known.unwrap_or_else(|| panic!("{}: {role} is no role", operation.id))
        })
        .collect()
}

/// Returns whether the operation changes nothing.
fn reads(operation: &Operation) -> bool {
    let method = operation.method.as_str().to_ascii_lowercase();
    let mutates = &document()["paths"][&operation.path][method]["x-multirail-mutates"];
    // An ephemeral key exists to change something. A check sends credentials to a processor, and a test sends an event.
    let writes = [
        "connector_accounts_check",
        "connectors_check",
        "ephemeral_keys_create",
        "webhook_endpoints_test",
    ];
    mutates == false && !writes.contains(&operation.id.as_str())
}

/// Returns whether the path names a merchant account or an organization, which must be the caller's.
fn names_account(operation: &Operation) -> bool {
    let names = operation.path_parameters();
    let accounts = ["account_id", "merchant_id", "organization_id"];
    accounts.iter().any(|account| names.contains(account))
}

/// Returns the outcome that the document promises.
fn wanted(operation: &Operation, who: &Who) -> Door {
    if operation.security.is_empty() {
        return Door::Open;
    }
    let shut = if operation.security == ["bearer"] {
        NO_TOKEN
    } else {
        NO_KEY
    };
    let open_if = |is_open: bool| if is_open { Door::Open } else { shut };
    match who {
        Who::Nobody => shut,
        // The key is enough here; the handler checks whether the secret belongs to a subscription.
        Who::Key("publishable_key", _) => {
            open_if(operation.takes("publishable_key") || operation.takes("subscription_client"))
        }
        Who::Key(scheme, _) => open_if(operation.takes(scheme)),
        Who::Sdk(_) => open_if(operation.takes("sdk_authorization")),
        Who::OtherShop(_) => open_if(operation.takes("api_key") && !names_account(operation)),
        Who::Reader(_) | Who::Clerk(_) | Who::Cashier(_) if !operation.takes("api_key") => shut,
        Who::Reader(_) if reads(operation) => Door::Open,
        Who::Clerk(_) if operation.id.starts_with("refunds_") => Door::Open,
        Who::Cashier(_) if operation.text()["tags"][0] == "Payments" => Door::Open,
        Who::Reader(_) | Who::Clerk(_) | Who::Cashier(_) => NOT_ALLOWED,
        Who::Platform(_) | Who::PlatformElsewhere(_) if !operation.takes("api_key") => shut,
        Who::Platform(_) | Who::PlatformElsewhere(_) if !operation.for_platforms => {
            NOT_FOR_PLATFORMS
        }
        Who::Platform(_) => Door::Open,
        Who::PlatformElsewhere(_) => NOT_ACTED_FOR,
        Who::User(..) | Who::OtherUser(_) if !operation.takes("bearer") => shut,
        Who::User(role, _) if roles(operation).contains(role) => Door::Open,
        Who::OtherUser(_) if !names_account(operation) => Door::Open,
        Who::User(..) | Who::OtherUser(_) => NOT_ALLOWED,
    }
}

impl Who {
    fn name(&self) -> String {
        match self {
            Who::Nobody => "nobody".to_owned(),
            Who::Key(scheme, _) => (*scheme).to_owned(),
            Who::Reader(_) => "read-only key".to_owned(),
            Who::Clerk(_) => "key for refunds".to_owned(),
            Who::Cashier(_) => "key for payments".to_owned(),
            Who::Sdk(_) => "sdk_authorization".to_owned(),
            Who::User(role, _) => (*role).to_owned(),
            Who::OtherShop(_) => "another shop".to_owned(),
            Who::OtherUser(_) => "another's admin".to_owned(),
            Who::Platform(_) => "platform acting".to_owned(),
            Who::PlatformElsewhere(_) => "platform acting for another's".to_owned(),
        }
    }

    fn calls(&self, call: Call) -> Call {
        match self {
            Who::Nobody => call.without_key(),
            Who::Key(_, key)
            | Who::OtherShop(key)
            | Who::Reader(key)
            | Who::Clerk(key)
            | Who::Cashier(key) => call.key(key),
            Who::Platform(key) => call.key(key).header(ACTS_FOR, "bookshop"),
            Who::PlatformElsewhere(key) => call.key(key).header(ACTS_FOR, "florist"),
            Who::Sdk(text) => call.without_key().header("authorization", text),
            Who::User(_, person) | Who::OtherUser(person) => call.token(&person.token),
        }
    }
}

/// A shop, and every kind of caller.
struct Fair {
    /// The shop is connected to a platform.
    shop: Shop,
    organization_id: String,
    payment_id: String,
    client_secret: String,
    everybody: Vec<Who>,
}

impl Fair {
    async fn open() -> Self {
        // With an identity provider, no sign-in is refused because there is none.
        let provider = IdentityProvider::open().await;
        let with_provider = |inputs| knows(&provider, inputs);
        let server = &TestServer::start_with(with_provider).await;
        let hall = Hall::open(server, "hall").await;
        let shop = hall.connects("bookshop").await;
        let ada = json!({ "customer_id": "ada" });
        shop.call("customers_create").json(&ada).await.ok();
        let payment = shop.creates(order_with(APPROVED)).await.ok();
        let client_secret = payment["client_secret"].as_str().expect("a text");
        let sdk = payment["sdk_authorization"].as_str().expect("a text");
        let ephemeral = shop.call("ephemeral_keys_create").json(&ada).await.ok();
        let ephemeral = ephemeral["secret"].as_str().expect("a key").to_owned();
        let florist = server.shop_without_connector("florist").await;
        let restricted = async |members: Value| {
            let body = with(json!({ "name": "k", "expiration": "never" }), members);
            let call = server.operator("api_keys_create").json(&body);
            let key = call.at("merchant_id", "bookshop").await.ok();
            key["api_key"].as_str().expect("a key").to_owned()
        };
        let groups = |group: &str| json!({ "operation_groups": [group] });
        let mut everybody = vec![
            Who::Nobody,
            Who::Key("api_key", shop.api_key.clone()),
            Who::Reader(restricted(json!({ "read_only": true })).await),
            Who::Clerk(restricted(groups("refunds")).await),
            Who::Cashier(restricted(groups("payments")).await),
            Who::Key("publishable_key", shop.publishable_key.clone()),
            Who::Sdk(sdk.to_owned()),
            Who::Key("ephemeral_key", ephemeral),
        ];
        for role in ROLES {
            let person = Person::invited(server, role, role, "bookshop").await;
            everybody.push(Who::User(role, person));
        }
        let theirs = Person::invited(server, "flora", "org_admin", "florist").await;
        everybody.push(Who::OtherUser(theirs));
        everybody.push(Who::OtherShop(florist.api_key.clone()));
        let platform = &hall.platform.api_key;
        everybody.push(Who::Platform(platform.clone()));
        everybody.push(Who::PlatformElsewhere(platform.clone()));
        // The operator comes last, because its calls really happen.
        everybody.push(Who::Key("admin_api_key", server.admin_key().to_owned()));
        Self {
            payment_id: shop::id(&payment).to_owned(),
            client_secret: client_secret.to_owned(),
            shop,
            organization_id: hall.organization_id,
            everybody,
        }
    }

    /// Builds a call that reaches authorization and mostly fails after it, because its object doesn't exist.
    fn reaches(&self, operation: &Operation, who: &Who) -> Call {
        let shop = &self.shop;
        let mut call = shop.server.wire.call(&operation.id);
        for parameter in operation.path_parameters() {
            let value = match parameter {
                "account_id" | "merchant_id" => &shop.merchant_id,
                "organization_id" => &self.organization_id,
                "profile_id" => &shop.profile_id,
                "payment_id" => &self.payment_id,
                "customer_id" if operation.method == reqwest::Method::GET => "ada",
                _ => "unborn",
            };
            call = call.at(parameter, value);
        }
        let is_payer = matches!(who, Who::Key("publishable_key", _) | Who::Sdk(_));
        let secret = json!({ "client_secret": self.client_secret });
        // The server checks the account in the path after it has read the body.
        let is_elsewhere = matches!(who, Who::OtherShop(_) | Who::OtherUser(_));
        if operation.id.starts_with("dynamic_routing_") && operation.id.ends_with("_toggle") {
            call = call.query("enable", "metrics");
        }
        if operation.id == "dynamic_routing_set_volume_split" {
            call = call.query("split", 50);
        }
        call = match (&operation.request, is_payer) {
            (Some(_), _) if is_elsewhere && names_account(operation) => {
                call.json(&valid_body(operation))
            }
            (Some(_), true) if operation.takes("publishable_key") => call.json(&secret),
            (Some(_), _) => call.json(&json!({})),
            (None, true) if operation.takes("publishable_key") => {
                call.query("client_secret", &self.client_secret)
            }
            (None, _) => call,
        };
        who.calls(call)
    }
}

/// Returns the refusal with this status and code; every other answer counts as let in.
fn door_of(status: u16, code: &str) -> Door {
    let shut = [
        NO_KEY,
        NO_TOKEN,
        NOT_ALLOWED,
        NOT_FOR_PLATFORMS,
        NOT_ACTED_FOR,
    ];
    let is = |door: &&Door| matches!(**door, Door::Shut(s, c) if (s, c) == (status, code));
    shut.iter().find(is).copied().unwrap_or(Door::Open)
}

/// Returns the order of the operation. Signing out and closing the account come last, because they end callers.
fn order(operation: &Operation) -> u8 {
    match operation.id.as_str() {
        "users_sign_out" => 2,
        "merchant_accounts_delete" => 3,
        _ if operation.method == reqwest::Method::DELETE => 1,
        _ => 0,
    }
}

#[tokio::test]
async fn every_operation_lets_in_exactly_the_documented_callers() {
    let fair = Fair::open().await;
    let mut all: Vec<&Operation> = operations().iter().collect();
    all.sort_by_key(|operation| order(operation));
    let mut wrong = Vec::new();
    let mut table = Vec::new();
    for operation in all {
        let mut row: Vec<(String, Vec<String>)> = Vec::new();
        for who in &fair.everybody {
            let answer = fair.reaches(operation, who).await;
            let code = answer.body["code"].as_str().unwrap_or("-");
            let (is, wanted) = (door_of(answer.status, code), wanted(operation, who));
            let name = who.name();
            if is != wanted {
                let id = &operation.id;
                wrong.push(format!(
                    "{id}, {name}: {is:?}, not {wanted:?}: {}",
                    answer.body
                ));
            }
            let word = match is {
                Door::Open => "open".to_owned(),
                Door::Shut(status, code) => format!("{status} {code}"),
            };
            match row.iter_mut().find(|(known, _)| *known == word) {
                Some((_, names)) => names.push(name),
                None => row.push((word, vec![name])),
            }
        }
        row.sort_by_key(|(word, _)| (word != "open", word.clone()));
        let row = row
            .iter()
            .map(|(word, names)| format!("{word}: {}", names.join(", ")));
        let row: Vec<String> = row.collect();
        table.push(format!("{}\n    {}", operation.id, row.join("\n    ")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    table.sort();
    insta::assert_snapshot!(table.join("\n"));
}
