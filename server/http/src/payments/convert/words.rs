//! Words of payments, captures, refunds and disputes.

use multirail_domain::payments::dispute::{
    DisputeActionKind, DisputeStage, DisputeStatus, EvidenceItem,
};
use multirail_domain::payments::offer::FieldType;
use multirail_domain::payments::payment::{
    AttemptStatus, AuthenticationType, CaptureMethod, CaptureStatus, CardDiscovery, FutureUsage,
    IncrementStatus, MerchantDecision, MitCategory, PaymentStatus, PostCaptureVoidStatus,
};
use multirail_domain::payments::refund::{RefundStatus, RefundType};
use multirail_domain::payments::session::NextCall;
use multirail_domain::payments::session::apple_pay::ContactField;
use multirail_domain::payments::session::google_pay::AddressFormat;
use multirail_domain::payments::session::others::{AmazonIntent, ClickToPayProvider};
use multirail_types as types;

use crate::platform::convert::words::{ToDomain, ToWire};
use crate::{to_domain, to_wire, words};

words! {
    AmazonPayPaymentIntent <=> AmazonIntent;
    ApplePayContactField <=> ContactField;
    AttemptStatus <=> AttemptStatus;
    AuthenticationType <=> AuthenticationType;
    CaptureMethod <=> CaptureMethod;
    CaptureStatus <=> CaptureStatus;
    ClickToPayProvider <=> ClickToPayProvider;
    DisputeStage <=> DisputeStage;
    EvidenceType <=> EvidenceItem;
    FutureUsage <=> FutureUsage;
    IncrementalAuthorizationStatus <=> IncrementStatus;
    MerchantDecision <=> MerchantDecision;
    MitCategory <=> MitCategory;
    PaymentStatus <=> PaymentStatus;
    PostCaptureVoidStatus <=> PostCaptureVoidStatus;
    RefundStatus <=> RefundStatus;
    RefundType <=> RefundType;
    SdkNextActionCall <=> NextCall;
}

// These pairs differ in names or in number.
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
    GooglePayBillingAddressFormat <=> AddressFormat:
        Full = Full,
        Min = Min;
    OperationKind <= DisputeActionKind:
        AcceptDispute = Accept,
        ChallengeDispute = Challenge;
    RequiredFieldType <=> FieldType:
        UserCardNumber = CardNumber,
        UserCardExpiryMonth = CardExpiryMonth,
        UserCardExpiryYear = CardExpiryYear,
        UserCardCvc = CardCvc,
        UserEmailAddress = EmailAddress,
        UserBillingName = BillingName,
        UserCountry = Country,
        UserBank = Bank,
        UserPhoneNumber = PhoneNumber,
        UserAddressLine1 = AddressLine1,
        UserAddressCity = AddressCity,
        UserAddressPincode = AddressZip,
        UserAddressState = AddressState,
        UserBlikCode = BlikCode,
        UserVpaId = UpiAddress,
        UserSocialSecurityNumber = TaxNumber,
        UserIban = Iban,
        UserBankAccountNumber = BankAccountNumber,
        UserBankRoutingNumber = BankRoutingNumber,
        UserBankSortCode = BankSortCode,
        UserBsbNumber = BsbNumber,
        UserBankAccountHolderName = BankAccountHolder;
}
