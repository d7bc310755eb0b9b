//! One row of the operation table.

use http::Method;

use crate::generated::keyed::Keyed;
use crate::generated::operations::{Mutation, Op, Tag};

/// An operation as the document describes it.
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
    /// The kinds of keys that the operation takes, one of which is enough. Empty where it needs no key.
    pub security: &'static [Scheme],
    /// The operation among those that change something, if it does.
    pub mutation: Option<Mutation>,
    /// The operation with the type of its answer, where it takes an idempotency key.
    pub keyed: Option<Keyed>,
    /// The reason for the operation: the interface specification, or another operation.
    pub origin: Origin,
    /// Members of the body that a payer's client may send, where clients may call it.
    pub client_members: Option<&'static [&'static str]>,
    /// True if a client secret may come with another key than a publishable one. The operation then checks the secret's
    /// payment.
    pub secret_with_any_key: bool,
    /// The roles of users who may call it, where it takes a user's token.
    pub roles: &'static [Role],
    /// True if a platform may call it for a merchant connected to it (`X-Connected-Merchant-Id`).
    pub for_platforms: bool,
    /// The component that describes the request body.
    pub request_schema: Option<&'static str>,
    /// The limit in bytes for a body that isn't JSON. It replaces the server's limit.
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
    /// A publishable key and a payment's client secret in one text, in its own header.
    SdkAuthorization,
    /// A key for the saved methods of one customer.
    EphemeralKey,
    /// A person's token.
    Bearer,
}

/// A user's role in the merchant account that they act in. The document lists the operations of each role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// May do everything in all accounts of the organization.
    OrgAdmin,
    /// May do everything in the account.
    MerchantAdmin,
    /// Connects programs to the account.
    MerchantDeveloper,
    /// Works on the account's payments.
    MerchantOperator,
    /// Only reads.
    MerchantViewOnly,
}

/// The source of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The interface specification requires it.
    Specification {
        /// The section, such as `4.12`.
        section: &'static str,
    },
    /// The operation supports those that the specification requires.
    Supporting,
}

impl OpInfo {
    /// Returns whether a key of this kind opens the operation.
    pub fn accepts(&self, scheme: Scheme) -> bool {
        self.security.contains(&scheme)
    }

    /// Returns whether the operation changes something.
    pub fn mutates(&self) -> bool {
        self.mutation.is_some()
    }

    /// Returns whether the operation ends the operator's session at the console, which is all that this session changes.
    pub fn ends_session_of_operator(&self) -> bool {
        self.op == Op::ConsoleSessionsEndOperator
    }

    /// Returns whether payers' clients call it, for a payment or a subscription.
    pub fn is_for_clients(&self) -> bool {
        self.accepts(Scheme::PublishableKey) || self.accepts(Scheme::SubscriptionClient)
    }

    /// Returns whether its request has a body.
    pub fn takes_body(&self) -> bool {
        self.request_schema.is_some() || self.raw_body_bytes.is_some()
    }

    /// Returns the names of the path's parameters, from left to right.
    pub fn path_parameters(&self) -> impl Iterator<Item = &'static str> {
        self.path
            .split('/')
            .filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
    }
}
