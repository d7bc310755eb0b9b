//! Words of the wire as words of the domain, and back. Both sides are matched exhaustively, so the compiler names a word that
//! one of them lacks.

use multirail_domain::acting::Initiator;
use multirail_domain::api_key::OperationGroup;
use multirail_domain::billing::calendar::IntervalUnit;
use multirail_domain::billing::charge::ReturnOption;
use multirail_domain::billing::invoice::LineKind;
use multirail_domain::billing::invoice_status::InvoiceStatus;
use multirail_domain::billing::item::ItemType;
use multirail_domain::card::Network;
use multirail_domain::charge::{DeviceDataCollected, ScaExemption, TaxStatus};
use multirail_domain::connector::advice::{Decision, ErrorCategory};
use multirail_domain::connector::{
    ConnectorType, CredentialsKind, DeclineCategory, OperationKind, WaitsFor,
};
use multirail_domain::connector_account::ConnectorStatus;
use multirail_domain::consent::ConsentKind;
use multirail_domain::country::CountryCode;
use multirail_domain::currency::Currency;
use multirail_domain::dispute::{DisputeActionKind, DisputeStage, DisputeStatus, EvidenceItem};
use multirail_domain::event::{EventClass, EventType};
use multirail_domain::mandate::MandateStatus;
use multirail_domain::merchant::MerchantAccountType;
use multirail_domain::offer::FieldType;
use multirail_domain::organization::OrganizationType;
use multirail_domain::payment::{
    AttemptStatus, AuthenticationType, CaptureMethod, CaptureStatus, CardDiscovery, FutureUsage,
    IncrementStatus, MerchantDecision, MitCategory, PaymentStatus, PostCaptureVoidStatus,
};
use multirail_domain::payment_method::{PaymentExperience, PaymentMethod, PaymentMethodType};
use multirail_domain::profile::link_look::{CardTerms, DetailsLayout, FormLabels};
use multirail_domain::received_notice::NoticeStatus;
use multirail_domain::refund::{RefundStatus, RefundType};
use multirail_domain::routing::program::ThreeDsDecision;
use multirail_domain::routing::{
    AlgorithmKind, Dropped, DynamicFeature, DynamicParam, Moved, RoutedBy, TransactionType,
};
use multirail_domain::saved_method::SavedMethodStatus;
use multirail_domain::saved_method::bank_account::{BankAccountKind, BankHolderKind};
use multirail_domain::session::NextCall;
use multirail_domain::session::apple_pay::ContactField;
use multirail_domain::session::google_pay::AddressFormat;
use multirail_domain::session::others::{AmazonIntent, ClickToPayProvider};
use multirail_domain::subscription::{
    ChargesHandling, Moment, ReceivablesHandling, RefundableCreditsHandling, SubscriptionStatus,
    UnbilledChargesOption, UnpaidInvoicesHandling,
};
use multirail_domain::user::Role;
use multirail_domain::webhook::DeliveryKind;
use multirail_types as types;

/// A word of the domain that has a word on the wire.
pub(crate) trait ToWire<W>: Copy {
    /// Returns the word of the wire.
    fn to_wire(self) -> W;
}

/// A word of the wire that the domain has too.
pub(crate) trait ToDomain<D> {
    /// Returns the word of the domain, unless the document lacks this word.
    fn to_domain(&self) -> Option<D>;
}

/// Pairs enumerations of the document with enumerations of the domain: `Wire <=> Domain` both ways, `Wire => Domain` and
/// `Wire <= Domain` one way. The words are those of the document, each with the name that [`multirail_api::with_words`]
/// gives it, or listed.
macro_rules! words {
    () => {};
    ($wire:ident <=> $domain:ident $(: $($word:ident = $own:ident),+)?; $($rest:tt)*) => {
        words! { @one to_wire $wire $domain $($($word = $own,)+)? }
        words! { @one to_domain $wire $domain $($($word = $own,)+)? }
        words! { $($rest)* }
    };
    ($wire:ident <= $domain:ident $(: $($word:ident = $own:ident),+)?; $($rest:tt)*) => {
        words! { @one to_wire $wire $domain $($($word = $own,)+)? }
        words! { $($rest)* }
    };
    ($wire:ident => $domain:ident; $($rest:tt)*) => {
        words! { @one to_domain $wire $domain }
        words! { $($rest)* }
    };
    (@one $way:ident $wire:ident $domain:ident) => {
        multirail_api::with_words! { $wire => $way! { $wire $domain } }
    };
    (@one $way:ident $wire:ident $domain:ident $($listed:tt)+) => {
        $way! { $wire $domain $($listed)+ }
    };
}

macro_rules! to_wire {
    ($wire:ident $domain:ident $($word:ident = $own:ident,)+) => {
        impl ToWire<types::$wire> for $domain {
            fn to_wire(self) -> types::$wire {
                match self { $($domain::$own => types::$wire::$word,)+ }
            }
        }
    };
}

