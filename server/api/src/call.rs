//! One call on its way to its method: its parts are read and checked one by one.

use std::ops::ControlFlow;
use std::sync::Arc;

use bytes::Bytes;
use dropshot::{Body, RequestContext, ServerContext};
use http::{Method, Response};
use hyper::body::Body as HttpBody;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::idempotency::{IDEMPOTENCY_KEY, IdempotentRequest, KeyState};
use crate::principal::FromPrincipal;
use crate::validate::Checker;
use crate::{
    Answer, ApiError, Authenticated, Caller, Client, Hooks, Limits, LoggedCall, OpInfo, Presented,
    Principal, RawBody, RecordedRequest, Scheme, Ticket,
};
use crate::{body, input, json, read};

/// The member that binds a client to its payment.
const CLIENT_SECRET: &str = "client_secret";
/// The member or parameter that names the payment.
const PAYMENT_ID: &str = "payment_id";
/// The parameter that names the subscription.
const SUBSCRIPTION_ID: &str = "subscription_id";

/// A call whose caller is authenticated and whose body hasn't been read yet.
pub struct Call<C: ServerContext, H> {
    rqctx: RequestContext<C>,
    hooks: Arc<H>,
    info: &'static OpInfo,
    authenticated: Authenticated,
    /// The values of the path's variables, decoded.
    variables: Vec<String>,
    unread: Option<Body>,
    client_secret: Option<String>,
    payment_id: Option<String>,
    subscription_id: Option<String>,
    idempotent: Option<IdempotentRequest>,
    ticket: Option<Arc<dyn Ticket>>,
    logged: Option<Arc<LoggedCall>>,
}

impl<C: ServerContext, H: Hooks<C>> Call<C, H> {
    pub(crate) fn new(
        rqctx: RequestContext<C>,
        hooks: Arc<H>,
        info: &'static OpInfo,
        authenticated: Authenticated,
        variables: Vec<String>,
        body: Body,
        ticket: Option<Arc<dyn Ticket>>,
    ) -> Self {
        Self {
            rqctx,
            hooks,
            info,
            authenticated,
            variables,
            unread: Some(body),
            client_secret: None,
            payment_id: None,
            subscription_id: None,
            idempotent: None,
            ticket,
            logged: None,
        }
    }

    /// Hands the body to the request log, if the log wants the call.
    pub(crate) fn logged(self, logged: Option<Arc<LoggedCall>>) -> Self {
        Self { logged, ..self }
    }

    /// Takes a place of work for a request that was read completely.
    fn take_place(&self) -> Result<(), ApiError> {
        match &self.ticket {
            Some(ticket) => ticket.works(Some(self.info)),
            None => Ok(()),
        }
    }

    /// Returns the path parameters.
    ///
    /// # Errors
    /// See [`read::path`].
    pub(crate) fn path<T: DeserializeOwned>(&mut self) -> Result<T, ApiError> {
        let value = read::path(self.info, &self.variables)?;
        self.note(&value);
        read::typed(value)
    }

    /// Returns the query parameters.
    ///
    /// # Errors
    /// See [`read::query`].
    pub(crate) fn query<T: DeserializeOwned>(&mut self) -> Result<T, ApiError> {
        let text = self.rqctx.request.uri().query().unwrap_or_default();
        let value = read::query(self.info, text)?;
        self.note(&value);
        read::typed(value)
    }

    /// Returns the body.
    ///
    /// # Errors
    /// See [`body::read`] and [`read::body`]; for a client also 422 `IR_06` for a member that clients may not send.
    pub(crate) async fn body<T: DeserializeOwned>(&mut self) -> Result<T, ApiError> {
        read::typed(self.json_body().await?)
    }

