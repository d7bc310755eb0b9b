//! Saved payment methods in payments: what is saved by paying, and paying by the token of what was saved.

use multirail_kernel::ids::{PaymentMethodId, PaymentToken};
use multirail_kernel::record_object::record_object;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;
use multirail_sdk::connector::KnownBy;

use crate::payments::payment::status::Phase;
use crate::payments::payment::{Attempt, Effect, FutureUsage, Payment, Progress};

words! {
    /// What an attempt has to do with a saved method.
    pub enum MethodRole {
        /// It pays.
        Pays = "pays",
        /// What pays is to be saved as this method once it is approved.
        ToBeSaved = "to_be_saved",
        /// That was done.
        Saved = "saved",
    }
}

words! {
    /// How a card came to be chosen.
    pub enum CardDiscovery {
        /// The payer entered it.
        Manual = "manual",
        SavedCard = "saved_card",
    }
}

record_object! {
    /// The saved method of an attempt.
    #[derive(Eq)]
    pub struct AttemptMethod {
        payment_method_id: PaymentMethodId,
        role: MethodRole,
    } and maybe {
        /// What stood for it.
        token: PaymentToken,
        /// The card's code came with the token, or later and before the confirm.
        code_was_given: bool,
        /// So did its holder's name. Else it is what was known of the card then, and something else may be by the confirm.
        holder_was_given: bool,
        /// The same of an address, also where the method is charged without its payer.
        billing_was_given: bool,
    }
}

/// What follows for saved methods from what became of a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MethodEffect {
    /// The card of this attempt, which was held to be saved, is saved.
    Save {
        attempt: u32,
        payment_method_id: PaymentMethodId,
        /// By which its scheme and its processor know it again.
        known_by: KnownBy,
    },
    /// How it is known became known only now.
    Learned {
        payment_method_id: PaymentMethodId,
        known_by: KnownBy,
        /// Its payer agreed to be charged without being there.
        is_agreed: bool,
    },
    /// It is not.
    Forget { attempt: u32 },
    /// A saved method has paid.
    Used {
        payment_method_id: PaymentMethodId,
        /// By which it is known since, where its payer agreed to be charged without being there.
        agreed: Option<Box<KnownBy>>,
    },
    /// The token is this payment's from now on. Nothing of the step holds where it isn't good, or another payment's, by then.
    ClaimToken(PaymentToken),
    /// Nothing was paid with it, and nobody asked: it is anybody's again.
    FreeToken(PaymentToken),
    /// The token that paid is not good any more.
    UseUpToken(PaymentToken),
}

impl Payment {
    /// Whether the card that pays is to be saved once it is approved. A saved one is that already.
    pub fn saves_card(&self) -> bool {
        self.terms.setup_future_usage.is_some() && self.active().method.is_none()
    }

    /// Whether it charges without the payer, or saves what such charges will be made with.
    pub fn recurs(&self) -> bool {
        self.active().recurring.is_some()
            || self.terms.setup_future_usage == Some(FutureUsage::OffSession)
    }

    /// Whether a saved card that a processor keeps pays it without its code: its payer gave that when he had the card kept, and
    /// what he does now is to let it be charged again.
    pub fn spares_code(&self) -> bool {
        self.terms.setup_future_usage == Some(FutureUsage::OffSession)
    }

    /// Refuses to keep a card for charges without the payer where the payer's consent is missing.
    pub(crate) fn check_consent(&self) -> Result<(), Refusal> {
        match self.terms.setup_future_usage {
            None | Some(FutureUsage::OnSession) => Ok(()),
            Some(FutureUsage::OffSession) if self.payer.consent.is_some() => Ok(()),
            Some(FutureUsage::OffSession) => Err(Refusal::missing("customer_acceptance")),
        }
    }

    /// Says as which method the card of the newest attempt is saved. Part of the step that begins the attempt: only who
    /// knows the key of fingerprints knows the id.
    pub fn save_as(&mut self, payment_method_id: PaymentMethodId) {
        self.active_mut().method = Some(Box::new(AttemptMethod {
            payment_method_id,
            role: MethodRole::ToBeSaved,
            token: None,
            code_was_given: None,
            holder_was_given: None,
            billing_was_given: None,
            unread: UnreadMembers::default(),
        }));
    }

