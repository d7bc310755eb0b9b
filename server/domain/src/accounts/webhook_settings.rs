//! Webhook settings: the address, the announced statuses, and extra headers.

use serde::{Deserialize, Serialize};

use multirail_kernel::announcement::AnnouncedStatus;
use multirail_kernel::headers::{is_header_name, is_header_value, is_ours};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::{self, SecretText};
use multirail_kernel::statuses::{PaymentStatus, RefundStatus};
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::web_address::check_web_address;

/// Statuses of refunds that have an event, in both spellings of the contract.
const ANNOUNCED_REFUND_STATUSES: [&str; 5] = [
    "succeeded",
    "failed",
    "success",
    "failure",
    "transaction_failure",
];

/// Statuses of payouts that have an event.
const ANNOUNCED_PAYOUT_STATUSES: [&str; 7] = [
    "success",
    "failed",
    "initiated",
    "pending",
    "cancelled",
    "expired",
    "reversed",
];

/// The largest number of custom headers.
pub const MAX_CUSTOM_HEADERS: usize = 4;

/// Webhook settings of a merchant account or profile. The password is sealed with the owner's secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebhookSettings {
    pub webhook_version: Option<String>,
    pub webhook_username: Option<String>,
    pub webhook_url: Option<String>,
    /// From an older contract: stored and returned, but not read.
    pub payment_created_enabled: Option<bool>,
    pub payment_succeeded_enabled: Option<bool>,
    pub payment_failed_enabled: Option<bool>,
    /// Empty means the statuses that are announced by default.
    pub payment_statuses_enabled: Vec<PaymentStatus>,
    pub refund_statuses_enabled: Vec<String>,
    pub payout_statuses_enabled: Vec<String>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A caller's input; `None` leaves a member unchanged. An empty list returns to the default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebhookSettingsInput {
    pub webhook_version: Option<String>,
    pub webhook_username: Option<String>,
    pub webhook_password: Option<SecretText>,
    pub webhook_url: Option<String>,
    pub payment_created_enabled: Option<bool>,
    pub payment_succeeded_enabled: Option<bool>,
    pub payment_failed_enabled: Option<bool>,
    pub payment_statuses_enabled: Option<Vec<PaymentStatus>>,
    pub refund_statuses_enabled: Option<Vec<String>>,
    pub payout_statuses_enabled: Option<Vec<String>>,
}

/// A header of every delivery. Its value may be a credential of the merchant's endpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomHeader {
    pub name: String,
    #[serde(with = "multirail_kernel::secret::sealed")]
    pub value: SecretText,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl WebhookSettings {
    /// Returns these settings with `input` applied. Only statuses that have an event can be listed.
    pub fn updated(&self, input: WebhookSettingsInput) -> Result<WebhookSettings, Refusal> {
        if let Some(url) = &input.webhook_url {
            check_web_address("webhook_details.webhook_url", url)?;
        }
        for status in input.payment_statuses_enabled.iter().flatten() {
            if status.event().is_none() {
                return Err(no_event("payment_statuses_enabled", status.as_str()));
            }
        }
        check_announced(
            "refund_statuses_enabled",
            input.refund_statuses_enabled.as_deref(),
            &ANNOUNCED_REFUND_STATUSES,
        )?;
        check_announced(
            "payout_statuses_enabled",
            input.payout_statuses_enabled.as_deref(),
            &ANNOUNCED_PAYOUT_STATUSES,
        )?;
        let current = self.clone();
        let payouts = input.payout_statuses_enabled.as_ref();
        if payouts
            .is_some_and(|asked| !asked.is_empty() && *asked != current.payout_statuses_enabled)
        {
            return Err(Refusal::FlowNotSupported {
                flow: "webhook_details.payout_statuses_enabled".to_owned(),
            });
        }
        Ok(WebhookSettings {
            webhook_version: input.webhook_version.or(current.webhook_version),
            webhook_username: input.webhook_username.or(current.webhook_username),
            webhook_url: input.webhook_url.or(current.webhook_url),
            payment_created_enabled: input
                .payment_created_enabled
                .or(current.payment_created_enabled),
            payment_succeeded_enabled: input
                .payment_succeeded_enabled
                .or(current.payment_succeeded_enabled),
            payment_failed_enabled: input
                .payment_failed_enabled
                .or(current.payment_failed_enabled),
            payment_statuses_enabled: input
                .payment_statuses_enabled
                .unwrap_or(current.payment_statuses_enabled),
            refund_statuses_enabled: input
                .refund_statuses_enabled
                .unwrap_or(current.refund_statuses_enabled),
            payout_statuses_enabled: input
                .payout_statuses_enabled
                .unwrap_or(current.payout_statuses_enabled),
            unread: current.unread,
        })
    }

    /// Returns whether the endpoint wants an announcement of this status.
    pub fn wants(&self, status: AnnouncedStatus) -> bool {
        self.webhook_url.is_some()
            && match status {
                AnnouncedStatus::Payment(status) => self.announces_payment(status),
                AnnouncedStatus::Refund(status) => self.announces_refund(status),
                AnnouncedStatus::Unlisted => true,
            }
    }

    /// Returns whether a payment with this status is announced: the list names it, or, without a list, the default does.
    pub fn announces_payment(&self, status: PaymentStatus) -> bool {
        const BY_DEFAULT: [PaymentStatus; 4] = [
            PaymentStatus::Succeeded,
            PaymentStatus::Failed,
            PaymentStatus::PartiallyCaptured,
            PaymentStatus::RequiresMerchantAction,
        ];
        if self.payment_statuses_enabled.is_empty() {
            BY_DEFAULT.contains(&status)
        } else {
            self.payment_statuses_enabled.contains(&status)
        }
    }

    /// Returns whether a refund with this status is announced. By default, all that have an event are.
    pub fn announces_refund(&self, status: RefundStatus) -> bool {
        let mut enabled = self.refund_statuses_enabled.iter();
        enabled.len() == 0 || enabled.any(|word| spellings(status).contains(&word.as_str()))
    }
}

