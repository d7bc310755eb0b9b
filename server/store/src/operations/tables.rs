//! Declares the tables of operations: notices, open operations, error mappings.

use crate::operations::notices;
use crate::operations::open_operations;
use crate::platform::declared::Declared;
use crate::platform::sealed_columns::SealedColumn;

pub(crate) const DECLARED: Declared = Declared {
    sealed_columns: &[SealedColumn {
        also: &["merchant_id"],
        ..SealedColumn::of_merchant("notices", "content", &["notice_id"])
    }],
    records: &["error_mappings.record", "notices.content"],
    // Operations whose call was under way are asked about now.
    take_over: |start| {
        let mut writes = vec![notices::take_over(start.now)];
        writes.extend(open_operations::take_over(start.now, start.latest));
        writes
    },
    ..Declared::NOTHING
};
