//! The pause before every measurement.

use std::error::Error;

use crate::server::Server;
use crate::yardstick::postgres;

pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Payments that readers choose among in a database that isn't filled.
pub const FEW: u64 = 1_000;

/// Updates PostgreSQL's statistics: plans for empty tables look rows up by the wrong index. Autovacuum would notice within
/// a minute; a measurement can't wait for it, nor have it work meanwhile.
pub async fn settle(server: &Server) -> Result<()> {
    if let Some(database) = &server.postgres {
        postgres::come_to_rest(&database.url, database.cluster.is_some()).await?;
    }
    Ok(())
}
