//! Card networks (schemes), and their recognition by leading digits.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::card_number::ranges;
use crate::words::UnknownWord;

/// Declares the networks: variant, word, and the spelling in capitals that is accepted as well.
macro_rules! networks {
    ($($(#[$meta:meta])* $name:ident, $capitals:literal;)+) => {
        /// A card network. Words are case-sensitive; the spelling all in capitals is accepted on input.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Network { $($(#[$meta])* $name),+ }

        impl Network {
            /// Every network, in the order of the contract.
            pub const ALL: &'static [Network] = &[$(Network::$name),+];

            /// Returns the word on the wire.
            pub fn as_str(self) -> &'static str {
                match self { $(Network::$name => stringify!($name)),+ }
            }
        }

        impl FromStr for Network {
            type Err = UnknownWord;

            fn from_str(word: &str) -> Result<Self, UnknownWord> {
                $(if word == stringify!($name) || word == $capitals { return Ok(Network::$name); })+
                Err(UnknownWord { word: word.to_owned(), of: "Network" })
            }
        }
    };
}

networks! {
    Visa, "VISA";
    Mastercard, "MASTERCARD";
    AmericanExpress, "AMERICANEXPRESS";
    JCB, "JCB";
    DinersClub, "DINERSCLUB";
    Discover, "DISCOVER";
    /// Shares its leading digits with Visa or Mastercard, so that only the caller can name it. The same holds for the
    /// next ones.
    CartesBancaires, "CARTESBANCAIRES";
    UnionPay, "UNIONPAY";
    Interac, "INTERAC";
    RuPay, "RUPAY";
    Maestro, "MAESTRO";
    Star, "STAR";
    Pulse, "PULSE";
    Accel, "ACCEL";
    Nyce, "NYCE";
}

impl Network {
    /// Returns the network that the leading digits of a card number identify. Returns `None` for a network without a
    /// word in the contract, and for uncertain digits.
    pub fn from_digits(digits: &str) -> Option<Network> {
        ranges::network(digits)
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Network {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Network {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = Cow::<'de, str>::deserialize(deserializer)?;
        word.parse().map_err(serde::de::Error::custom)
    }
}

impl Network {
    /// Parses a wallet's name of a network: its word in any case, or `AmEx`.
    pub fn of_wallet(word: &str) -> Option<Self> {
        if word.eq_ignore_ascii_case("amex") {
            return Some(Network::AmericanExpress);
        }
        let mut all = Network::ALL.iter().copied();
        all.find(|network| network.as_str().eq_ignore_ascii_case(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leading_digits_tell_the_network() {
        let table = [
            ("4111111111111111", Some(Network::Visa)),
            ("5100000000000000", Some(Network::Mastercard)),
            ("5500000000000000", Some(Network::Mastercard)),
            ("2221000000000000", Some(Network::Mastercard)),
            ("2720990000000000", Some(Network::Mastercard)),
            ("2220990000000000", None),
            ("2721000000000000", None),
            ("340000000000000", Some(Network::AmericanExpress)),
            ("370000000000000", Some(Network::AmericanExpress)),
            ("30000000000000", Some(Network::DinersClub)),
            ("30500000000000", Some(Network::DinersClub)),
            ("30600000000000", None),
            ("30900000000000", Some(Network::DinersClub)),
            ("36000000000000", Some(Network::DinersClub)),
            ("38000000000000", Some(Network::DinersClub)),
            ("3528000000000000", Some(Network::JCB)),
            ("3589000000000000", Some(Network::JCB)),
            ("3527000000000000", None),
            ("6011000000000000", Some(Network::Discover)),
            ("6440000000000000", Some(Network::Discover)),
            ("6500000000000000", Some(Network::Discover)),
            ("6521000000000000", Some(Network::RuPay)),
            ("6070000000000000", Some(Network::RuPay)),
            ("8100000000000000", Some(Network::UnionPay)),
            ("8171999999999999", Some(Network::UnionPay)),
            ("8172000000000000", Some(Network::RuPay)),
            ("8200000000000000", Some(Network::RuPay)),
            ("5085000000000000", Some(Network::RuPay)),
            ("6200000000000000", Some(Network::UnionPay)),
            ("6221260000000000", Some(Network::UnionPay)),
            ("6282000000000000", Some(Network::UnionPay)),
            ("6280000000000000", None),
            ("5018000000000000", Some(Network::Maestro)),
            ("5600000000000000", Some(Network::Maestro)),
            ("6304000000000000", Some(Network::Maestro)),
            ("6759000000000000", Some(Network::Maestro)),
            // Elo, within the ranges of Visa, Maestro, UnionPay and Discover.
            ("4011780000000000", None),
            ("4576320000000000", None),
            ("5066990000000000", None),
            ("5090000000000000", None),
            ("6277800000000000", None),
            ("6362970000000000", None),
            ("6500310000000000", None),
            ("6516520000000000", None),
            ("6550210000000000", None),
            // Hipercard, Hiper, Dankort, Forbrugsforeningen, Naranja, Verve, Troy.
            ("6062820000000000", None),
            ("6370950000000000", None),
            ("5019000000000000", None),
            ("6007220000000000", None),
            ("5895620000000000", None),
            ("5060990000000000", None),
            ("6500520000000000", None),
            ("9792000000000000", None),
            // Numbers next to those ranges.
            ("4011770000000000", Some(Network::Visa)),
            ("4571000000000000", Some(Network::Visa)),
            ("5018000000000000", Some(Network::Maestro)),
            ("5020000000000000", Some(Network::Maestro)),
            ("6500300000000000", Some(Network::Discover)),
            // Uncertain numbers.
            ("6100000000000000", None),
            ("6900000000000000", None),
            ("9000000000000000", None),
            ("1000000000000000", None),
        ];
        for (digits, expected) in table {
            assert_eq!(Network::from_digits(digits), expected, "{digits}");
        }
    }

    #[test]
    fn fifteen_words_each_in_two_spellings() {
        assert_eq!(Network::ALL.len(), 15);
        for network in Network::ALL {
            let word = network.as_str();
            assert_eq!(word.parse(), Ok(*network));
            assert_eq!(word.to_uppercase().parse(), Ok(*network));
        }
        for word in ["visa", "american_express", "", "AMEX"] {
            assert!(word.parse::<Network>().is_err(), "{word}");
        }
    }
}
