//! The hosted page accepts a card exactly when a confirm would.

use multirail_domain::payments::payment::Input;
use multirail_domain::payments::payment::link::LinkTurn;

use crate::matrix::rows::{Row, rows};
use crate::support::with_card;

/// In each status, time and profile setting, the page has a form exactly if a payer's client could confirm.
#[test]
fn the_page_takes_a_card_where_a_confirm_would_be_carried_out() {
    let mut turns = Vec::new();
    for (seconds, manual_retry_enabled) in [(0, true), (0, false), (600, true), (901, true)] {
        for Row { name, mut story } in rows() {
            story.manual_retry_enabled = manual_retry_enabled;
            let moment = story.payment.created_at.plus_seconds(seconds);
            story.now = moment.expect("a moment").max(story.now);
            let turn = story.payment.link_turn(manual_retry_enabled, story.now);
            let is_open = match turn {
                LinkTurn::First | LinkTurn::Again => true,
                LinkTurn::Late | LinkTurn::No => false,
            };
            let confirm = Input::Command(story.confirm_command(with_card()));
            let confirmed = story.try_input(confirm);
            let in_time = story.now <= story.payment.expires_at;
            assert_eq!(
                is_open,
                confirmed.is_ok() && in_time,
                "{name} after {seconds} s: {turn:?}, {confirmed:?}"
            );
            turns.push(turn);
        }
    }
    for turn in [
        LinkTurn::First,
        LinkTurn::Again,
        LinkTurn::Late,
        LinkTurn::No,
    ] {
        assert!(turns.contains(&turn), "{turn:?} is never tried");
    }
}
