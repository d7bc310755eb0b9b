//! The objects that refusals name.

/// An object that wasn't found, or that another request is changing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Object {
    ApiKey,
    BusinessProfile,
    ConnectorAccount,
    Coupon,
    Customer,
    Dispute,
    ErrorMapping,
    Event,
    Invoice,
    Item,
    ItemPrice,
    Mandate,
    MerchantAccount,
    Notice,
    Organization,
    Payment,
    PaymentMethod,
    Product,
    Refund,
    Request,
    RoutingConfiguration,
    SavedView,
    Subscription,
    User,
    UserRole,
    UserSession,
    WebhookEndpoint,
}

impl Object {
    /// Returns the name used in messages.
    pub fn name(self) -> &'static str {
        match self {
            Object::ApiKey => "API key",
            Object::BusinessProfile => "business profile",
            Object::ConnectorAccount => "connector account",
            Object::Coupon => "coupon",
            Object::Customer => "customer",
            Object::Dispute => "dispute",
            Object::ErrorMapping => "error mapping",
            Object::Event => "event",
            Object::Mandate => "mandate",
            Object::Invoice => "invoice",
            Object::Item => "plan or addon",
            Object::ItemPrice => "item price",
            Object::MerchantAccount => "merchant account",
            Object::Notice => "notice",
            Object::Organization => "organization",
            Object::Payment => "payment",
            Object::PaymentMethod => "payment method",
            Object::Product => "product",
            Object::Refund => "refund",
            Object::Request => "request in the log",
            Object::RoutingConfiguration => "routing configuration",
            Object::SavedView => "saved view",
            Object::Subscription => "subscription",
            Object::User => "user",
            Object::UserRole => "role of the user",
            Object::UserSession => "sign-in",
            Object::WebhookEndpoint => "webhook endpoint",
        }
    }
}
