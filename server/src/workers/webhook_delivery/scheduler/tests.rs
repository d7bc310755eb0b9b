use multirail_kernel::ids::ProfileId;
use multirail_kernel::random::{Random, SeededRandom};

use super::*;

/// Returns an endpoint of a merchant of its own.
fn endpoint(name: &str) -> Endpoint {
    profile(name, name)
}

fn profile(merchant: &str, name: &str) -> Endpoint {
    Endpoint {
        merchant_id: MerchantId::parse(merchant).expect("an id"),
        profile_id: ProfileId::parse(name).expect("an id"),
        endpoint_id: None,
    }
}

/// A scheduler on a clock that is moved by hand.
struct Stage {
    scheduler: Scheduler,
    now: Instant,
}

impl Stage {
    fn new(overall: usize, each: usize) -> Self {
        Stage {
            scheduler: Scheduler::new(overall, each),
            now: Instant::now(),
        }
    }

    fn pass(&mut self, seconds: u64) {
        self.now += Duration::from_secs(seconds);
        self.scheduler.reduce_slow(self.now);
    }

    fn mark_due(&mut self, name: &str) {
        self.scheduler.mark_due(&endpoint(name));
    }

    fn next(&mut self) -> Option<(String, usize)> {
        let (endpoint, slots) = self.scheduler.next_claim()?;
        Some((endpoint.profile_id.to_string(), slots))
    }

    fn claimed(&mut self, name: &str, asked: usize, found: usize) -> Instant {
        self.scheduler
            .claimed(&endpoint(name), asked, found, self.now);
        self.now
    }

    fn ended(&mut self, name: &str, began: Instant, accepted: Option<bool>) {
        let endpoint = endpoint(name);
        self.scheduler
            .attempt_ended(&endpoint, began, accepted, self.now);
    }

    /// Adds an endpoint that accepted a delivery a moment ago and has none under way.
    fn proven(&mut self, name: &str) {
        self.mark_due(name);
        let (found, asked) = self.next().expect("room");
        assert_eq!(found, name);
        let began = self.claimed(name, asked, 1);
        self.ended(name, began, Some(true));
        let (found, asked) = self.next().expect("room");
        assert_eq!(found, name);
        self.claimed(name, asked, 0);
    }

    /// Claims as many as the endpoint gets, all under way; returns how many.
    fn fill(&mut self, name: &str) -> usize {
        self.mark_due(name);
        let mut filled = 0;
        while let Some((found, asked)) = self.next() {
            assert_eq!(found, name);
            self.claimed(name, asked, asked);
            filled += asked;
        }
        filled
    }
}

fn claim(name: &str, slots: usize) -> Option<(String, usize)> {
    Some((name.to_owned(), slots))
}

#[test]
fn each_endpoint_gets_its_share_in_turn() {
    let mut stage = Stage::new(16, 4);
    for name in ["a", "b", "c"] {
        stage.proven(name);
    }
    for name in ["b", "a", "b", "c"] {
        stage.mark_due(name);
    }
    assert_eq!(stage.next(), claim("b", 4));
    assert_eq!(stage.next(), claim("a", 4));
    assert_eq!(stage.next(), claim("c", 4));
    assert_eq!(stage.next(), None);

    // b has more; a has nothing; c had less than it asked for.
    let began = stage.claimed("b", 4, 4);
    stage.claimed("a", 4, 0);
    stage.claimed("c", 4, 1);
    assert_eq!(stage.next(), None, "b has its share on its way");
    stage.ended("b", began, Some(true));
    assert_eq!(stage.next(), claim("b", 1));
    stage.claimed("b", 1, 0);
    stage.ended("c", began, Some(true));
    assert_eq!(stage.next(), claim("c", 4));
}

#[test]
fn an_endpoint_has_one_claim_at_a_time() {
    let mut stage = Stage::new(16, 4);
    stage.proven("a");
    stage.mark_due("a");
    assert_eq!(stage.next(), claim("a", 4));
    stage.mark_due("a");
    assert_eq!(stage.next(), None);
    stage.claimed("a", 4, 1);
    assert_eq!(
        stage.next(),
        claim("a", 3),
        "something became due meanwhile"
    );
}

