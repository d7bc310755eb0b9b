//! The refusals that operations list in their descriptions.

use multirail_codegen::refusals::{Refusal, refusals};

use crate::document::Operation;
use crate::response::Response;

/// Returns the refusals in an operation's table "Refused because".
pub(super) fn listed(operation: &Operation) -> Vec<Refusal> {
    refusals(operation.text())
}

/// Returns whether an operation lists a refusal with this status and code for this reason.
pub(super) fn lists(operation: &Operation, (status, code): (u16, &str), why: &str) -> bool {
    let mut all = listed(operation).into_iter();
    all.any(|one| one.status == status && one.code == code && one.why.contains(why))
}

/// Returns whether an operation lists the refusal in this answer.
pub(super) fn lists_answer(operation: &Operation, answer: &Response) -> bool {
    let code = answer.body["code"].as_str().unwrap_or_default();
    let mut all = listed(operation).into_iter();
    all.any(|one| one.status == answer.status && one.code == code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{operation, operations};

    #[test]
    fn the_tables_of_the_document_are_read() {
        let capture = listed(operation("payments_capture"));
        assert_eq!(capture.len(), 5, "{capture:#?}");
        assert_eq!(
            capture[0],
            Refusal {
                why: "the payment doesn't exist".to_owned(),
                status: 404,
                code: "HE_02".to_owned(),
            }
        );
        // Two codes in one row are two refusals.
        let confirm = listed(operation("payments_confirm"));
        for code in ["IR_04", "IR_08", "IR_09"] {
            let told = confirm
                .iter()
                .any(|one| one.code == code && one.why.starts_with("`client_secret` is missing"));
            assert!(told, "{confirm:#?}");
        }
        let all = operations().iter().map(|one| listed(one).len());
        assert!(all.sum::<usize>() > 500);
    }
}
