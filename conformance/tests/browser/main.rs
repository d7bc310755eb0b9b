//! Stories in a real browser: Chromium, driven by WebDriver. Payers pay on the page of a payment link, newcomers read the
//! API reference, and people look after payments at the console.
//!
//! One browser plays all stories in turn, each with a server and a database of its own. Without Chromium or its
//! driver (Debian: `apt-get install chromium chromium-driver`) the test prints the reason and passes. With
//! `REQUIRE_CHROMIUM=1`, as in `.ci/run`, it fails instead. `MULTIRAIL_BROWSER_STORY=three_d` plays only the stories
//! whose name contains that text. `--nocapture` shows how long each story takes.

mod accessible;
mod axe;
mod checkout;
mod checkout_guards;
mod checkout_shop;
mod chromium;
mod clerk;
mod console;
mod console_keyboard;
mod console_life;
mod console_links;
mod console_live;
mod console_operator;
mod console_payments;
mod console_provider;
mod console_screens;
mod console_sessions;
mod console_subscriptions;
mod console_views;
mod debits;
mod methods;
mod payer;
mod pays;
mod phone;
mod reference;

use std::io::Write;
use std::pin::Pin;

use chromium::Chromium;
use payer::Payer;

type Story = fn(Payer) -> Pin<Box<dyn Future<Output = ()> + Send>>;

macro_rules! stories {
    ($($module:ident::$story:ident,)+) => {
        &[$((
            concat!(stringify!($module), "::", stringify!($story)),
            |payer| Box::pin($module::$story(payer)),
        )),+]
    };
}

const STORIES: &[(&str, Story)] = stories![
    pays::by_card,
    pays::errors_are_shown_at_once,
    pays::a_click_out_of_a_wrong_field_arrives,
    pays::declined_and_tried_again,
    pays::three_d_secure,
    pays::without_data_of_the_device,
    pays::expired,
    pays::still_processing,
    pays::without_a_network_no_payment_is_made_twice,
    pays::by_keyboard_alone,
    methods::ideal_with_a_bank,
    methods::pix_is_scanned,
    methods::blik_waits,
    methods::a_voucher_is_paid,
    methods::a_transfer_arrives_in_parts,
    methods::another_method_after_a_decline,
    methods::another_method_after_a_code,
    methods::asks_for_what_is_unknown,
    methods::one_method_needs_no_choice,
    methods::by_keyboard_alone,
    debits::sepa_by_keyboard,
    debits::ach_by_mouse,
    debits::bacs_is_confirmed,
    debits::a_closed_account_is_declined,
    debits::a_mandate_for_later_debits,
    debits::mandates_fit_a_small_screen,
    phone::fits_a_small_screen,
    phone::steps_fit_a_small_screen,
    phone::speaks_five_languages,
    accessible::every_field_is_labelled,
    accessible::everything_can_be_read,
    checkout::by_card,
    checkout::by_keyboard_alone,
    checkout::declined_and_tried_again,
    checkout_guards::a_page_that_is_not_listed_embeds_nothing,
    checkout_guards::a_payment_of_another_profile_does_not_open,
    checkout_guards::forged_messages_do_nothing,
    reference::something_is_read_before_any_script,
    reference::an_operation_is_found,
    reference::the_search_also_finds_other_pages,
    reference::a_payment_is_tried,
    reference::a_call_is_shown_in_other_languages,
    reference::a_call_is_shown_with_what_it_sends,
    reference::a_guide_leads_to_the_next,
    reference::it_fits_a_phone,
    console::a_payment_is_found_and_refunded,
    console::a_refund_of_too_much_is_refused,
    console::texts_of_others_stay_texts,
    console_keyboard::a_payment_is_found_and_refunded,
    console_keyboard::the_palette_finds_by_whole_texts,
    console_links::a_link_is_shown_and_paid,
    console_links::a_link_is_shown_by_keyboard,
    console_links::a_link_ends,
    console_payments::a_payment_is_raised_and_captured,
    console_payments::held_payments_are_decided,
    console_payments::a_payment_is_made_and_paid,
    console_payments::by_keyboard_alone,
    console_live::a_payment_appears_without_a_reload,
    console_sessions::a_session_that_ended_continues_where_it_was,
    console_sessions::a_person_signs_out,
    console_subscriptions::a_quantity_is_changed,
    console_subscriptions::a_pause_is_set_by_keyboard,
    console_views::a_view_is_saved_shown_and_deleted,
    console_provider::a_user_comes_back_to_their_screen,
    console_provider::a_user_links_themselves,
    console_operator::by_keyboard_alone,
    console_screens::every_screen_is_accessible,
    console_screens::screens_of_the_operator_are_accessible,
    console_screens::empty_screens_say_what_to_do,
    console_screens::dialogs_and_menus_are_accessible,
    console_screens::pictures_are_taken,
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_payer_follows_a_link() {
    let chromium = match Chromium::start().await {
        Ok(chromium) => chromium,
        Err(why) => {
            let is_required =
                std::env::var_os("REQUIRE_CHROMIUM").is_some_and(|value| value == "1");
            assert!(!is_required, "REQUIRE_CHROMIUM=1, but {why}");
            // Writes to stderr directly, because the test harness hides the output of passing tests.
            let _ = writeln!(std::io::stderr(), "browser tests did not run: {why}");
            return;
        }
    };
    let only = std::env::var("MULTIRAIL_BROWSER_STORY").unwrap_or_default();
    let mut failed = Vec::new();
    for (name, story) in STORIES.iter().filter(|(name, _)| name.contains(&only)) {
        // Each story runs in its own task, so that one failure doesn't hide the next story.
        let payer = Payer::with(chromium.client.clone()).await;
        let started = std::time::Instant::now();
        let told = tokio::spawn(story(payer)).await;
        println!("{name}: {:?}", started.elapsed());
        if told.is_err() {
            failed.push(*name);
        }
    }
    chromium.close().await;
    assert!(failed.is_empty(), "{failed:#?}");
}