    /// Returns the checked body. Its code exists once and not once for each type.
    async fn json_body(&mut self) -> Result<Value, ApiError> {
        let unread = self.unread.take().unwrap_or_else(Body::empty);
        let headers = self.rqctx.request.headers();
        let bytes = body::read(unread, headers, self.hooks.limits()).await?;
        let value = read::body(self.info, &bytes, headers);
        if let Some(logged) = &self.logged {
            logged.keep_body(bytes);
        }
        let mut value = value?;
        let checker = input::body(self.info);
        self.client_members(&value, checker)?;
        checker.take_out_unused(&mut value)?;
        self.hooks.judge_texts(&value)?;
        self.note(&value);
        self.idempotent = self.idempotent(&value)?;
        Ok(value)
    }

    /// Returns the body as it came.
    ///
    /// # Errors
    /// See [`body::read`].
    pub(crate) async fn raw_body(&mut self) -> Result<RawBody, ApiError> {
        let unread = self.unread.take().unwrap_or_else(Body::empty);
        let headers = self.rqctx.request.headers();
        let limits = self.hooks.limits();
        let limits = Limits {
            body_bytes: self.info.raw_body_bytes.unwrap_or(limits.body_bytes),
            ..limits
        };
        let bytes = body::read(unread, headers, limits).await?;
        Ok(RawBody {
            headers: headers.clone(),
            bytes: Bytes::copy_from_slice(&bytes),
        })
    }

    /// Refuses a body with content where the operation takes none, because its sender expects an effect. The body of a
    /// GET never has a meaning, and is dropped.
    ///
    /// # Errors
    /// 400 `IR_06`, and those of [`body::read`].
    pub(crate) async fn without_body(&mut self) -> Result<(), ApiError> {
        if self.info.takes_body() || self.info.method == Method::GET {
            return Ok(());
        }
        let Some(unread) = self.unread.take().filter(|body| !body.is_end_stream()) else {
            return Ok(());
        };
        let headers = self.rqctx.request.headers();
        let bytes = body::read(unread, headers, self.hooks.limits()).await?;
        let says_nothing =
            || json::read(&bytes).is_ok_and(|value| value == Value::Object(Map::new()));
        if bytes.is_empty() || says_nothing() {
            return Ok(());
        }
        Err(ApiError::unreadable("This operation takes no body."))
    }

    /// Returns the request with its idempotency key, where the operation takes one.
    fn idempotent(&self, body: &Value) -> Result<Option<IdempotentRequest>, ApiError> {
        let Some(keyed) = self.info.keyed else {
            return Ok(None);
        };
        let Some(key) = self.rqctx.request.headers().get(IDEMPOTENCY_KEY) else {
            return Ok(None);
        };
        let key = key
            .to_str()
            .map_err(|_| ApiError::wrong_format("`Idempotency-Key` must be plain text."))?;
        let target = self.info.path_parameters();
        let mut target: Vec<_> = target.zip(self.variables.iter().cloned()).collect();
        let query = self.rqctx.request.uri().query().unwrap_or_default();
        let mut pairs: Vec<&str> = query.split('&').filter(|pair| !pair.is_empty()).collect();
        if !pairs.is_empty() {
            pairs.sort_unstable();
            target.push(("query", pairs.join("&")));
        }
        Ok(Some(IdempotentRequest {
            operation: self.info,
            keyed,
            key: key.to_owned(),
            target,
            body: body.clone(),
        }))
    }

    /// Calls the method of an operation that needs a key, and returns its answer. Only this function calls such
    /// methods, so every idempotency key is looked up before and concluded afterwards.
    ///
    /// # Errors
    /// Those of the caller, see [`Self::principal`]; 401 `IR_01` where the caller is of another kind; those of
    /// [`Ticket::works`], [`Hooks::claim`], the method and [`Hooks::conclude`].
    pub(crate) async fn answer<P, F, A>(
        mut self,
        method: impl FnOnce(RequestContext<C>, Caller<P>) -> F,
    ) -> Result<Response<Body>, ApiError>
    where
        P: FromPrincipal,
        F: Future<Output = Result<A, ApiError>>,
        A: Answer,
    {
        let principal = self.identify().await?;
        let caller = Caller::<P>::from_principal(principal.clone())?;
        let (rqctx, opened) = match self.open(principal).await? {
            ControlFlow::Break(answer) => return Ok(answer),
            ControlFlow::Continue(opened) => opened,
        };
        let caller = caller.with_claim(opened.claim.clone());
        let answer = written(method(rqctx, caller).await);
        opened.close(answer).await
    }

