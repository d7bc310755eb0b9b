//! Country codes. (Specification 2.7, 2.9; ISO 3166-1 alpha-2, and XK, which processors and card networks use for
//! Kosovo.)

/// Every code, in alphabetical order.
#[rustfmt::skip]
const CODES: [&str; 250] = [
    "AD", "AE", "AF", "AG", "AI", "AL", "AM", "AO", "AQ", "AR", "AS", "AT", "AU", "AW", "AX", "AZ", "BA", "BB", "BD",
    "BE", "BF", "BG", "BH", "BI", "BJ", "BL", "BM", "BN", "BO", "BQ", "BR", "BS", "BT", "BV", "BW", "BY", "BZ", "CA",
    "CC", "CD", "CF", "CG", "CH", "CI", "CK", "CL", "CM", "CN", "CO", "CR", "CU", "CV", "CW", "CX", "CY", "CZ", "DE",
    "DJ", "DK", "DM", "DO", "DZ", "EC", "EE", "EG", "EH", "ER", "ES", "ET", "FI", "FJ", "FK", "FM", "FO", "FR", "GA",
    "GB", "GD", "GE", "GF", "GG", "GH", "GI", "GL", "GM", "GN", "GP", "GQ", "GR", "GS", "GT", "GU", "GW", "GY", "HK",
    "HM", "HN", "HR", "HT", "HU", "ID", "IE", "IL", "IM", "IN", "IO", "IQ", "IR", "IS", "IT", "JE", "JM", "JO", "JP",
    "KE", "KG", "KH", "KI", "KM", "KN", "KP", "KR", "KW", "KY", "KZ", "LA", "LB", "LC", "LI", "LK", "LR", "LS", "LT",
    "LU", "LV", "LY", "MA", "MC", "MD", "ME", "MF", "MG", "MH", "MK", "ML", "MM", "MN", "MO", "MP", "MQ", "MR", "MS",
    "MT", "MU", "MV", "MW", "MX", "MY", "MZ", "NA", "NC", "NE", "NF", "NG", "NI", "NL", "NO", "NP", "NR", "NU", "NZ",
    "OM", "PA", "PE", "PF", "PG", "PH", "PK", "PL", "PM", "PN", "PR", "PS", "PT", "PW", "PY", "QA", "RE", "RO", "RS",
    "RU", "RW", "SA", "SB", "SC", "SD", "SE", "SG", "SH", "SI", "SJ", "SK", "SL", "SM", "SN", "SO", "SR", "SS", "ST",
    "SV", "SX", "SY", "SZ", "TC", "TD", "TF", "TG", "TH", "TJ", "TK", "TL", "TM", "TN", "TO", "TR", "TT", "TV", "TW",
    "TZ", "UA", "UG", "UM", "US", "UY", "UZ", "VA", "VC", "VE", "VG", "VI", "VN", "VU", "WF", "WS", "XK", "YE", "YT", "ZA",
    "ZM", "ZW",
];

/// A country's two letters, always in capitals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CountryCode(&'static str);

impl CountryCode {
    /// Returns the two letters.
    pub fn as_str(self) -> &'static str {
        self.0
    }

    /// Returns the country of a code that this program writes.
    ///
    /// # Panics
    /// For an unknown code. A constant with one doesn't compile.
    pub const fn known(code: &str) -> CountryCode {
        let [first, second] = *code.as_bytes() else {
            panic!("a country has two letters");
        };
        let mut place = 0;
        while place < CODES.len() {
            let bytes = CODES[place].as_bytes();
            if bytes[0] == first && bytes[1] == second {
                return CountryCode(CODES[place]);
            }
            place += 1;
        }
        panic!("no country of the table");
    }

    /// Returns every country of the contract, in alphabetical order.
    pub fn all() -> impl Iterator<Item = CountryCode> {
        CODES.iter().map(|code| CountryCode(code))
    }
}

impl std::str::FromStr for CountryCode {
    type Err = crate::words::UnknownWord;

    fn from_str(code: &str) -> Result<Self, Self::Err> {
        match CODES.binary_search(&code) {
            Ok(place) => Ok(CountryCode(CODES[place])),
            Err(_) => Err(crate::words::UnknownWord {
                word: code.to_owned(),
                of: "CountryCode",
            }),
        }
    }
}

impl std::fmt::Display for CountryCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl serde::Serialize for CountryCode {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}

impl<'de> serde::Deserialize<'de> for CountryCode {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        code.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_so_that_the_search_finds_every_code() {
        assert!(CODES.is_sorted());
        for country in CountryCode::all() {
            assert_eq!(country.as_str().parse(), Ok(country));
            assert_eq!(CountryCode::known(country.as_str()), country);
        }
    }

    #[test]
    fn other_spellings_are_no_countries() {
        for word in ["us", "USA", "", "XX", "UK"] {
            assert!(word.parse::<CountryCode>().is_err(), "{word}");
        }
    }
}
