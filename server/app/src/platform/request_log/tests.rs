use super::*;

/// A request of a size that names no merchant.
struct Held(usize);

impl WaitingRequest for Held {
    fn size(&self) -> usize {
        self.0
    }

    fn masked(self: Box<Self>) -> Option<LoggedRequest> {
        None
    }
}

#[test]
fn a_second_has_room_for_so_many() {
    let quota = Quota::new(2);
    let at = |micros| Timestamp::from_micros(micros);
    let taken = [5_000_000, 5_400_000, 5_999_999, 6_000_000].map(|micros| quota.take(at(micros)));
    assert_eq!(taken, [true, true, false, true]);
    assert!(!Quota::new(0).take(at(5_000_000)), "0 logs nothing");
}

#[test]
fn a_full_queue_drops_and_one_that_was_emptied_does_not() {
    let queue = Queue::default();
    let kept = (0..2_000).filter(|_| queue.push(Box::new(Held(1)))).count();
    assert_eq!(kept, 1_000, "so many wait at most");
    assert_eq!(queue.take(400).len(), 400);
    assert_eq!(queue.take(usize::MAX).len(), 600);
    assert!(queue.push(Box::new(Held(1))), "there is room again");
}

#[test]
fn a_queue_bounds_its_bytes() {
    let queue = Queue::default();
    let mebibyte = || Box::new(Held(1_024 * 1_024));
    let kept = (0..20).filter(|_| queue.push(mebibyte())).count();
    assert_eq!(kept, 8);
    queue.take(1);
    assert!(
        queue.push(mebibyte()),
        "the bytes of taken requests are free"
    );
}
