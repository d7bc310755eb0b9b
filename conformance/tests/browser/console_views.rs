//! A person saves a view of the list of payments at the console, by keyboard alone.

use fantoccini::key::Key;

use super::clerk::Clerk;
use super::payer::Payer;

pub async fn a_view_is_saved_shown_and_deleted(payer: Payer) {
    let clerk = Clerk::with(payer).await;
    clerk.opens_the_link().await;
    clerk.goes_to("/payments?group=failed").await;
    clerk.is_at("Payments").await;
    clerk.tabs_to("main button", "Save the view").await;
    clerk.strikes_enter().await;
    clerk.has_focus_in("Name").await;
    clerk.strikes("Every morning").await;
    clerk.tabs_to("[role=dialog] button", "Save").await;
    clerk.strikes_enter().await;
    let saved = "“Every morning” is saved.";
    clerk.finds_text("*[@role='status']", saved).await;
    clerk.sees_no_dialog().await;

    clerk.goes_to("/payments").await;
    clerk.is_at("Payments").await;
    clerk.finds_text("main//option", "Every morning").await;
    clerk.tabs_to("main select", "Every morning").await;
    clerk.strikes(&Key::Down).await;
    let shown = "return location.search === '?group=failed'";
    clerk.waits("the filters of the view", shown).await;
    clerk.tabs_to("main button", "Delete the view").await;
    clerk.strikes_enter().await;
    clerk
        .finds_text("*[@role='dialog']//p", "The payments stay.")
        .await;
    clerk.tabs_to("[role=dialog] button", "Delete").await;
    clerk.strikes_enter().await;
    let deleted = "“Every morning” is deleted.";
    clerk.finds_text("*[@role='status']", deleted).await;
    let gone = "return ![...document.querySelectorAll('option')].some((one) => one.textContent === 'Every morning')";
    clerk.waits("no such view", gone).await;
    clerk.heard_no_complaint().await;
}
