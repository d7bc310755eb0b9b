//! A measured merchant and its processor.

use std::io;
use std::sync::Arc;

use multirail_peers::TestCard;

use crate::requests::Requests;
use crate::server::Server;
use crate::stand_in::{Connector, Process, Seen};
use crate::{fill, merchant};

/// The simulator's card that is approved.
pub const SIMULATED_CARD: TestCard = TestCard {
    number: "4111111111111111",
    code: "123",
    holder: "Ada Okafor",
};

#[derive(Clone)]
pub struct Party {
    pub requests: Arc<Requests>,
    /// Payments that readers choose among.
    pub known: Arc<Vec<String>>,
    stand_in: Option<Arc<Process>>,
}

impl Party {
    /// Opens a merchant of the simulator, or of this stand-in; one whose payments are routed by rules, if asked for.
    ///
    /// # Errors
    /// Fails when the server can't be reached or refuses.
    pub async fn open(
        server: &Server,
        stand_in: Option<Arc<Process>>,
        is_routed: bool,
    ) -> io::Result<Self> {
        let (account, card) = match &stand_in {
            None => (merchant::simulated(), SIMULATED_CARD),
            Some(stand_in) => (stand_in.account(), stand_in.card()),
        };
        let mut party = Party {
            requests: Arc::default(),
            known: Arc::default(),
            stand_in,
        };
        let name = format!("load_{}_{}", party.connector().as_str(), std::process::id());
        let opened =
            merchant::open(&server.address, &server.admin_key, &name, &account, None).await?;
        if is_routed {
            merchant::is_routed(&server.address, &opened).await?;
        }
        party.requests = Arc::new(Requests::new(&server.address, &opened.key, &card));
        Ok(party)
    }

    /// Stores so many payments, among which readers choose from now on.
    ///
    /// # Errors
    /// Fails when the server refuses again and again.
    pub async fn fills(&mut self, server: &Server, count: u64) -> io::Result<()> {
        self.known = Arc::new(fill::fill(server, &self.requests, count).await?);
        Ok(())
    }

    pub fn connector(&self) -> Connector {
        let stand_in = self.stand_in.as_ref();
        stand_in.map_or(Connector::Simulator, |own| own.connector)
    }

    /// Returns the counts of the stand-in, if there is one.
    ///
    /// # Errors
    /// As [`Process::seen`].
    pub fn seen(&self) -> io::Result<Option<Seen>> {
        self.stand_in.as_ref().map(|own| own.seen()).transpose()
    }
}
