//! The objects that a change-set creates, changes or deletes, as the audit log names them: those with an id of their
//! own.

use multirail_kernel::audit::{Named, OBJECTS_AT_MOST};

use crate::platform::ports::Change;

/// Returns the objects of these changes, each once, up to the limit of an entry.
pub(crate) fn objects(changes: &[Change]) -> Vec<Named> {
    let mut found: Vec<Named> = Vec::new();
    for named in changes.iter().filter_map(|change| change.audited()) {
        if found.len() < OBJECTS_AT_MOST && !found.contains(&named) {
            found.push(named);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use multirail_platform::{Invalidates, SealedFor, StoreFailure, Writing};
    use multirail_sql::Write;

    use super::*;

    /// A change of an object that this crate doesn't know.
    #[derive(Debug)]
    struct Foreign(Option<&'static str>);

    impl multirail_platform::Change for Foreign {
        fn write(&self, _: &Writing<'_>, _: &mut Vec<Write>) -> Result<(), StoreFailure> {
            Ok(())
        }

        fn invalidates(&self) -> Invalidates {
            Invalidates::Nothing
        }

        fn sealed_for(&self) -> SealedFor<'_> {
            SealedFor::Nobody
        }

        fn audited(&self) -> Option<Named> {
            self.0.map(|id| Named::new("parcel", id))
        }
    }

    #[test]
    fn a_change_names_its_object_itself() {
        let changes = ["p_1", "p_2", "p_1"].map(|id| Box::new(Foreign(Some(id))) as Change);
        let expected = ["p_1", "p_2"].map(|id| Named::new("parcel", id));
        assert_eq!(objects(&changes), expected);
        assert_eq!(objects(&[Box::new(Foreign(None))]), []);
    }
}