    /// Takes a place of work, reads the idempotency key, and returns the caller.
    async fn identify(&mut self) -> Result<Principal, ApiError> {
        self.take_place()?;
        if self.idempotent.is_none() {
            // An operation without a body has not read its key yet.
            self.idempotent = self.idempotent(&Value::Null)?;
        }
        self.principal().await
    }

    /// Claims the idempotency key, and begins the record. Breaks off with the stored answer to a key that has one.
    async fn open(self, principal: Principal) -> Result<Opening<C, H>, ApiError> {
        let claim = match &self.idempotent {
            None => None,
            Some(request) => match self.hooks.claim(&self.rqctx, &principal, request).await? {
                KeyState::Answered(answer) => {
                    let answer = self.hooks.shown(self.info, &principal, answer).await?;
                    return Ok(ControlFlow::Break(answer));
                }
                KeyState::Open(claim) => Some(Arc::new(claim)),
            },
        };
        let opened = Opened {
            record: self.record(&principal).await?,
            hooks: self.hooks,
            info: self.info,
            principal,
            claim,
        };
        Ok(ControlFlow::Continue((self.rqctx, opened)))
    }

    /// Calls the method of an operation that needs no key, and returns its answer.
    ///
    /// # Errors
    /// Those of [`Ticket::works`], and the method's.
    pub(crate) async fn answer_anyone<F, A>(
        self,
        method: impl FnOnce(RequestContext<C>) -> F,
    ) -> Result<Response<Body>, ApiError>
    where
        F: Future<Output = Result<A, ApiError>>,
        A: Answer,
    {
        self.take_place()?;
        let record = self.record(&Principal::Anonymous).await?;
        let answer = written(method(self.rqctx).await);
        recorded(self.hooks.as_ref(), record, answer).await
    }

    async fn record(&self, principal: &Principal) -> Result<Option<H::Record>, ApiError> {
        let request = RecordedRequest {
            operation: self.info,
            principal,
            variables: &self.variables,
        };
        self.hooks.record(&self.rqctx, request).await
    }

    /// Returns the caller. A payer's client is bound to its payment or subscription.
    ///
    /// # Errors
    /// 400 `IR_04` where a publishable key comes without a client secret, 422 `IR_06` where a secret key comes with
    /// one, and the errors of [`Hooks::identify_client`].
    async fn principal(&self) -> Result<Principal, ApiError> {
        match &self.authenticated {
            Authenticated::Principal(principal) => {
                let is_for_clients = self.info.is_for_clients() && !self.info.secret_with_any_key;
                if is_for_clients && self.client_secret.is_some() {
                    return Err(ApiError::invalid(
                        "`client_secret` belongs to a publishable key; a call with a secret key doesn't take it.",
                    ));
                }
                Ok(principal.clone())
            }
            Authenticated::Publishable { merchant_id, .. }
                if self.info.accepts(Scheme::SubscriptionClient) =>
            {
                self.subscriber(merchant_id).await
            }
            Authenticated::Publishable {
                merchant_id,
                session,
            } => {
                if !self.info.accepts(Scheme::PublishableKey) {
                    return Err(ApiError::unauthorized());
                }
                let of_session = session.as_ref().map(|session| Presented {
                    payment_id: self.payment_id.as_deref(),
                    client_secret: &session.client_secret,
                    profile_id: Some(&session.profile_id),
                    customer_id: session.customer_id.as_deref(),
                });
                let of_request = self
                    .client_secret
                    .as_deref()
                    .map(|client_secret| Presented {
                        payment_id: self.payment_id.as_deref(),
                        client_secret,
                        profile_id: None,
                        customer_id: None,
                    });
                // A client that sends two secrets needs both to be valid, for one payment.
                let mut client: Option<Client> = None;
                for presented in of_session.into_iter().chain(of_request) {
                    let found = client.as_ref().map(|client| client.payment_id.as_str());
                    let presented = Presented {
                        payment_id: presented.payment_id.or(found),
                        ..presented
                    };
                    let identified =
                        self.hooks
                            .identify_client(&self.rqctx, self.info, merchant_id, presented);
                    client = Some(identified.await?);
                }
                let client = client.ok_or_else(|| ApiError::missing(CLIENT_SECRET))?;
                Ok(Principal::Client(client))
            }
        }
    }

