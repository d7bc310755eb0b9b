//! What a started server prints: enough to make a payment within a minute.

use super::Running;

/// Where it listens, for logs and people.
pub(super) fn address(running: &Running) {
    println!("multirail listens on {}", running.url);
}

/// Address, keys and two commands that create and confirm a payment.
pub(super) fn sandbox(running: &Running) {
    address(running);
    println!(
        "This is the sandbox: no real money moves, and the keys below are for this machine only.\n"
    );
    println!("  admin key   {}", running.keys.admin_api_key.expose());
    let Some(demo) = &running.demo else {
        return;
    };
    println!("  merchant    {}", demo.merchant_id);
    println!("  secret key  {}", demo.api_key.expose());
    println!("  publishable {}\n", demo.publishable_key);
    let payment_id = &demo.next_payment_id;
    println!("Create a payment, then confirm it:\n");
    println!("  curl -s {}/payments \\", running.url);
    println!("    -H 'api-key: {}' \\", demo.api_key.expose());
    println!("    -H 'content-type: application/json' \\");
    println!(
        "    -d '{{\"payment_id\": \"{payment_id}\", \"amount\": 6540, \"currency\": \"USD\"}}'\n"
    );
    println!("  curl -s {}/payments/{payment_id}/confirm \\", running.url);
    println!("    -H 'api-key: {}' \\", demo.api_key.expose());
    println!("    -H 'content-type: application/json' \\");
    println!(
        "    -d '{{\"payment_method\": \"card\", \"payment_method_type\": \"credit\", \"payment_method_data\": \
         {{\"card\": {{\"card_number\": \"4111111111111111\", \"card_exp_month\": \"10\", \"card_exp_year\": \"35\", \
         \"card_holder_name\": \"John Doe\", \"card_cvc\": \"123\"}}}}}}'\n"
    );
}
