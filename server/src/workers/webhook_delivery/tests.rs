//! The loop over simulated deliveries, on a clock that moves only when every task waits for it.

use std::collections::BTreeMap;
use std::sync::Mutex;

use metrics_exporter_prometheus::PrometheusBuilder;
use multirail_app::webhooks::events::DeliveryNotifier;
use multirail_app::webhooks::ports::events::StoredEvent;
use multirail_domain::webhooks::webhook::DeliveryKind;
use multirail_kernel::event::EventType;
use multirail_kernel::ids::{EventId, MerchantId, ProfileId};
use multirail_kernel::timestamp::Timestamp;
use tokio::sync::Semaphore;

use super::*;

/// Just below the time limit.
const SLOW: Duration = Duration::from_secs(29);

const LEASE: Duration = Duration::from_secs(10);

/// Simulated endpoints, by their names:
///
/// - `dead` ones never answer
/// - `broken` ones refuse
/// - `slow` ones answer late
/// - the store is slow for `far` ones
/// - the first attempt for `panics` panics
/// - all others accept
struct Pretended {
    wake: DeliveryNotifier,
    queued: Mutex<BTreeMap<Endpoint, Vec<Claimed>>>,
    /// The claims of attempts that panicked, and when their lease ends.
    leased: Mutex<Vec<(Instant, Claimed)>>,
    delivered: Mutex<Vec<String>>,
    busiest: Mutex<BTreeMap<Endpoint, usize>>,
    running: Mutex<BTreeMap<Endpoint, usize>>,
    /// One permit for each delivery that has ended.
    ended: Semaphore,
}

impl Pretended {
    fn new() -> Arc<Self> {
        Arc::new(Pretended {
            wake: DeliveryNotifier::default(),
            queued: Mutex::default(),
            leased: Mutex::default(),
            delivered: Mutex::default(),
            busiest: Mutex::default(),
            running: Mutex::default(),
            ended: Semaphore::new(0),
        })
    }

    fn queue(&self, profile: &str, events: usize) {
        let endpoint = endpoint(profile);
        let mut queued = self.queued.lock().expect("a lock");
        let queue = queued.entry(endpoint.clone()).or_default();
        queue.extend((0..events).map(|number| claimed(&endpoint, number)));
    }

    /// Queues deliveries whose lease has expired, as the first retry.
    fn end_lapsed_leases(&self) {
        let now = Instant::now();
        let mut leased = self.leased.lock().expect("a lock");
        for (_, mut one) in leased.extract_if(.., |(until, _)| *until <= now) {
            one.retries_done = 1;
            let mut queued = self.queued.lock().expect("a lock");
            queued.entry(one.event.endpoint()).or_default().push(one);
        }
    }

    async fn wait_for(&self, deliveries: u32) {
        let permits = self.ended.acquire_many(deliveries).await;
        permits.expect("open").forget();
    }

    fn delivered_to(&self, profile: &str) -> usize {
        let delivered = self.delivered.lock().expect("a lock");
        delivered.iter().filter(|one| *one == profile).count()
    }
}

/// Returns an endpoint of a merchant of its own.
fn endpoint(profile: &str) -> Endpoint {
    Endpoint {
        merchant_id: MerchantId::parse(profile).expect("an id"),
        profile_id: ProfileId::parse(profile).expect("an id"),
        endpoint_id: None,
    }
}

fn claimed(endpoint: &Endpoint, number: usize) -> Claimed {
    Claimed {
        event: StoredEvent {
            merchant_id: endpoint.merchant_id.clone(),
            event_id: EventId::parse(&format!("evt_{number}")).expect("an id"),
            profile_id: endpoint.profile_id.clone(),
            event_type: EventType::PaymentSucceeded,
            object_id: "pay_1".to_owned(),
            endpoint_id: None,
            is_delivered: None,
            created_at: Timestamp::EPOCH,
        },
        body: String::new(),
        kind: DeliveryKind::InitialAttempt,
        retries_done: 0,
        first_failed_at: None,
        fence: 1,
        queued_at: Timestamp::EPOCH,
        lease_until: Timestamp::EPOCH,
    }
}

#[async_trait]
impl Deliveries for Pretended {
    async fn notified_endpoints(&self) -> BTreeSet<Endpoint> {
        self.wake.notified_endpoints().await
    }

    async fn due(&self) -> Result<Vec<Endpoint>, StoreFailure> {
        self.end_lapsed_leases();
        let queued = self.queued.lock().expect("a lock");
        let due = queued.iter().filter(|(_, events)| !events.is_empty());
        Ok(due.map(|(endpoint, _)| endpoint.clone()).collect())
    }

