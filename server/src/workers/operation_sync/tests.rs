//! The loop over simulated operations. Time moves only when everything waits for it.

use std::collections::BTreeMap;
use std::sync::Mutex;

use metrics_exporter_prometheus::PrometheusBuilder;
use multirail_app::operations::ports::open_operations::OpenObject;
use multirail_app::payments::ports::PAYMENT;
use multirail_kernel::ids::{MerchantId, ProcessorKey};
use multirail_kernel::timestamp::Timestamp;
use tokio::time::Instant;

use super::*;

const LEASE: Duration = Duration::from_secs(40);

/// Operations with the moment from which they can be claimed. The first question about `mrk_panics` panics.
struct Pretended {
    open: Mutex<BTreeMap<&'static str, Instant>>,
    asked: Mutex<Vec<(u64, String)>>,
    began: Instant,
}

#[async_trait]
impl Syncs for Pretended {
    async fn claim(&self, room: Room) -> Result<Vec<ClaimedOperation>, AppError> {
        let (mut open, now) = (self.open.lock().unwrap(), Instant::now());
        let due = open.iter_mut().filter(|(_, free_at)| **free_at <= now);
        let claim = |(key, free_at): (&&'static str, &mut Instant)| {
            *free_at = now + LEASE;
            ClaimedOperation {
                merchant_id: MerchantId::parse("bookshop").unwrap(),
                processor_key: ProcessorKey::parse(key).unwrap(),
                object: OpenObject::new(PAYMENT, "pay_1"),
                connector: "fauxpay".to_owned(),
                fence: 1,
                put_off_to: Timestamp::EPOCH,
            }
        };
        Ok(due.take(room.free).map(claim).collect())
    }

    async fn ask(&self, claimed: &ClaimedOperation) -> Result<(), AppError> {
        let key = claimed.processor_key.to_string();
        let is_first = {
            let mut asked = self.asked.lock().unwrap();
            asked.push((self.began.elapsed().as_secs(), key.clone()));
            asked.iter().filter(|(_, other)| *other == key).count() == 1
        };
        assert!(!is_first || key != "mrk_panics", "a fault of ours");
        self.open.lock().unwrap().remove(key.as_str());
        Ok(())
    }

    async fn measure(&self) {}
}

#[tokio::test(start_paused = true)]
async fn a_question_that_panics_is_counted_and_put_again_after_its_lease() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let figures = recorder.handle();
    let _guard = metrics::set_default_local_recorder(&recorder);
    let now = Instant::now();
    let pretended = Arc::new(Pretended {
        open: Mutex::new([("mrk_panics", now), ("mrk_fine", now)].into()),
        asked: Mutex::default(),
        began: now,
    });
    let (stop, stopped) = watch::channel(false);
    let running = tokio::spawn(work(Arc::clone(&pretended), stopped));
    tokio::time::sleep(LEASE * 2).await;
    stop.send(true).expect("it listens");
    running.await.expect("the loop goes on");

    assert!(pretended.open.lock().unwrap().is_empty(), "nothing is lost");
    let asked = pretended.asked.lock().unwrap().clone();
    let asked: Vec<String> = asked
        .iter()
        .map(|(second, key)| format!("{second} {key}"))
        .collect();
    assert_eq!(asked, ["0 mrk_fine", "0 mrk_panics", "40 mrk_panics"]);
    let text = figures.render();
    let mut counted: Vec<&str> = text.lines().collect();
    counted.retain(|line| line.contains("panics_total{") || line.contains("operations_total{"));
    counted.sort_unstable();
    let expected = [
        r#"multirail_operation_sync_operations_total{result="failed"} 1"#,
        r#"multirail_operation_sync_operations_total{result="ok"} 2"#,
        r#"multirail_worker_task_panics_total{worker="operation_sync"} 1"#,
    ];
    assert_eq!(counted, expected);
}