macro_rules! to_domain {
    ($wire:ident $domain:ident $($word:ident = $own:ident,)+) => {
        impl ToDomain<$domain> for types::$wire {
            fn to_domain(&self) -> Option<$domain> {
                match self {
                    $(types::$wire::$word => Some($domain::$own),)+
                    types::$wire::Unknown(_) => None,
                }
            }
        }
    };
}

words! {
    AcceptanceType <=> ConsentKind;
    AmazonPayPaymentIntent <=> AmazonIntent;
    ApiKeyOperationGroup <=> OperationGroup;
    ApplePayContactField <=> ContactField;
    AttemptStatus <=> AttemptStatus;
    AuthenticationType <=> AuthenticationType;
    BankAccountKind <=> BankAccountKind;
    BankHolderKind <=> BankHolderKind;
    BillingInterval <=> IntervalUnit;
    CaptureMethod <=> CaptureMethod;
    CaptureStatus <=> CaptureStatus;
    CardNetwork <=> Network;
    ChargesHandling <=> ChargesHandling;
    ClickToPayProvider <=> ClickToPayProvider;
    ConnectorAuthType <=> CredentialsKind;
    ConnectorStatus <=> ConnectorStatus;
    ConnectorType <=> ConnectorType;
    Currency <=> Currency;
    CurrentTermCreditOption <=> ReturnOption;
    DeliveryAttemptKind <=> DeliveryKind;
    DisputeStage <=> DisputeStage;
    DynamicRoutingFeature <=> DynamicFeature;
    DynamicRoutingParam <=> DynamicParam;
    ErrorCategory <=> ErrorCategory;
    ErrorMappingDecision <=> Decision;
    EvidenceType <=> EvidenceItem;
    FutureUsage <=> FutureUsage;
    IncrementalAuthorizationStatus <=> IncrementStatus;
    Initiator <=> Initiator;
    InvoiceLineKind <=> LineKind;
    MandateStatus <=> MandateStatus;
    MerchantAccountRequestType => MerchantAccountType;
    MerchantAccountType <=> MerchantAccountType;
    MerchantDecision <=> MerchantDecision;
    MitCategory <=> MitCategory;
    MovedBecause <=> Moved;
    NoticeStatus <=> NoticeStatus;
    PaymentExperience <=> PaymentExperience;
    PaymentLinkCardTerms <=> CardTerms;
    PaymentMethod <=> PaymentMethod;
    PaymentMethodStatus <=> SavedMethodStatus;
    PaymentMethodType <=> PaymentMethodType;
    PaymentStatus <=> PaymentStatus;
    PostCaptureVoidStatus <=> PostCaptureVoidStatus;
    ReceivablesHandling <=> ReceivablesHandling;
    RefundStatus <=> RefundStatus;
    RefundType <=> RefundType;
    RefundableCreditsHandling <=> RefundableCreditsHandling;
    RoutedBy <=> RoutedBy;
    RoutingAlgorithmKind <=> AlgorithmKind;
    ScaExemptionType <=> ScaExemption;
    SdkNextActionCall <=> NextCall;
    StandardisedErrorCode <=> DeclineCategory;
    SubscriptionCancelOption <=> Moment;
    SubscriptionItemType <=> ItemType;
    SubscriptionPauseOption <=> Moment;
    SubscriptionResumeOption => Moment;
    SubscriptionStatus <=> SubscriptionStatus;
    TaxStatus <=> TaxStatus;
    TransactionType <=> TransactionType;
    UnbilledChargesOption <=> UnbilledChargesOption;
    UnpaidInvoicesHandling <=> UnpaidInvoicesHandling;
    UserRole <=> Role;
    WaitsFor <=> WaitsFor;
}

