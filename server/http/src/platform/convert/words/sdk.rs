//! Words that processors share.

use multirail_sdk::bank_name::BankName;
use multirail_sdk::card::Network;
use multirail_sdk::charge::{DeviceDataCollected, ScaExemption, TaxStatus};
use multirail_sdk::connector::advice::{Decision, ErrorCategory};
use multirail_sdk::connector::{
    ConnectorType, CredentialsKind, DeclineCategory, Feature, OperationKind, WaitsFor,
};
use multirail_sdk::consent::ConsentKind;
use multirail_sdk::payment_method::{PaymentExperience, PaymentMethod, PaymentMethodType};
use multirail_types as types;

use super::{ToDomain, ToWire};

words! {
    AcceptanceType <=> ConsentKind;
    BankName <=> BankName;
    CardNetwork <=> Network;
    ConnectorAuthType <=> CredentialsKind;
    ConnectorFeature <= Feature;
    ConnectorType <=> ConnectorType;
    ErrorCategory <=> ErrorCategory;
    ErrorMappingDecision <=> Decision;
    PaymentExperience <=> PaymentExperience;
    PaymentMethod <=> PaymentMethod;
    PaymentMethodType <=> PaymentMethodType;
    ScaExemptionType <=> ScaExemption;
    StandardisedErrorCode <=> DeclineCategory;
    TaxStatus <=> TaxStatus;
    WaitsFor <=> WaitsFor;
}

// These pairs differ in names or in number.
words! {
    OperationKind <= OperationKind:
        Authorize = Authorize,
        Increment = Increment,
        Capture = Capture,
        Void = Void,
        Refund = Refund;
    ThreeDsCompletionIndicator <=> DeviceDataCollected:
        Y = Yes,
        N = No,
        U = NotRun;
}
