use multirail_domain::ids::ProfileId;
use multirail_domain::random::{Random, SeededRandom};

use super::*;

/// Each of a merchant of its own.
fn endpoint(name: &str) -> Endpoint {
    profile(name, name)
}

fn profile(merchant: &str, name: &str) -> Endpoint {
    Endpoint {
        merchant_id: MerchantId::parse(merchant).expect("an id"),
        profile_id: ProfileId::parse(name).expect("an id"),
    }
}

/// A board at a moment that only moves when it is told to.
struct Stage {
    board: Board,
    now: Instant,
}

impl Stage {
    fn new(overall: usize, each: usize) -> Self {
        Stage {
            board: Board::new(overall, each),
            now: Instant::now(),
        }
    }

    fn pass(&mut self, seconds: u64) {
        self.now += Duration::from_secs(seconds);
        self.board.notice(self.now);
    }

    fn hint(&mut self, name: &str) {
        self.board.hint(&endpoint(name));
    }

    fn next(&mut self) -> Option<(String, usize)> {
        let (endpoint, slots) = self.board.next()?;
        Some((endpoint.profile_id.to_string(), slots))
    }

    fn claimed(&mut self, name: &str, asked: usize, found: usize) -> Instant {
        self.board.claimed(&endpoint(name), asked, found, self.now);
        self.now
    }

    fn ended(&mut self, name: &str, began: Instant, taken_in: Option<bool>) {
        let endpoint = endpoint(name);
        self.board.ended(&endpoint, began, taken_in, self.now);
    }

    /// An endpoint that took something a moment ago and for which nothing is on its way.
    fn proven(&mut self, name: &str) {
        self.hint(name);
        let (found, asked) = self.next().expect("room");
        assert_eq!(found, name);
        let began = self.claimed(name, asked, 1);
        self.ended(name, began, Some(true));
        let (found, asked) = self.next().expect("room");
        assert_eq!(found, name);
        self.claimed(name, asked, 0);
    }

    /// As many as it gets, all on their way.
    fn fill(&mut self, name: &str) -> usize {
        self.hint(name);
        let mut taken = 0;
        while let Some((found, asked)) = self.next() {
            assert_eq!(found, name);
            self.claimed(name, asked, asked);
            taken += asked;
        }
        taken
    }
}

fn turn(name: &str, slots: usize) -> Option<(String, usize)> {
    Some((name.to_owned(), slots))
}

#[test]
fn each_endpoint_gets_its_share_in_turn() {
    let mut stage = Stage::new(16, 4);
    for name in ["a", "b", "c"] {
        stage.proven(name);
    }
    for name in ["b", "a", "b", "c"] {
        stage.hint(name);
    }
    assert_eq!(stage.next(), turn("b", 4));
    assert_eq!(stage.next(), turn("a", 4));
    assert_eq!(stage.next(), turn("c", 4));
    assert_eq!(stage.next(), None);

    // b has more; a has nothing; c had less than it asked for.
    let began = stage.claimed("b", 4, 4);
    stage.claimed("a", 4, 0);
    stage.claimed("c", 4, 1);
    assert_eq!(stage.next(), None, "b has its share on its way");
    stage.ended("b", began, Some(true));
    assert_eq!(stage.next(), turn("b", 1));
    stage.claimed("b", 1, 0);
    stage.ended("c", began, Some(true));
    assert_eq!(stage.next(), turn("c", 4));
}

#[test]
fn nobody_claims_twice_for_one_endpoint() {
    let mut stage = Stage::new(16, 4);
    stage.proven("a");
    stage.hint("a");
    assert_eq!(stage.next(), turn("a", 4));
    stage.hint("a");
    assert_eq!(stage.next(), None);
    stage.claimed("a", 4, 1);
    assert_eq!(stage.next(), turn("a", 3), "it was hinted meanwhile");
}