    /// Returns a payer's client for a subscription.
    async fn subscriber(&self, merchant_id: &str) -> Result<Principal, ApiError> {
        let secret = self.client_secret.as_deref();
        let secret = secret.ok_or_else(|| ApiError::missing(CLIENT_SECRET))?;
        let named = self.subscription_id.as_deref();
        let hooks = &self.hooks;
        let found = hooks.identify_subscriber(&self.rqctx, merchant_id, named, secret);
        Ok(Principal::Subscriber(Box::new(found.await?)))
    }

    /// Refuses members that the document has but that clients may not send.
    fn client_members(&self, value: &Value, checker: &Checker) -> Result<(), ApiError> {
        let (Authenticated::Publishable { .. }, Some(allowed)) =
            (&self.authenticated, self.info.client_members)
        else {
            return Ok(());
        };
        let known = checker.schema()["properties"].as_object();
        let refused = known
            .into_iter()
            .flat_map(|members| members.keys())
            .find(|name| {
                !allowed.contains(&name.as_str())
                    && value
                        .get(name.as_str())
                        .is_some_and(|member| !member.is_null())
            });
        match refused {
            Some(name) => Err(ApiError::invalid(format!(
                "`{name}` can't be sent with a publishable key; the merchant sets it."
            ))),
            None => Ok(()),
        }
    }

    /// Notes the members that bind a client to its payment. The path wins over the query, the query over the body.
    fn note(&mut self, value: &Value) {
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        self.client_secret = self.client_secret.take().or_else(|| text(CLIENT_SECRET));
        self.payment_id = self.payment_id.take().or_else(|| text(PAYMENT_ID));
        self.subscription_id = self
            .subscription_id
            .take()
            .or_else(|| text(SUBSCRIPTION_ID));
    }
}

/// A call whose method may run, or the stored answer to its idempotency key.
type Opening<C, H> = ControlFlow<Response<Body>, (RequestContext<C>, Opened<C, H>)>;

/// The parts of a call that outlive its method.
struct Opened<C: ServerContext, H: Hooks<C>> {
    hooks: Arc<H>,
    info: &'static OpInfo,
    principal: Principal,
    claim: Option<Arc<H::Claim>>,
    record: Option<H::Record>,
}

impl<C: ServerContext, H: Hooks<C>> Opened<C, H> {
    /// Concludes the record and the claim with the method's answer, and returns it as the caller may see it.
    async fn close(
        self,
        answer: Result<Response<Body>, ApiError>,
    ) -> Result<Response<Body>, ApiError> {
        let answer = recorded(self.hooks.as_ref(), self.record, answer).await;
        let answer = match &self.claim {
            None => answer,
            Some(claim) => self.hooks.conclude(claim, answer).await,
        };
        // This also covers a stored answer that another caller with the key got.
        self.hooks.shown(self.info, &self.principal, answer?).await
    }
}

async fn recorded<C: ServerContext, H: Hooks<C>>(
    hooks: &H,
    record: Option<H::Record>,
    answer: Result<Response<Body>, ApiError>,
) -> Result<Response<Body>, ApiError> {
    match (record, answer) {
        (Some(record), Ok(answer)) => hooks.recorded(record).await.map(|()| answer),
        (_, answer) => answer,
    }
}

fn written<A: Answer>(answer: Result<A, ApiError>) -> Result<Response<Body>, ApiError> {
    Ok(answer?.response()?)
}
