//! Random choices with a seed.

/// A small generator (splitmix64): random enough for choices, and the same on every machine.
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Chance(seed)
    }

    /// Creates an independent generator for one of several workers.
    pub fn for_worker(seed: u64, worker: u64) -> Self {
        let mut chance = Chance(seed ^ worker.wrapping_mul(0xA24B_AED4_963E_E407));
        chance.next();
        chance
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from `low` to `high`, both included.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low + 1)
    }

    /// Returns true with this probability in percent.
    pub fn percent(&mut self, of_hundred: u64) -> bool {
        self.between(1, 100) <= of_hundred
    }

    /// Chooses one of these by weight.
    pub fn choose<T: Copy>(&mut self, weighted: &[(u64, T)]) -> T {
        let all = weighted.iter().map(|(weight, _)| weight).sum();
        let mut at = self.between(1, all);
        for (weight, item) in weighted {
            if at <= *weight {
                return *item;
            }
            at -= weight;
        }
        unreachable!("the weights add up")
    }
}
