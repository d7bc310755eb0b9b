//! A payment in the books, and its JSON.

use serde_json::{Value, json};

/// The time of all events.
pub const NOW: &str = "2026-01-31T12:00:00.1234567Z";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The payer is on the authentication page.
    Pending,
    Approved,
    /// Declined with this code and text.
    Declined(&'static str, &'static str),
}

#[derive(Clone, Debug)]
pub struct Payment {
    pub id: String,
    pub reference: String,
    pub metadata: Value,
    pub amount: i64,
    pub currency: String,
    pub return_url: String,
    pub captures_itself: bool,
    pub standing: Standing,
    pub actions: Vec<Action>,
    pub captured: i64,
    pub voided: i64,
    pub refunded: i64,
    /// True if it wasn't captured in time.
    pub is_expired: bool,
}

#[derive(Clone, Debug)]
pub struct Action {
    pub id: String,
    pub kind: &'static str,
    pub amount: i64,
    pub reference: String,
    pub metadata: Value,
}

impl Payment {
    pub fn left(&self) -> i64 {
        if self.standing == Standing::Approved {
            self.amount - self.captured - self.voided
        } else {
            0
        }
    }

    pub fn status(&self) -> &'static str {
        match self.standing {
            Standing::Pending => "Pending",
            Standing::Declined(..) => "Declined",
            Standing::Approved if self.amount == 0 => "Card Verified",
            Standing::Approved if self.refunded > 0 && self.refunded < self.captured => {
                "Partially Refunded"
            }
            Standing::Approved if self.refunded > 0 => "Refunded",
            Standing::Approved if self.captured == self.amount => "Captured",
            Standing::Approved if self.captured > 0 => "Partially Captured",
            Standing::Approved if self.is_expired => "Expired",
            Standing::Approved if self.voided > 0 => "Voided",
            Standing::Approved => "Authorized",
        }
    }

    pub fn page(&self) -> String {
        format!("https://pages.sandbox.checkout.com/3ds/{}", self.id)
    }

    /// Returns the issuer's answer: code and text.
    pub fn code(&self) -> (&'static str, &'static str) {
        match self.standing {
            Standing::Declined(code, summary) => (code, summary),
            Standing::Pending | Standing::Approved => ("10000", "Approved"),
        }
    }

    /// Returns the issuer's answer with its card checks.
    pub fn findings(&self) -> Value {
        let (code, summary) = self.code();
        json!({
            "response_code": code, "response_summary": summary, "scheme_id": "638284745624527",
            "auth_code": "643381", "source": { "type": "card", "avs_check": "G", "cvv_check": "Y" },
            "processing": { "partner_response_code": &code[3..] },
        })
    }

    pub fn details(&self) -> Value {
        let mut details = json!({
            "id": self.id, "requested_on": NOW, "amount": self.amount, "currency": self.currency,
            "status": self.status(), "reference": self.reference, "metadata": self.metadata,
            "approved": self.standing == Standing::Approved,
            "scheme_id": "638284745624527", "auth_code": "643381", "source": { "type": "card", "avs_check": "G", "cvv_check": "Y" },
            "_links": {},
        });
        if self.standing == Standing::Pending {
            details["_links"]["redirect"] = json!({ "href": self.page() });
        }
        details
    }

    /// Returns the kind of the first action.
    pub fn authorization(&self) -> &'static str {
        if self.amount == 0 {
            "Card Verification"
        } else {
            "Authorization"
        }
    }

    /// Returns the summary of the actions.
    pub fn glance(&self) -> Value {
        let (code, summary) = self.code();
        let kind = self.authorization();
        json!([{ "id": "act_0", "type": kind, "response_code": code, "response_summary": summary }])
    }

    /// Returns all actions.
    pub fn listed(&self) -> Value {
        let actions = self.actions.iter().map(|action| {
            let (code, summary) = match action.kind {
                "Authorization" | "Card Verification" => self.code(),
                _ => ("10000", "Approved"),
            };
            json!({
                "id": action.id, "type": action.kind, "processed_on": NOW, "amount": action.amount,
                "approved": code == "10000", "response_code": code, "response_summary": summary,
                "reference": action.reference, "metadata": action.metadata,
            })
        });
        actions.collect()
    }
}
