//! Saved views: filters of the list of payments that a user keeps under a name, for one merchant account.

use multirail_kernel::ids::{MerchantId, SavedViewId, UserId};
use multirail_kernel::random::Random;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;

/// The most views of a user in a merchant account.
pub const MOST_SAVED_VIEWS: usize = 20;

/// The longest name of a view, in characters.
const LONGEST_NAME: usize = 60;

/// The longest query, in characters.
const LONGEST_QUERY: usize = 1_000;

/// A saved view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedView {
    pub saved_view_id: SavedViewId,
    /// The user who sees it, and nobody else does.
    pub user_id: UserId,
    pub merchant_id: MerchantId,
    pub name: String,
    /// The filters as a query. No rule reads it. It rests unsealed: the list has filters for ids, words, amounts and dates,
    /// which payments hold unsealed too, and none for an e-mail address or digits of a card.
    pub query: String,
    pub created_at: Timestamp,
}

impl SavedView {
    /// Saves a query under a name. `known` are the views that the user has in the merchant account.
    ///
    /// # Errors
    /// [`Refusal::InvalidFormat`] for a name or query of another form; [`Refusal::Precondition`] for a name that is
    /// taken, and for a user with [`MOST_SAVED_VIEWS`] views.
    pub fn create(
        (name, query): (&str, &str),
        known: &[SavedView],
        (user_id, merchant_id): (&UserId, &MerchantId),
        now: Timestamp,
        random: &dyn Random,
    ) -> Result<Self, Refusal> {
        let name = checked_name(name)?;
        if !is_query(query) {
            let form = "a query of 1 to 1,000 characters, such as group=failed&currency=EUR";
            return Err(Refusal::invalid_format("query", form));
        }
        if known.iter().any(|one| one.name == name) {
            return Err(Refusal::precondition("there is a saved view of this name"));
        }
        if known.len() >= MOST_SAVED_VIEWS {
            return Err(Refusal::precondition(format!(
                "there are {MOST_SAVED_VIEWS} saved views: delete one of them first"
            )));
        }
        Ok(SavedView {
            saved_view_id: SavedViewId::generate(random),
            user_id: user_id.clone(),
            merchant_id: merchant_id.clone(),
            name: name.to_owned(),
            query: query.to_owned(),
            created_at: now,
        })
    }
}

fn checked_name(given: &str) -> Result<&str, Refusal> {
    let name = given.trim();
    // The blanks around it count too: the document's bound is that of the text as it is sent.
    let has_length = given.chars().count() <= LONGEST_NAME && !name.is_empty();
    if has_length && !name.chars().any(char::is_control) {
        Ok(name)
    } else {
        let form = "1 to 60 characters without control characters";
        Err(Refusal::invalid_format("name", form))
    }
}

/// Returns whether a text can be the query of an address, as browsers write it.
fn is_query(text: &str) -> bool {
    let is_one = |byte: u8| byte.is_ascii_alphanumeric() || b"*._%+=&-".contains(&byte);
    (1..=LONGEST_QUERY).contains(&text.len()) && text.bytes().all(is_one)
}

#[cfg(test)]
mod tests {
    use multirail_kernel::random::SeededRandom;

    use super::*;

    fn saved(name: &str, query: &str, known: &[SavedView]) -> Result<SavedView, String> {
        let user_id = UserId::parse("user_1").expect("an id");
        let merchant_id = MerchantId::parse("bookshop").expect("an id");
        let random = SeededRandom::new(known.len() as u64);
        let owner = (&user_id, &merchant_id);
        let made = SavedView::create((name, query), known, owner, Timestamp::EPOCH, &random);
        made.map_err(|refusal| refusal.to_string())
    }

    #[test]
    fn a_view_has_a_name_of_its_own_and_a_query() {
        let failed = saved(" Failed ", "group=failed&currency=EUR", &[]).expect("a view");
        assert_eq!(failed.name, "Failed");
        assert!(failed.saved_view_id.as_str().starts_with("svw_"));
        let known = [failed];
        let again = saved("Failed", "group=failed", &known);
        let refused = again.expect_err("one view by one name");
        assert_eq!(refused, "there is a saved view of this name");
        assert!(saved("failed", "group=failed", &known).is_ok());
        let (longest, longest_query) = ("ä".repeat(60), "a".repeat(1_000));
        assert!(saved(&longest, &longest_query, &known).is_ok());
        let (too_long, too_long_query) = ("ä".repeat(61), "a".repeat(1_001));
        let padded = format!(" {longest}");
        for (name, query) in [
            ("", "group=failed"),
            ("  ", "group=failed"),
            ("a\nb", "group=failed"),
            (too_long.as_str(), "group=failed"),
            (padded.as_str(), "group=failed"),
            ("All", ""),
            ("All", "group=failed#x"),
            ("All", "name=<b>"),
            ("All", too_long_query.as_str()),
        ] {
            let refused = saved(name, query, &[]).expect_err("a refusal");
            assert!(refused.contains("expected form"), "{refused}");
        }
    }

    #[test]
    fn a_user_has_at_most_twenty_views() {
        let mut known = Vec::new();
        for number in 0..MOST_SAVED_VIEWS {
            let made = saved(&format!("View {number}"), "group=failed", &known);
            known.push(made.expect("a view"));
        }
        let one_more = saved("One more", "group=failed", &known);
        let refused = one_more.expect_err("no room");
        assert_eq!(
            refused,
            "there are 20 saved views: delete one of them first"
        );
    }
}
