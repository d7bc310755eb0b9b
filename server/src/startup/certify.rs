//! `multirail connector certify`: plays the stories of the connectors' suite through a merchant's test account.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use multirail_connector_kit::stories::{
    Asked, Difference, STORIES, Stage, Story, debited, debits, methods, sent_away,
};
use multirail_connector_kit::{CardThat, TestMode};
use multirail_kernel::clock::Clock;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::money::Money;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::card::Card;
use multirail_sdk::connector::{
    Access, AccountSetting, Connector, Credentials, CredentialsInput, Outcome,
};
use multirail_system::clock::SystemClock;
use multirail_system::random::OsRandom;
use serde_json::Value;
use url::{Host, Url};

use super::StartupError;
use super::connectors::Sources;
use super::public_listener::choose_cryptography;
use crate::BuiltIn;
use crate::cli::{Certification, Tell};

/// The price of everything that is sold, in minor units.
const PRICE: i64 = 6_540;
/// The pause before an operation that is decided later is looked up again.
const PAUSE: Duration = Duration::from_secs(1);
/// The most characters of an answer that are shown.
const SHOWN: usize = 300;

/// A merchant's test account.
struct Account {
    connector: Arc<dyn Connector>,
    access: Access,
    secrets: Vec<String>,
    mode: &'static TestMode,
    approved: Card,
    declined: Card,
    asks_payer: Card,
    price: Money,
    clock: SystemClock,
}

#[async_trait]
impl Stage for Account {
    fn connector(&self) -> &dyn Connector {
        &*self.connector
    }

    fn access(&self) -> Access {
        self.access.clone()
    }

    fn card(&self, wanted: CardThat) -> Card {
        match wanted {
            CardThat::IsApproved => self.approved.clone(),
            CardThat::IsDeclined => self.declined.clone(),
            CardThat::AsksThePayer => self.asks_payer.clone(),
        }
    }

    fn price(&self) -> Money {
        self.price
    }

    fn key(&self) -> ProcessorKey {
        ProcessorKey::generate(self.clock.wall(), &OsRandom)
    }

    fn now(&self) -> Timestamp {
        self.clock.wall()
    }

    async fn rest(&self) {
        tokio::time::sleep(PAUSE).await;
    }

    /// Nothing listens here.
    fn hears_notices(&self) -> bool {
        false
    }

    async fn outcome_by_notice(&self, _: &Asked) -> Option<Outcome> {
        None
    }
}

/// The verdict of a story.
enum Verdict {
    Agrees,
    Differs(Difference),
    NotOffered,
}

impl Verdict {
    fn judge(told: Result<(), Difference>) -> Self {
        match told {
            Ok(()) => Verdict::Agrees,
            Err(difference) => Verdict::Differs(difference),
        }
    }

    fn word(&self) -> &'static str {
        match self {
            Verdict::Agrees => "agrees",
            Verdict::Differs(_) => "differs",
            Verdict::NotOffered => "not offered",
        }
    }
}

/// Plays every story and reports the verdicts.
///
/// # Errors
/// An account that isn't a test account, and stories that differ.
pub(super) async fn run(
    built_in: BuiltIn,
    asked: Certification,
    tell: Tell<'_>,
) -> Result<(), StartupError> {
    let account = open(built_in, asked)?;
    let capabilities = &account.connector.description().capabilities;
    let mut verdicts = Vec::new();
    for story in STORIES {
        let verdict = play(&account, story).await;
        verdicts.push(report(&account, story.name.to_owned(), verdict, tell)?);
    }
    for rules in methods(capabilities) {
        let sent = sent_away(&account, rules, true).await;
        let verdict = Verdict::judge(sent.map(drop));
        verdicts.push(report(&account, rules.kind.to_string(), verdict, tell)?);
    }
    for (rules, scheme) in debits(capabilities) {
        let Some(debtor) = account.mode.account(scheme) else {
            continue;
        };
        let verdict = Verdict::judge(debited(&account, rules, debtor).await);
        verdicts.push(report(&account, rules.kind.to_string(), verdict, tell)?);
    }
    summarize(&verdicts, tell)
}

async fn play(account: &Account, story: &Story) -> Verdict {
    let capabilities = &account.connector.description().capabilities;
    if (story.is_offered)(capabilities) {
        Verdict::judge((story.play)(account).await)
    } else {
        Verdict::NotOffered
    }
}

/// Prints the verdict of a story, and returns both.
fn report(
    account: &Account,
    name: String,
    verdict: Verdict,
    tell: Tell<'_>,
) -> Result<(String, Verdict), StartupError> {
    let why = match &verdict {
        Verdict::Differs(difference) => format!(": {}", account.hidden(&difference.to_string())),
        Verdict::Agrees | Verdict::NotOffered => String::new(),
    };
    tell(&format!("{name}: {}{why}", verdict.word())).map_err(unwritten)?;
    Ok((name, verdict))
}

