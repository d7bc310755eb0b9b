//! One row of the operation table.

use http::Method;

use crate::generated::keyed::Keyed;
use crate::generated::operations::{Mutation, Op, Tag};

/// What answers a list and isn't called so.
const OTHER_LISTS: [&str; 6] = [
    "disputes_fetch",
    "events_attempts",
    "oidc_methods",
    "routing_active",
    "routing_default_retrieve",
    "subscriptions_list_invoices",
];

/// What the document says of an operation.
#[derive(Debug)]
pub struct OpInfo {
    /// The operation itself.
    pub op: Op,
    /// `operationId`.
    pub id: &'static str,
    /// The tag, such as `Payments`.
    pub tag: Tag,
    /// HTTP method.
    pub method: Method,
    /// Path template, such as `/payments/{payment_id}`.
    pub path: &'static str,
    /// Keys that the operation takes, one of them is enough. Empty: no key is needed.
    pub security: &'static [Scheme],
    /// The operation once more, where it changes something.
    pub mutation: Option<Mutation>,
    /// The operation with the type that it answers, where it takes an idempotency key.
    pub keyed: Option<Keyed>,
    /// Whether the interface specification asks for it.
    pub origin: Origin,
    /// Members of the body that a payer's client may send, where it may call at all.
    pub client_members: Option<&'static [&'static str]>,
    /// Whether a client secret may come with another key than a publishable one. Its payment is then the operation's to check.
    pub secret_with_any_key: bool,
    /// Roles of users that may call it, where it takes a user's token.
    pub roles: &'static [Role],
    /// Whether a platform may call it for a merchant connected to it (`X-Connected-Merchant-Id`).
    pub for_platforms: bool,
    /// Component that describes the request body.
    pub request_schema: Option<&'static str>,
    /// How many bytes its body may have, where that isn't JSON but bytes, and then instead of the server's limit.
    pub raw_body_bytes: Option<usize>,
}

/// A security scheme of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// A merchant's secret key.
    ApiKey,
    /// The operator's key.
    AdminApiKey,
    /// A merchant's public key, together with a payment's client secret.
    PublishableKey,
    /// A merchant's public key, together with a subscription's client secret.
    SubscriptionClient,
    /// Publishable key and a payment's client secret in one text, in a header of its own.
    SdkAuthorization,
    /// A key that opens what one customer has saved.
    EphemeralKey,
    /// A person's token.
    Bearer,
}

/// What a user is in the merchant account that he acts in; what each may call stands in the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Everything in all accounts of the organization.
    OrgAdmin,
    /// Everything in the account.
    MerchantAdmin,
    /// Connects programs to it.
    MerchantDeveloper,
    /// Looks after its payments.
    MerchantOperator,
    /// Reads.
    MerchantViewOnly,
}

/// Where an operation comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The interface specification asks for it.
    Specification {
        /// Section, such as `4.12`.
        section: &'static str,
    },
    /// It supports those that the specification asks for.
    Supporting,
}

impl OpInfo {
    /// Whether a key of this kind opens the operation.
    pub fn accepts(&self, scheme: Scheme) -> bool {
        self.security.contains(&scheme)
    }

    /// Returns whether it changes something.
    pub fn mutates(&self) -> bool {
        self.mutation.is_some()
    }

    /// Whether payers' clients call it, for a payment or a subscription.
    pub fn is_for_clients(&self) -> bool {
        self.accepts(Scheme::PublishableKey) || self.accepts(Scheme::SubscriptionClient)
    }

    /// Whether its request has a body.
    pub fn takes_body(&self) -> bool {
        self.request_schema.is_some() || self.raw_body_bytes.is_some()
    }

    /// Whether it answers a list that is asked for by GET.
    pub fn is_list(&self) -> bool {
        let is_called_so = self.id.ends_with("_list");
        self.method == Method::GET && (is_called_so || OTHER_LISTS.contains(&self.id))
    }

    /// The names of the path's parameters, from left to right.
    pub fn path_parameters(&self) -> impl Iterator<Item = &'static str> {
        self.path
            .split('/')
            .filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
    }
}
