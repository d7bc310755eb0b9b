//! What processors tell unasked.

use multirail_domain::connector::{NoticeRefusal, Outcome};

use crate::suite::bench::{Bench, done_for};

pub async fn what_is_told_is_what_happened(bench: Bench) {
    for asked in bench.one_of_each().await {
        done_for(bench.finish(&asked).await, asked.money);
        if let Some(told) = bench.told(&asked).await {
            match told {
                Outcome::Done(_) => done_for(told, asked.money),
                other => panic!("{asked:?}: {other:?}"),
            };
        }
    }
    assert!(!bench.subject.notices().await.is_empty());
}

pub async fn nobody_else_can_tell(bench: Bench) {
    for asked in bench.one_of_each().await {
        bench.finish(&asked).await;
    }
    let read = |raw: &_, secrets: Option<&_>| {
        let access = bench.subject.access();
        let now = bench.subject.now();
        bench.connector.read_notices(raw, &access, secrets, now)
    };
    let secrets = bench.subject.secrets();
    for raw in bench.subject.notices().await {
        let notices = read(&raw, secrets.as_ref()).expect("the processor's own");
        let again = read(&raw, secrets.as_ref()).expect("the same again");
        assert_eq!(notices, again, "what is repeated is the same notice");
        let refused = Err(NoticeRefusal::NotVerified);
        assert_eq!(
            read(&raw, None),
            refused,
            "without a secret nothing is proved"
        );

        // Amounts are signed by every processor.
        let mut forged = raw.clone();
        let text = String::from_utf8(forged.body).expect("text");
        if text.contains("6540") {
            forged.body = text.replace("6540", "6541").into_bytes();
            assert_eq!(read(&forged, secrets.as_ref()), refused);
        }
    }
}
