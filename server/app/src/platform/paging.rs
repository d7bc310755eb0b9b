//! Pages by offset, and the number of all objects.

use multirail_kernel::refusal::Refusal;

/// The default size of a page.
const PAGE: i64 = 10;

/// The largest number that a list counts up to. Readers of pages don't need an exact number above it, and counting a
/// million rows takes half a second.
pub(crate) const COUNTED_AT_MOST: i64 = 10_000;

/// Returns the size of a page. A limit of 0 asks for an empty page, which in some lists still shows the number of all
/// objects.
///
/// # Errors
/// A limit that is negative or above `largest`.
pub fn page_size(limit: Option<i64>, largest: i64) -> Result<i64, Refusal> {
    let limit = limit.unwrap_or(PAGE);
    if (0..=largest).contains(&limit) {
        Ok(limit)
    } else {
        Err(Refusal::invalid_value(format!(
            "limit has to lie between 0 and {largest}"
        )))
    }
}

/// Returns the number of all matches where this page shows it, as the last page does.
pub(crate) fn counted_by_page(offset: i64, limit: i64, length: usize) -> Option<i64> {
    let length = length as i64;
    let is_last = length < limit && (length > 0 || offset == 0);
    is_last.then_some((offset + length).min(COUNTED_AT_MOST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_page_tells_how_many_there_are() {
        let told = |offset, length| counted_by_page(offset, 10, length);
        assert_eq!(told(0, 0), Some(0), "nothing fits");
        assert_eq!(told(0, 9), Some(9));
        assert_eq!(told(40, 3), Some(43));
        assert_eq!(told(0, 10), None, "more may follow");
        assert_eq!(told(40, 0), None, "the end may lie anywhere before");
        assert_eq!(told(12_340, 5), Some(10_000), "or more");
    }
}
