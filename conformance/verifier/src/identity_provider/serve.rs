//! The provider as an HTTP server.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::future;
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, LOCATION};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use reqwest::Url;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::books::{Books, CLIENT_ID, CLIENT_SECRET, Grant, Lie, is_registered};
use super::keys::{Key, encode, signed_by, unsigned};

type Form = BTreeMap<String, String>;
type Answer = Response<Full<Bytes>>;

pub async fn serve(listener: TcpListener, books: Arc<Mutex<Books>>) {
    while let Ok((stream, _)) = listener.accept().await {
        let books = Arc::clone(&books);
        tokio::spawn(async move {
            let service = service_fn(|request| answer(request, Arc::clone(&books)));
            let connection = hyper::server::conn::http1::Builder::new();
            // A client that hangs up early is no error.
            let _ = connection
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

async fn answer(
    request: Request<Incoming>,
    books: Arc<Mutex<Books>>,
) -> Result<Answer, Infallible> {
    let (parts, body) = request.into_parts();
    let body = body.collect().await.expect("a body").to_bytes();
    let form = |text: &str| -> Form {
        let url = Url::parse(&format!("http://form.example/?{text}")).expect("a form");
        url.query_pairs().into_owned().collect()
    };
    let text = std::str::from_utf8(&body).expect("a text");
    let is_silent = books.lock().expect("no panic").is_lying(Lie::SaysNothing);
    if is_silent && parts.uri.path() == "/realms/books/token" {
        future::pending::<()>().await;
    }
    let mut books = books.lock().expect("no panic");
    let query = parts.uri.query().unwrap_or_default();
    Ok(match (parts.method.as_str(), parts.uri.path()) {
        ("GET", "/realms/books/.well-known/openid-configuration") => books.document(),
        ("GET", "/realms/books/keys") => books.listed_keys(),
        ("GET", "/realms/books/authorize") => books.authorize(&form(query), query),
        ("GET", "/realms/books/sign_in") => books.ask_who(query),
        ("POST", "/realms/books/token") => books.redeem(&parts.headers, &form(text)),
        ("GET", "/realms/books/userinfo") => books.user_info(&parts.headers),
        _ => json_answer(404, &json!({ "error": "not_found" })),
    })
}

impl Books {
    fn document(&mut self) -> Answer {
        self.count("document");
        if self.is_lying(Lie::IsDown) {
            return json_answer(503, &json!({ "error": "temporarily_unavailable" }));
        }
        let issuer = &self.issuer;
        let mut document = json!({
            "issuer": issuer,
            "authorization_endpoint": format!("{issuer}/authorize"),
            "token_endpoint": format!("{issuer}/token"),
            "userinfo_endpoint": format!("{issuer}/userinfo"),
            "jwks_uri": format!("{issuer}/keys"),
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256", "ES256"],
            "code_challenge_methods_supported": ["S256"],
        });
        if self.wants_secret_in_form {
            document["token_endpoint_auth_methods_supported"] = json!(["client_secret_post"]);
        }
        match self.lie {
            Some(Lie::NamesAnotherIssuer) => document["issuer"] = json!("https://evil.example"),
            Some(Lie::DocumentTooLong) => document["padding"] = json!("x".repeat(300_000)),
            Some(Lie::SendsElsewhere) => {
                document["authorization_endpoint"] = json!("javascript:alert(1)");
            }
            _ => {}
        }
        json_answer(200, &document)
    }

    fn listed_keys(&mut self) -> Answer {
        self.count("keys");
        let mut keys: Vec<Value> = self.keys.iter().map(Key::listed).collect();
        // Clients must ignore keys of unknown types. (RFC 7517, 5)
        keys.insert(0, json!({ "kty": "NEW", "kid": "of-tomorrow" }));
        json_answer(200, &json!({ "keys": keys }))
    }

    /// Signs in the member that the parameter `as` names. Without it, a page asks for the member.
    fn authorize(&mut self, form: &Form, query: &str) -> Answer {
        if !form.contains_key("as") {
            // A server on 127.0.0.1 is another site than one on localhost.
            let elsewhere = self.issuer.replace("127.0.0.1", "localhost");
            return see_other(&format!("{elsewhere}/sign_in?{query}"));
        }
        let has = |name: &str, value: &str| form.get(name).is_some_and(|given| given == value);
        let scopes = form.get("scope").map(String::as_str).unwrap_or_default();
        let redirect_uri = form.get("redirect_uri").cloned().unwrap_or_default();
        let is_right = has("client_id", CLIENT_ID)
            && is_registered(&redirect_uri)
            && has("response_type", "code")
            && has("code_challenge_method", "S256")
            && scopes.split(' ').any(|scope| scope == "openid");
        let of = |name: &str| form.get(name).cloned().unwrap_or_default();
        let sub = of("as");
        if !is_right || !self.members.contains_key(&sub) {
            return json_answer(400, &json!({ "error": "invalid_request" }));
        }
        let code = self.draw("code");
        let mut back = Url::parse(&redirect_uri).expect("an address");
        let grant = Grant {
            sub,
            redirect_uri,
            nonce: of("nonce"),
            challenge: of("code_challenge"),
        };
        self.grants.insert(code.clone(), grant);
        back.query_pairs_mut()
            .append_pair("code", &code)
            .append_pair("state", &of("state"))
            .append_pair("iss", &self.issuer);
        see_other(back.as_str())
    }

    /// Answers a page with a link for each member.
    fn ask_who(&self, query: &str) -> Answer {
        let query = query.replace('&', "&amp;");
        let link =
            |sub: &String| format!("<p><a href=\"authorize?{query}&amp;as={sub}\">{sub}</a>");
        let links: Vec<String> = self.members.keys().map(link).collect();
        html(&format!("<title>Books ID</title>{}", links.concat()))
    }

    fn redeem(&mut self, headers: &HeaderMap, form: &Form) -> Answer {
        self.count("token");
        match self.lie {
            Some(Lie::AnswersHtml) => return html("<html>who are you?</html>"),
            Some(Lie::AnswersTooMuch) => {
                return json_answer(200, &json!({ "access_token": "x".repeat(300_000) }));
            }
            _ => {}
        }
        if !self.is_client(headers, form) {
            return json_answer(401, &json!({ "error": "invalid_client" }));
        }
        let of = |name: &str| form.get(name).map(String::as_str).unwrap_or_default();
        let is_right = of("grant_type") == "authorization_code";
        // A code is valid once, whatever the outcome.
        let grant = self.grants.remove(of("code"));
        let verifier = of("code_verifier");
        let challenge = encode(digest(&SHA256, verifier.as_bytes()).as_ref());
        let proves = |grant: &Grant| {
            let is_same_page = grant.redirect_uri == of("redirect_uri");
            is_same_page && verifier.len() >= 43 && grant.challenge == challenge
        };
        let grant = grant.filter(|grant| is_right && proves(grant));
        let Some(grant) = grant.filter(|_| !self.is_lying(Lie::RefusesCodes)) else {
            let why = "the code of ada@books.example is no good";
            let refusal = json!({ "error": "invalid_grant", "error_description": why });
            return json_answer(400, &refusal);
        };
        let access_token = self.draw("access-token-canary");
        self.access_tokens
            .insert(access_token.clone(), grant.sub.clone());
        let mut answer = json!({
            "access_token": access_token, "token_type": "Bearer", "expires_in": 300,
            "refresh_token": "refresh-token-canary",
        });
        if !self.is_lying(Lie::NoIdToken) {
            answer["id_token"] = json!(self.id_token(&grant));
        }
        json_answer(200, &answer)
    }

    fn id_token(&self, grant: &Grant) -> String {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.expect("a time").as_secs();
        let member = &self.members[&grant.sub];
        let mut claims = json!({
            "iss": self.issuer, "sub": grant.sub, "aud": CLIENT_ID, "iat": now, "exp": now + 300, "nonce": grant.nonce,
        });
        if self.tells_addresses {
            claims["email"] = json!(member.email);
            claims["email_verified"] = json!(member.is_verified);
        }
        let key = self.keys.last().expect("a key");
        match self.lie {
            Some(Lie::OtherIssuer) => claims["iss"] = json!("https://evil.example"),
            Some(Lie::OtherAudience) => claims["aud"] = json!("another-client"),
            Some(Lie::OtherAudienceToo) => claims["aud"] = json!([CLIENT_ID, "another-client"]),
            Some(Lie::OtherParty) => claims["azp"] = json!("another-client"),
            Some(Lie::OtherNonce) => claims["nonce"] = json!("of-another-sign-in"),
            Some(Lie::NoNonce) => claims["nonce"] = Value::Null,
            Some(Lie::Expired) => {
                claims["iat"] = json!(now - 600);
                claims["exp"] = json!(now - 300);
            }
            Some(Lie::FromTheFuture) => claims["iat"] = json!(now + 300),
            Some(Lie::BrokenSignature) => {
                let token = key.sign(None, &claims);
                let (signed, signature) = token.rsplit_once('.').expect("three parts");
                let first = if signature.starts_with('A') { 'B' } else { 'A' };
                return format!("{signed}.{first}{}", &signature[1..]);
            }
            Some(Lie::ForgedSignature) => {
                return Key::rsa("forged").sign(Some(key.name()), &claims);
            }
            Some(Lie::UnlistedKey) => return Key::rsa("unlisted").sign(None, &claims),
            Some(Lie::Unsigned) => return unsigned(&claims),
            Some(Lie::SignedBySecret) => return signed_by(CLIENT_SECRET, key.name(), &claims),
            Some(Lie::SignedByPublicKey) => {
                return signed_by(&key.listed().to_string(), key.name(), &claims);
            }
            Some(Lie::NoJwt) => return "no-jwt".to_owned(),
            _ => {}
        }
        key.sign(None, &claims)
    }

    /// Checks the client's secret: in the header, with both parts form-encoded (RFC 6749, 2.3.1), or in the form.
    fn is_client(&self, headers: &HeaderMap, form: &Form) -> bool {
        if self.wants_secret_in_form {
            let has = |name: &str, value: &str| form.get(name).is_some_and(|given| given == value);
            return has("client_id", CLIENT_ID) && has("client_secret", CLIENT_SECRET);
        }
        let given = headers
            .get(AUTHORIZATION)
            .and_then(|value| value.to_str().ok());
        let given = given.and_then(|value| value.strip_prefix("Basic "));
        let given = given.and_then(|text| STANDARD.decode(text).ok());
        let given = given.and_then(|bytes| String::from_utf8(bytes).ok());
        let mut encoded = Url::parse("http://form.example/").expect("an address");
        encoded
            .query_pairs_mut()
            .append_pair(CLIENT_ID, CLIENT_SECRET);
        let wanted = encoded.query().map(|pair| pair.replacen('=', ":", 1));
        given.is_some() && given == wanted
    }

    fn user_info(&mut self, headers: &HeaderMap) -> Answer {
        self.count("user_info");
        let given = headers
            .get(AUTHORIZATION)
            .and_then(|value| value.to_str().ok());
        let token = given.and_then(|value| value.strip_prefix("Bearer "));
        let Some(sub) = token.and_then(|token| self.access_tokens.get(token)) else {
            return json_answer(401, &json!({ "error": "invalid_token" }));
        };
        let member = &self.members[sub];
        let sub = if self.is_lying(Lie::OtherSubject) {
            "somebody-else"
        } else {
            sub.as_str()
        };
        let info = json!({
            "sub": sub, "email": member.email, "email_verified": member.is_verified,
        });
        json_answer(200, &info)
    }

    fn count(&mut self, what: &'static str) {
        *self.asked.entry(what).or_default() += 1;
    }
}

fn json_answer(status: u16, body: &Value) -> Answer {
    let mut answer = Response::new(Full::from(body.to_string()));
    *answer.status_mut() = StatusCode::from_u16(status).expect("a status");
    let json = "application/json".parse().expect("a header");
    answer.headers_mut().insert(CONTENT_TYPE, json);
    answer
}

fn see_other(address: &str) -> Answer {
    let mut answer = json_answer(303, &Value::Null);
    let location = address.parse().expect("a header");
    answer.headers_mut().insert(LOCATION, location);
    answer
}

fn html(text: &str) -> Answer {
    let mut answer = Response::new(Full::from(text.to_owned()));
    let html = "text/html".parse().expect("a header");
    answer.headers_mut().insert(CONTENT_TYPE, html);
    answer
}
