//! The callers. A method gets the principal that the document promises, and can't be called without one.

use std::any::Any;
use std::ops::Deref;
use std::sync::Arc;

use async_trait::async_trait;
use dropshot::{
    ExtensionMode, ExtractorMetadata, HttpError, RequestContext, ServerContext, SharedExtractor,
};

use crate::{ApiError, Op, OpInfo, Role, Scheme};

/// The operator of the service.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Admin {
    /// The profile that the call is narrowed to (`X-Profile-Id`), in the merchant account of its path.
    pub profile_id: Option<String>,
    /// True for the operator's session at the console. It changes nothing, and no answer shows it a secret.
    pub only_reads: bool,
}

/// A merchant's server, or a user who acts for the merchant where the operation takes their token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merchant {
    /// The merchant of the key or, where a platform acts, the merchant that it acts for.
    pub merchant_id: String,
    /// The one profile that this call is narrowed to.
    pub profile_id: Option<String>,
    /// The acting key, user or platform.
    pub by: ActsBy,
    /// Operations that other secret keys open and this restricted one doesn't.
    pub closed: Vec<Op>,
}

/// The actor behind a merchant's call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActsBy {
    /// The holder of a secret key, by the key's identifier.
    Key(String),
    /// A user, by their identifier.
    User(String),
    /// The holder of a platform's secret key, for a connected merchant.
    Platform {
        /// The platform's merchant account.
        merchant_id: String,
        /// The key's identifier.
        key_id: String,
    },
}

/// A signed-in user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The user's identifier.
    pub user_id: String,
    /// The sign-in's identifier.
    pub session_id: String,
    /// The organization of the merchant account.
    pub organization_id: String,
    /// The merchant account that they act in.
    pub merchant_id: String,
    /// The profile of profile-wide operations.
    pub profile_id: Option<String>,
    /// The one profile that this call is narrowed to.
    pub narrowed_to: Option<String>,
    /// Their role in that account.
    pub role: Role,
    /// True if the account requires a second factor that they have not set up.
    pub lacks_second_factor: bool,
}

impl User {
    /// Returns the user as an actor of their merchant. The operation has accepted their role already.
    fn into_merchant(self) -> Merchant {
        Merchant {
            merchant_id: self.merchant_id,
            profile_id: self.narrowed_to,
            by: ActsBy::User(self.user_id),
            closed: Vec::new(),
        }
    }
}

/// A payer's browser or app, bound to one payment by its client secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// The merchant of the publishable key.
    pub merchant_id: String,
    /// The one payment that this client may touch.
    pub payment_id: String,
}

/// A payer's browser or app, bound to one subscription by its client secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscriber {
    /// The merchant of the publishable key.
    pub merchant_id: String,
    /// The profile of the subscription.
    pub profile_id: String,
    /// The one subscription that this client may touch.
    pub subscription_id: String,
    /// The customer who subscribes.
    pub customer_id: String,
}

/// An app of one customer, by an ephemeral key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Customer {
    /// The customer's merchant.
    pub merchant_id: String,
    /// The one customer whose methods this caller may touch.
    pub customer_id: String,
    /// The business profile that the call is narrowed to, if any.
    pub profile_id: Option<String>,
}

/// Every kind of caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Principal {
    /// No key came, and none was needed.
    Anonymous,
    /// The operator.
    Admin(Admin),
    /// A merchant's server.
    Merchant(Merchant),
    /// A payer's browser or app, for a payment.
    Client(Client),
    /// A payer's browser or app, for a subscription.
    Subscriber(Box<Subscriber>),
    /// An app of one customer.
    Customer(Customer),
    /// A signed-in user.
    User(Box<User>),
}

impl Principal {
    /// Returns the merchant on whose behalf the call is made.
    pub fn merchant_id(&self) -> Option<&str> {
        match self {
            Self::Anonymous | Self::Admin(_) => None,
            Self::Merchant(merchant) => Some(&merchant.merchant_id),
            Self::Client(client) => Some(&client.merchant_id),
            Self::Subscriber(subscriber) => Some(&subscriber.merchant_id),
            Self::Customer(customer) => Some(&customer.merchant_id),
            Self::User(user) => Some(&user.merchant_id),
        }
    }

    /// Returns whether the document lets this caller call the operation.
    pub fn may_call(&self, operation: &OpInfo) -> bool {
        match self {
            Self::Anonymous => operation.security.is_empty(),
            Self::Admin(admin) => {
                let changes = operation.mutates() && !operation.ends_session_of_operator();
                operation.accepts(Scheme::AdminApiKey) && !(admin.only_reads && changes)
            }
            Self::Merchant(merchant) => {
                let acts_for_another = matches!(merchant.by, ActsBy::Platform { .. });
                operation.accepts(Scheme::ApiKey)
                    && !merchant.closed.contains(&operation.op)
                    && (operation.for_platforms || !acts_for_another)
            }
            Self::Client(_) => {
                operation.accepts(Scheme::PublishableKey)
                    || operation.accepts(Scheme::SdkAuthorization)
            }
            Self::Subscriber(_) => operation.accepts(Scheme::SubscriptionClient),
            Self::Customer(_) => operation.accepts(Scheme::EphemeralKey),
            Self::User(user) => {
                operation.accepts(Scheme::Bearer) && operation.roles.contains(&user.role)
            }
        }
    }
}

