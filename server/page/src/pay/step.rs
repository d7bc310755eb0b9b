//! The step for which a payment waits, as the page shows it.

/// A payer's step that isn't a visit of a page alone.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    pub form: StepForm<'a>,
    /// The address that leads to the processor's page with the same step.
    pub page: Option<&'a str>,
    /// The end of the payer's time, in RFC 3339.
    pub ends_at: Option<String>,
}

/// The forms of a step.
#[derive(Clone, Debug)]
pub enum StepForm<'a> {
    Scan {
        /// Absent: no code can hold the text.
        code: Option<QrCode>,
        text: &'a str,
    },
    /// The payer agrees in an app.
    Wait,
    Voucher {
        number: &'a str,
    },
    Transfer(Transfer<'a>),
}

/// A QR code, drawn.
#[derive(Clone, Debug)]
pub struct QrCode {
    /// Width and height in modules, with the margin.
    pub size: usize,
    /// The dark modules, as the data of an SVG path.
    pub path: String,
}

/// The data that a payer needs for a transfer.
#[derive(Clone, Debug, Default)]
pub struct Transfer<'a> {
    pub holder: Option<&'a str>,
    pub iban: Option<&'a str>,
    pub bic: Option<&'a str>,
    /// The entity of a Multibanco payment.
    pub entity: Option<&'a str>,
    pub reference: &'a str,
    /// The amount that has arrived, in the payer's language, if any has.
    pub received: Option<String>,
    /// The amount that is still to be transferred, in the payer's language.
    pub remaining: Option<String>,
}

/// Returns an IBAN in groups of four, as people read it.
pub(super) fn grouped(iban: &str) -> String {
    let characters: Vec<char> = iban.chars().filter(|one| !one.is_whitespace()).collect();
    let groups = characters.chunks(4).map(|group| group.iter().collect());
    groups.collect::<Vec<String>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_iban_is_read_in_groups_of_four() {
        assert_eq!(grouped("NL91ABNA0417164300"), "NL91 ABNA 0417 1643 00");
        assert_eq!(grouped("NL91 ABNA 04"), "NL91 ABNA 04");
        assert_eq!(grouped(""), "");
    }
}
