//! Amounts in the payer's language.

use super::Language;

/// An amount in the minor unit of a currency with this number of decimals.
#[derive(Clone, Copy, Debug)]
pub struct Amount<'a> {
    pub minor: i64,
    pub decimals: u8,
    /// The currency's three letters. (ISO 4217)
    pub currency: &'a str,
}

const NO_BREAK: char = '\u{a0}';
const NARROW_NO_BREAK: char = '\u{202f}';

impl Amount<'_> {
    /// Returns the amount with its currency: with a sign where the language has one for this currency only, else with
    /// its three letters. (Unicode CLDR)
    pub fn written(self, language: Language) -> String {
        let number = self.number(language);
        let sign = sign(self.currency, language);
        let currency = sign.unwrap_or(self.currency);
        let minus = if self.minor < 0 { "-" } else { "" };
        match language {
            Language::English | Language::Japanese if sign.is_some() => {
                format!("{minus}{currency}{number}")
            }
            Language::English | Language::Japanese => {
                format!("{minus}{currency}{NO_BREAK}{number}")
            }
            Language::German | Language::French | Language::Spanish => {
                format!("{minus}{number}{NO_BREAK}{currency}")
            }
        }
    }

    /// Returns the number without the currency.
    fn number(self, language: Language) -> String {
        let decimals = usize::from(self.decimals);
        let digits = format!(
            "{:0>width$}",
            self.minor.unsigned_abs(),
            width = decimals + 1
        );
        let (whole, fraction) = digits.split_at(digits.len() - decimals);
        let (group, point) = match language {
            Language::English | Language::Japanese => (',', '.'),
            Language::German | Language::Spanish => ('.', ','),
            Language::French => (NARROW_NO_BREAK, ','),
        };
        // Spanish doesn't group four digits.
        let is_grouped = language != Language::Spanish || whole.len() > 4;
        let mut written = String::new();
        for (place, digit) in whole.chars().enumerate() {
            if is_grouped && place > 0 && (whole.len() - place).is_multiple_of(3) {
                written.push(group);
            }
            written.push(digit);
        }
        if !fraction.is_empty() {
            written.push(point);
            written.push_str(fraction);
        }
        written
    }
}

fn sign(currency: &str, language: Language) -> Option<&'static str> {
    match (currency, language) {
        ("EUR", _) => Some("€"),
        ("USD", Language::English | Language::German | Language::Japanese) => Some("$"),
        ("USD", Language::French) => Some("$US"),
        ("USD", Language::Spanish) => Some("US$"),
        ("GBP", Language::English | Language::German | Language::Japanese) => Some("£"),
        ("GBP", Language::French) => Some("£GB"),
        ("JPY", Language::English | Language::German) => Some("¥"),
        ("JPY", Language::Japanese) => Some("￥"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_in_every_language() {
        let amount = |minor, decimals, currency| Amount {
            minor,
            decimals,
            currency,
        };
        let amounts = [
            amount(6540, 2, "USD"),
            amount(123_456_789, 2, "EUR"),
            amount(123_456, 2, "GBP"),
            amount(6540, 0, "JPY"),
            amount(1_234_567, 3, "KWD"),
            amount(12_345, 4, "CLF"),
            amount(5, 2, "CHF"),
            amount(0, 0, "KRW"),
            amount(-600, 2, "EUR"),
        ];
        let rows: Vec<String> = Language::ALL
            .into_iter()
            .map(|language| {
                let written = amounts.map(|amount| amount.written(language));
                let row = format!("{}: {}", language.tag(), written.join("  "));
                row.replace(NO_BREAK, "_").replace(NARROW_NO_BREAK, "'")
            })
            .collect();
        assert_eq!(
            rows,
            [
                "en: $65.40  €1,234,567.89  £1,234.56  ¥6,540  KWD_1,234.567  CLF_1.2345  CHF_0.05  KRW_0  -€6.00",
                "de: 65,40_$  1.234.567,89_€  1.234,56_£  6.540_¥  1.234,567_KWD  1,2345_CLF  0,05_CHF  0_KRW  -6,00_€",
                "fr: 65,40_$US  1'234'567,89_€  1'234,56_£GB  6'540_JPY  1'234,567_KWD  1,2345_CLF  0,05_CHF  0_KRW  -6,00_€",
                "es: 65,40_US$  1.234.567,89_€  1234,56_GBP  6540_JPY  1234,567_KWD  1,2345_CLF  0,05_CHF  0_KRW  -6,00_€",
                "ja: $65.40  €1,234,567.89  £1,234.56  ￥6,540  KWD_1,234.567  CLF_1.2345  CHF_0.05  KRW_0  -€6.00",
            ]
        );
    }
}
