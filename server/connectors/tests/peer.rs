//! Proves that a peer is as strict as its document.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use async_trait::async_trait;
use multirail_connector_kit::ClientSettings;
use multirail_connectors::client::{Answer, Client, NotSent, TransportError};
use multirail_connectors::wire::{Body, WireAnswer, WireRequest, path};
use multirail_kernel::secret::SecretText;
use multirail_kernel::target::TargetRules;
use multirail_peers::{Call, Document, Fault, Peer, Processor, Reply};
use multirail_sdk::connector::Access;
use serde_json::{Value, json};

static SHOP: LazyLock<Document> = LazyLock::new(|| {
    Document::read(
        r##"
openapi: 3.0.3
servers: [{ url: "https://shop.example/v2" }]
paths:
  /charges:
    post:
      parameters:
        - { name: Shop-Version, in: header, required: true, schema: { type: integer, enum: [7] } }
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            schema:
              type: object
              required: [amount]
              properties:
                amount: { type: integer, minimum: 1 }
                capture: { type: boolean }
                note: { type: string, nullable: true, enum: [tea, "12"] }
                items: { type: array, items: { $ref: "#/components/schemas/Item" } }
                metadata: { type: object, additionalProperties: { type: string } }
      responses:
        "201":
          description: Made.
          content: { application/json: { schema: { type: object, required: [id] } } }
        "4XX": { description: Refused. }
  /charges/{charge}:
    get:
      parameters:
        - { name: charge, in: path, required: true, schema: { type: string, pattern: "^ch" } }
        - { name: expand, in: query, schema: { type: array, items: { type: string } } }
      responses:
        "200": { description: It stands., content: { application/json: { schema: {} } } }
  /charges/search:
    get:
      parameters:
        - { name: query, in: query, required: true, schema: { type: string } }
      responses:
        "200": { description: Found., content: { application/json: { schema: {} } } }
components:
  securitySchemes: { key: { type: http, scheme: bearer } }
  schemas:
    Item: { type: object, required: [name], properties: { name: { type: string }, price: { type: integer } } }
"##,
    )
});

/// A processor that returns the parsed request.
struct Shop;

#[async_trait]
impl Processor for Shop {
    fn document(&self) -> &'static Document {
        &SHOP
    }

    async fn answer(&self, call: Call) -> Reply {
        match call.operation.as_str() {
            "POST /charges" if *call.at("/amount") == 666 => Reply::new(202, Value::Null),
            "POST /charges" if *call.at("/amount") == 667 => Reply::new(201, json!({})),
            "POST /charges" => Reply::new(201, json!({"id": "ch_1", "understood": call.body})),
            _ => Reply::new(
                200,
                json!({"operation": call.operation, "path": call.path, "query": call.query}),
            ),
        }
    }

    fn refuse(&self, message: &str) -> Reply {
        Reply::new(400, json!({ "error": message }))
    }
}

struct Caller {
    peer: Peer,
    client: Client,
}

impl Caller {
    async fn start() -> Self {
        Caller::with(Duration::from_secs(60), 4).await
    }

    async fn with(deadline: Duration, calls_per_account: usize) -> Self {
        let peer = Peer::start(Arc::new(Shop)).await;
        let client = Client::new(ClientSettings {
            targets: TargetRules {
                allows_loopback: true,
                ..TargetRules::default()
            },
            deadline,
            calls_per_account,
            proxy: None,
            trusted: peer.certificates(),
        });
        Caller { peer, client }
    }

    async fn send(&self, request: WireRequest) -> WireAnswer {
        let request = request.header("authorization", SecretText::new("Bearer sesame"));
        self.send_bare(request).await
    }

    async fn send_bare(&self, request: WireRequest) -> WireAnswer {
        let answer = self.send_as("sesame", request).await;
        answer.expect("an answer")
    }

    /// Sends a request with these credentials.
    async fn send_as(&self, credentials: &str, request: WireRequest) -> Answer {
        let mut access = Access {
            credentials: SecretText::new(credentials),
            ..Access::default()
        };
        let url = self.peer.url().into();
        access.metadata.insert("base_url".to_owned(), url);
        let answer = self.client.send(&access, "https://shop.example", request);
        answer.await
    }

    /// Returns the status and the reported violations.
    async fn refused(&self, request: WireRequest) -> String {
        let answer = self.send(request).await;
        format!(
            "{}: {}",
            answer.status,
            self.peer.take_violations().join(", ")
        )
    }
}

fn charge(form: &str) -> WireRequest {
    WireRequest::post(path(&["charges"]), Body::Form(SecretText::new(form)))
        .header("shop-version", SecretText::new("7"))
}

