//! The currencies of the contract and their decimals. (Specification 2.9; ISO 4217)

/// Declares the currencies from one table: code, number of decimals, and number.
macro_rules! currencies {
    ($($code:ident $exponent:literal $number:literal),+ $(,)?) => {
        /// An ISO 4217 currency. Its code is always written in capitals.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(clippy::upper_case_acronyms, reason = "the codes are what people read")]
        pub enum Currency { $($code),+ }

        impl Currency {
            /// Every currency, in alphabetical order. (`ALL` is the Albanian lek.)
            pub const EVERY: &'static [Currency] = &[$(Currency::$code),+];

            /// Returns the three letters.
            pub fn as_str(self) -> &'static str {
                match self { $(Currency::$code => stringify!($code)),+ }
            }

            /// Returns the number of decimals: 0, 2, 3 or 4. An amount of 1000 is 1000 JPY, 10.00 USD, 1.000 KWD.
            pub fn exponent(self) -> u8 {
                match self { $(Currency::$code => $exponent),+ }
            }

            /// Returns the number in ISO 4217, which wallets and networks write with three digits.
            pub fn number(self) -> u16 {
                match self { $(Currency::$code => $number),+ }
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
    AED 2 784, AFN 2 971, ALL 2 8, AMD 2 51, ANG 2 532, AOA 2 973, ARS 2 32, AUD 2 36, AWG 2 533, AZN 2 944,
    BAM 2 977, BBD 2 52, BDT 2 50, BGN 2 975, BHD 3 48, BIF 0 108, BMD 2 60, BND 2 96, BOB 2 68, BRL 2 986, BSD 2 44,
    BTN 2 64, BWP 2 72, BYN 2 933, BZD 2 84, CAD 2 124, CDF 2 976, CHF 2 756, CLF 4 990, CLP 0 152, CNY 2 156,
    COP 2 170, CRC 2 188, CUC 2 931, CUP 2 192, CVE 2 132, CZK 2 203, DJF 0 262, DKK 2 208, DOP 2 214, DZD 2 12,
    EGP 2 818, ERN 2 232, ETB 2 230, EUR 2 978, FJD 2 242, FKP 2 238, GBP 2 826, GEL 2 981, GHS 2 936, GIP 2 292,
    GMD 2 270, GNF 0 324, GTQ 2 320, GYD 2 328, HKD 2 344, HNL 2 340, HRK 2 191, HTG 2 332, HUF 2 348, IDR 2 360,
    ILS 2 376, INR 2 356, IQD 3 368, IRR 0 364, ISK 2 352, JMD 2 388, JOD 3 400, JPY 0 392, KES 2 404, KGS 2 417,
    KHR 2 116, KMF 0 174, KPW 2 408, KRW 0 410, KWD 3 414, KYD 2 136, KZT 2 398, LAK 2 418, LBP 2 422, LKR 2 144,
    LRD 2 430, LSL 2 426, LYD 3 434, MAD 2 504, MDL 2 498, MGA 0 969, MKD 2 807, MMK 2 104, MNT 2 496, MOP 2 446,
    MRU 2 929, MUR 2 480, MVR 2 462, MWK 2 454, MXN 2 484, MYR 2 458, MZN 2 943, NAD 2 516, NGN 2 566, NIO 2 558,
    NOK 2 578, NPR 2 524, NZD 2 554, OMR 3 512, PAB 2 590, PEN 2 604, PGK 2 598, PHP 2 608, PKR 2 586, PLN 2 985,
    PYG 0 600, QAR 2 634, RON 2 946, RSD 2 941, RUB 2 643, RWF 0 646, SAR 2 682, SBD 2 90, SCR 2 690, SDG 2 938,
    SEK 2 752, SGD 2 702, SHP 2 654, SLE 2 925, SLL 2 694, SOS 2 706, SRD 2 968, SSP 2 728, STD 2 678, STN 2 930,
    SVC 2 222, SYP 2 760, SZL 2 748, THB 2 764, TJS 2 972, TMT 2 934, TND 3 788, TOP 2 776, TRY 2 949, TTD 2 780,
    TWD 2 901, TZS 2 834, UAH 2 980, UGX 0 800, USD 2 840, UYU 2 858, UZS 2 860, VED 2 926, VES 2 928, VND 0 704, VUV 0 548,
    WST 2 882, XAF 0 950, XCD 2 951, XCG 2 532, XOF 0 952, XPF 0 953, YER 2 886, ZAR 2 710, ZMW 2 967, ZWG 2 924, ZWL 2 932,
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
    fn there_are_163_codes_in_alphabetical_order() {
        assert_eq!(Currency::EVERY.len(), 163);
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
        assert_eq!(with_exponent(2).len(), 163 - 17 - 7 - 1);
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
