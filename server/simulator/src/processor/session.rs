//! Wallet sessions. Nothing is filed: a session is derived from its request.

use multirail_simulator_wire::{SessionAnswer, SessionBody, WireResponse};

use super::{Failure, invalid};

/// Wallets with sessions.
const WALLETS: [&str; 3] = ["apple_pay", "klarna", "open_banking"];

/// Returns the session of this account, payment and wallet.
pub(super) fn open(
    account: &str,
    connector: &str,
    body: &SessionBody,
) -> Result<WireResponse, Failure> {
    if !WALLETS.contains(&body.wallet.as_str()) {
        return Err(invalid("wallet"));
    }
    let SessionBody {
        wallet,
        payment,
        amount,
        currency,
        country,
    } = body;
    let country = country.as_deref().unwrap_or_default();
    let terms = format!("{account}/{connector}/{wallet}/{payment}/{amount}/{currency}/{country}");
    let hash = blake3::hash(terms.as_bytes()).to_hex();
    Ok(WireResponse::json(
        200,
        &SessionAnswer {
            id: format!("sim_session_{}", &hash[..24]),
            token: format!("sim_token_{}", &hash[24..64]),
        },
    ))
}
