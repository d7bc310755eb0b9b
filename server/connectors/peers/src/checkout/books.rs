//! Checkout.com's side of [`Bookkeeper`](crate::Bookkeeper): the books, and the payer's actions.
//! Amounts are in Checkout.com's units, which equal ours in the currencies of the tests.

use super::dispute::Dispute;
use super::ledger::{Ledger, text};
use super::payment::Standing;
use crate::stand_in::with_query;
use crate::{Booked, Bookkeeper, Books, ByHand, DisputeBooks};

impl Bookkeeper for Ledger {
    /// Lists every payment and card check in order: ids count up.
    fn all_books(&self) -> Vec<Booked> {
        let booked = self.payments.values().map(|payment| Booked {
            key: text(&payment.metadata["multirail_key"]),
            reference: payment.id.clone(),
            books: match payment.standing {
                Standing::Approved => Books {
                    authorized: payment.amount,
                    captured: payment.captured,
                    released: payment.voided,
                    given_back: payment.refunded,
                },
                Standing::Pending | Standing::Declined(..) => Books::default(),
            },
        });
        booked.collect()
    }

    /// Approves or rejects on the payer's behalf. Returns the address to which the payer returns.
    fn decide(&mut self, page: &str, authenticates: bool) -> Option<String> {
        let (_, id) = page.rsplit_once('/')?;
        let mut payment = self.payments.get(id)?.clone();
        let address = payment.return_url.clone();
        if payment.standing == Standing::Pending {
            payment.standing = if authenticates {
                Standing::Approved
            } else {
                Standing::Declined("20151", "Cardholder failed 3DS authentication")
            };
            self.authorize(payment);
        }
        let session = format!("sid_{}", self.count);
        with_query(&address, &[("cko-session-id", &session)])
    }

    fn does_by_hand(&mut self, authorization: &str, what: ByHand) {
        let mut payments = self.payments.values();
        let own = payments.find(|own| text(&own.metadata["multirail_key"]) == authorization);
        let payment = own.expect("a payment").clone();
        let (status, said) = self.do_by_hand(&payment, what);
        assert_eq!(status, 202, "{said}");
    }

    fn lapse(&mut self, authorization: &str) -> bool {
        let mut payments = self.payments.values();
        let own = payments.find(|own| text(&own.metadata["multirail_key"]) == authorization);
        let id = own.map(|own| own.id.clone());
        id.is_some_and(|id| self.expire(&id))
    }

    /// Disputes the captured and unrefunded money of the authorization with this key.
    fn raise_dispute(&mut self, authorization: &str) -> Option<String> {
        let mut payments = self.payments.values();
        let payment = payments.find(|own| text(&own.metadata["multirail_key"]) == authorization)?;
        let amount = payment.captured - payment.refunded;
        let (payment, currency) = (payment.id.clone(), payment.currency.clone());
        let dispute = Dispute {
            id: self.next("dsp"),
            payment,
            amount: Some(amount).filter(|amount| *amount > 0)?,
            currency,
            status: "evidence_required",
            books: DisputeBooks::default(),
        };
        let id = dispute.id.clone();
        self.disputes.push(dispute);
        self.tell_dispute("dispute_evidence_required", &id);
        Some(id)
    }

    /// Returns the merchant's actions on a dispute.
    fn dispute_books(&self, id: &str) -> DisputeBooks {
        let mut disputes = self.disputes.iter();
        let found = disputes.find(|own| own.id == id);
        found.map_or_else(DisputeBooks::default, |own| own.books.clone())
    }

    /// Decides a dispute on the issuer's behalf.
    fn decide_dispute(&mut self, id: &str, is_won: bool) {
        let (status, event) = if is_won {
            ("won", "dispute_won")
        } else {
            ("lost", "dispute_lost")
        };
        self.dispute(id).expect("a dispute").status = status;
        self.tell_dispute(event, id);
    }
}
