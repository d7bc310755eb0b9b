//! What operations declare: notices, what waits for a processor's answer, error mappings.

use crate::declared::Declared;
use crate::notices;
use crate::open_operations;
use crate::sealed_columns::SealedColumn;

pub(super) const DECLARED: Declared = Declared {
    sealed_columns: &[SealedColumn {
        also: &["merchant_id"],
        ..SealedColumn::of_merchant("notices", "content", &["notice_id"])
    }],
    records: &["error_mappings.record", "notices.content"],
    // Operations that were called for are asked about now.
    take_over: |start| {
        let mut writes = vec![notices::take_over(start.now)];
        writes.extend(open_operations::take_over(start.now, start.latest));
        writes
    },
    ..Declared::NOTHING
};
