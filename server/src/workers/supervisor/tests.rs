//! Workers that simulate work. Time moves only when everything waits for it.

use std::collections::VecDeque;
use std::sync::Mutex;

use insta::assert_debug_snapshot;
use metrics_exporter_prometheus::PrometheusBuilder;

use super::super::tasks::Tasks;
use super::*;

/// The course of one start.
#[derive(Clone, Copy)]
enum Run {
    PanicsAfter(u64),
    EndsAfter(u64),
    /// Runs until the stop signal, and takes so many seconds then.
    StopsWithin(u64),
    PanicsWhenStopped,
    NeverStops,
}

struct Stage {
    began: Instant,
    runs: Mutex<VecDeque<Run>>,
    /// The second of each start.
    starts: Mutex<Vec<u64>>,
    /// The second in which a run finished after the stop signal.
    finished: Mutex<Option<u64>>,
}

impl Stage {
    fn second(&self) -> u64 {
        self.began.elapsed().as_secs()
    }

    fn starts(&self) -> Vec<u64> {
        self.starts.lock().unwrap().clone()
    }
}

async fn pretend(stage: Arc<Stage>, mut stopped: watch::Receiver<bool>) {
    stage.starts.lock().unwrap().push(stage.second());
    let run = stage.runs.lock().unwrap().pop_front();
    match run.expect("a further start") {
        Run::PanicsAfter(seconds) => {
            assert!(
                !pause(Duration::from_secs(seconds), &mut stopped).await,
                "a fault of ours"
            );
        }
        Run::EndsAfter(seconds) => {
            pause(Duration::from_secs(seconds), &mut stopped).await;
        }
        Run::StopsWithin(seconds) => {
            let _ = stopped.wait_for(|stop| *stop).await;
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            *stage.finished.lock().unwrap() = Some(stage.second());
        }
        Run::PanicsWhenStopped => {
            let _ = stopped.wait_for(|stop| *stop).await;
            panic!("a fault while it stops");
        }
        Run::NeverStops => std::future::pending().await,
    }
}

/// A worker under its supervisor.
struct Supervised {
    stage: Arc<Stage>,
    health: Arc<WorkerHealth>,
    stop: Option<watch::Sender<bool>>,
    supervisor: JoinHandle<()>,
}

impl Supervised {
    fn start(runs: impl IntoIterator<Item = Run>) -> Self {
        let stage = Arc::new(Stage {
            began: Instant::now(),
            runs: Mutex::new(runs.into_iter().collect()),
            starts: Mutex::default(),
            finished: Mutex::default(),
        });
        let health = Arc::<WorkerHealth>::default();
        let (stop, stopped) = watch::channel(false);
        let supervisor = Supervisor {
            worker: Worker::new("pretend", &stage, pretend),
            health: Arc::clone(&health),
            stopped,
            patience: Duration::from_secs(40),
        };
        Supervised {
            stage,
            health,
            stop: Some(stop),
            supervisor: supervisor.start(),
        }
    }

    /// Waits until half a second after this one.
    async fn until(&self, second: u64) {
        let half = Duration::from_millis(500);
        tokio::time::sleep_until(self.stage.began + Duration::from_secs(second) + half).await;
    }

    fn status(&self) -> WorkerStatus {
        let all = self.health.all();
        assert_eq!((all.len(), all[0].0), (1, "pretend"));
        all[0].1
    }

    /// Stops the worker; returns the second in which it has stopped.
    async fn stops(self) -> u64 {
        let stop = self.stop.expect("a stop signal");
        stop.send(true).expect("somebody listens");
        self.supervisor.await.expect("a supervisor doesn't panic");
        self.stage.second()
    }
}

/// Runs `story` and returns the metrics that were counted meanwhile.
async fn counted(story: impl Future<Output = ()>) -> Vec<String> {
    let recorder = PrometheusBuilder::new().build_recorder();
    let figures = recorder.handle();
    let _guard = metrics::set_default_local_recorder(&recorder);
    story.await;
    let text = figures.render();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.retain(|line| line.starts_with("multirail_worker_failures_total"));
    lines.sort();
    lines
}

