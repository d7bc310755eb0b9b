//! A connector's description as data: name, credentials, settings and capabilities. The list of
//! connectors is made from these.

use multirail_kernel::refusal::Refusal;
use multirail_kernel::target::TargetRules;
use multirail_kernel::web_address::check_web_address;
use serde_json::Value;

use super::{Access, Capabilities, DeclineCategory};
use crate::connector::{ConnectorType, CredentialsKind, WebhookSecrets};

/// The description of one connector.
#[derive(Clone, Debug)]
pub struct Description {
    /// The connector's `connector_name` in the contract.
    pub name: &'static str,
    /// True for a simulator, which moves no money and exists only in a sandbox.
    pub is_simulator: bool,
    /// The services of the connector.
    pub offers: &'static [ConnectorType],
    pub credentials: CredentialsKind,
    /// The processor's names of the credentials, in the order of [`CredentialsKind::members`].
    pub credential_names: &'static [&'static str],
    /// The processor's names of the secrets that verify its notices, in the order of
    /// [`WebhookSecrets::MEMBERS`]. Empty for a connector without notices.
    pub webhook_secrets: &'static [&'static str],
    /// The members of an account's `metadata` that the connector reads.
    pub settings: &'static [AccountSetting],
    /// Members of requests and answers that are safe to show in `debug` logs and to operators. They
    /// name objects, count money or state a status; they never identify a payer or an instrument.
    pub shown: &'static [&'static str],
    /// The version of the processor's API that the connector speaks, if the API has versions.
    pub api_version: Option<&'static str>,
    /// The body of our answer to a notice, for processors that require one.
    pub notice_answer: &'static str,
    /// Maps the processor's code to a category, if the code alone determines it.
    pub category_of: fn(&str) -> Option<DeclineCategory>,
    pub capabilities: Capabilities,
}

impl Description {
    /// Returns the refusal of a name that no connector has.
    pub fn not_built(name: &str) -> Refusal {
        Refusal::invalid_value(format!(
            "connector_name {name} can't be used: this version has no connector for it"
        ))
    }

    /// Checks whether accounts can be created for the connector. Simulators need a sandbox.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`]
    pub fn check_available(&self, sandbox: bool) -> Result<(), Refusal> {
        if self.is_simulator && !sandbox {
            let name = self.name;
            return Err(Refusal::invalid_value(format!(
                "connector_name {name} is a simulator, which only a sandbox has"
            )));
        }
        Ok(())
    }

    /// Checks whether the connector only has accounts and is never called. Its work is done in the
    /// payer's client or in this server.
    pub fn is_never_called(&self) -> bool {
        self.offers == [ConnectorType::VaultProcessor]
            || self.offers == [ConnectorType::BillingProcessor]
    }

    /// Checks whether the connector offers this kind of service.
    pub fn check_offers(&self, connector_type: ConnectorType) -> Result<(), Refusal> {
        if self.offers.contains(&connector_type) {
            return Ok(());
        }
        let offers: Vec<_> = self.offers.iter().map(|offer| offer.as_str()).collect();
        Err(Refusal::invalid_value(format!(
            "connector_type {connector_type} is not what connector {} offers: it is a {}",
            self.name,
            offers.join(" and a ")
        )))
    }

    /// Checks an account's settings. Settings may be missing while the account `is_in_the_making`.
    pub fn check_settings(&self, access: &Access, is_in_the_making: bool) -> Result<(), Refusal> {
        for setting in self.settings {
            let given = access.metadata.get(setting.name);
            match given.filter(|value| !value.is_null()) {
                Some(value) if (setting.fits)(value) => {}
                Some(_) => return Err(Refusal::invalid_format(setting.path(), setting.form)),
                None if is_in_the_making || !setting.is_needed(access.test_mode) => {}
                None => return Err(Refusal::missing(setting.path())),
            }
        }
        Ok(())
    }
}

impl Description {
    /// Returns each member of the credentials with the processor's name of it.
    pub fn named_credentials(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let members = self.credentials.members().iter();
        members.copied().zip(self.credential_names.iter().copied())
    }

