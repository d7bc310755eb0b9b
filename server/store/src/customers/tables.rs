//! Declares the tables of customers, their saved methods, mandates and the vault.

use multirail_app::platform::ports::StoreFailure;

use crate::customers;
use crate::customers::connector_customers;
use crate::customers::method_columns;
use crate::customers::method_columns::NO_PARTICULARS;
use crate::platform::declared::Declared;
use crate::platform::sealed_columns::{Clear, Part, SealedColumn};

pub(crate) const DECLARED: Declared = Declared {
    sealed_columns: &[SealedColumn {
        also: &["status"],
        subject: customers::subject_of_row,
        ..SealedColumn::of_merchant("customers", "personal", &["merchant_id", "customer_id"])
    }],
    records: &["customers.personal", "customers.record", "mandates.record"],
    take_over: |_| vec![customers::take_over(), connector_customers::take_over()],
    ..Declared::NOTHING
};

/// Saved methods, and cards that wait to be saved.
pub(crate) const METHODS: Declared = Declared {
    sealed_columns: &[
        of_holder(SAVED, HOLDER),
        of_holder(SAVED, NICK),
        of_holder(SAVED, REST),
        of_holder(TO_SAVE, HOLDER),
        of_holder(TO_SAVE, NICK),
        of_holder(TO_SAVE, REST),
        SealedColumn {
            place: (
                method_columns::CONSENT_PLACE,
                &["merchant_id", "payment_method_id"],
            ),
            also: &["customer_id"],
            subject: method_columns::subject_of_row,
            ..SealedColumn::of_merchant(
                "payment_methods",
                method_columns::CONSENT_SEALED,
                &["merchant_id", "payment_method_id"],
            )
        },
    ],
    records: &[
        "payment_methods.card_details",
        "payment_methods.particulars",
    ],
    opaque: &[
        (
            "cards_to_save.card_details",
            "becomes that of a method as it is",
        ),
        (
            "cards_to_save.particulars",
            "become those of a method as they are",
        ),
        (
            "cards_to_save.holder_name_sealed",
            "becomes that of a method as it is",
        ),
        (
            "cards_to_save.nick_name_sealed",
            "becomes that of a method as it is",
        ),
        (
            "cards_to_save.particulars_sealed",
            "become those of a method as they are",
        ),
        (
            "payment_methods.holder_name_sealed",
            "is a text and nothing else",
        ),
        (
            "payment_methods.nick_name_sealed",
            "is a text and nothing else",
        ),
        (
            "payment_methods.particulars_sealed",
            "is as payment_methods.particulars",
        ),
        (
            "payment_methods.consent_sealed",
            "is as payment_methods.particulars",
        ),
    ],
    ..Declared::NOTHING
};

/// The declaration of the vault. It comes after users: see [`Declared`].
pub const VAULT_CARDS: Declared = Declared {
    sealed_columns: &[
        SealedColumn {
            place: VAULT,
            names_key: Some("key_id"),
            ..SealedColumn::of_merchant(
                "vault_cards",
                "sealed",
                &["merchant_id", "card_fingerprint"],
            )
        },
        SealedColumn {
            place: VAULT,
            also: &["card_fingerprint"],
            names_key: Some("key_id"),
            ..SealedColumn::of_merchant(
                "cards_to_save",
                "sealed",
                &["merchant_id", "payment_id", "attempt_number"],
            )
        },
    ],
    opaque: &[
        (
            "cards_to_save.sealed",
            "becomes an entry of the vault as it is",
        ),
        ("vault_cards.sealed", "is a number and nothing else"),
    ],
    ..Declared::NOTHING
};

/// The vault seals for merchant and card, whichever table holds the entry.
const VAULT: (&str, &[&str]) = ("vault", &["merchant_id", "card_fingerprint"]);

const SAVED: (&str, &[&str], &[&str]) = (
    "payment_methods",
    &["merchant_id", "payment_method_id"],
    &["customer_id"],
);
const TO_SAVE: (&str, &[&str], &[&str]) = (
    "cards_to_save",
    &["merchant_id", "payment_id", "attempt_number"],
    &["customer_id", "payment_method_id"],
);
const HOLDER: (&str, &str, &str, Part) = (
    method_columns::HOLDER_NAME_SEALED,
    method_columns::HOLDER_NAME_PLACE,
    method_columns::HOLDER_NAME,
    whole,
);
const NICK: (&str, &str, &str, Part) = (
    method_columns::NICK_NAME_SEALED,
    method_columns::NICK_NAME_PLACE,
    method_columns::NICK_NAME,
    whole,
);
const REST: (&str, &str, &str, Part) = (
    method_columns::PARTICULARS_SEALED,
    method_columns::PARTICULARS_PLACE,
    method_columns::PARTICULARS,
    particulars,
);

/// Declares a part of a saved method, in either of the two tables that hold parts.
const fn of_holder(
    (table, key, also): (
        &'static str,
        &'static [&'static str],
        &'static [&'static str],
    ),
    (column, place, clear, part): (&'static str, &'static str, &'static str, Part),
) -> SealedColumn {
    SealedColumn {
        place: (place, &["merchant_id", "payment_method_id"]),
        also,
        subject: method_columns::subject_of_row,
        clear: Clear::Column { name: clear, part },
        ..SealedColumn::of_merchant(table, column, key)
    }
}

/// Takes the whole text as the sealed part.
fn whole(text: &str) -> Result<Option<(String, Option<String>)>, StoreFailure> {
    Ok(Some((text.to_owned(), None)))
}

fn particulars(text: &str) -> Result<Option<(String, Option<String>)>, StoreFailure> {
    let left = Some(NO_PARTICULARS.to_owned());
    Ok((text != NO_PARTICULARS).then(|| (text.to_owned(), left)))
}
