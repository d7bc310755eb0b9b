//! Requests about disputed payments.

use std::sync::Arc;

use multirail_kernel::ids::{FileId, ProcessorKey};
use multirail_kernel::unread::UnreadMembers;
use multirail_peers::DisputeBooks;
use multirail_sdk::connector::{
    AcceptDisputeRequest, Capabilities, ChallengeDisputeRequest, Connector, DisputeAt,
    DisputeChallenges, DisputeNews, DisputeStage, EvidenceInFull, FileInFull, News, Outcome,
    UnknownReason,
};
use multirail_sdk::evidence::{Evidence, EvidenceItem, EvidenceText, FileType};

use super::bench::{Authorization, Bench};

/// A text of the evidence.
const BUYER: &str = "reader@shop.example";
const WORDS: &str = "He read it & praised it: 100 %.";
pub const RECEIPT: &str = "%PDF-1.7\r\n--a receipt--";

/// A dispute at the processor.
#[derive(Clone, Debug)]
pub struct Disputed {
    pub sold: Authorization,
    /// The processor's id of the dispute.
    pub reference: String,
}

impl Bench {
    /// Sells at the price and disputes the payment.
    pub async fn disputed(&self) -> Disputed {
        let sold = self.sold_to(self.subject.disputable_card()).await;
        let reference = self.subject.raises_dispute(&sold).await;
        Disputed { sold, reference }
    }

    /// Returns a dispute that the processor doesn't know.
    pub async fn invented_dispute(&self) -> Disputed {
        let known = self.disputed().await;
        let end = known.reference.len() - 1;
        let last = if known.reference.ends_with('9') {
            "8"
        } else {
            "9"
        };
        Disputed {
            reference: format!("{}{last}", &known.reference[..end]),
            ..known
        }
    }

    pub fn dispute_at(&self, disputed: &Disputed) -> DisputeAt {
        DisputeAt {
            access: self.subject.access(),
            reference: disputed.reference.clone(),
            stage: DisputeStage::Dispute,
            authorization_key: disputed.sold.key.clone(),
            authorization_reference: disputed.sold.reference.clone(),
            money: disputed.sold.money,
            reason: None,
            reason_code: None,
        }
    }

    pub async fn accept(&self, key: &ProcessorKey, disputed: &Disputed) -> Outcome {
        self.accept_by(&self.connector, key, disputed).await
    }

    pub async fn accept_by(
        &self,
        connector: &Arc<dyn Connector>,
        key: &ProcessorKey,
        disputed: &Disputed,
    ) -> Outcome {
        let request = AcceptDisputeRequest {
            key: key.clone(),
            dispute: self.dispute_at(disputed),
        };
        let accepts = connector.able(|able| able.disputes.accepts.map(|it| it.0));
        accepts.expect("it accepts").accept_dispute(request).await
    }

    /// Returns two texts, if the processor accepts texts, and a file.
    pub fn evidence(&self) -> EvidenceInFull {
        let text = |item, text: &str| EvidenceText {
            item,
            text: text.to_owned(),
            unread: UnreadMembers::default(),
        };
        let mut texts = vec![
            text(EvidenceItem::CustomerEmailAddress, BUYER),
            text(EvidenceItem::UncategorizedText, WORDS),
        ];
        texts.retain(|text| {
            let texts = vec![text.clone()];
            let alone = Evidence {
                texts,
                ..Evidence::default()
            };
            self.challenges().has_places(&alone).is_ok()
        });
        let file = FileInFull {
            item: EvidenceItem::Receipt,
            file_id: FileId::parse("file_1").expect("an id"),
            file_type: FileType::Pdf,
            bytes: RECEIPT.as_bytes().to_vec(),
        };
        EvidenceInFull {
            texts,
            files: vec![file],
        }
    }

    /// Submits [`Bench::evidence`].
    pub async fn challenge(&self, key: &ProcessorKey, disputed: &Disputed) -> Outcome {
        let request = ChallengeDisputeRequest {
            key: key.clone(),
            dispute: self.dispute_at(disputed),
            evidence: self.evidence(),
        };
        self.challenges().challenge_dispute(request).await
    }

    fn challenges(&self) -> &dyn DisputeChallenges {
        let challenges = |able: &Capabilities| able.disputes.challenges.map(|it| it.0);
        self.connector.able(challenges).expect("it challenges")
    }

    /// Asks for the state of a dispute.
    pub async fn find(&self, disputed: &Disputed) -> Result<DisputeNews, UnknownReason> {
        let finds = self.connector.able(|able| able.disputes.finds);
        let finds = finds.expect("it finds");
        finds.find_dispute(self.dispute_at(disputed)).await
    }

    pub async fn dispute_books(&self, disputed: &Disputed) -> DisputeBooks {
        self.subject.dispute_books(&disputed.reference).await
    }

    /// Returns the states of a dispute in their order, each once: those of the notices, or else those
    /// of two look-ups.
    pub async fn states_of(&self, disputed: &Disputed) -> Vec<DisputeNews> {
        if self.subject.secrets().is_some() {
            let mut states = self.states_by_notice(disputed).await;
            states.dedup_by_key(|state| state.status);
            return states;
        }
        let first = self.find(disputed).await.expect("it is known");
        self.subject.passes_a_minute().await;
        let second = self.find(disputed).await.expect("it is known");
        vec![first, second]
    }

    /// Returns the last state in the processor's notices.
    pub async fn state_by_notice(&self, disputed: &Disputed) -> Option<DisputeNews> {
        self.states_by_notice(disputed).await.pop()
    }

    async fn states_by_notice(&self, disputed: &Disputed) -> Vec<DisputeNews> {
        let told = self.notices_of(disputed).await.into_iter();
        told.map(|(_, state)| state).collect()
    }

    /// Returns the states of a dispute in the processor's notices, each with the notice's id.
    pub async fn notices_of(&self, disputed: &Disputed) -> Vec<(String, DisputeNews)> {
        let mut states = Vec::new();
        for raw in self.subject.notices().await {
            assert!(self.is_signed(&raw, self.subject.secrets().as_ref()));
            let notices = self.connector.read_notices(&raw, &self.subject.access());
            for notice in notices.expect("a notice of the processor's") {
                match notice.news {
                    News::Dispute(news) if news.reference == disputed.reference => {
                        states.push((notice.id, *news));
                    }
                    News::Dispute(_)
                    | News::Outcome { .. }
                    | News::Hint { .. }
                    | News::Nothing
                    | News::Unreadable => {}
                }
            }
        }
        states
    }
}
