//! Saved payment methods in payments: saving one by paying, and paying with one by its token.

use multirail_kernel::ids::{PaymentMethodId, PaymentToken};
use multirail_kernel::record_object::record_object;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;
use multirail_sdk::connector::KnownBy;

use crate::payments::payment::status::Phase;
use crate::payments::payment::{Attempt, Context, Effect, FutureUsage, Payment, Progress};

words! {
    /// The role of an attempt's saved payment method.
    pub enum MethodRole {
        /// The method pays.
        Pays = "pays",
        /// The attempt's payment method is to be saved under this id after an approval.
        ToBeSaved = "to_be_saved",
        /// The attempt's payment method was saved.
        Saved = "saved",
    }
}

words! {
    /// The way in which the card was chosen.
    pub enum CardDiscovery {
        /// The payer typed it in.
        Manual = "manual",
        SavedCard = "saved_card",
    }
}

record_object! {
    /// The saved payment method of an attempt.
    #[derive(Eq)]
    pub struct AttemptMethod {
        payment_method_id: PaymentMethodId,
        role: MethodRole,
    } and maybe {
        /// The token in the request.
        token: PaymentToken,
        /// True if the card's security code came with the token, or later and before the confirm.
        code_was_given: bool,
        /// True if the holder's name came in the same way. Otherwise it is the stored name, which may have changed by the
        /// confirm.
        holder_was_given: bool,
        /// True if a billing address came in the same way, also for charges without the payer.
        billing_was_given: bool,
        /// True if the payer consented to the use of the method when it was saved.
        consent_was_given: bool,
        /// The time from which the consent of the approved attempt counts.
        consented_at: Timestamp,
    }
}

/// A change of saved payment methods that follows from a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MethodEffect {
    /// Saves the held card of this attempt.
    Save {
        attempt: u32,
        payment_method_id: PaymentMethodId,
        /// The time from which the payer's consent counts. A later revocation prevails over it.
        consented_at: Timestamp,
        /// The references at scheme and processor.
        known_by: KnownBy,
    },
    /// Records references that became known only now.
    Learned {
        payment_method_id: PaymentMethodId,
        /// As at the approval. References of a later consent prevail.
        consented_at: Timestamp,
        known_by: KnownBy,
        /// True if the payer agreed to charges in their absence.
        is_agreed: bool,
    },
    /// Doesn't save the held card of this attempt.
    Forget { attempt: u32 },
    /// Records that a saved payment method has paid.
    Used {
        payment_method_id: PaymentMethodId,
        /// The time from which the payer's consent counts. A later revocation prevails over it.
        consented_at: Timestamp,
        /// The new references, if the payer agreed to charges in their absence.
        agreed: Option<Box<KnownBy>>,
    },
    /// Claims the token for this payment. The whole step is refused if the token has expired or belongs to another payment.
    ClaimToken(PaymentToken),
    /// Releases the token, because no processor was asked with it.
    FreeToken(PaymentToken),
    /// Uses up the token that paid.
    UseUpToken(PaymentToken),
}

impl Payment {
    /// Returns whether the paying card is to be saved after an approval. A saved card is saved already.
    pub fn saves_card(&self) -> bool {
        self.terms.setup_future_usage.is_some() && self.active().method.is_none()
    }

    /// Returns whether the payment charges without the payer, or saves a method for such charges.
    pub fn recurs(&self) -> bool {
        self.active().recurring.is_some()
            || self.terms.setup_future_usage == Some(FutureUsage::OffSession)
    }

    /// Returns whether a saved card that a processor stores pays without its security code. The payer entered the code when the
    /// card was stored, and now only agrees to further charges.
    pub fn spares_code(&self) -> bool {
        self.terms.setup_future_usage == Some(FutureUsage::OffSession)
    }

    /// Checks that the payer consented to a debit, and to charges in their absence.
    pub(crate) fn check_consent(&self) -> Result<(), Refusal> {
        let needs = match self.terms.setup_future_usage {
            Some(FutureUsage::OffSession) => true,
            None | Some(FutureUsage::OnSession) => self.awaits_consent_to_debit(),
        };
        match needs && self.payer.consent.is_none() {
            true => Err(Refusal::missing("customer_acceptance")),
            false => Ok(()),
        }
    }

    /// Sets the id under which the newest attempt's card is saved. The caller sets it in the step that begins the attempt,
    /// because the id depends on the key of fingerprints.
    pub fn save_as(&mut self, payment_method_id: PaymentMethodId) {
        self.active_mut().method = Some(Box::new(AttemptMethod {
            payment_method_id,
            role: MethodRole::ToBeSaved,
            token: None,
            code_was_given: None,
            holder_was_given: None,
            billing_was_given: None,
            consent_was_given: None,
            consented_at: None,
            unread: UnreadMembers::default(),
        }));
    }