#[tokio::test]
async fn described_requests_are_read() {
    let caller = Caller::start().await;
    let form = "amount=5&capture=false&note=12&items[0][name]=tea&items[0][price]=7&items[1][name]=8&metadata[a]=9";
    let answer = caller.send(charge(form)).await;
    assert_eq!(answer.status, 201);
    let answer: Value = answer.json().expect("JSON");
    insta::assert_snapshot!(answer["understood"], @r#"{"amount":5,"capture":false,"note":"12","items":[{"name":"tea","price":7},{"name":"8"}],"metadata":{"a":"9"}}"#);

    let answer = caller
        .send(WireRequest::get(
            "/charges/ch%2F1?expand[0]=card".to_owned(),
        ))
        .await;
    let answer: Value = answer.json().expect("JSON");
    insta::assert_snapshot!(answer, @r#"{"operation":"GET /charges/{charge}","path":{"charge":"ch/1"},"query":{"expand":["card"]}}"#);
    let answer = caller
        .send(WireRequest::get("/charges/search?query=a".to_owned()))
        .await;
    let answer: Value = answer.json().expect("JSON");
    assert_eq!(answer["operation"], "GET /charges/search");
}

#[tokio::test]
async fn everything_else_is_refused_and_complained_of() {
    let caller = Caller::start().await;
    let get = |path: &str| WireRequest::get(path.to_owned());
    let json = Body::Json(SecretText::new(r#"{"amount":5}"#));
    let version = |request: WireRequest| request.header("shop-version", SecretText::new("7"));
    let table = [
        charge("amount=5&colour=red"),
        charge("capture=true"),
        charge("amount=five"),
        charge("amount=05"),
        charge("amount=0"),
        charge("amount=5&capture=yes"),
        charge("amount=5&note=coffee"),
        charge("amount=5&amount=6"),
        charge("amount=5&items[0][colour]=red"),
        charge("amount=5&items[1][name]=tea"),
        charge("amount=5&items=tea"),
        charge("amount=5&metadata[a][b]=c"),
        version(WireRequest::post(path(&["charges"]), json)),
        version(WireRequest::post(path(&["charges"]), Body::Empty)),
        charge("amount=5").header("shop-colour", SecretText::new("red")),
        WireRequest::post(path(&["charges"]), Body::Form(SecretText::new("amount=5"))),
        get("/charges/1"),
        get("/charges/ch_1?colour=red"),
        get("/charges/search"),
        get("/refunds"),
        get("/charges"),
    ];
    let mut told = Vec::new();
    for request in table {
        told.push(caller.refused(request).await);
    }
    let without_key = caller.send_bare(charge("amount=5")).await;
    let complaints = caller.peer.take_violations().join(", ");
    told.push(format!("{}: {complaints}", without_key.status));
    insta::assert_snapshot!(told.join("\n"), @r#"
    400: POST /v2/charges: Additional properties are not allowed ('colour' was unexpected)
    400: POST /v2/charges: "amount" is a required property
    400: POST /v2/charges: "five" is not of type "integer" at /amount
    400: POST /v2/charges: "05" is not of type "integer" at /amount
    400: POST /v2/charges: 0 is less than the minimum of 1 at /amount
    400: POST /v2/charges: "yes" is not of type "boolean" at /capture
    400: POST /v2/charges: "coffee" is not one of "tea", "12" or null at /note
    400: POST /v2/charges: "amount" twice
    400: POST /v2/charges: Additional properties are not allowed ('colour' was unexpected) at /items/0
    400: POST /v2/charges: {"1":{"name":"tea"}} is not of type "array" at /items
    400: POST /v2/charges: "tea" is not of type "array" at /items
    400: POST /v2/charges: {"b":"c"} is not of type "string" at /metadata/a
    400: POST /v2/charges: a body of Some("application/json") and not of application/x-www-form-urlencoded
    400: POST /v2/charges: a body of None and not of application/x-www-form-urlencoded
    400: POST /v2/charges: the header shop-colour
    400: POST /v2/charges: the header Shop-Version is missing
    400: GET /v2/charges/1: charge in path: "1" does not match "^ch"
    400: GET /v2/charges/ch_1: the query has colour
    400: GET /v2/charges/search: the query has no query
    404: GET /v2/refunds
    404: GET /v2/charges
    400: POST /v2/charges: the header authorization is missing
    "#);
}

#[tokio::test]
async fn the_peers_own_answers_are_described_too() {
    let caller = Caller::start().await;
    for amount in ["amount=666", "amount=667"] {
        caller.send(charge(amount)).await;
    }
    insta::assert_snapshot!(caller.peer.take_violations().join("\n"), @r#"
    an answer of its own: POST /charges never answers 202
    an answer of its own: POST /charges 201: "id" is a required property
    "#);
}

#[tokio::test]
#[should_panic(expected = "the processor knows nothing of")]
async fn a_test_ends_with_what_was_complained_of() {
    let caller = Caller::start().await;
    caller.send(WireRequest::get("/refunds".to_owned())).await;
}

#[tokio::test]
#[should_panic(expected = "faults that nobody met")]
async fn a_test_ends_with_the_faults_that_were_left() {
    let caller = Caller::start().await;
    caller.peer.faults().next(Fault::LosesAnswer);
}

#[tokio::test]
async fn it_speaks_http_2_over_one_connection() {
    let caller = Caller::start().await;
    let get = || caller.send(WireRequest::get("/charges/ch_1".to_owned()));
    get().await;
    let (a, b, c) = tokio::join!(get(), get(), get());
    assert_eq!([a.status, b.status, c.status], [200; 3]);
    assert_eq!((caller.peer.connections(), caller.peer.requests()), (1, 4));
}

/// Calls in progress of one account don't delay another account.
#[tokio::test]
async fn an_account_waits_for_its_own_calls_only() {
    let caller = Caller::with(Duration::from_secs(2), 1).await;
    let get = || {
        let request = WireRequest::get("/charges/ch_1".to_owned());
        request.header("authorization", SecretText::new("Bearer sesame"))
    };
    caller.send_as("c", get()).await.expect("an answer");
    caller.peer.faults().next(Fault::StaysSilent);
    let (first, (second, other)) = tokio::join!(caller.send_as("a", get()), async {
        while caller.peer.requests() < 2 {
            tokio::task::yield_now().await;
        }
        tokio::join!(caller.send_as("a", get()), caller.send_as("b", get()))
    });
    assert_eq!(first.err(), Some(TransportError::TimedOut));
    let busy = TransportError::NotSent(NotSent::AccountBusy);
    assert_eq!(second.err(), Some(busy));
    assert_eq!(other.expect("an answer").status, 200);
    let again = caller.send_as("a", get()).await;
    assert_eq!(again.expect("an answer").status, 200);
}
