//! The leading digits of card networks.
//!
//! The ranges come from the npm packages credit-card-type 10.3.0 (Braintree, MIT) and, for Dankort and
//! Forbrugsforeningen, creditcards-types 4.0.0 (MIT). Both lack RuPay; its ranges are those that the network publishes and
//! no other network has. The package credit-card-type takes every other number with a leading 6 for Maestro; here such a
//! number counts as unknown.

use crate::card_number::Network::{
    self, AmericanExpress, DinersClub, Discover, JCB, Maestro, Mastercard, RuPay, UnionPay, Visa,
};

/// Networks without a word in the contract, within ranges of other networks.
const OTHERS: &[(u32, u32)] = &[
    // Elo.
    (401_178, 401_179),
    (431_274, 431_274),
    (438_935, 438_935),
    (451_416, 451_416),
    (457_393, 457_393),
    (457_631, 457_632),
    (504_175, 504_175),
    (506_699, 506_778),
    (509_000, 509_999),
    (627_780, 627_780),
    (636_297, 636_297),
    (636_368, 636_368),
    (650_031, 650_033),
    (650_035, 650_051),
    (650_405, 650_439),
    (650_485, 650_538),
    (650_541, 650_598),
    (650_700, 650_718),
    (650_720, 650_727),
    (650_901, 650_978),
    (651_652, 651_679),
    (655_000, 655_019),
    (655_021, 655_058),
    // Hiper and Hipercard.
    (606_282, 606_282),
    (637_095, 637_095),
    (637_374, 637_374),
    (637_433, 637_433),
    (637_568, 637_568),
    (637_599, 637_599),
    (637_609, 637_609),
    (637_612, 637_612),
    // Dankort and Forbrugsforeningen.
    (5019, 5019),
    (600_722, 600_722),
    // Naranja.
    (402_918, 402_918),
    (527_572, 527_572),
    (589_562, 589_562),
    // Verve.
    (506_099, 506_127),
    (506_129, 506_129),
    (506_133, 506_150),
    (506_158, 506_163),
    (506_166, 506_166),
    (506_168, 506_168),
    (506_170, 506_170),
    (506_173, 506_173),
    (506_176, 506_180),
    (506_184, 506_184),
    (506_187, 506_188),
    (506_191, 506_191),
    (506_195, 506_195),
    (506_197, 506_197),
    (507_865, 507_866),
    (507_868, 507_877),
    (507_880, 507_888),
    (507_900, 507_900),
    (507_941, 507_941),
    // Troy, whose ranges of eight digits are given by six.
    (650_052, 650_052),
    (650_082, 650_083),
    (650_092, 650_092),
    (650_161, 650_161),
    (650_170, 650_170),
    (650_173, 650_173),
    (650_175, 650_175),
    (650_268, 650_268),
    (650_271, 650_271),
    (650_273, 650_274),
    (650_456, 650_457),
    (650_836, 650_837),
    (650_846, 650_850),
    (650_858, 650_862),
    (650_923, 650_923),
    (650_987, 650_987),
    (650_990, 650_990),
    (654_997, 654_997),
    (657_366, 657_366),
    (657_998, 657_998),
    (658_750, 658_752),
    (658_755, 658_756),
    (658_758, 658_768),
    (658_771, 658_771),
    (658_776, 658_778),
    (658_782, 658_786),
    (658_798, 658_798),
    (658_808, 658_809),
];

/// The first and last number of each range, with the same number of digits. The first matching row decides.
const RANGES: &[(u32, u32, Network)] = &[
    (4, 4, Visa),
    (51, 55, Mastercard),
    (2221, 2720, Mastercard),
    (34, 34, AmericanExpress),
    (37, 37, AmericanExpress),
    (300, 305, DinersClub),
    (309, 309, DinersClub),
    (36, 36, DinersClub),
    (38, 39, DinersClub),
    (3528, 3589, JCB),
    (6011, 6011, Discover),
    (644, 649, Discover),
    (6521, 6522, RuPay),
    (65, 65, Discover),
    (60, 60, RuPay),
    (620, 620, UnionPay),
    (62_100, 62_182, UnionPay),
    (62_184, 62_197, UnionPay),
    (622, 626, UnionPay),
    (6270, 6270, UnionPay),
    (6272, 6272, UnionPay),
    (6276, 6277, UnionPay),
    (6282, 6289, UnionPay),
    (6291, 6292, UnionPay),
    (8100, 8171, UnionPay),
    (81, 82, RuPay),
    (508, 508, RuPay),
    (50, 50, Maestro),
    (56, 58, Maestro),
    (63, 63, Maestro),
    (67, 67, Maestro),
];

/// Returns the network that the leading digits identify with certainty.
pub(super) fn network(digits: &str) -> Option<Network> {
    if OTHERS
        .iter()
        .any(|(first, last)| leads(digits, *first, *last))
    {
        return None;
    }
    RANGES
        .iter()
        .find(|(first, last, _)| leads(digits, *first, *last))
        .map(|(_, _, network)| *network)
}

fn leads(digits: &str, first: u32, last: u32) -> bool {
    let length = first.ilog10() as usize + 1;
    let leading = digits.get(..length).and_then(|text| text.parse().ok());
    leading.is_some_and(|leading: u32| (first..=last).contains(&leading))
}

/// Checks whether a network issues numbers of this length.
pub(super) fn makes(network: Network, length: usize) -> bool {
    match network {
        Visa => matches!(length, 13 | 16 | 18 | 19),
        Mastercard => length == 16,
        AmericanExpress => length == 15,
        DinersClub => matches!(length, 14 | 16 | 19),
        Discover | RuPay | JCB => (16..=19).contains(&length),
        UnionPay => (16..=19).contains(&length),
        Maestro => (13..=19).contains(&length),
        Network::CartesBancaires
        | Network::Interac
        | Network::Star
        | Network::Pulse
        | Network::Accel
        | Network::Nyce => length == 16,
    }
}