/// The caller of an operation that takes a secret key or a publishable key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MerchantOrClient {
    /// A merchant's server.
    Merchant(Merchant),
    /// A payer's browser or app.
    Client(Client),
}

/// The caller of an operation that takes a secret key, or a publishable key for a subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MerchantOrSubscriber {
    /// A merchant's server.
    Merchant(Merchant),
    /// A payer's browser or app.
    Subscriber(Subscriber),
}

impl MerchantOrCustomer {
    /// Returns the merchant on whose behalf the call is made.
    pub fn merchant_id(&self) -> &str {
        match self {
            Self::Merchant(merchant) => &merchant.merchant_id,
            Self::Customer(customer) => &customer.merchant_id,
        }
    }
}

impl MerchantOrPayer {
    /// Returns the merchant on whose behalf the call is made.
    pub fn merchant_id(&self) -> &str {
        match self {
            Self::Merchant(merchant) => &merchant.merchant_id,
            Self::Client(client) => &client.merchant_id,
            Self::Customer(customer) => &customer.merchant_id,
        }
    }
}

impl MerchantOrClient {
    /// Returns the merchant on whose behalf the call is made.
    pub fn merchant_id(&self) -> &str {
        match self {
            Self::Merchant(merchant) => &merchant.merchant_id,
            Self::Client(client) => &client.merchant_id,
        }
    }
}

/// The caller of an operation that takes the admin key or a secret key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AdminOrMerchant {
    /// The operator.
    Admin(Admin),
    /// A merchant's server.
    Merchant(Merchant),
}

/// The caller of an operation that takes the admin key or a user's token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AdminOrUser {
    /// The operator.
    Admin(Admin),
    /// A signed-in user.
    User(Box<User>),
}

/// The caller of an operation that takes a secret key or an ephemeral key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MerchantOrCustomer {
    /// A merchant's server.
    Merchant(Merchant),
    /// An app of one customer.
    Customer(Customer),
}

/// The caller of an operation that takes a secret key, a publishable key or an ephemeral key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MerchantOrPayer {
    /// A merchant's server.
    Merchant(Merchant),
    /// A payer's browser or app.
    Client(Client),
    /// An app of one customer.
    Customer(Customer),
}

/// Principals that an operation can require.
pub trait FromPrincipal: Sized {
    /// Returns the required kind, or `None` where the caller is of another kind.
    fn from_principal(principal: Principal) -> Option<Self>;
}

impl FromPrincipal for Admin {
    fn from_principal(principal: Principal) -> Option<Self> {
        match principal {
            Principal::Admin(admin) => Some(admin),
            Principal::Anonymous
            | Principal::Merchant(_)
            | Principal::Client(_)
            | Principal::Subscriber(_)
            | Principal::Customer(_)
            | Principal::User(_) => None,
        }
    }
}

/// A user gets here only where the operation takes their token.
impl FromPrincipal for Merchant {
    fn from_principal(principal: Principal) -> Option<Self> {
        match principal {
            Principal::Merchant(merchant) => Some(merchant),
            Principal::User(user) => Some(user.into_merchant()),
            Principal::Anonymous
            | Principal::Admin(_)
            | Principal::Client(_)
            | Principal::Subscriber(_)
            | Principal::Customer(_) => None,
        }
    }
}

impl FromPrincipal for User {
    fn from_principal(principal: Principal) -> Option<Self> {
        match principal {
            Principal::User(user) => Some(*user),
            Principal::Anonymous
            | Principal::Admin(_)
            | Principal::Merchant(_)
            | Principal::Client(_)
            | Principal::Subscriber(_)
            | Principal::Customer(_) => None,
        }
    }
}

impl FromPrincipal for AdminOrUser {
    fn from_principal(principal: Principal) -> Option<Self> {
        match principal {
            Principal::Admin(admin) => Some(Self::Admin(admin)),
            Principal::User(user) => Some(Self::User(user)),
            Principal::Anonymous
            | Principal::Merchant(_)
            | Principal::Client(_)
            | Principal::Subscriber(_)
            | Principal::Customer(_) => None,
        }
    }
}

impl FromPrincipal for Client {
    fn from_principal(principal: Principal) -> Option<Self> {
        match principal {
            Principal::Client(client) => Some(client),
            Principal::Anonymous
            | Principal::Admin(_)
            | Principal::Merchant(_)
            | Principal::Subscriber(_)
            | Principal::Customer(_)
            | Principal::User(_) => None,
        }
    }
}

