//! Writing payments and attempts as [`Payment::redacted`](crate::payment::Payment::redacted) makes them, without making them: each
//! commit of a payment whose payer rests sealed writes them so.

use std::cell::Cell;

use serde::{Serialize, Serializer};

use super::redact::Telling;
use crate::customer::REDACTED;

thread_local! {
    static IS_OF_NOBODY: Cell<bool> = const { Cell::new(false) };
}

/// Runs `write`, for which everything of this thread that is written of payments and attempts tells of nobody.
pub fn of_nobody<T>(write: impl FnOnce() -> T) -> T {
    /// Also when `write` panics.
    struct Restored(bool);

    impl Drop for Restored {
        fn drop(&mut self) {
            IS_OF_NOBODY.set(self.0);
        }
    }

    let _restored = Restored(IS_OF_NOBODY.replace(true));
    write()
}

/// A text that tells of the payer: `#[serde(serialize_with = "of_nobody::text")]`.
pub(crate) fn text<S: Serializer>(said: &Option<String>, serializer: S) -> Result<S::Ok, S::Error> {
    match said {
        Some(_) if IS_OF_NOBODY.get() => serializer.serialize_some(REDACTED),
        said => said.serialize(serializer),
    }
}

/// An object that tells of the payer: `#[serde(serialize_with = "of_nobody::object")]`.
pub(crate) fn object<T: Telling + Serialize, S: Serializer>(
    said: &Option<Box<T>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match said {
        Some(object) if IS_OF_NOBODY.get() => serializer.serialize_some(&object.redacted()),
        said => said.serialize(serializer),
    }
}

/// What tells of the payer as a whole: `#[serde(skip_serializing_if = "of_nobody::leaves_out")]`.
pub(crate) fn leaves_out<T>(said: &Option<T>) -> bool {
    said.is_none() || IS_OF_NOBODY.get()
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;
    use crate::payment::Particulars;

    fn written() -> String {
        let said = Particulars {
            name: Some("Ada".to_owned()),
            ..Particulars::default()
        };
        serde_json::to_string(&said).expect("JSON")
    }

    #[test]
    fn only_what_is_written_meanwhile_tells_of_nobody() {
        let (whole, redacted) = (r#"{"name":"Ada"}"#, r#"{"name":"Redacted"}"#);
        assert_eq!(written(), whole);
        let twice = of_nobody(|| (of_nobody(written), written()));
        assert_eq!(twice, (redacted.to_owned(), redacted.to_owned()));
        assert_eq!(written(), whole);
        catch_unwind(|| of_nobody(|| panic!("the writing broke off"))).expect_err("a panic");
        assert_eq!(written(), whole);
    }
}
