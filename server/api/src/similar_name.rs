//! Finds the known name that was probably meant.

/// Returns the most similar known name: with a typing error or two, another spelling (`returnUrl`), or a missing part
/// (`exp_month`).
pub fn most_similar<'n>(given: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    /// The length of the longest name that is compared, in bytes.
    const LONGEST: usize = 64;
    /// The shortest part to look for: shorter ones occur in too many names.
    const SHORTEST_PART: usize = 5;
    let given = plain(given);
    if given.is_empty() || given.len() > LONGEST {
        return None;
    }
    let slips = (given.len() / 4).max(1);
    let candidates = known.filter_map(|name| {
        let known = plain(name);
        let distance = strsim::osa_distance(&given, &known);
        let shorter = given.len().min(known.len());
        let is_part =
            shorter >= SHORTEST_PART && (known.contains(&given) || given.contains(&known));
        (is_part || distance <= slips.min(known.len() / 2)).then_some((distance, name))
    });
    candidates
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

fn plain(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::most_similar;

    const KNOWN: [&str; 10] = [
        "amount",
        "amount_to_capture",
        "capture_method",
        "capture_on",
        "card_exp_month",
        "card_cvc",
        "name",
        "return_url",
        "customer_id",
        "statement_descriptor_suffix",
    ];

    #[test]
    fn slips_other_spellings_and_lost_parts_are_seen_through() {
        for (given, meant) in [
            ("capture_metod", Some("capture_method")),
            ("catpure_method", Some("capture_method")),
            ("captureMethod", Some("capture_method")),
            ("amount_to_captur", Some("amount_to_capture")),
            ("ammount", Some("amount")),
            ("Return-URL", Some("return_url")),
            ("exp_month", Some("card_exp_month")),
            ("card_cvv", Some("card_cvc")),
            ("custmer_id", Some("customer_id")),
            ("statement_descriptor", Some("statement_descriptor_suffix")),
            ("nam", Some("name")),
            ("x", None),
            ("", None),
            ("voucher_of_the_shop", None),
            ("card", None),
        ] {
            assert_eq!(most_similar(given, KNOWN.into_iter()), meant, "{given}");
        }
        assert_eq!(most_similar(&"a".repeat(10_000), KNOWN.into_iter()), None);
    }
}
