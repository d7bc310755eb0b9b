//! Messages about members that are nested deeper in a request than usual.

use multirail_api::ApiError;

/// Returns the refusal with the members' names inside `outer`: `payment_method_data.card` becomes
/// `payment_details.payment_method_data.card`.
pub fn nested(mut error: ApiError, outer: &str, members: &[&str]) -> ApiError {
    error.message = within(&error.message, outer, members);
    error
}

fn within(message: &str, outer: &str, members: &[&str]) -> String {
    let is_of_path = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let mut text = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(start) = rest.find(is_of_path) {
        let (before, path) = rest.split_at(start);
        let end = path.find(|c| !is_of_path(c)).unwrap_or(path.len());
        let (path, after) = path.split_at(end);
        text.push_str(before);
        let first = path.split('.').next().unwrap_or_default();
        if members.contains(&first) {
            text.push_str(outer);
            text.push('.');
        }
        text.push_str(path);
        rest = after;
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_named_where_they_stand() {
        let inside = |message| within(message, "payment_details", &["payment_method_data", "card"]);
        for (said, expected) in [
            (
                "payment_method_data.card.card_number fails",
                "payment_details.payment_method_data.card.card_number fails",
            ),
            (
                "Malformed: `payment_method_data`.",
                "Malformed: `payment_details.payment_method_data`.",
            ),
            (
                "payment_details.payment_method_data, payment_method_data_x and item_price_id",
                "payment_details.payment_method_data, payment_method_data_x and item_price_id",
            ),
            ("é card", "é payment_details.card"),
            ("", ""),
        ] {
            assert_eq!(inside(said), expected);
        }
    }
}