    async fn claim(&self, endpoint: &Endpoint, limit: usize) -> Result<Vec<Claimed>, StoreFailure> {
        if endpoint.profile_id.as_str() == "far" {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        let mut queued = self.queued.lock().expect("a lock");
        let events = queued.entry(endpoint.clone()).or_default();
        let many = limit.min(events.len());
        Ok(events.drain(..many).collect())
    }

    async fn deliver(&self, claimed: Claimed) -> Result<DeliveryOutcome, StoreFailure> {
        let endpoint = endpoint(claimed.event.profile_id.as_str());
        {
            let mut running = self.running.lock().expect("a lock");
            let now = running.entry(endpoint.clone()).or_default();
            *now += 1;
            let mut busiest = self.busiest.lock().expect("a lock");
            let most = busiest.entry(endpoint.clone()).or_default();
            *most = (*most).max(*now);
        }
        let profile = claimed.event.profile_id.as_str();
        match profile {
            "dead" => std::future::pending::<()>().await,
            _ if profile.starts_with("slow") => tokio::time::sleep(SLOW).await,
            "panics" if claimed.retries_done == 0 => {
                let lease = (Instant::now() + LEASE, claimed.clone());
                self.leased.lock().expect("a lock").push(lease);
                panic!("a fault of ours");
            }
            _ => tokio::task::yield_now().await,
        }
        *self
            .running
            .lock()
            .expect("a lock")
            .entry(endpoint)
            .or_default() -= 1;
        self.delivered
            .lock()
            .expect("a lock")
            .push(profile.to_owned());
        self.ended.add_permits(1);
        Ok(if profile == "broken" {
            DeliveryOutcome::Failed
        } else {
            DeliveryOutcome::Delivered
        })
    }

    async fn release(&self, claimed: &[Claimed]) -> Result<(), StoreFailure> {
        let mut queued = self.queued.lock().expect("a lock");
        for one in claimed {
            let queue = queued.entry(one.event.endpoint()).or_default();
            queue.push(one.clone());
        }
        Ok(())
    }

    async fn measure(&self) {}
}

fn start(work: &Arc<Pretended>, overall: usize, each: usize) -> watch::Sender<bool> {
    let (stop, stopped) = watch::channel(false);
    let dispatcher = Dispatcher::new(Arc::clone(work), Scheduler::new(overall, each));
    tokio::spawn(dispatcher.run(stopped));
    stop
}

#[tokio::test(start_paused = true)]
async fn a_dead_endpoint_delays_no_other() {
    let work = Pretended::new();
    work.queue("dead", 500);
    work.queue("alive", 500);
    work.queue("other", 100);
    let _stop = start(&work, 32, 8);
    work.wait_for(600).await;
    assert_eq!(work.delivered_to("alive"), 500);
    assert_eq!(work.delivered_to("other"), 100);
    let busiest = work.busiest.lock().expect("a lock");
    assert_eq!(
        busiest[&endpoint("dead")],
        2,
        "nothing was ever taken there"
    );
    assert!(busiest[&endpoint("alive")] <= 8);
}

/// Their answers are good, and come just before the time limit.
#[tokio::test(start_paused = true)]
async fn slow_endpoints_delay_no_other_whatever_their_number() {
    let work = Pretended::new();
    for number in 0..16 {
        work.queue(&format!("slow_{number}"), 100);
    }
    let _stop = start(&work, 256, 16);
    tokio::time::sleep(SLOW * 2 + POLL_EVERY).await;
    let before = Instant::now();
    work.queue("alive", 500);
    let slow = work.delivered.lock().expect("a lock").len();
    work.ended.forget_permits(slow);
    work.wait_for(500).await;
    assert!(before.elapsed() <= POLL_EVERY, "{:?}", before.elapsed());
    let busiest = work.busiest.lock().expect("a lock");
    assert_eq!(busiest[&endpoint("slow_7")], 4);
    assert_eq!(busiest[&endpoint("alive")], 16);
}

#[tokio::test(start_paused = true)]
async fn what_is_queued_here_is_sent_at_once() {
    let work = Pretended::new();
    let _stop = start(&work, 32, 8);
    // The first poll is over, the next one is half a second away.
    tokio::time::sleep(Duration::from_millis(1)).await;
    let before = Instant::now();
    work.queue("alive", 3);
    work.wake.notify(endpoint("alive"));
    work.wait_for(3).await;
    assert_eq!(before.elapsed(), Duration::ZERO, "no look was waited for");
    // The poll finds deliveries that another server queued, or that are due again.
    work.queue("other", 1);
    work.wait_for(1).await;
    assert!(before.elapsed() <= POLL_EVERY);
}

#[tokio::test(start_paused = true)]
async fn a_panic_costs_no_slot_and_its_event_comes_again_with_the_end_of_its_lease() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let figures = recorder.handle();
    let _guard = metrics::set_default_local_recorder(&recorder);
    let work = Pretended::new();
    work.queue("panics", 50);
    work.queue("alive", 50);
    let _stop = start(&work, 4, 2);
    work.wait_for(50).await;
    assert_eq!(work.delivered_to("alive"), 50);
    tokio::time::sleep(POLL_EVERY * 2).await;
    assert_eq!(work.delivered_to("panics"), 0);
    let panics = "multirail_worker_task_panics_total{worker=\"webhook_delivery\"} 50";
    assert!(figures.render().contains(panics), "{}", figures.render());
    work.wait_for(50).await;
    assert_eq!(work.delivered_to("panics"), 50);
}

#[tokio::test(start_paused = true)]
async fn a_stop_waits_for_what_is_on_its_way_but_not_for_ever() {
    let work = Pretended::new();
    work.queue("dead", 1);
    let (stop, stopped) = watch::channel(false);
    let dispatcher = Dispatcher::new(Arc::clone(&work), Scheduler::new(4, 2));
    let running = tokio::spawn(dispatcher.run(stopped));
    tokio::time::sleep(Duration::from_millis(1)).await;
    let before = Instant::now();
    stop.send(true).expect("it listens");
    running.await.expect("it ends");
    assert_eq!(before.elapsed(), STOP_PATIENCE);
}

#[tokio::test(start_paused = true)]
async fn what_is_claimed_while_it_stops_is_given_back() {
    let work = Pretended::new();
    work.queue("far", 3);
    let (stop, stopped) = watch::channel(false);
    let dispatcher = Dispatcher::new(Arc::clone(&work), Scheduler::new(4, 2));
    let running = tokio::spawn(dispatcher.run(stopped));
    tokio::time::sleep(Duration::from_millis(1)).await;
    stop.send(true).expect("it listens");
    running.await.expect("it ends");
    assert_eq!(work.delivered_to("far"), 0);
    let queued = work.queued.lock().expect("a lock");
    assert_eq!(queued[&endpoint("far")].len(), 3);
}