#[test]
fn an_endpoint_begins_with_little_until_something_is_taken() {
    let mut stage = Stage::new(100, 8);
    stage.hint("a");
    assert_eq!(stage.next(), turn("a", 2));
    let began = stage.claimed("a", 2, 2);
    assert_eq!(stage.next(), None);
    stage.ended("a", began, None);
    assert_eq!(stage.next(), turn("a", 1), "nothing was learned");
    stage.claimed("a", 1, 1);
    stage.ended("a", began, Some(true));
    assert_eq!(stage.next(), turn("a", 7));
}

#[test]
fn whoever_fails_again_and_again_is_narrowed_until_something_is_taken() {
    let mut stage = Stage::new(100, 8);
    stage.proven("a");
    stage.hint("a");
    assert_eq!(stage.next(), turn("a", 8));
    let began = stage.claimed("a", 8, 8);
    for _ in 0..2 {
        stage.ended("a", began, Some(false));
        assert_eq!(stage.next(), turn("a", 1), "that can happen");
        stage.claimed("a", 1, 1);
    }
    for _ in 0..6 {
        stage.ended("a", began, Some(false));
        assert_eq!(stage.next(), None, "two are enough for it");
    }
    stage.ended("a", began, Some(false));
    assert_eq!(stage.next(), turn("a", 1));
    stage.claimed("a", 1, 1);
    stage.ended("a", began, Some(true));
    assert_eq!(stage.next(), turn("a", 7));
}

#[test]
fn whoever_takes_long_is_narrowed_whatever_it_answers() {
    let mut stage = Stage::new(100, 8);
    stage.proven("a");
    stage.hint("a");
    assert_eq!(stage.next(), turn("a", 8));
    let began = stage.claimed("a", 8, 7);
    stage.pass(4);
    // While they are still on their way, and when they have arrived.
    for _ in 0..5 {
        stage.hint("a");
        assert_eq!(stage.next(), None);
        stage.ended("a", began, Some(true));
    }
    stage.ended("a", began, Some(true));
    assert_eq!(stage.next(), turn("a", 1));
    let quick = stage.claimed("a", 1, 1);
    stage.ended("a", quick, Some(true));
    assert_eq!(stage.next(), turn("a", 1), "one of the slow ones is left");
    stage.claimed("a", 1, 0);
    stage.ended("a", began, Some(true));
    assert_eq!(stage.next(), turn("a", 2));
    let quick = stage.claimed("a", 2, 1);
    stage.ended("a", quick, Some(true));
    assert_eq!(stage.next(), turn("a", 8));
}

#[test]
fn those_that_fall_silent_together_leave_something_to_everybody() {
    let mut stage = Stage::new(256, 16);
    for number in 0..16 {
        stage.proven(&format!("silent_{number}"));
    }
    for name in ["alive", "other"] {
        stage.proven(name);
    }
    let taken: usize = (0..16)
        .map(|number| stage.fill(&format!("silent_{number}")))
        .sum();
    assert_eq!(taken, 208, "the last ones got only their first");
    assert_eq!(stage.fill("alive"), 4, "before anybody knows");
    stage.pass(4);
    assert_eq!(stage.fill("other"), 4);
    assert_eq!(stage.fill("new"), 4, "one that nothing is known of");
}

#[test]
fn the_dead_leave_half_to_the_living() {
    let mut stage = Stage::new(8, 2);
    stage.proven("alive");
    for name in ["a", "b", "c", "d", "e", "f"] {
        stage.hint(name);
    }
    for name in ["a", "b", "c", "d"] {
        assert_eq!(stage.next(), turn(name, 1));
    }
    assert_eq!(stage.next(), None, "e and f wait for one of them");
    stage.hint("alive");
    assert_eq!(stage.next(), turn("alive", 2));
    stage.claimed("a", 1, 0);
    assert_eq!(stage.next(), turn("e", 1));
}

