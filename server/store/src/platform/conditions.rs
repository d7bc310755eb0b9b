//! Conditions of a search, built at run time from fixed pieces: a caller's text is always a parameter.

use multirail_kernel::ids::MerchantId;

use crate::engine::Value;

/// The text after `where`, with its parameters.
pub struct Conditions {
    /// The conditions, joined by `and`.
    pub text: String,
    /// The values of its placeholders, in their order.
    pub parameters: Vec<Value>,
}

impl Conditions {
    /// Selects the rows of this merchant; `column` holds the merchant's id.
    pub fn of_merchant(column: &str, merchant_id: &MerchantId) -> Self {
        Conditions {
            text: format!("{column} = $1"),
            parameters: vec![Value::from(merchant_id.as_str())],
        }
    }

    /// Selects all rows.
    pub fn all() -> Self {
        Conditions {
            text: "1 = 1".to_owned(),
            parameters: Vec::new(),
        }
    }

    /// Adds a parameter; returns its placeholder.
    pub fn parameter(&mut self, value: impl Into<Value>) -> String {
        self.parameters.push(value.into());
        format!("${}", self.parameters.len())
    }

    /// Adds a comparison, such as `p.amount >=`, if there is a right side.
    pub fn compare(&mut self, left: &str, right: Option<impl Into<Value>>) {
        if let Some(right) = right {
            let parameter = self.parameter(right);
            self.also(&format!("{left} {parameter}"));
        }
    }

    /// Adds that a column holds one of these words, if there are any.
    pub fn one_of<T: AsRef<str>>(&mut self, column: &str, words: &[T]) {
        if words.is_empty() {
            return;
        }
        let parameters: Vec<String> = words
            .iter()
            .map(|word| self.parameter(word.as_ref()))
            .collect();
        self.also(&format!("{column} in ({})", parameters.join(", ")));
    }

    /// Adds a condition without a caller's text.
    pub fn also(&mut self, condition: &str) {
        self.text.push_str(" and ");
        self.text.push_str(condition);
    }
}
