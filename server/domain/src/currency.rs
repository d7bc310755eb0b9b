//! The currencies of the contract and how many decimals each has. (Specification 2.9; ISO 4217)

/// Declares the currencies from one table: code and number of decimals.
macro_rules! currencies {
    ($($code:ident $exponent:literal),+ $(,)?) => {
        /// An ISO 4217 currency. Its code is always written in capitals.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(clippy::upper_case_acronyms, reason = "the codes are what people read")]
        pub enum Currency { $($code),+ }

        impl Currency {
            /// Every currency, in alphabetical order. (`ALL` is the Albanian lek.)
            pub const EVERY: &'static [Currency] = &[$(Currency::$code),+];

            /// The three letters.
            pub fn as_str(self) -> &'static str {
                match self { $(Currency::$code => stringify!($code)),+ }
            }

            /// How many decimals the major unit has: 0, 2, 3 or 4. An amount of 1000 is 1000 JPY, 10.00 USD, 1.000 KWD.
            pub fn exponent(self) -> u8 {
                match self { $(Currency::$code => $exponent),+ }
            }
        }

        impl std::str::FromStr for Currency {
            type Err = crate::words::UnknownWord;

            fn from_str(code: &str) -> Result<Self, Self::Err> {
                match code {
                    $(stringify!($code) => Ok(Currency::$code),)+
                    other => Err(crate::words::UnknownWord { word: other.to_owned(), of: "Currency" }),
                }
            }
        }
    };
}

currencies! {
    AED 2, AFN 2, ALL 2, AMD 2, ANG 2, AOA 2, ARS 2, AUD 2, AWG 2, AZN 2, BAM 2, BBD 2, BDT 2, BGN 2, BHD 3, BIF 0,
    BMD 2, BND 2, BOB 2, BRL 2, BSD 2, BTN 2, BWP 2, BYN 2, BZD 2, CAD 2, CDF 2, CHF 2, CLF 4, CLP 0, CNY 2, COP 2,
    CRC 2, CUC 2, CUP 2, CVE 2, CZK 2, DJF 0, DKK 2, DOP 2, DZD 2, EGP 2, ERN 2, ETB 2, EUR 2, FJD 2, FKP 2, GBP 2,
    GEL 2, GHS 2, GIP 2, GMD 2, GNF 0, GTQ 2, GYD 2, HKD 2, HNL 2, HRK 2, HTG 2, HUF 2, IDR 2, ILS 2, INR 2, IQD 3,
    IRR 0, ISK 2, JMD 2, JOD 3, JPY 0, KES 2, KGS 2, KHR 2, KMF 0, KPW 2, KRW 0, KWD 3, KYD 2, KZT 2, LAK 2, LBP 2,
    LKR 2, LRD 2, LSL 2, LYD 3, MAD 2, MDL 2, MGA 0, MKD 2, MMK 2, MNT 2, MOP 2, MRU 2, MUR 2, MVR 2, MWK 2, MXN 2,
    MYR 2, MZN 2, NAD 2, NGN 2, NIO 2, NOK 2, NPR 2, NZD 2, OMR 3, PAB 2, PEN 2, PGK 2, PHP 2, PKR 2, PLN 2, PYG 0,
    QAR 2, RON 2, RSD 2, RUB 2, RWF 0, SAR 2, SBD 2, SCR 2, SDG 2, SEK 2, SGD 2, SHP 2, SLE 2, SLL 2, SOS 2, SRD 2,
    SSP 2, STD 2, STN 2, SVC 2, SYP 2, SZL 2, THB 2, TJS 2, TMT 2, TND 3, TOP 2, TRY 2, TTD 2, TWD 2, TZS 2, UAH 2,
    UGX 0, USD 2, UYU 2, UZS 2, VES 2, VND 0, VUV 0, WST 2, XAF 0, XCD 2, XOF 0, XPF 0, YER 2, ZAR 2, ZMW 2, ZWL 2,
}

impl std::fmt::Display for Currency {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl serde::Serialize for Currency {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> serde::Deserialize<'de> for Currency {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        code.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_exponent(exponent: u8) -> Vec<&'static str> {
        Currency::EVERY
            .iter()
            .filter(|currency| currency.exponent() == exponent)
            .map(|currency| currency.as_str())
            .collect()
    }

    #[test]
    fn there_are_160_codes_in_alphabetical_order() {
        assert_eq!(Currency::EVERY.len(), 160);
        assert!(Currency::EVERY.is_sorted_by_key(|currency| currency.as_str()));
    }

    #[test]
    fn decimals_are_those_of_the_contract() {
        assert_eq!(
            with_exponent(0).join(" "),
            "BIF CLP DJF GNF IRR JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF"
        );
        assert_eq!(with_exponent(3).join(" "), "BHD IQD JOD KWD LYD OMR TND");
        assert_eq!(with_exponent(4).join(" "), "CLF");
        assert_eq!(with_exponent(2).len(), 160 - 17 - 7 - 1);
    }

    #[test]
    fn a_code_is_read_in_capitals_only() {
        assert_eq!("USD".parse(), Ok(Currency::USD));
        assert!("usd".parse::<Currency>().is_err());
        assert_eq!(
            serde_json::to_string(&Currency::KWD).ok().as_deref(),
            Some("\"KWD\"")
        );
        assert!(serde_json::from_str::<Currency>("\"XXX\"").is_err());
    }
}