#[tokio::test(start_paused = true)]
async fn a_worker_that_panics_twice_runs_in_the_end() {
    let figures = counted(async {
        let runs = [
            Run::PanicsAfter(0),
            Run::PanicsAfter(0),
            Run::StopsWithin(0),
        ];
        let worker = Supervised::start(runs);
        worker.until(0).await;
        assert_eq!(worker.status(), WorkerStatus::Restarting);
        // It runs again, as it did before it failed.
        worker.until(10).await;
        assert_eq!(worker.stage.starts(), [0, 1, 3]);
        assert_eq!(worker.status(), WorkerStatus::Restarting);
        worker.until(62).await;
        assert_eq!(worker.status(), WorkerStatus::Restarting);
        worker.until(63).await;
        assert_eq!(worker.status(), WorkerStatus::Ready);
        assert_eq!(worker.stops().await, 63);
    });
    assert_debug_snapshot!(figures.await, @r#"
    [
        "multirail_worker_failures_total{worker=\"pretend\",kind=\"ended\"} 0",
        "multirail_worker_failures_total{worker=\"pretend\",kind=\"panicked\"} 2",
    ]
    "#);
}

#[tokio::test(start_paused = true)]
async fn a_worker_that_ends_too_early_is_started_again() {
    let figures = counted(async {
        let worker = Supervised::start([Run::EndsAfter(5), Run::StopsWithin(0)]);
        worker.until(4).await;
        assert_eq!(worker.status(), WorkerStatus::Ready);
        worker.until(5).await;
        assert_eq!(worker.status(), WorkerStatus::Restarting);
        worker.until(6).await;
        assert_eq!(worker.stage.starts(), [0, 6]);
        worker.stops().await;
    });
    assert_debug_snapshot!(figures.await, @r#"
    [
        "multirail_worker_failures_total{worker=\"pretend\",kind=\"ended\"} 1",
        "multirail_worker_failures_total{worker=\"pretend\",kind=\"panicked\"} 0",
    ]
    "#);
}

#[tokio::test(start_paused = true)]
async fn pauses_grow_to_a_minute_and_are_short_again_after_a_good_run() {
    let bad = std::iter::repeat_n(Run::PanicsAfter(0), 8);
    let good = [
        Run::PanicsAfter(60),
        Run::PanicsAfter(59),
        Run::StopsWithin(0),
    ];
    let worker = Supervised::start(bad.chain(good));
    worker.until(1000).await;
    let starts = worker.stage.starts();
    let between: Vec<u64> = starts.windows(2).map(|two| two[1] - two[0]).collect();
    // The last two are a run of 60 seconds with a pause of one, and a run of 59 with a pause of two.
    assert_eq!(between, [1, 2, 4, 8, 16, 32, 60, 60, 61, 61]);
    worker.stops().await;
}

#[tokio::test(start_paused = true)]
async fn a_stop_ends_a_pause() {
    let worker = Supervised::start([Run::PanicsAfter(0); 5]);
    worker.until(7).await;
    let stage = Arc::clone(&worker.stage);
    assert_eq!(worker.stops().await, 7);
    assert_eq!(stage.starts(), [0, 1, 3, 7]);
}

#[tokio::test(start_paused = true)]
async fn a_stop_lets_a_worker_finish_what_it_does() {
    let worker = Supervised::start([Run::StopsWithin(30)]);
    worker.until(9).await;
    let stage = Arc::clone(&worker.stage);
    assert_eq!(worker.stops().await, 39);
    assert_eq!(*stage.finished.lock().unwrap(), Some(39));
}

#[tokio::test(start_paused = true)]
async fn a_worker_that_does_not_stop_is_cut_off() {
    let worker = Supervised::start([Run::NeverStops]);
    worker.until(9).await;
    let stage = Arc::clone(&worker.stage);
    assert_eq!(worker.stops().await, 49);
    // The worker's state is dropped: only this test holds the stage now.
    tokio::task::yield_now().await;
    assert_eq!(Arc::strong_count(&stage), 1);
}

#[tokio::test(start_paused = true)]
async fn a_panic_during_a_stop_is_counted_and_starts_nothing() {
    let figures = counted(async {
        let worker = Supervised::start([Run::PanicsWhenStopped]);
        worker.until(9).await;
        let stage = Arc::clone(&worker.stage);
        assert_eq!(worker.stops().await, 9);
        assert_eq!(stage.starts(), [0]);
    });
    assert_debug_snapshot!(figures.await, @r#"
    [
        "multirail_worker_failures_total{worker=\"pretend\",kind=\"ended\"} 0",
        "multirail_worker_failures_total{worker=\"pretend\",kind=\"panicked\"} 1",
    ]
    "#);
}

/// As when a server is dropped without being closed.
#[tokio::test(start_paused = true)]
async fn a_worker_without_a_stop_sender_stops() {
    let mut worker = Supervised::start([Run::EndsAfter(100), Run::StopsWithin(0)]);
    worker.until(9).await;
    worker.stop = None;
    worker.supervisor.await.expect("no panic");
    assert_eq!(worker.stage.starts(), [0]);
}

#[tokio::test(start_paused = true)]
async fn what_a_loop_has_begun_is_finished_when_the_loop_panics() {
    async fn fails(finished: Arc<Mutex<u32>>, _: watch::Receiver<bool>) {
        let mut tasks = Tasks::default();
        let once = Arc::clone(&finished);
        tasks.spawn(async move {
            tokio::time::sleep(Duration::from_secs(20)).await;
            *once.lock().unwrap() += 1;
        });
        tokio::task::yield_now().await;
        panic!("a fault of the loop");
    }
    let finished = Arc::new(Mutex::new(0));
    let (_stop, stopped) = watch::channel(false);
    let supervisor = Supervisor {
        worker: Worker::new("pretend", &finished, fails),
        health: Arc::default(),
        stopped,
        patience: Duration::ZERO,
    };
    supervisor.start();
    tokio::time::sleep(Duration::from_millis(20_500)).await;
    assert_eq!(*finished.lock().unwrap(), 1, "of the first start");
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(*finished.lock().unwrap(), 3, "of the starts at 1 and at 3");
}