/// Returns both spellings of a refund's status that has an event. (Facts 2.5)
fn spellings(status: RefundStatus) -> &'static [&'static str] {
    match status {
        RefundStatus::Succeeded => &["succeeded", "success"],
        RefundStatus::Failed => &["failed", "failure", "transaction_failure"],
        RefundStatus::Pending | RefundStatus::Review => &[],
    }
}

impl CustomHeader {
    /// Reads a merchant's custom headers: at most four, each with a free name and a value on one line. Names are compared and
    /// stored in lower case. A stored header's mask stands for its value.
    pub fn read_all(
        headers: Vec<(String, SecretText)>,
        stored: &[CustomHeader],
    ) -> Result<Vec<CustomHeader>, Refusal> {
        const MEMBER: &str = "outgoing_webhook_custom_http_headers";
        if headers.len() > MAX_CUSTOM_HEADERS {
            return Err(Refusal::invalid_value(format!(
                "{MEMBER} may have at most {MAX_CUSTOM_HEADERS} headers"
            )));
        }
        let mut read: Vec<CustomHeader> = Vec::with_capacity(headers.len());
        for (name, value) in headers {
            let name = name.to_ascii_lowercase();
            if !is_header_name(&name) {
                return Err(Refusal::invalid_format(
                    MEMBER,
                    "header names of at most 64 letters, digits and the signs of RFC 9110",
                ));
            }
            let member = format!("{MEMBER}.{name}");
            if is_ours(&name) || read.iter().any(|header| header.name == name) {
                return Err(Refusal::invalid_value(format!(
                    "{member} can't be set: we set this header ourselves, or it is given twice"
                )));
            }
            let before = stored.iter().find(|header| header.name == name);
            let before = before.map(|header| &header.value);
            let value = secret::written(value, before, SecretText::masked, &member)?;
            if !is_header_value(value.expose()) {
                return Err(Refusal::invalid_format(
                    member,
                    "at most 1024 visible ASCII characters and inner blanks",
                ));
            }
            read.push(CustomHeader {
                name,
                value,
                unread: UnreadMembers::default(),
            });
        }
        Ok(read)
    }
}

fn check_announced(
    member: &str,
    words: Option<&[String]>,
    announced: &[&str],
) -> Result<(), Refusal> {
    let unknown = words
        .unwrap_or_default()
        .iter()
        .find(|word| !announced.contains(&word.as_str()));
    match unknown {
        Some(word) => Err(no_event(member, word)),
        None => Ok(()),
    }
}

fn no_event(member: &str, word: &str) -> Refusal {
    Refusal::invalid_value(format!(
        "webhook_details.{member}: {word} is not a status that is announced"
    ))
}

#[cfg(test)]
mod tests;
