//! A confirm needs little stack: each operation is a boxed future of its own.

use super::server::TestServer;

#[test]
fn a_confirm_fits_on_a_megabyte() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_stack_size(1024 * 1024)
        .enable_all()
        .build()
        .unwrap();
    // Describing all operations takes more stack; it happens once, at the start of a server.
    let server = runtime.block_on(TestServer::start());
    let work = runtime.spawn(async move {
        let body = r#"{"payment_method":"card","payment_method_data":{"card":{"card_number":"4111111111111111","card_exp_month":"10","card_exp_year":"2035","card_cvc":"123"}}}"#;
        server.call("POST /payments/pay_1/confirm", "secret", body).await.status
    });
    assert_eq!(runtime.block_on(work).unwrap(), 200);
}
