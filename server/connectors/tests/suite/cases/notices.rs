//! Cases of notices.

use multirail_kernel::secret::SecretText;
use multirail_sdk::connector::{Outcome, WebhookSecrets};

use crate::suite::bench::{Bench, done_for};

pub async fn notices_match_the_books(bench: Bench) {
    for asked in bench.one_of_each().await {
        done_for(bench.finish(&asked).await, asked.money);
        if let Some(told) = bench.outcome_by_notice(&asked).await {
            match told {
                Outcome::Done(_) => done_for(told, asked.money),
                other => panic!("{asked:?}: {other:?}"),
            };
        }
    }
    assert!(!bench.subject.notices().await.is_empty());
}

pub async fn forged_notices_are_rejected(bench: Bench) {
    for asked in bench.one_of_each().await {
        bench.finish(&asked).await;
    }
    let secrets = bench.subject.secrets();
    let read = |raw: &_| {
        let access = bench.subject.access();
        bench
            .connector
            .read_notices(raw, &access)
            .expect("readable")
    };
    for raw in bench.subject.notices().await {
        assert!(
            bench.is_signed(&raw, secrets.as_ref()),
            "the processor's own"
        );
        let replaced = secrets.clone().map(|own| WebhookSecrets {
            merchant_secret: SecretText::new("6e657874"),
            additional_secret: Some(own.merchant_secret.clone()),
            ..own
        });
        assert!(
            bench.is_signed(&raw, replaced.as_ref()),
            "while the secret is replaced"
        );
        assert_eq!(
            read(&raw),
            read(&raw),
            "what is repeated is the same notice"
        );
        let is_proved = bench.is_signed(&raw, None);
        assert!(!is_proved, "without a secret nothing is proved");

        // Every processor signs amounts.
        let mut forged = raw.clone();
        let text = String::from_utf8(forged.body).expect("text");
        if text.contains("6540") {
            forged.body = text.replace("6540", "6541").into_bytes();
            assert!(!bench.is_signed(&forged, secrets.as_ref()));
        }
    }
}
