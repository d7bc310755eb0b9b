//! News of one capture in every order: each step can be stored, and the rows end alike.

use multirail_domain::payments::payment::Input;
use multirail_sdk::connector::{Decline, Fact, Outcome};

use super::super::engine::{Read, values};
use super::story::{Story, declined, done};
use crate::fixture::TestStore;
use crate::fixture::on_both_engines;

on_both_engines! {
    what_was_captured_and_taken_back_ends_alike
    what_was_captured_ends_alike
}

fn pending() -> Outcome {
    Outcome::Pending { reference: None }
}

fn taken_back() -> Outcome {
    Outcome::Declined(Decline {
        code: "returned".to_owned(),
        takes_back: true,
        ..Decline::default()
    })
}

/// Returns all permutations.
fn orders(news: &[Outcome]) -> Vec<Vec<Outcome>> {
    if news.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for first in 0..news.len() {
        let mut others = news.to_vec();
        let first = others.remove(first);
        for mut order in orders(&others) {
            order.insert(0, first.clone());
            all.push(order);
        }
    }
    all
}

/// Returns the rows of a payment after a capture of 4000 and this news of it, applied in every order.
async fn rows_after(test: &TestStore, news: &[Outcome]) -> Vec<String> {
    let profile = test.merchant("bookshop").await.profiles.remove(0);
    let mut ends = Vec::new();
    for (nth, order) in orders(news).into_iter().enumerate() {
        let mut story = Story::begin(test, &format!("pay_{nth}"), &profile).await;
        story.confirm(test).await;
        story.learns(test, done()).await;
        story.capture(test, 4000).await;
        let payment = story.payment(test).await.expect("a payment");
        let about = &payment.active().captures[0].operation.key;
        for outcome in order {
            let about = about.clone();
            let fact = Input::Fact(Fact { about, outcome });
            story.step(test, |_| fact).await;
        }
        let sql = "select p.status as payment, a.status as attempt, c.status as capture, a.captured_amount as taken, \
                   a.pending_capture_amount as open from payments p \
                   join attempts a on a.merchant_id = p.merchant_id and a.payment_id = p.payment_id \
                   join captures c on c.merchant_id = p.merchant_id and c.payment_id = p.payment_id \
                   where p.payment_id = $1";
        let read = Read::new(sql, values![story.payment_id.as_str()]);
        let rows = test.engine.fetch(read).await.expect("rows");
        let row = rows.first().expect("a row");
        let text = |column: &str| row.str(column).expect("a text").to_owned();
        let number = |column: &str| row.int(column).expect("a number");
        ends.push(format!(
            "{} {} {} {} {}",
            text("payment"),
            text("attempt"),
            text("capture"),
            number("taken"),
            number("open")
        ));
    }
    ends.sort();
    ends.dedup();
    ends
}

async fn what_was_captured_and_taken_back_ends_alike(test: TestStore) {
    let news = [pending(), declined(), done(), taken_back()];
    assert_eq!(
        rows_after(&test, &news).await,
        ["requires_capture authorized failed 0 0"]
    );
}

async fn what_was_captured_ends_alike(test: TestStore) {
    let news = [pending(), declined(), done()];
    assert_eq!(
        rows_after(&test, &news).await,
        ["partially_captured_and_capturable partial_charged_and_chargeable charged 4000 0"]
    );
}