    /// Returns each secret that verifies notices with the processor's name of it.
    pub fn named_webhook_secrets(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let members = WebhookSecrets::MEMBERS.into_iter();
        members.zip(self.webhook_secrets.iter().copied())
    }

    /// Checks whether notices are refused until the merchant enters this secret. The server makes
    /// the secret of a simulator itself.
    pub fn needs_webhook_secret(&self, member: &str) -> bool {
        !self.is_simulator && member == WebhookSecrets::MEMBERS[0]
    }
}

impl Description {
    /// Checks the account's base URL. Card data and credentials go to that address.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`]
    pub fn check_base_url(&self, access: &Access, targets: &TargetRules) -> Result<(), Refusal> {
        let base_url = AccountSetting::BASE_URL;
        let is_read = self.settings.iter().any(|own| own.name == base_url.name);
        let given = access.metadata.get(base_url.name).and_then(Value::as_str);
        match given
            .filter(|_| is_read)
            .map(|url| targets.check_listed(url))
        {
            None | Some(Ok(_)) => Ok(()),
            Some(Err(forbidden)) => Err(Refusal::invalid_value(format!(
                "{} {forbidden}",
                base_url.path()
            ))),
        }
    }
}

/// A member of an account's `metadata` that a connector reads.
#[derive(Clone, Copy, Debug)]
pub struct AccountSetting {
    pub name: &'static str,
    pub needed: Needed,
    /// The required form, to follow "has to be": "a text of 1 to 64 letters, digits and hyphens".
    pub form: &'static str,
    /// Checks whether a value has the required form.
    pub fits: fn(&Value) -> bool,
}

impl AccountSetting {
    /// The base URL of the processor's API, where it differs from the connector's default. Every
    /// connector of a real processor reads it. The operator decides which addresses are allowed
    /// ([`Description::check_base_url`]).
    pub const BASE_URL: AccountSetting = AccountSetting {
        name: "base_url",
        needed: Needed::Never,
        form: "an http or https address such as https://stand-in.internal:8443, without query and fragment",
        fits: |value| {
            let text = value.as_str().unwrap_or_default();
            check_web_address("", text).is_ok() && !text.contains(['?', '#'])
        },
    };

    /// Checks whether the setting is true or false. Every other setting is a text.
    pub fn is_switch(&self) -> bool {
        (self.fits)(&Value::Bool(true))
    }

    fn path(&self) -> String {
        format!("metadata.{}", self.name)
    }

    fn is_needed(&self, test_mode: bool) -> bool {
        match self.needed {
            Needed::Never => false,
            Needed::Always => true,
            Needed::OutsideTestMode => !test_mode,
        }
    }
}

/// The condition under which an account must have a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needed {
    Never,
    Always,
    /// Required where real money moves (`test_mode` unset or false).
    OutsideTestMode,
}

/// Descriptions for tests.
#[cfg(any(test, feature = "fixture"))]
pub static EXAMPLE: Description = example(&[]);

#[cfg(any(test, feature = "fixture"))]
pub static WITH_SETTINGS: Description = example(&[
    AccountSetting::BASE_URL,
    AccountSetting {
        name: "prefix",
        needed: Needed::OutsideTestMode,
        form: "a text of letters and digits",
        fits: |value| {
            let text = value.as_str().unwrap_or_default();
            !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric())
        },
    },
]);