    /// What follows for saved methods from what became of the attempts. `before`: the payment before the step.
    pub(crate) fn follow_methods(&mut self, before: &Payment) -> Vec<Effect> {
        let mut effects = Vec::new();
        let ends = self.status.is_terminal() && !before.status.is_terminal();
        // The same request may come again, and is then carried out with what it came to pay with.
        let was_never_processed = self.was_never_processed();
        let was_never_asked = self.attempts.iter().all(|attempt| {
            let authorization = attempt.authorization.as_ref();
            authorization.is_none_or(|it| it.progress == Progress::NeverHappened)
        });
        let by_off_session = self.terms.setup_future_usage == Some(FutureUsage::OffSession);
        for attempt in &mut self.attempts {
            let phase = attempt.status.phase();
            let known_by = known_by_of(attempt);
            let is_agreed = by_off_session && attempt.recurring.is_none();
            let Some(method) = &mut attempt.method else {
                continue;
            };
            let was = before
                .attempts
                .iter()
                .find(|was| was.number == attempt.number);
            let was_approved = was.is_some_and(|was| is_approved(was.status.phase()));
            let is_news = was.is_some_and(|was| known_by != known_by_of(was));
            let payment_method_id = method.payment_method_id.clone();
            match method.role {
                MethodRole::Pays => {
                    if is_approved(phase) && !was_approved {
                        effects.push(MethodEffect::Used {
                            payment_method_id,
                            agreed: is_agreed.then(|| Box::new(known_by)),
                        });
                    } else if was_approved && is_agreed && is_news {
                        effects.push(MethodEffect::Learned {
                            payment_method_id,
                            known_by,
                            is_agreed,
                        });
                    }
                    let token = method.token.clone().filter(|_| ends);
                    effects.extend(match (was_never_processed, was_never_asked) {
                        (false, _) => token.map(MethodEffect::UseUpToken),
                        (true, true) => token.map(MethodEffect::FreeToken),
                        // It stays this payment's.
                        (true, false) => None,
                    });
                }
                MethodRole::ToBeSaved if is_approved(phase) => {
                    method.role = MethodRole::Saved;
                    effects.push(MethodEffect::Save {
                        attempt: attempt.number,
                        payment_method_id,
                        known_by,
                    });
                }
                MethodRole::ToBeSaved => match phase {
                    Phase::NotSent | Phase::Authorizing | Phase::InReview => {}
                    Phase::Held | Phase::Taken => {}
                    Phase::Standing | Phase::Unwanted | Phase::Conflicted => {
                        attempt.method = None;
                        effects.push(MethodEffect::Forget {
                            attempt: attempt.number,
                        });
                    }
                },
                MethodRole::Saved if is_news => effects.push(MethodEffect::Learned {
                    payment_method_id,
                    known_by,
                    is_agreed,
                }),
                MethodRole::Saved => {}
            }
        }
        effects.into_iter().map(Effect::Method).collect()
    }
}

impl Attempt {
    /// What stood for the method that pays.
    pub fn token(&self) -> Option<&PaymentToken> {
        self.method.as_deref()?.token.as_ref()
    }

    /// The saved method that pays, or as which the card was saved: not before it was.
    pub fn saved_method(&self) -> Option<&PaymentMethodId> {
        let method = self.method.as_deref()?;
        match method.role {
            MethodRole::Pays | MethodRole::Saved => Some(&method.payment_method_id),
            MethodRole::ToBeSaved => None,
        }
    }

    /// Returns whether a method that was saved before pays.
    pub fn pays_with_saved_method(&self) -> bool {
        let method = self.method.as_deref();
        method.is_some_and(|method| method.role == MethodRole::Pays)
    }

    /// How the card came to be chosen (`card_discovery`).
    pub fn card_discovery(&self) -> CardDiscovery {
        match self.method.as_deref().map(|method| method.role) {
            Some(MethodRole::Pays) => CardDiscovery::SavedCard,
            Some(MethodRole::ToBeSaved | MethodRole::Saved) | None => CardDiscovery::Manual,
        }
    }
}

/// The issuer stands by the card.
pub(crate) fn is_approved(phase: Phase) -> bool {
    match phase {
        Phase::Held | Phase::Taken => true,
        Phase::NotSent
        | Phase::Authorizing
        | Phase::InReview
        | Phase::Standing
        | Phase::Unwanted
        | Phase::Conflicted => false,
    }
}

fn known_by_of(attempt: &Attempt) -> KnownBy {
    KnownBy {
        network_transaction_id: attempt.network_transaction_id.clone(),
        mandate: attempt.kept_mandate(),
    }
}