#[test]
fn an_endpoint_begins_with_a_reduced_limit() {
    let mut stage = Stage::new(100, 8);
    stage.mark_due("a");
    assert_eq!(stage.next(), claim("a", 2));
    let began = stage.claimed("a", 2, 2);
    assert_eq!(stage.next(), None);
    stage.ended("a", began, None);
    assert_eq!(stage.next(), claim("a", 1), "nothing was learned");
    stage.claimed("a", 1, 1);
    stage.ended("a", began, Some(true));
    assert_eq!(stage.next(), claim("a", 7));
}

#[test]
fn failures_in_a_row_reduce_the_limit_until_something_is_accepted() {
    let mut stage = Stage::new(100, 8);
    stage.proven("a");
    stage.mark_due("a");
    assert_eq!(stage.next(), claim("a", 8));
    let began = stage.claimed("a", 8, 8);
    for _ in 0..2 {
        stage.ended("a", began, Some(false));
        assert_eq!(stage.next(), claim("a", 1), "that can happen");
        stage.claimed("a", 1, 1);
    }
    for _ in 0..6 {
        stage.ended("a", began, Some(false));
        assert_eq!(stage.next(), None, "two are enough for it");
    }
    stage.ended("a", began, Some(false));
    assert_eq!(stage.next(), claim("a", 1));
    stage.claimed("a", 1, 1);
    stage.ended("a", began, Some(true));
    assert_eq!(stage.next(), claim("a", 7));
}

#[test]
fn a_slow_attempt_reduces_the_limit_whatever_the_answer() {
    let mut stage = Stage::new(100, 8);
    stage.proven("a");
    stage.mark_due("a");
    assert_eq!(stage.next(), claim("a", 8));
    let began = stage.claimed("a", 8, 7);
    stage.pass(4);
    // While they are still under way, and when they have arrived.
    for _ in 0..5 {
        stage.mark_due("a");
        assert_eq!(stage.next(), None);
        stage.ended("a", began, Some(true));
    }
    stage.ended("a", began, Some(true));
    assert_eq!(stage.next(), claim("a", 1));
    let quick = stage.claimed("a", 1, 1);
    stage.ended("a", quick, Some(true));
    assert_eq!(stage.next(), claim("a", 1), "one of the slow ones is left");
    stage.claimed("a", 1, 0);
    stage.ended("a", began, Some(true));
    assert_eq!(stage.next(), claim("a", 2));
    let quick = stage.claimed("a", 2, 1);
    stage.ended("a", quick, Some(true));
    assert_eq!(stage.next(), claim("a", 8));
}

#[test]
fn endpoints_that_fall_silent_together_leave_slots_to_the_others() {
    let mut stage = Stage::new(256, 16);
    for number in 0..16 {
        stage.proven(&format!("silent_{number}"));
    }
    for name in ["alive", "other"] {
        stage.proven(name);
    }
    let filled: usize = (0..16)
        .map(|number| stage.fill(&format!("silent_{number}")))
        .sum();
    assert_eq!(filled, 208, "the last ones got only their first");
    assert_eq!(stage.fill("alive"), 4, "before anybody knows");
    stage.pass(4);
    assert_eq!(stage.fill("other"), 4);
    assert_eq!(stage.fill("new"), 4, "one that nothing is known of");
}

#[test]
fn dead_endpoints_leave_half_to_the_living() {
    let mut stage = Stage::new(8, 2);
    stage.proven("alive");
    for name in ["a", "b", "c", "d", "e", "f"] {
        stage.mark_due(name);
    }
    for name in ["a", "b", "c", "d"] {
        assert_eq!(stage.next(), claim(name, 1));
    }
    assert_eq!(stage.next(), None, "e and f wait for one of them");
    stage.mark_due("alive");
    assert_eq!(stage.next(), claim("alive", 2));
    stage.claimed("a", 1, 0);
    assert_eq!(stage.next(), claim("e", 1));
}

