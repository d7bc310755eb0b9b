//! `multirail demo seed`: makes a week of a shop's business in a sandbox.
//!
//! Times of objects are the sandbox's own. So the week comes about by moving the sandbox's clock on through it.

mod deliveries;
mod means;
mod people;
mod plan;
mod sale;
mod tally;

use std::io::{self, Write};

use chrono::{DateTime, SubsecRound, Utc};
use multirail_client::types::{BusinessProfile, Payment};
use multirail_client::{Client, Error};
use multirail_kernel::random::SeededRandom;

use crate::access::Access;
use crate::failure::Failure;
use crate::listen::choose_profile;
use crate::options::SeedOptions;
use crate::receiver::StopSignals;
use crate::shop::merchant_id;
use crate::terminal::one_line;
use crate::trigger::stage::{Stage, done};
use crate::trigger::subscriptions;
use deliveries::Deliveries;
use people::{PEOPLE, SUBSCRIBERS};
use plan::{DAYS, Sale, week};
use sale::Awaited;
use tally::Tally;

/// The code of the refusal of a customer whose id exists.
const CUSTOMER_EXISTS: &str = "IR_12";
/// The most subscriptions of a page.
const PAGE: i32 = 100;

/// The week of a seed, and the place where it is made.
struct Week<'a> {
    seed: u64,
    stage: Stage<'a>,
    operator: Client,
    profile: BusinessProfile,
    /// True if an earlier run made at least the first sale.
    is_resumed: bool,
}

/// The number of objects of the whole week.
#[derive(Default)]
struct Made {
    tally: Tally,
    customers: usize,
    subscriptions: usize,
}

/// Runs `multirail demo seed`.
pub(crate) async fn seed(options: SeedOptions, out: &mut dyn Write) -> Result<(), Failure> {
    let sandbox = &options.sandbox;
    let access = Access::find_with_operator(&sandbox.access, &sandbox.operator)?;
    access.check_sandbox("demo seed")?;
    let mut silent = io::sink();
    let mut stage = Stage {
        client: access.client(None)?,
        operator: access.operator()?,
        access,
        out: &mut silent,
    };
    let operator = stage.operator_for("`multirail demo seed`")?;
    // Only a sandbox has the clock, so nothing is made elsewhere.
    let began = stage.advance(&operator, 0).await?;
    let client = stage.client.clone();
    let merchant_id = merchant_id(&client).await?;
    let profile = choose_profile(&client, &merchant_id, sandbox.profile_id.as_deref()).await?;
    stage.client = stage.access.client(Some(&profile.profile_id))?;
    // A signal in the middle of the week must not leave the receiver's address behind.
    let mut stop = StopSignals::catch()?;
    let server = stage.access.server.clone();
    let deliveries = Deliveries::begin(&client, &server, profile.clone()).await?;
    if deliveries.is_none() {
        let why = "no webhooks are received, because the sandbox runs on another machine";
        writeln!(out, "{why}")?;
    }
    let mut week = Week {
        seed: options.seed,
        stage,
        operator,
        profile,
        is_resumed: false,
    };
    let made = tokio::select! {
        made = week.make(deliveries.as_ref(), began, out) => made,
        () = stop.wait() => Err(Failure::Unexpected(
            "interrupted: the same command makes the rest".to_owned(),
        )),
    };
    let ended = match deliveries {
        Some(deliveries) => deliveries.end(&client).await,
        None => Ok(()),
    };
    let made = made?;
    ended?;
    let now = week.stage.advance(&week.operator, 0).await?;
    tell(&made, options.seed, &server, began, now, out)
}

