//! The declaration of accounts.

use crate::accounts::SECRETS;
use crate::platform::declared::Declared;
use crate::platform::sealed_columns::SealedColumn;

pub(crate) const DECLARED: Declared = Declared {
    sealed_columns: &[
        SealedColumn {
            place: ("merchant_accounts", &["merchant_id", "merchant_id"]),
            ..SealedColumn::of_merchant("merchant_accounts", SECRETS, &["merchant_id"])
        },
        SealedColumn::of_merchant("business_profiles", SECRETS, &["merchant_id", "profile_id"]),
        SealedColumn::of_merchant(
            "connector_accounts",
            SECRETS,
            &["merchant_id", "merchant_connector_id"],
        ),
    ],
    records: &[
        "api_keys.record",
        "business_profiles.record",
        "business_profiles.secrets",
        "connector_accounts.record",
        "connector_accounts.secrets",
        "merchant_accounts.record",
        "merchant_accounts.secrets",
        "organizations.record",
    ],
    ..Declared::NOTHING
};
