//! Words of saved methods and mandates.

use multirail_domain::customers::mandate::MandateStatus;
use multirail_domain::customers::saved_method::SavedMethodStatus;
use multirail_domain::customers::saved_method::bank_account::{BankAccountKind, BankHolderKind};
use multirail_types as types;

use crate::platform::convert::words::{ToDomain, ToWire};
use crate::{to_domain, to_wire, words};

words! {
    BankAccountKind <=> BankAccountKind;
    BankHolderKind <=> BankHolderKind;
    MandateStatus <=> MandateStatus;
    PaymentMethodStatus <=> SavedMethodStatus;
}
