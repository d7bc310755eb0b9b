//! Enumerations whose words are stored, in records or in columns of their own.

use multirail_domain::accounts::acting::Initiator;
use multirail_domain::accounts::api_key::OperationGroup;
use multirail_domain::accounts::connector_account::ConnectorStatus;
use multirail_domain::accounts::merchant::MerchantAccountType;
use multirail_domain::accounts::organization::OrganizationType;
use multirail_domain::accounts::profile::link_look::{CardTerms, DetailsLayout, FormLabels};
use multirail_domain::customers::customer::CustomerStatus;
use multirail_domain::customers::saved_method::SavedMethodStatus;
use multirail_domain::customers::saved_method::bank_account::{
    BankAccountKind, BankHolderKind, BankScheme,
};
use multirail_domain::payments::dispute::{
    DisputeActionKind, DisputeStage, DisputeStatus, EvidenceItem, FileType,
};
use multirail_domain::payments::payment::recurring::RecurringKind;
use multirail_domain::payments::payment::{
    AttemptStatus, AuthenticationType, CaptureMethod, CaptureStatus, CardDiscovery, FutureUsage,
    MerchantDecision, MethodRole, MitCategory, PaymentStatus, Progress,
};
use multirail_domain::payments::refund::{RefundStatus, RefundType};
use multirail_domain::routing::Moved;
use multirail_domain::routing::comparison::Operator;
use multirail_domain::routing::key::Key;
use multirail_domain::routing::program::ThreeDsDecision;
use multirail_domain::routing::{AlgorithmKind, Dropped, RoutedBy, TransactionType};
use multirail_domain::routing::{DynamicFeature, DynamicParam};
use multirail_domain::webhooks::webhook::DeliveryKind;
use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency;
use multirail_kernel::event::{EventClass, EventType};
use multirail_sdk::bank_name::BankName;
use multirail_sdk::card::Network;
use multirail_sdk::charge::{DeviceDataCollected, ScaExemption, TaxStatus};
use multirail_sdk::connector::advice::{Decision, ErrorCategory};
use multirail_sdk::connector::{
    ConnectorType, CredentialsKind, DeclineCategory, StepForm, UnknownReason,
};
use multirail_sdk::consent::ConsentKind;
use multirail_sdk::payment_method::{PaymentExperience, PaymentMethod, PaymentMethodType};
use multirail_sdk::wallet::Wallet;
use serde_json::Value;

use crate::fixture::records::words;

/// Returns the words of this version by enumeration.
pub(super) fn all() -> Value {
    words! {
        AlgorithmKind AlgorithmKind::ALL.iter();
        AttemptStatus AttemptStatus::ALL.iter();
        AuthenticationType AuthenticationType::ALL.iter();
        BankAccountKind BankAccountKind::ALL.iter();
        BankHolderKind BankHolderKind::ALL.iter();
        BankName BankName::ALL.iter();
        BankScheme BankScheme::ALL.iter();
        CaptureMethod CaptureMethod::ALL.iter();
        CaptureStatus CaptureStatus::ALL.iter();
        CardDiscovery CardDiscovery::ALL.iter();
        CardTerms CardTerms::ALL.iter();
        ConnectorStatus ConnectorStatus::ALL.iter();
        ConnectorType ConnectorType::ALL.iter();
        ConsentKind ConsentKind::ALL.iter();
        CountryCode CountryCode::all();
        CredentialsKind CredentialsKind::ALL.iter();
        Currency Currency::EVERY.iter();
        CustomerStatus CustomerStatus::ALL.iter();
        Decision Decision::ALL.iter();
        DeclineCategory DeclineCategory::ALL.iter();
        DeliveryKind DeliveryKind::ALL.iter();
        DetailsLayout DetailsLayout::ALL.iter();
        DeviceDataCollected DeviceDataCollected::ALL.iter();
        DisputeActionKind DisputeActionKind::ALL.iter();
        DisputeStage DisputeStage::ALL.iter();
        DisputeStatus DisputeStatus::ALL.iter();
        Dropped Dropped::ALL.iter();
        DynamicFeature DynamicFeature::ALL.iter();
        DynamicParam DynamicParam::ALL.iter();
        ErrorCategory ErrorCategory::ALL.iter();
        EventClass EventClass::ALL.iter();
        EventType EventType::ALL.iter();
        EvidenceItem EvidenceItem::ALL.iter();
        FileType FileType::ALL.iter();
        FormLabels FormLabels::ALL.iter();
        FutureUsage FutureUsage::ALL.iter();
        Initiator Initiator::ALL.iter();
        MerchantAccountType MerchantAccountType::ALL.iter();
        MerchantDecision MerchantDecision::ALL.iter();
        MethodRole MethodRole::ALL.iter();
        Key Key::ALL.iter();
        MitCategory MitCategory::ALL.iter();
        Moved Moved::ALL.iter();
        Network Network::ALL.iter();
        OperationGroup OperationGroup::ALL.iter();
        Operator Operator::ALL.iter();
        OrganizationType OrganizationType::ALL.iter();
        PaymentExperience PaymentExperience::ALL.iter();
        PaymentMethod PaymentMethod::ALL.iter();
        PaymentMethodType PaymentMethodType::ALL.iter();
        PaymentStatus PaymentStatus::ALL.iter();
        Progress Progress::ALL.iter();
        RecurringKind RecurringKind::ALL.iter();
        RefundStatus RefundStatus::ALL.iter();
        RefundType RefundType::ALL.iter();
        RoutedBy RoutedBy::ALL.iter();
        SavedMethodStatus SavedMethodStatus::ALL.iter();
        ScaExemption ScaExemption::ALL.iter();
        StepForm StepForm::ALL.iter();
        TaxStatus TaxStatus::ALL.iter();
        ThreeDsDecision ThreeDsDecision::ALL.iter();
        TransactionType TransactionType::ALL.iter();
        UnknownReason UnknownReason::ALL.iter();
        Wallet Wallet::ALL.iter();
    }
}
