//! Operations: each has a name, a description, its marks and its security schemes.

use serde_json::Value;

use super::{Lint, Location, has_text, names, parameters, responses};
use crate::api::traits::{
    BEARER, PUBLISHABLE_KEY, SDK_AUTHORIZATION, SUBSCRIPTION_CLIENT, principal_name,
};
use crate::document::{
    ALL_ROLES, BODY_BYTES, BYTES, CONNECTED_HEADER, IDEMPOTENCY_HEADER, PROFILE_HEADER, ROLES,
    items, members, reference, resolve, takes_bytes,
};
use crate::names::pascal;

pub fn check(lint: &mut Lint<'_>) {
    let operations = lint.operations();
    for (location, method, _, operation) in &operations {
        identity(lint, location, operation);
        marks(lint, location, operation);
        security(lint, location, operation);
        roles(lint, location, operation);
        client_members(lint, location, operation);
        idempotency(lint, location, method, operation);
        parameters::check(lint, location, operation);
        responses::check(lint, location, operation);
    }
    for (name, item) in members(&lint.root["x-webhooks"]) {
        for (method, sent) in members(item) {
            let location = Location::at(&format!("/x-webhooks/{name}/{method}"));
            identity(lint, &location, sent);
            if sent.get("security").is_none() {
                lint.find(
                    &location,
                    "`security` is missing",
                    "write `security: []` if the request is signed",
                );
            }
        }
    }
    let ids = operations
        .iter()
        .filter_map(|(_, _, _, operation)| operation["operationId"].as_str());
    for (one, other) in names::collisions(ids, pascal) {
        lint.find(
            &Location::at("/paths"),
            format!("the operationIds `{one}` and `{other}` are one name in Rust"),
            "give each operation a name of its own",
        );
    }
}

fn identity(lint: &mut Lint<'_>, location: &Location, operation: &Value) {
    if !operation["operationId"]
        .as_str()
        .is_some_and(names::is_operation)
    {
        lint.find(
            location,
            "the operationId is missing or isn't `<resource>_<verb>`",
            "write it like `payments_create`",
        );
    }
    match items(&operation["tags"]).collect::<Vec<_>>().as_slice() {
        [tag]
            if items(&lint.root["tags"])
                .any(|known| known["name"] == **tag && has_text(&known["description"])) => {}
        [tag] => lint.find(
            location,
            format!("the tag {tag} isn't described"),
            "name it under `tags` in main.yaml, and describe it in the file of its operations",
        ),
        _ => lint.find(
            location,
            "it hasn't exactly one tag",
            "give it the one tag whose trait shall hold it",
        ),
    }
    for member in ["summary", "description"] {
        if !has_text(&operation[member]) {
            lint.find(
                location,
                format!("`{member}` is missing"),
                "say it in a few words of our own",
            );
        }
    }
}

fn marks(lint: &mut Lint<'_>, location: &Location, operation: &Value) {
    let section = &operation["x-multirail-section"];
    match operation["x-multirail-origin"].as_str() {
        Some("specification") if has_text(section) => {}
        Some("specification") => {
            lint.find(
                location,
                "`x-multirail-section` is missing",
                "name the section, as text, like '4.12'",
            );
        }
        Some("supporting") if section.is_null() => {}
        Some("supporting") => {
            lint.find(
                location,
                "a supporting operation names a section",
                "remove `x-multirail-section`",
            );
        }
        _ => lint.find(
            location,
            "`x-multirail-origin` is missing",
            "write `specification` or `supporting`",
        ),
    }
    if takes_bytes(operation) != operation[BODY_BYTES].is_u64() {
        lint.find(
            location,
            format!("`{BODY_BYTES}` and a body of `{BYTES}` come together"),
            "say how many bytes such a body may have, and of no other",
        );
    }
    if !operation["x-multirail-mutates"].is_boolean() {
        lint.find(
            location,
            "`x-multirail-mutates` is missing",
            "write `true` or `false`",
        );
    }
}

fn security(lint: &mut Lint<'_>, location: &Location, operation: &Value) {
    if !operation["security"].is_array() {
        lint.find(
            location,
            "`security` is missing",
            "list the keys that it takes, or `[]` where none is needed",
        );
        return;
    }
    let mut schemes = Vec::new();
    for entry in items(&operation["security"]) {
        let names: Vec<&str> = members(entry).map(|(name, _)| name).collect();
        match names.as_slice() {
            [name]
                if lint.root["components"]["securitySchemes"]
                    .get(*name)
                    .is_some() =>
            {
                schemes.push((*name).to_owned());
            }
            [name] => lint.find(
                location,
                format!("the security scheme `{name}` doesn't exist"),
                "declare it under `components.securitySchemes` or use one that is there",
            ),
            _ => lint.find(
                location,
                "an entry of `security` doesn't name exactly one scheme",
                "write alternatives as separate entries of the list",
            ),
        }
    }
    let has = |name: &str| schemes.iter().any(|scheme| scheme == name);
    let declared = &lint.root["components"]["securitySchemes"];
    if declared.get(SDK_AUTHORIZATION).is_some() && has(PUBLISHABLE_KEY) && !has(SDK_AUTHORIZATION)
    {
        lint.find(
            location,
            format!("`{PUBLISHABLE_KEY}` stands without `{SDK_AUTHORIZATION}`"),
            "list both: the one is the other with a client secret in the same text",
        );
    }
    let narrows = members(&lint.root["components"]["parameters"])
        .any(|(_, parameter)| parameter["name"] == PROFILE_HEADER);
    let root = lint.root;
    let lists = |header: &str| {
        items(&operation["parameters"]).any(|parameter| resolve(root, parameter)["name"] == header)
    };
    let for_merchants = schemes.iter().any(|scheme| scheme == "api_key");
    if lists(CONNECTED_HEADER) && !for_merchants {
        lint.find(
            location,
            format!("it lists `{CONNECTED_HEADER}` and takes no secret key"),
            "leave it out: a platform calls for others with its secret key alone",
        );
    }
    if narrows && !lists(PROFILE_HEADER) && for_merchants {
        lint.find(
            location,
            format!("it takes a secret key and doesn't list `{PROFILE_HEADER}`"),
            "refer to the parameter: authentication reads the header wherever a secret key is taken",
        );
    }
    if !schemes.is_empty() && principal_name(&schemes).is_none() {
        lint.find(
            location,
            format!("no principal type stands for the keys {}", schemes.join(", ")),
            "use a combination that has one, or add it to server/api/src/principal.rs and to codegen's list",
        );
    }
}

