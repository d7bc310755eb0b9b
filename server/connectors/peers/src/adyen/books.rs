//! Adyen's side of [`Bookkeeper`](crate::Bookkeeper): the books, and the payer's actions. Amounts
//! are in Adyen's units, which equal ours in the currencies of the tests.

use std::collections::BTreeMap;

use super::bank_debits::code_of_return;
use super::dispute::Dispute;
use super::ledger::{Ledger, Payment};
use super::payer_methods::event_of_rejection;
use crate::stand_in::with_query;
use crate::{Booked, Bookkeeper, Books, ByHand, DisputeBooks};

impl Bookkeeper for Ledger {
    /// Lists the books of each payment.
    fn all_books(&self) -> Vec<Booked> {
        let payments = self.payments.iter();
        let booked = payments.map(|(psp, payment)| Booked {
            key: payment.reference.clone(),
            reference: psp.clone(),
            books: match payment.authorised {
                Some(true) => Books {
                    authorized: payment.amount,
                    captured: payment.captured,
                    released: payment.released,
                    given_back: payment.refunded,
                },
                Some(false) | None => Books::default(),
            },
        });
        booked.collect()
    }

    fn stored_instruments(&self) -> usize {
        self.kept.len()
    }

    /// Approves or rejects on the payer's behalf. Returns the page to which the payer returns, if
    /// they visited one. The place of a step that the merchant shows ends with Adyen's reference.
    fn decide(&mut self, page: &str, authenticates: bool) -> Option<String> {
        let psp = page.rsplit(['=', ':']).next()?.to_owned();
        let payment = self.payments.get(&psp)?.clone();
        if let Some(rejection) = event_of_rejection(&payment.method) {
            self.decide_shown(psp, payment, authenticates.then_some(()).ok_or(rejection));
            return None;
        }
        let back = payment.return_url;
        let result = format!("X{}!{authenticates}", self.next());
        self.results.insert(result.clone(), (psp, authenticates));
        with_query(&back, &[("redirectResult", &result)])
    }

    fn does_by_hand(&mut self, authorization: &str, what: ByHand) {
        self.do_by_hand(authorization, what);
    }

    fn lapse(&mut self, authorization: &str) -> bool {
        let mut payments = self.payments.iter_mut();
        let found = payments.find(|(_, payment)| payment.reference == authorization);
        let Some((psp, payment)) = found else {
            return false;
        };
        let event = match payment.authorised {
            // The payer left the page alone.
            None => "OFFER_CLOSED",
            Some(_) if payment.left() > 0 => "EXPIRE",
            Some(_) => return false,
        };
        payment.authorised = Some(payment.authorised == Some(true));
        payment.released += payment.left();
        let (psp, about) = (psp.clone(), payment.clone());
        self.tell(event, &psp, None, &about, about.amount, Ok(()));
        true
    }

    /// Disputes the captured and unrefunded money of the authorization with this key.
    fn raise_dispute(&mut self, authorization: &str) -> Option<String> {
        let mut payments = self.payments.iter();
        let found = payments.find(|(_, payment)| payment.reference == authorization);
        let (original, payment) = found?;
        let amount = payment.captured - payment.refunded;
        let original = original.clone();
        // The bank returns a debit, which no merchant can defend.
        let is_debit = code_of_return(&payment.method).is_some();
        let dispute = Dispute {
            reference: self.next(),
            payment: original,
            amount: Some(amount).filter(|amount| *amount > 0)?,
            is_open: !is_debit,
            documents: BTreeMap::new(),
            books: DisputeBooks::default(),
        };
        let reference = dispute.reference.clone();
        self.disputes.push(dispute);
        if !is_debit {
            self.tell_dispute("NOTIFICATION_OF_CHARGEBACK", &reference);
        }
        self.tell_dispute("CHARGEBACK", &reference);
        Some(reference)
    }

    /// Returns the merchant's actions on a dispute.
    fn dispute_books(&self, reference: &str) -> DisputeBooks {
        let mut disputes = self.disputes.iter();
        let found = disputes.find(|own| own.reference == reference);
        found.map_or_else(DisputeBooks::default, |own| own.books.clone())
    }

    /// Decides a dispute on the issuer's behalf.
    fn decide_dispute(&mut self, reference: &str, is_won: bool) {
        let dispute = self.dispute(reference).expect("a dispute");
        dispute.is_open = false;
        let event = if is_won {
            "CHARGEBACK_REVERSED"
        } else {
            "SECOND_CHARGEBACK"
        };
        self.tell_dispute(event, reference);
    }
}

impl Ledger {
    /// Tells of a payer who has paid by a step that the merchant shows, or of the event of their
    /// rejection.
    fn decide_shown(&mut self, psp: String, mut payment: Payment, decided: Result<(), &str>) {
        if payment.authorised.is_some() {
            return;
        }
        let (event, told) = match decided {
            Ok(()) => ("AUTHORISATION", Ok(())),
            Err("OFFER_CLOSED") => ("OFFER_CLOSED", Ok(())),
            Err(event) => (event, Err("Refused")),
        };
        match decided {
            Ok(()) => payment.authorise(),
            Err(_) => payment.authorised = Some(false),
        }
        self.tell(event, &psp, None, &payment, payment.amount, told);
        self.payments.insert(psp, payment);
    }
}