#[cfg(any(test, feature = "fixture"))]
const fn example(settings: &'static [AccountSetting]) -> Description {
    Description {
        name: "stripe_test",
        is_simulator: true,
        offers: &[ConnectorType::PaymentProcessor],
        credentials: CredentialsKind::HeaderKey,
        credential_names: &["API key"],
        webhook_secrets: &[],
        settings,
        shown: &[],
        api_version: None,
        notice_answer: "",
        category_of: |_| None,
        capabilities: Capabilities::NONE,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use multirail_kernel::target::AllowedTargets;

    #[test]
    fn simulators_are_for_the_sandbox() {
        assert_eq!(EXAMPLE.check_available(true), Ok(()));
        let refusal = EXAMPLE.check_available(false).expect_err("production");
        insta::assert_snapshot!(refusal, @"connector_name stripe_test is a simulator, which only a sandbox has");
        let real = Description {
            is_simulator: false,
            ..EXAMPLE.clone()
        };
        assert_eq!(real.check_available(false), Ok(()));
    }

    #[test]
    fn an_account_leads_where_the_operator_lets_it() {
        let targets = TargetRules {
            allowed: AllowedTargets::read(["stand-in.internal"]).expect("targets"),
            ..TargetRules::default()
        };
        let judged = |connector: &Description, metadata: Value| {
            let access = Access {
                metadata: metadata.as_object().cloned().expect("an object"),
                ..Access::default()
            };
            let judged = connector.check_base_url(&access, &targets);
            judged.map_err(|refusal| refusal.to_string())
        };
        let there = json!({"base_url": "http://stand-in.internal:8443/v1"});
        assert_eq!(judged(&WITH_SETTINGS, there), Ok(()));
        assert_eq!(judged(&WITH_SETTINGS, json!({"base_url": null})), Ok(()));
        let elsewhere = json!({"base_url": "https://shop.example"});
        assert_eq!(
            judged(&WITH_SETTINGS, elsewhere.clone()),
            Err(
                "metadata.base_url has to lead to a host that the operator of this server allows"
                    .to_owned()
            )
        );
        assert_eq!(judged(&EXAMPLE, elsewhere), Ok(()), "it is a note there");
    }

    #[test]
    fn a_base_url_is_an_address_and_nothing_behind_it() {
        for (text, expected) in [
            ("https://stand-in.internal:8443", true),
            ("http://127.0.0.1:9000/adyen", true),
            ("https://stand-in.internal/?a=1", false),
            ("https://stand-in.internal/#top", false),
            ("stand-in.internal", false),
            ("https://user@stand-in.internal", false),
        ] {
            assert_eq!(
                (AccountSetting::BASE_URL.fits)(&text.into()),
                expected,
                "{text}"
            );
        }
        assert!(!(AccountSetting::BASE_URL.fits)(&Value::Null));
    }

    #[test]
    fn settings_are_judged_by_what_the_connector_says_of_them() {
        let judged = |metadata: Value, test_mode, is_in_the_making| {
            let access = Access {
                test_mode,
                metadata: metadata.as_object().cloned().expect("an object"),
                ..Access::default()
            };
            match WITH_SETTINGS.check_settings(&access, is_in_the_making) {
                Ok(()) => "fits".to_owned(),
                Err(refusal) => refusal.to_string(),
            }
        };
        let table = [
            ("none, in test mode", judged(json!({}), true, false)),
            ("none, with real money", judged(json!({}), false, false)),
            ("none yet", judged(json!({}), false, true)),
            ("null", judged(json!({"prefix": null}), false, false)),
            ("other notes", judged(json!({"contract": 7}), true, false)),
            (
                "both",
                judged(
                    json!({"prefix": "shop1", "base_url": "https://stand.in:8443/v1"}),
                    false,
                    false,
                ),
            ),
            (
                "odd, in test mode too",
                judged(json!({"prefix": "a b"}), true, false),
            ),
            (
                "odd, and not ready",
                judged(json!({"prefix": ["a"]}), false, true),
            ),
            (
                "a query",
                judged(json!({"base_url": "https://stand.in/?a=1"}), true, false),
            ),
            (
                "no address",
                judged(json!({"base_url": "https://"}), true, false),
            ),
        ];
        let lines: Vec<_> = table
            .map(|(name, judged)| format!("{name:<22} {judged}"))
            .into();
        insta::assert_snapshot!(lines.join("\n"), @"
        none, in test mode     fits
        none, with real money  metadata.prefix is required and was not given
        none yet               fits
        null                   metadata.prefix is required and was not given
        other notes            fits
        both                   fits
        odd, in test mode too  metadata.prefix is not in the expected form: a text of letters and digits
        odd, and not ready     metadata.prefix is not in the expected form: a text of letters and digits
        a query                metadata.base_url is not in the expected form: an http or https address such as https://stand-in.internal:8443, without query and fragment
        no address             metadata.base_url is not in the expected form: an http or https address such as https://stand-in.internal:8443, without query and fragment
        ");
    }
}