/// Checks `x-multirail-roles`, which decides which users of a merchant may call: it must be there, and name existing roles.
fn roles(lint: &mut Lint<'_>, location: &Location, operation: &Value) {
    let for_users = items(&operation["security"]).any(|entry| entry.get(BEARER).is_some());
    let listed: Vec<&Value> = items(&operation[ROLES]).collect();
    if for_users == listed.is_empty() {
        lint.find(
            location,
            if for_users {
                format!("`{ROLES}` is missing")
            } else {
                format!("`{ROLES}` without `{BEARER}`")
            },
            "list the roles that may call with a token, and only where it takes one",
        );
    }
    let in_order = ALL_ROLES
        .iter()
        .filter(|role| listed.iter().any(|one| one == *role));
    if listed
        .iter()
        .filter_map(|one| one.as_str())
        .ne(in_order.copied())
    {
        lint.find(
            location,
            format!("`{ROLES}` isn't a list of roles in their order"),
            format!("choose from {}", ALL_ROLES.join(", ")),
        );
    }
}

/// Checks `x-client-members`, which decides which members a payer's client may send: it must be there and name members of
/// the body.
fn client_members(lint: &mut Lint<'_>, location: &Location, operation: &Value) {
    let is_clients = |entry: &Value| {
        entry.get(PUBLISHABLE_KEY).is_some() || entry.get(SUBSCRIPTION_CLIENT).is_some()
    };
    let for_clients = items(&operation["security"]).any(is_clients);
    let root = lint.root;
    let schema = &resolve(root, &operation["requestBody"])["content"]["application/json"]["schema"];
    let Some(request) = reference(schema).map(|name| &root["components"]["schemas"][name]) else {
        return;
    };
    let listed = &operation["x-client-members"];
    if for_clients != listed.is_array() {
        lint.find(
            location,
            if for_clients {
                "`x-client-members` is missing"
            } else {
                "`x-client-members` without `publishable_key`"
            },
            "list the body members that a publishable key may send, and only where it may call",
        );
        return;
    }
    for name in items(listed) {
        if name
            .as_str()
            .is_none_or(|name| request["properties"].get(name).is_none())
        {
            lint.find(
                location,
                format!("`x-client-members` lists {name}, which the body doesn't have"),
                "list members of the request schema",
            );
        }
    }
    if for_clients && !items(listed).any(|name| name == "client_secret") {
        lint.find(
            location,
            "`x-client-members` doesn't list client_secret",
            "list it; a client can't call without",
        );
    }
}

/// Checks the idempotency header. An operation of a secret key takes an idempotency key exactly if it is a POST, or a
/// PUT of JSON, that changes something: keys are stored by merchant. An operation of users alone may take one. The server
/// uses these marks, so the header must agree with them.
fn idempotency(lint: &mut Lint<'_>, location: &Location, method: &str, operation: &Value) {
    let mutates = operation["x-multirail-mutates"].as_bool();
    let (Some(mutates), Some(security)) = (mutates, operation["security"].as_array()) else {
        // `marks` and `security` have found it.
        return;
    };
    let for_merchants = security.iter().any(|entry| entry.get("api_key").is_some());
    let for_users = security.len() == 1 && security[0].get("bearer").is_some();
    let may = mutates && (method == "post" || method == "put" && !takes_bytes(operation));
    let wanted = may && for_merchants;
    let given = items(&operation["parameters"])
        .map(|one| resolve(lint.root, one))
        .any(|one| one["in"] == "header" && one["name"] == IDEMPOTENCY_HEADER);
    if wanted && !given {
        lint.find(
            location,
            format!("it changes something for a merchant and doesn't take `{IDEMPOTENCY_HEADER}`"),
            "add `$ref: 'common.yaml#/components/parameters/IdempotencyKeyHeader'` to its parameters",
        );
    }
    if given && !wanted && !(may && for_users) {
        lint.find(
            location,
            format!("it takes `{IDEMPOTENCY_HEADER}` and isn't a POST, or a PUT of JSON, that changes something for a merchant, or for users alone"),
            "remove the header, or correct the operation's marks",
        );
    }
}