#[test]
fn a_merchant_with_many_profiles_leaves_half_to_the_others() {
    let mut board = Board::new(64, 8);
    let now = Instant::now();
    let shops: Vec<Endpoint> = (0..20)
        .map(|n| profile("chain", &format!("pro_{n}")))
        .collect();
    shops.iter().for_each(|shop| board.hint(shop));
    let mut found = Vec::new();
    while let Some((shop, slots)) = board.next() {
        assert_eq!(slots, 2);
        board.claimed(&shop, slots, slots, now);
        found.push(shop);
    }
    assert_eq!(found.len(), 4, "an eighth, while nothing is known of them");
    // Each takes what it is sent, and there is more for all of them.
    let mut running: VecDeque<Endpoint> = found.iter().chain(&found).cloned().collect();
    let mut most = 0;
    for _ in 0..1_000 {
        let shop = running.pop_front().expect("something is on its way");
        board.ended(&shop, now, Some(true), now);
        while let Some((shop, slots)) = board.next() {
            board.claimed(&shop, slots, slots, now);
            running.extend(std::iter::repeat_n(shop, slots));
        }
        most = most.max(running.len());
    }
    assert_eq!(most, 32);
    let other = endpoint("other");
    board.hint(&other);
    assert_eq!(board.next(), Some((other, 2)));
}

/// Whatever happens in whatever order: the bounds hold, and everything is sent in the end.
#[test]
fn nobody_is_forgotten() {
    let random = SeededRandom::new(7);
    let draw = |below: usize| {
        let mut bytes = [0_u8; 8];
        random.fill(&mut bytes);
        (u64::from_le_bytes(bytes) % below as u64) as usize
    };
    let mut board = Board::new(12, 4);
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
                board.hint(&shops[shop]);
            }
            1 if !claims.is_empty() => {
                let (shop, asked) = claims.swap_remove(draw(claims.len()));
                let found = asked.min(queued[shop]);
                queued[shop] -= found;
                running.extend(std::iter::repeat_n((shop, now), found));
                board.claimed(&shops[shop], asked, found, now);
            }
            2 if !running.is_empty() => {
                let (shop, began) = running.swap_remove(draw(running.len()));
                // Three of them are dead more often than not.
                board.ended(&shops[shop], began, Some(shop > 2 || draw(8) == 0), now);
            }
            3 => {
                now += Duration::from_millis(100);
                board.notice(now);
            }
            _ => {}
        }
        while let Some((shop, asked)) = board.next() {
            let shop = shops.iter().position(|one| *one == shop).expect("known");
            assert!(claims.iter().all(|(other, _)| *other != shop), "one claim");
            claims.push((shop, asked));
        }
        assert!(running.len() <= 12 && board.load.taken <= 12);
        assert!(board.load.by_narrow <= board.load.taken);
        for shop in 0..shops.len() {
            assert!(running.iter().filter(|(one, _)| *one == shop).count() <= 4);
        }
    }
    assert_eq!(queued, [0; 9]);
    assert_eq!(board.load, Load::default());
    assert!(board.merchants.is_empty());
}

#[test]
fn nothing_is_kept_of_endpoints_that_took_nothing() {
    let mut stage = Stage::new(8, 4);
    stage.hint("a");
    assert_eq!(stage.next(), turn("a", 1));
    let began = stage.claimed("a", 1, 1);
    stage.ended("a", began, Some(false));
    assert_eq!(stage.next(), turn("a", 1));
    stage.claimed("a", 1, 0);
    assert!(stage.board.lanes.is_empty() && stage.board.merchants.is_empty());
    assert_eq!(stage.board.load, Load::default());
    // And of the others not without end.
    for number in 0..REMEMBERED + 10 {
        stage.proven(&format!("pro_{number}"));
    }
    assert_eq!(stage.board.lanes.len(), REMEMBERED);
    assert!(stage.board.merchants.is_empty());
}
