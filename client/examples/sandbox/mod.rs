//! The sandbox that the examples run against.

use std::error::Error as Failure;
use std::process::ExitCode;

use multirail_client::{Client, Connection, Error};

/// Runs an example with the key in `MULTIRAIL_API_KEY` against `MULTIRAIL_URL`, and tells why it failed.
pub async fn run(example: impl AsyncFnOnce(&Client) -> Result<(), Error>) -> ExitCode {
    let Ok(key) = std::env::var("MULTIRAIL_API_KEY") else {
        eprintln!(
            "set MULTIRAIL_API_KEY to the secret key that the sandbox printed when it started"
        );
        return ExitCode::FAILURE;
    };
    let url = std::env::var("MULTIRAIL_URL").unwrap_or_else(|_| "http://127.0.0.1:8080".to_owned());
    let ran = match Connection::new(&url).secret_key(key).build() {
        Ok(client) => example(&client).await.map_err(Box::<dyn Failure>::from),
        Err(error) => Err(error.into()),
    };
    let Err(error) = ran else {
        return ExitCode::SUCCESS;
    };
    eprintln!("{error}");
    let mut source = error.source();
    while let Some(cause) = source {
        eprintln!("because: {cause}");
        source = cause.source();
    }
    ExitCode::FAILURE
}