impl FromPrincipal for MerchantOrClient {
    fn from_principal(principal: Principal) -> Option<Self> {
        match principal {
            Principal::Merchant(merchant) => Some(Self::Merchant(merchant)),
            Principal::User(user) => Some(Self::Merchant(user.into_merchant())),
            Principal::Client(client) => Some(Self::Client(client)),
            Principal::Anonymous
            | Principal::Admin(_)
            | Principal::Subscriber(_)
            | Principal::Customer(_) => None,
        }
    }
}

impl FromPrincipal for MerchantOrSubscriber {
    fn from_principal(principal: Principal) -> Option<Self> {
        match principal {
            Principal::Merchant(merchant) => Some(Self::Merchant(merchant)),
            Principal::User(user) => Some(Self::Merchant(user.into_merchant())),
            Principal::Subscriber(subscriber) => Some(Self::Subscriber(*subscriber)),
            Principal::Anonymous
            | Principal::Admin(_)
            | Principal::Client(_)
            | Principal::Customer(_) => None,
        }
    }
}

impl FromPrincipal for AdminOrMerchant {
    fn from_principal(principal: Principal) -> Option<Self> {
        match principal {
            Principal::Admin(admin) => Some(Self::Admin(admin)),
            Principal::Merchant(merchant) => Some(Self::Merchant(merchant)),
            Principal::User(user) => Some(Self::Merchant(user.into_merchant())),
            Principal::Anonymous
            | Principal::Client(_)
            | Principal::Subscriber(_)
            | Principal::Customer(_) => None,
        }
    }
}

impl FromPrincipal for MerchantOrCustomer {
    fn from_principal(principal: Principal) -> Option<Self> {
        match principal {
            Principal::Merchant(merchant) => Some(Self::Merchant(merchant)),
            Principal::User(user) => Some(Self::Merchant(user.into_merchant())),
            Principal::Customer(customer) => Some(Self::Customer(customer)),
            Principal::Anonymous
            | Principal::Admin(_)
            | Principal::Client(_)
            | Principal::Subscriber(_) => None,
        }
    }
}

impl FromPrincipal for MerchantOrPayer {
    fn from_principal(principal: Principal) -> Option<Self> {
        match principal {
            Principal::Merchant(merchant) => Some(Self::Merchant(merchant)),
            Principal::User(user) => Some(Self::Merchant(user.into_merchant())),
            Principal::Client(client) => Some(Self::Client(client)),
            Principal::Customer(customer) => Some(Self::Customer(customer)),
            Principal::Anonymous | Principal::Admin(_) | Principal::Subscriber(_) => None,
        }
    }
}

/// An authenticated principal as an argument of a method. Only the dispatcher makes one.
#[derive(Clone, Debug)]
pub struct Caller<P> {
    principal: P,
    /// A [`crate::Hooks::Claim`]. dropshot describes a method by the types of its arguments, so the argument can't name
    /// the server's type.
    claim: Option<Arc<dyn Any + Send + Sync>>,
}

impl<P> Caller<P> {
    /// Returns the principal.
    pub fn into_inner(self) -> P {
        self.principal
    }

    /// Returns the claim of a request with an idempotency key.
    ///
    /// # Panics
    /// When `K` is not the [`crate::Hooks::Claim`] of the server.
    pub fn claim<K: Send + Sync + 'static>(&self) -> Option<Arc<K>> {
        let claim = self.claim.clone()?;
        Some(Arc::downcast(claim).expect("all claims of a server are of one type"))
    }

    pub(crate) fn with_claim<K: Send + Sync + 'static>(self, claim: Option<Arc<K>>) -> Self {
        Self {
            claim: claim.map(|claim| claim as Arc<dyn Any + Send + Sync>),
            ..self
        }
    }
}

impl<P: FromPrincipal> Caller<P> {
    /// Makes a caller of the required kind.
    ///
    /// # Errors
    ///
    /// 401 `IR_01` for a principal of another kind.
    pub(crate) fn from_principal(principal: Principal) -> Result<Self, ApiError> {
        P::from_principal(principal)
            .map(|principal| Self {
                principal,
                claim: None,
            })
            .ok_or_else(ApiError::unauthorized)
    }
}

impl<P> Deref for Caller<P> {
    type Target = P;

    fn deref(&self) -> &P {
        &self.principal
    }
}

/// Lets dropshot describe the traits. dropshot itself never makes a caller: without the dispatcher there is no
/// authentication.
#[async_trait]
impl<P: Send + Sync> SharedExtractor for Caller<P> {
    async fn from_request<Context: ServerContext>(
        _: &RequestContext<Context>,
    ) -> Result<Self, HttpError> {
        Err(HttpError::for_internal_error(
            "a caller can only come from the dispatcher".to_owned(),
        ))
    }

    fn metadata(_: dropshot::ApiEndpointBodyContentType) -> ExtractorMetadata {
        ExtractorMetadata {
            extension_mode: ExtensionMode::None,
            parameters: Vec::new(),
        }
    }
}
