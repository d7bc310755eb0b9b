//! Who calls. A method gets the principal that the document promises it, and can't be reached without one.

use std::any::Any;
use std::ops::Deref;
use std::sync::Arc;

use async_trait::async_trait;
use dropshot::{
    ExtensionMode, ExtractorMetadata, HttpError, RequestContext, ServerContext, SharedExtractor,
};

use crate::{ApiError, Op, OpInfo, Role, Scheme};

/// Whoever operates the service.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Admin {
    /// The profile that the call is narrowed to (`X-Profile-Id`), of the merchant account that its path names.
    pub profile_id: Option<String>,
}

/// A merchant's server, or a user who acts for the merchant where the operation takes his token too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merchant {
    /// The merchant that the key belongs to or, where a platform acts, the one that it acts for.
    pub merchant_id: String,
    /// The one profile that this call is narrowed to.
    pub profile_id: Option<String>,
    /// Who acts.
    pub by: ActsBy,
    /// Operations that a secret key opens and this one doesn't, because it is restricted.
    pub closed: Vec<Op>,
}

/// Who acts for a merchant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActsBy {
    /// The holder of a secret key, by the key's identifier.
    Key(String),
    /// A user, by his identifier.
    User(String),
    /// The holder of a secret key of a platform, for a merchant that is connected to it.
    Platform {
        /// The platform's merchant account.
        merchant_id: String,
        /// The key's identifier.
        key_id: String,
    },
}

/// Somebody who has signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// Who.
    pub user_id: String,
    /// The sign-in.
    pub session_id: String,
    /// The organization of the merchant account.
    pub organization_id: String,
    /// The merchant account that he acts in.
    pub merchant_id: String,
    /// The profile of profile-wide operations.
    pub profile_id: Option<String>,
    /// The one profile that this call is narrowed to.
    pub narrowed_to: Option<String>,
    /// What he is there.
    pub role: Role,
}

impl User {
    /// The user as one who acts for his merchant. The operation has let his role in already.
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
    /// The merchant that the publishable key belongs to.
    pub merchant_id: String,
    /// The one payment that this client may touch.
    pub payment_id: String,
}

/// A payer's browser or app, bound to one subscription by its client secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscriber {
    /// The merchant that the publishable key belongs to.
    pub merchant_id: String,
    /// The profile of the subscription.
    pub profile_id: String,
    /// The one subscription that this client may touch.
    pub subscription_id: String,
    /// Who subscribes.
    pub customer_id: String,
}

/// An app of one customer, by an ephemeral key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Customer {
    /// The merchant whose customer it is.
    pub merchant_id: String,
    /// The one customer whose methods this caller may touch.
    pub customer_id: String,
    /// The business profile that the call is narrowed to, where it names one.
    pub profile_id: Option<String>,
}

/// Every kind of caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Principal {
    /// No key was given and none was needed.
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
    /// Somebody who has signed in.
    User(Box<User>),
}

impl Principal {
    /// The merchant on whose behalf the call is made.
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
            Self::Admin(_) => operation.accepts(Scheme::AdminApiKey),
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

/// Caller of an operation that takes a secret key or a publishable key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MerchantOrClient {
    /// A merchant's server.
    Merchant(Merchant),
    /// A payer's browser or app.
    Client(Client),
}

/// Caller of an operation that takes a secret key, or a publishable key for a subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MerchantOrSubscriber {
    /// A merchant's server.
    Merchant(Merchant),
    /// A payer's browser or app.
    Subscriber(Subscriber),
}

impl MerchantOrCustomer {
    /// The merchant on whose behalf the call is made.
    pub fn merchant_id(&self) -> &str {
        match self {
            Self::Merchant(merchant) => &merchant.merchant_id,
            Self::Customer(customer) => &customer.merchant_id,
        }
    }
}

impl MerchantOrPayer {
    /// The merchant on whose behalf the call is made.
    pub fn merchant_id(&self) -> &str {
        match self {
            Self::Merchant(merchant) => &merchant.merchant_id,
            Self::Client(client) => &client.merchant_id,
            Self::Customer(customer) => &customer.merchant_id,
        }
    }
}

impl MerchantOrClient {
    /// The merchant on whose behalf the call is made.
    pub fn merchant_id(&self) -> &str {
        match self {
            Self::Merchant(merchant) => &merchant.merchant_id,
            Self::Client(client) => &client.merchant_id,
        }
    }
}

/// Caller of an operation that takes the admin key or a secret key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AdminOrMerchant {
    /// The operator.
    Admin(Admin),
    /// A merchant's server.
    Merchant(Merchant),
}

/// Caller of an operation that takes the admin key or a user's token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AdminOrUser {
    /// The operator.
    Admin(Admin),
    /// Somebody who has signed in.
    User(Box<User>),
}

/// Caller of an operation that takes a secret key or an ephemeral key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MerchantOrCustomer {
    /// A merchant's server.
    Merchant(Merchant),
    /// An app of one customer.
    Customer(Customer),
}

/// Caller of an operation that takes a secret key, a publishable key or an ephemeral key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MerchantOrPayer {
    /// A merchant's server.
    Merchant(Merchant),
    /// A payer's browser or app.
    Client(Client),
    /// An app of one customer.
    Customer(Customer),
}

/// Principals that an operation can ask for.
pub trait FromPrincipal: Sized {
    /// The wanted kind, or nothing where the caller is of another kind.
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

/// A user only gets here where the operation takes his token.
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

/// An authenticated principal as a method's argument. Only the dispatcher makes one.
#[derive(Clone, Debug)]
pub struct Caller<P> {
    principal: P,
    /// A [`crate::Hooks::Claim`]. dropshot describes a method by the types of its arguments, which therefore can't depend on
    /// the server's.
    claim: Option<Arc<dyn Any + Send + Sync>>,
}

impl<P> Caller<P> {
    /// The principal itself.
    pub fn into_inner(self) -> P {
        self.principal
    }

    /// The claim of a request that came with an idempotency key.
    ///
    /// # Panics
    /// `K` is not the [`crate::Hooks::Claim`] of the server.
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
    /// # Errors
    /// 401 `IR_01` where the principal is of a kind that the operation doesn't take.
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

/// Lets the traits be described by dropshot. dropshot itself never makes a caller: without the dispatcher there was no
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
