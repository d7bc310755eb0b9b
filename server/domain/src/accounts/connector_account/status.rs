//! The status and the switch of a connector account. Both depend on whether it has credentials.

use multirail_kernel::refusal::Refusal;
use multirail_kernel::words::words;

words! {
    /// The status of an account; only active accounts can be used.
    pub enum ConnectorStatus {
        Inactive = "inactive",
        Active = "active",
    }
}

/// The stored status and switch. An inactive account is always disabled; an active one may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatusAndSwitch {
    pub status: ConnectorStatus,
    pub disabled: bool,
}

impl StatusAndSwitch {
    /// The default of a new account that has credentials.
    pub const OF_A_NEW_ACCOUNT: StatusAndSwitch = StatusAndSwitch {
        status: ConnectorStatus::Active,
        disabled: false,
    };
}

/// Decides status and switch from the caller's input. `has_credentials` is false while there are none or only temporary ones;
/// `current` is the stored state.
///
/// Without a status in the input, the status stays as it is, or becomes inactive if credentials are missing. Without a switch
/// in the input, the switch follows the status that was sent, or else stays as it is.
///
/// # Errors
/// [`Refusal::InvalidValue`] for an account that is to be active without credentials, or enabled while inactive.
pub fn decide_status(
    sent_status: Option<ConnectorStatus>,
    sent_disabled: Option<bool>,
    has_credentials: bool,
    current: StatusAndSwitch,
) -> Result<StatusAndSwitch, Refusal> {
    let status = match (sent_status, has_credentials) {
        (Some(ConnectorStatus::Active), false) => {
            return Err(Refusal::invalid_value(
                "status can't be active while the account has only temporary credentials",
            ));
        }
        (Some(sent), _) => sent,
        (None, true) => current.status,
        (None, false) => ConnectorStatus::Inactive,
    };
    let disabled = match (status, sent_disabled) {
        (ConnectorStatus::Inactive, Some(false)) => {
            return Err(Refusal::invalid_value(
                "disabled can't be false while the account is inactive",
            ));
        }
        (ConnectorStatus::Inactive, Some(true) | None) => true,
        (ConnectorStatus::Active, Some(sent)) => sent,
        (ConnectorStatus::Active, None) => sent_status.is_none() && current.disabled,
    };
    Ok(StatusAndSwitch { status, disabled })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CURRENT: [(&str, StatusAndSwitch); 3] = [
        ("enabled", StatusAndSwitch::OF_A_NEW_ACCOUNT),
        (
            "disabled",
            StatusAndSwitch {
                status: ConnectorStatus::Active,
                disabled: true,
            },
        ),
        (
            "inactive",
            StatusAndSwitch {
                status: ConnectorStatus::Inactive,
                disabled: true,
            },
        ),
    ];

    #[test]
    fn every_combination() {
        let statuses = [
            None,
            Some(ConnectorStatus::Active),
            Some(ConnectorStatus::Inactive),
        ];
        let switches = [None, Some(false), Some(true)];
        let word = |given: Option<String>| given.unwrap_or_else(|| "-".to_owned());
        let mut table = vec![format!(
            "{:<9} {:<9} {:<11} {:<10} | stored",
            "status", "disabled", "credentials", "current"
        )];
        for sent in statuses {
            for switch in switches {
                for has_credentials in [true, false] {
                    for (name, current) in CURRENT {
                        let answer = match decide_status(sent, switch, has_credentials, current) {
                            Ok(stored) => {
                                format!("{}, disabled={}", stored.status, stored.disabled)
                            }
                            Err(refusal) => format!("refused: {refusal}"),
                        };
                        table.push(format!(
                            "{:<9} {:<9} {:<11} {:<10} | {answer}",
                            word(sent.map(|status| status.to_string())),
                            word(switch.map(|disabled| disabled.to_string())),
                            if has_credentials { "real" } else { "temporary" },
                            name,
                        ));
                    }
                }
            }
        }
        insta::assert_snapshot!(table.join("\n"));
    }

    #[test]
    fn the_rows_of_the_contract() {
        use ConnectorStatus::{Active, Inactive};
        let stored = |status, disabled| Some(StatusAndSwitch { status, disabled });
        let [(_, enabled), (_, switched_off), (_, inactive)] = CURRENT;
        let table = [
            (Some(Active), None, true, enabled, stored(Active, false)),
            (
                Some(Active),
                None,
                true,
                switched_off,
                stored(Active, false),
            ),
            (Some(Active), None, false, enabled, None),
            (Some(Inactive), Some(false), true, enabled, None),
            (Some(Inactive), Some(false), false, enabled, None),
            (Some(Inactive), None, true, enabled, stored(Inactive, true)),
            (
                Some(Inactive),
                Some(true),
                false,
                enabled,
                stored(Inactive, true),
            ),
            (None, None, true, enabled, stored(Active, false)),
            (None, None, true, switched_off, stored(Active, true)),
            (None, None, true, inactive, stored(Inactive, true)),
            (None, None, false, enabled, stored(Inactive, true)),
            (None, Some(true), true, enabled, stored(Active, true)),
            (
                Some(Active),
                Some(true),
                true,
                enabled,
                stored(Active, true),
            ),
        ];
        for (sent, switch, real, current, expected) in table {
            let answer = decide_status(sent, switch, real, current).ok();
            assert_eq!(answer, expected, "{sent:?} {switch:?} {real} {current:?}");
        }
    }
}
