//! Words of saved methods and mandates.

use multirail_domain::mandate::MandateStatus;
use multirail_domain::saved_method::SavedMethodStatus;
use multirail_domain::saved_method::bank_account::{BankAccountKind, BankHolderKind};
use multirail_types as types;

use super::{ToDomain, ToWire};

words! {
    BankAccountKind <=> BankAccountKind;
    BankHolderKind <=> BankHolderKind;
    MandateStatus <=> MandateStatus;
    PaymentMethodStatus <=> SavedMethodStatus;
}
