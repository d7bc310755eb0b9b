//! Forms with nested keys: `card[number]=4242`, `items[0]=one`.

use std::io;

use multirail_kernel::secret::SecretText;
use serde::Serialize;

/// The maximum depth of a key, far more than any processor uses.
const MAX_DEPTH: usize = 16;

const FORM: serde_qs::Config = serde_qs::Config::new()
    .max_depth(MAX_DEPTH)
    .use_form_encoding(true);

/// Encodes the members as a form, in their order. Unset and empty members are left out: for most
/// processors an empty value means "remove it".
pub fn encode(members: &impl Serialize) -> SecretText {
    let whole = SecretText::composed(|mut writer| {
        let written = FORM.serialize_to_writer(members, &mut writer);
        written.map_err(io::Error::other)
    });
    let whole = whole.expect("structures of texts, numbers and lists become forms");
    let said = |pair: &&str| {
        pair.split_once('=')
            .is_some_and(|(_, value)| !value.is_empty())
    };
    if whole.expose().split('&').all(|pair| said(&pair)) {
        return whole;
    }
    let part = SecretText::composed(|writer| {
        let pairs = whole.expose().split('&').filter(said);
        for (index, pair) in pairs.enumerate() {
            if index > 0 {
                writer.write_all(b"&")?;
            }
            writer.write_all(pair.as_bytes())?;
        }
        Ok(())
    });
    part.expect("a part of a form is text")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use multirail_kernel::secret::sealed;

    use super::*;

    #[derive(Serialize)]
    struct Charge {
        amount: i64,
        currency: &'static str,
        capture: bool,
        description: Option<&'static str>,
        nothing: Option<&'static str>,
        payment_method_types: Vec<&'static str>,
        none: Vec<&'static str>,
        card: Card,
        metadata: BTreeMap<&'static str, &'static str>,
    }

    #[derive(Serialize)]
    struct Card {
        #[serde(with = "sealed")]
        number: SecretText,
        checks: Checks,
    }

    #[derive(Serialize)]
    struct Checks {
        zip: Option<&'static str>,
        line1: Option<&'static str>,
    }

    #[test]
    fn keys_are_nested_and_nothing_is_said_of_what_is_unset() {
        let charge = Charge {
            amount: 6540,
            currency: "usd",
            capture: false,
            description: Some("Tea & cake, 100% good = fine"),
            nothing: None,
            payment_method_types: vec!["card", "link"],
            none: Vec::new(),
            card: Card {
                number: SecretText::new("4242424242424242"),
                checks: Checks {
                    zip: Some("SW1A 1AA"),
                    line1: None,
                },
            },
            metadata: BTreeMap::from([("order[1]", "é"), ("empty", "")]),
        };
        let form = encode(&charge);
        let lines = form.expose().replace('&', "\n&");
        insta::assert_snapshot!(lines, @"
        amount=6540
        &currency=usd
        &capture=false
        &description=Tea%20%26%20cake%2C%20100%25%20good%20%3D%20fine
        &payment_method_types%5B0%5D=card
        &payment_method_types%5B1%5D=link
        &card%5Bnumber%5D=4242424242424242
        &card%5Bchecks%5D%5Bzip%5D=SW1A%201AA
        &metadata%5Border%5B1%5D%5D=%C3%A9
        ");
    }

    #[test]
    fn unset_members_make_an_empty_form() {
        let nothing = Checks {
            zip: None,
            line1: None,
        };
        assert_eq!(encode(&nothing).expose(), "");
        assert_eq!(encode(&BTreeMap::<&str, &str>::new()).expose(), "");
    }
}