impl Week<'_> {
    /// Makes what the week lacks.
    async fn make(
        &mut self,
        deliveries: Option<&Deliveries>,
        began: DateTime<Utc>,
        out: &mut dyn Write,
    ) -> Result<Made, Failure> {
        let mut made = Made {
            customers: self.customers().await?,
            subscriptions: self.subscriptions().await?,
            ..Made::default()
        };
        let sales = week(self.seed, &SeededRandom::new(self.seed));
        if let Some(first) = sales.first() {
            self.is_resumed = sale::find(&self.stage, first).await?.is_some();
        }
        let mut awaited = Vec::new();
        for day in 1..=DAYS {
            let of_day: Vec<_> = sales.iter().filter(|sale| sale.day == day).collect();
            let tally = self.day(&of_day, &mut awaited).await?;
            made.tally = made.tally.plus(tally);
            writeln!(out, "day {day} of {DAYS}: {}", tally.text())?;
            out.flush()?;
        }
        for dispute in &awaited {
            dispute.arrives(&self.stage).await?;
        }
        if let Some(deliveries) = deliveries {
            deliveries.arrive(&self.operator, began).await?;
        }
        Ok(made)
    }

    /// Creates the customers who are missing; returns their number.
    async fn customers(&self) -> Result<usize, Failure> {
        let mut made = 0;
        for person in PEOPLE {
            let call = self.stage.client.customers_create();
            let answer = call.body(person.customer(self.seed)).send().await;
            match answer.map_err(Error::from) {
                Ok(_) => made += 1,
                Err(error) if error.code() == Some(CUSTOMER_EXISTS) => {}
                Err(error) => return Err(Failure::call("the customer", error)),
            }
        }
        Ok(made)
    }

    /// Subscribes the customers who lack a subscription; returns their number.
    async fn subscriptions(&mut self) -> Result<usize, Failure> {
        let call = self.stage.client.subscriptions_list().limit(PAGE);
        let listed = done("the list of subscriptions", call.send().await)?.into_inner();
        let reference = |customer_id: &str| format!("{customer_id}_magazine");
        let is_there = |customer_id: &str| {
            let wanted = reference(customer_id);
            let mut references = listed.iter().map(|one| &one.merchant_reference_id);
            references.any(|one| one.as_deref() == Some(&*wanted))
        };
        let all = SUBSCRIBERS
            .iter()
            .map(|person| person.customer_id(self.seed));
        let missing: Vec<String> = all.filter(|id| !is_there(id)).collect();
        if missing.is_empty() {
            return Ok(0);
        }
        let price = subscriptions::offer(&mut self.stage, &self.profile).await?;
        for customer_id in &missing {
            let order = subscriptions::order(&price, customer_id)
                .merchant_reference_id(reference(customer_id));
            subscriptions::subscribe(&mut self.stage, order).await?;
        }
        Ok(missing.len())
    }

    /// Makes the sales of a day, each at its time. The clock moves only for missing ones.
    async fn day(&mut self, sales: &[&Sale], awaited: &mut Vec<Awaited>) -> Result<Tally, Failure> {
        let mut tally = Tally::default();
        for sale in sales {
            let found = match self.is_resumed {
                true => sale::find(&self.stage, sale).await?,
                false => None,
            };
            let is_new = found.is_none();
            let payment = match found {
                Some(payment) => payment,
                None => self.sell(sale).await?,
            };
            tally.payments += usize::from(is_new);
            let stage = &mut self.stage;
            awaited.extend(sale::go_on(stage, sale, payment, is_new, &mut tally).await?);
        }
        Ok(tally)
    }

    async fn sell(&mut self, sale: &Sale) -> Result<Payment, Failure> {
        if sale.gap > 0 {
            self.stage.advance(&self.operator, sale.gap).await?;
        }
        sale::create(&mut self.stage, sale, self.seed).await
    }
}

/// Prints what was made, the sandbox's time and the console's address.
fn tell(
    made: &Made,
    seed: u64,
    server: &str,
    began: DateTime<Utc>,
    now: DateTime<Utc>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let Made {
        tally,
        customers,
        subscriptions,
    } = made;
    if tally.is_empty() {
        writeln!(
            out,
            "\nthe week of seed {seed} is there: nothing was made, and the clock stayed"
        )?;
    } else {
        let all = tally.text();
        writeln!(
            out,
            "\nmade {all}, {customers} customers, {subscriptions} subscriptions"
        )?;
    }
    let (days, hours) = ((now - began).num_days(), (now - began).num_hours() % 24);
    let now = now.trunc_subsecs(0).to_rfc3339();
    if tally.payments > 0 {
        writeln!(
            out,
            "the sandbox's clock moved on by {days} days and {hours} hours, to {now}: sessions of the console have ended, \
             and the next start of the sandbox prints a link for a new one"
        )?;
    }
    writeln!(out, "console: {}/console/", one_line(server))?;
    Ok(out.flush()?)
}