#[test]
fn a_merchant_with_many_profiles_leaves_half_to_the_others() {
    let mut scheduler = Scheduler::new(64, 8);
    let now = Instant::now();
    let shops: Vec<Endpoint> = (0..20)
        .map(|n| profile("chain", &format!("pro_{n}")))
        .collect();
    shops.iter().for_each(|shop| scheduler.mark_due(shop));
    let mut found = Vec::new();
    while let Some((shop, slots)) = scheduler.next_claim() {
        assert_eq!(slots, 2);
        scheduler.claimed(&shop, slots, slots, now);
        found.push(shop);
    }
    assert_eq!(found.len(), 4, "an eighth, while nothing is known of them");
    // Each accepts its deliveries, and there is more for all of them.
    let mut running: VecDeque<Endpoint> = found.iter().chain(&found).cloned().collect();
    let mut most = 0;
    for _ in 0..1_000 {
        let shop = running.pop_front().expect("something is on its way");
        scheduler.attempt_ended(&shop, now, Some(true), now);
        while let Some((shop, slots)) = scheduler.next_claim() {
            scheduler.claimed(&shop, slots, slots, now);
            running.extend(std::iter::repeat_n(shop, slots));
        }
        most = most.max(running.len());
    }
    assert_eq!(most, 32);
    let other = endpoint("other");
    scheduler.mark_due(&other);
    assert_eq!(scheduler.next_claim(), Some((other, 2)));
}

/// The bounds hold in any order of events, and everything is sent in the end.
#[test]
fn no_endpoint_is_forgotten() {
    let random = SeededRandom::new(7);
    let draw = |below: usize| {
        let mut bytes = [0_u8; 8];
        random.fill(&mut bytes);
        (u64::from_le_bytes(bytes) % below as u64) as usize
    };
    let mut scheduler = Scheduler::new(12, 4);
    let mut now = Instant::now();
    let shops: Vec<Endpoint> = (0..9)
        .map(|n| profile(["one", "two", "six"][n.min(2)], &format!("pro_{n}")))
        .collect();
    let mut queued = [0_usize; 9];
    let mut claims: Vec<(usize, usize)> = Vec::new();
    let mut running: Vec<(usize, Instant)> = Vec::new();
    for round in 0..200_000 {
        // Nothing new towards the end, until all is done.
        let is_over = queued.iter().sum::<usize>() + claims.len() + running.len() == 0;
        if round > 10_000 && is_over {
            break;
        }
        match draw(4) {
            0 if round < 10_000 => {
                let shop = draw(shops.len());
                queued[shop] += 1 + draw(3);
                scheduler.mark_due(&shops[shop]);
            }
            1 if !claims.is_empty() => {
                let (shop, asked) = claims.swap_remove(draw(claims.len()));
                let found = asked.min(queued[shop]);
                queued[shop] -= found;
                running.extend(std::iter::repeat_n((shop, now), found));
                scheduler.claimed(&shops[shop], asked, found, now);
            }
            2 if !running.is_empty() => {
                let (shop, began) = running.swap_remove(draw(running.len()));
                // Three of them mostly don't accept.
                scheduler.attempt_ended(&shops[shop], began, Some(shop > 2 || draw(8) == 0), now);
            }
            3 => {
                now += Duration::from_millis(100);
                scheduler.reduce_slow(now);
            }
            _ => {}
        }
        while let Some((shop, asked)) = scheduler.next_claim() {
            let shop = shops.iter().position(|one| *one == shop).expect("known");
            assert!(claims.iter().all(|(other, _)| *other != shop), "one claim");
            claims.push((shop, asked));
        }
        assert!(running.len() <= 12 && scheduler.load.in_use <= 12);
        assert!(scheduler.load.reduced <= scheduler.load.in_use);
        for shop in 0..shops.len() {
            assert!(running.iter().filter(|(one, _)| *one == shop).count() <= 4);
        }
    }
    assert_eq!(queued, [0; 9]);
    assert_eq!(scheduler.load, Load::default());
    assert!(scheduler.merchants.is_empty());
}

#[test]
fn nothing_is_remembered_of_endpoints_that_accepted_nothing() {
    let mut stage = Stage::new(8, 4);
    stage.mark_due("a");
    assert_eq!(stage.next(), claim("a", 1));
    let began = stage.claimed("a", 1, 1);
    stage.ended("a", began, Some(false));
    assert_eq!(stage.next(), claim("a", 1));
    stage.claimed("a", 1, 0);
    assert!(stage.scheduler.endpoints.is_empty() && stage.scheduler.merchants.is_empty());
    assert_eq!(stage.scheduler.load, Load::default());
    // The number of remembered others is bounded.
    for number in 0..REMEMBERED + 10 {
        stage.proven(&format!("pro_{number}"));
    }
    assert_eq!(stage.scheduler.endpoints.len(), REMEMBERED);
    assert!(stage.scheduler.merchants.is_empty());
}