    /// Returns the effects of the attempts' changes on saved payment methods. `before` is the payment before the step.
    pub(crate) fn follow_methods(&mut self, before: &Payment, context: &Context) -> Vec<Effect> {
        let mut effects = Vec::new();
        // The payer can revoke the mandate from its approval on. The end of another mandate doesn't concern it. A changed mandate
        // that was revoked before is taken out of the step.
        let has_mandate = self.particulars.mandate.is_some();
        let ends = self.status.is_terminal() && !before.status.is_terminal();
        // The same request may be repeated and then needs the held payment method data.
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
            let confirmed_at = confirmed_at(attempt);
            let consented_at = match has_mandate {
                true => context.now,
                false => confirmed_at,
            };
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
                        method.consented_at = is_agreed.then_some(consented_at);
                        effects.push(MethodEffect::Used {
                            payment_method_id,
                            consented_at,
                            agreed: is_agreed.then(|| Box::new(known_by)),
                        });
                    } else if was_approved && is_agreed && is_news {
                        effects.push(MethodEffect::Learned {
                            payment_method_id,
                            consented_at: method.consented_at.unwrap_or(confirmed_at),
                            known_by,
                            is_agreed,
                        });
                    }
                    let token = method.token.clone().filter(|_| ends);
                    effects.extend(match (was_never_processed, was_never_asked) {
                        (false, _) => token.map(MethodEffect::UseUpToken),
                        (true, true) => token.map(MethodEffect::FreeToken),
                        // The token stays claimed by this payment.
                        (true, false) => None,
                    });
                }
                MethodRole::ToBeSaved if is_approved(phase) => {
                    method.role = MethodRole::Saved;
                    method.consented_at = Some(consented_at);
                    effects.push(MethodEffect::Save {
                        attempt: attempt.number,
                        payment_method_id,
                        consented_at,
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
                    consented_at: method.consented_at.unwrap_or(confirmed_at),
                    known_by,
                    is_agreed,
                }),
                MethodRole::Saved => {}
            }
        }
        effects.into_iter().map(Effect::Method).collect()
    }
}

impl AttemptMethod {
    /// Returns whether the payer consented to the use of the method when it was saved.
    pub fn has_consent(&self) -> bool {
        self.consent_was_given == Some(true)
    }
}

impl Attempt {
    /// Returns the token of the paying method.
    pub fn token(&self) -> Option<&PaymentToken> {
        self.method.as_deref()?.token.as_ref()
    }

    /// Returns the saved method that pays, or under which the card was saved.
    pub fn saved_method(&self) -> Option<&PaymentMethodId> {
        let method = self.method.as_deref()?;
        match method.role {
            MethodRole::Pays | MethodRole::Saved => Some(&method.payment_method_id),
            MethodRole::ToBeSaved => None,
        }
    }

    /// Dates the consent of an approval by the confirm, because no mandate came with it.
    pub(crate) fn date_consent_by_confirm(&mut self, effects: &mut [Effect]) {
        let confirmed_at = confirmed_at(self);
        let Some(method) = &mut self.method else {
            return;
        };
        method.consented_at = Some(confirmed_at);
        for effect in effects {
            if let Effect::Method(
                MethodEffect::Save {
                    payment_method_id,
                    consented_at,
                    ..
                }
                | MethodEffect::Used {
                    payment_method_id,
                    consented_at,
                    ..
                },
            ) = effect
                && *payment_method_id == method.payment_method_id
            {
                *consented_at = confirmed_at;
            }
        }
    }

    /// Returns whether a method that was saved before pays.
    pub fn pays_with_saved_method(&self) -> bool {
        let method = self.method.as_deref();
        method.is_some_and(|method| method.role == MethodRole::Pays)
    }

    /// Returns how the card was chosen (`card_discovery`).
    pub fn card_discovery(&self) -> CardDiscovery {
        match self.method.as_deref().map(|method| method.role) {
            Some(MethodRole::Pays) => CardDiscovery::SavedCard,
            Some(MethodRole::ToBeSaved | MethodRole::Saved) | None => CardDiscovery::Manual,
        }
    }
}

/// Returns whether the issuer approved the card.
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

/// Returns when the payer was last there: at the confirm, which may be days before the approval.
fn confirmed_at(attempt: &Attempt) -> Timestamp {
    let authorization = attempt.authorization.as_ref();
    authorization.map_or(attempt.created_at, |one| one.started_at)
}

fn known_by_of(attempt: &Attempt) -> KnownBy {
    KnownBy {
        network_transaction_id: attempt.network_transaction_id.clone(),
        mandate: attempt.stored_mandate(),
    }
}
