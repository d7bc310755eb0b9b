//! Words of routing.

use multirail_domain::routing::key::PaymentType;
use multirail_domain::routing::program::ThreeDsDecision;
use multirail_domain::routing::{
    AlgorithmKind, Dropped, DynamicFeature, DynamicParam, Moved, RoutedBy, StraightThroughKind,
    TransactionType,
};
use multirail_types as types;

use crate::platform::convert::words::{ToDomain, ToWire};
use crate::{to_domain, to_wire, words};

words! {
    DynamicRoutingFeature <=> DynamicFeature;
    DynamicRoutingParam <=> DynamicParam;
    MovedBecause <=> Moved;
    RoutedBy <=> RoutedBy;
    RoutingAlgorithmKind <=> AlgorithmKind;
    StraightThroughKind => StraightThroughKind;
    TransactionType <=> TransactionType;
}

// These pairs differ in names or in number.
words! {
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
        ConnectorCurrency = ConnectorCurrency,
        ConnectorCountry = ConnectorCountry,
        RequiredFields = RequiredField,
        CaptureMethod = CaptureMethod,
        ZeroAmount = ZeroAmount,
        ThreeDs = ThreeDs,
        BrowserInfo = Browser,
        IsConnectorAgnosticMitEnabled = AgreedElsewhere,
        ProcessorAmount = ProcessorAmount,
        RequestExtendedAuthorization = ExtendedAuthorization,
        EnableOvercapture = Overcapture,
        Tried = Tried;
    PaymentType <= PaymentType:
        Normal = NonMandate,
        NewMandate = NewMandate,
        SetupMandate = SetupMandate,
        RecurringMandate = RecurringMandate;
    ThreeDsDecision <=> ThreeDsDecision:
        NoThreeDs = NoThreeDs,
        ChallengeRequested = ChallengeRequested,
        ChallengePreferred = ChallengePreferred,
        ThreeDsExemptionRequestedTra = ExemptionForAnalysis,
        ThreeDsExemptionRequestedLowValue = ExemptionForLowValue,
        IssuerThreeDsExemptionRequested = IssuerExemption;
}