// One side has other names than the other, or more words.
words! {
    CardDiscovery <= CardDiscovery:
        Manual = Manual,
        SavedCard = SavedCard;
    DisputeStatus <=> DisputeStatus:
        DisputeOpened = Opened,
        DisputeExpired = Expired,
        DisputeAccepted = Accepted,
        DisputeCancelled = Cancelled,
        DisputeChallenged = Challenged,
        DisputeWon = Won,
        DisputeLost = Lost;
    DroppedBecause <=> Dropped:
        ConnectorType = ConnectorType,
        Disabled = Disabled,
        PaymentMethod = PaymentMethod,
        PaymentMethodType = PaymentMethodType,
        CardNetwork = CardNetwork,
        Currency = Currency,
        Country = Country,
        Amount = Amount,
        RecurringEnabled = Recurring,
        ConnectorPaymentMethod = ConnectorPaymentMethod,
        CaptureMethod = CaptureMethod,
        ZeroAmount = ZeroAmount,
        ThreeDs = ThreeDs,
        BrowserInfo = Browser,
        IsConnectorAgnosticMitEnabled = AgreedElsewhere,
        ProcessorAmount = ProcessorAmount,
        RequestExtendedAuthorization = ExtendedAuthorization,
        EnableOvercapture = Overcapture,
        Tried = Tried;
    EventClass <= EventClass:
        Payments = Payments,
        Refunds = Refunds,
        Disputes = Disputes,
        Mandates = Mandates,
        Subscriptions = Subscriptions;
    EventType <= EventType:
        PaymentSucceeded = PaymentSucceeded,
        PaymentFailed = PaymentFailed,
        PaymentProcessing = PaymentProcessing,
        PaymentCancelled = PaymentCancelled,
        PaymentCancelledPostCapture = PaymentCancelledPostCapture,
        PaymentAuthorized = PaymentAuthorized,
        PaymentPartiallyAuthorized = PaymentPartiallyAuthorized,
        PaymentCaptured = PaymentCaptured,
        PaymentExpired = PaymentExpired,
        ActionRequired = ActionRequired,
        RefundSucceeded = RefundSucceeded,
        RefundFailed = RefundFailed,
        DisputeOpened = DisputeOpened,
        DisputeExpired = DisputeExpired,
        DisputeAccepted = DisputeAccepted,
        DisputeCancelled = DisputeCancelled,
        DisputeChallenged = DisputeChallenged,
        DisputeWon = DisputeWon,
        DisputeLost = DisputeLost,
        MandateActive = MandateActive,
        MandateRevoked = MandateRevoked,
        InvoicePaid = InvoicePaid;
    GooglePayBillingAddressFormat <=> AddressFormat:
        Full = Full,
        Min = Min;
    InvoiceStatus <=> InvoiceStatus:
        InvoiceCreated = Created,
        PaymentPending = PaymentPending,
        PaymentPendingTimeout = PaymentPendingTimeout,
        PaymentSucceeded = PaymentSucceeded,
        PaymentFailed = PaymentFailed,
        PaymentCanceled = PaymentCanceled,
        InvoicePaid = Paid,
        ManualReview = ManualReview,
        Voided = Voided;
    OperationKind <= DisputeActionKind:
        AcceptDispute = Accept,
        ChallengeDispute = Challenge;
    OperationKind <= OperationKind:
        Authorize = Authorize,
        Increment = Increment,
        Capture = Capture,
        Void = Void,
        Refund = Refund;
    OrganizationType <= OrganizationType:
        Standard = Standard,
        Platform = Platform;
    PaymentLinkDetailsLayout <=> DetailsLayout:
        Layout1 = Beside,
        Layout2 = Over;
    PaymentLinkLabels <= FormLabels:
        Above = Above;
    RequiredFieldType <=> FieldType:
        UserCardNumber = CardNumber,
        UserCardExpiryMonth = CardExpiryMonth,
        UserCardExpiryYear = CardExpiryYear,
        UserCardCvc = CardCvc;
    ThreeDsCompletionIndicator <=> DeviceDataCollected:
        Y = Yes,
        N = No,
        U = NotRun;
    ThreeDsDecision <=> ThreeDsDecision:
        NoThreeDs = NoThreeDs,
        ChallengeRequested = ChallengeRequested,
        ChallengePreferred = ChallengePreferred,
        ThreeDsExemptionRequestedTra = ExemptionForAnalysis,
        ThreeDsExemptionRequestedLowValue = ExemptionForLowValue,
        IssuerThreeDsExemptionRequested = IssuerExemption;
}

// Countries are no enumeration of the domain.
impl ToWire<types::CountryCode> for CountryCode {
    fn to_wire(self) -> types::CountryCode {
        self.as_str().into()
    }
}

impl ToDomain<CountryCode> for types::CountryCode {
    fn to_domain(&self) -> Option<CountryCode> {
        self.as_str().parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn countries_are_those_of_the_document() {
        let own: BTreeSet<_> = CountryCode::all().map(ToWire::to_wire).collect();
        let wire: BTreeSet<_> = types::CountryCode::ALL.iter().cloned().collect();
        assert_eq!(own, wire);
    }

    /// A listed pair could join two words that differ.
    #[test]
    fn pairs_have_one_word() {
        fn same<W: AsRef<str>, D: ToWire<W>>(own: &[D], word: fn(D) -> &'static str) {
            for one in own {
                assert_eq!(one.to_wire().as_ref(), word(*one));
            }
        }
        macro_rules! all {
            ($($wire:ident $domain:ident;)+) => {
                $(same::<types::$wire, $domain>($domain::ALL, $domain::as_str);)+
            };
        }
        all! {
            CardDiscovery CardDiscovery;
            DisputeStatus DisputeStatus;
            DroppedBecause Dropped;
            EventClass EventClass;
            EventType EventType;
            GooglePayBillingAddressFormat AddressFormat;
            InvoiceStatus InvoiceStatus;
            OperationKind DisputeActionKind;
            OperationKind OperationKind;
            OrganizationType OrganizationType;
            PaymentLinkDetailsLayout DetailsLayout;
            PaymentLinkLabels FormLabels;
            RequiredFieldType FieldType;
            ThreeDsCompletionIndicator DeviceDataCollected;
            ThreeDsDecision ThreeDsDecision;
        }
    }
}