/// Prints the table of all verdicts.
fn summarize(verdicts: &[(String, Verdict)], tell: Tell<'_>) -> Result<(), StartupError> {
    let widest = verdicts.iter().map(|(name, _)| name.len()).max();
    let width = widest.unwrap_or(0);
    let mut table = format!("\n{:<width$}  result\n", "story");
    for (name, verdict) in verdicts {
        table += &format!("{name:<width$}  {}\n", verdict.word());
    }
    tell(&table).map_err(unwritten)?;
    let differ = verdicts
        .iter()
        .filter(|(_, verdict)| matches!(verdict, Verdict::Differs(_)))
        .count();
    match differ {
        0 => Ok(()),
        differ => Err(StartupError::AccountDiffers(format!(
            "{differ} of {} stories differ",
            verdicts.len()
        ))),
    }
}

fn unwritten(error: io::Error) -> StartupError {
    StartupError::Refused(format!("cannot write: {error}"))
}

/// Opens the account, if it certainly is a test account.
fn open(built_in: BuiltIn, asked: Certification) -> Result<Account, StartupError> {
    choose_cryptography();
    let sources = Sources {
        built_in,
        simulated: None,
    };
    let directory = sources.directory(&asked.config)?;
    let name = &asked.connector;
    let mode = built_in.connectors.test_mode(name);
    let (Some(connector), Some(mode)) = (directory.find(name), mode) else {
        return Err(refused(&format!(
            "connector_name {name} can't be certified: it has no test mode here"
        )));
    };
    let description = connector.description();
    let secrets = secrets(&asked.credentials);
    let credentials = Credentials::check(asked.credentials, Some(description));
    let credentials = credentials.map_err(refused_by)?;
    let access = Access {
        credentials: credentials.to_json(),
        test_mode: asked.test_mode,
        metadata: asked.metadata,
    };
    check(&access, mode)?;
    description
        .check_settings(&access, false)
        .map_err(refused_by)?;
    let targets = asked.config.connector_targets();
    description
        .check_base_url(&access, &targets)
        .map_err(refused_by)?;
    let card = |wanted| mode.card(wanted).entered().map_err(refused_by);
    Ok(Account {
        approved: card(CardThat::IsApproved)?,
        declined: card(CardThat::IsDeclined)?,
        asks_payer: card(CardThat::AsksThePayer)?,
        price: Money::new(PRICE, asked.currency),
        clock: SystemClock::new(),
        mode,
        connector,
        access,
        secrets,
    })
}

/// Refuses an account that may move money. Only this machine may stand in for the processor's test address.
fn check(access: &Access, mode: &TestMode) -> Result<(), StartupError> {
    if let Some(doubt) = mode.doubt(access) {
        return Err(refused(&format!("the account may be live: {doubt}")));
    }
    let given = access.metadata.get(AccountSetting::BASE_URL.name);
    let is_elsewhere = given.is_some_and(|url| !leads_here(url));
    if is_elsewhere {
        return Err(refused(
            "the account may be live: metadata.base_url may lead to this machine only",
        ));
    }
    Ok(())
}

fn leads_here(url: &Value) -> bool {
    let url = url.as_str().and_then(|url| Url::parse(url).ok());
    match url.as_ref().and_then(Url::host) {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(_)) | None => false,
    }
}

fn refused(why: &str) -> StartupError {
    StartupError::Refused(why.to_owned())
}

fn refused_by(refusal: Refusal) -> StartupError {
    StartupError::Refused(refusal.to_string())
}

/// Returns the texts that no output may have.
fn secrets(credentials: &CredentialsInput) -> Vec<String> {
    let members = credentials.members.values();
    let texts = members.map(|secret| secret.expose().to_owned());
    texts.filter(|text| !text.is_empty()).collect()
}

impl Account {
    /// Returns a processor's text without the account's secrets, on one line.
    fn hidden(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for secret in &self.secrets {
            text = text.replace(secret, "***");
        }
        let line = text.chars().map(|c| if c.is_control() { ' ' } else { c });
        line.take(SHOWN).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_this_machine_stands_in_for_a_processor() {
        for (url, expected) in [
            (json!("https://127.0.0.1:9000"), true),
            (json!("http://[::1]:9000"), true),
            (json!("https://checkout-live.example"), false),
            (json!("https://10.0.0.1"), false),
            (json!("localhost"), false),
            (json!(7), false),
        ] {
            assert_eq!(leads_here(&url), expected, "{url}");
        }
    }
}
