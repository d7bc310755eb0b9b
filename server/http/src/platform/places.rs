//! Places for requests: limits for requests that are read and worked on at once, in total and for each client network.
//!
//! A request holds a place of work from its complete arrival until its answer. A request whose body is still arriving
//! holds none. It counts among those that are read, which have limits of their own, so that clients that never send
//! their bodies block no others.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

/// The largest numbers of simultaneous requests.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Requests that are worked on.
    pub working: usize,
    /// Requests of one client network that are worked on. The same number may wait for their bodies.
    pub working_per_client: usize,
    /// Requests that wait for their bodies.
    pub reading: usize,
    /// Requests of one connection, which can be many with HTTP/2.
    pub per_connection: usize,
}

/// The limit that a request reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// The server has too many requests.
    Server,
    /// The client's network has too many.
    Client,
    /// The connection has too many.
    Connection,
}

/// The places of one server.
#[derive(Debug)]
pub struct Places {
    limits: Limits,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    total: Held,
    clients: HashMap<IpAddr, Held>,
    connections: HashMap<SocketAddr, usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Held {
    reading: usize,
    working: usize,
}

/// The place of one request. Dropping it releases the place.
#[derive(Debug)]
pub struct Place {
    places: Arc<Places>,
    client: IpAddr,
    connection: SocketAddr,
    stage: Mutex<Stage>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Begun,
    Reading,
    Working,
}

impl Places {
    pub fn new(limits: Limits) -> Arc<Self> {
        Arc::new(Self {
            limits,
            taken: Mutex::default(),
        })
    }

    /// Begins a request of a client network on this connection. It holds no place yet.
    pub fn begin(self: &Arc<Self>, client: IpAddr, connection: SocketAddr) -> Place {
        self.taken(|taken| *taken.connections.entry(connection).or_default() += 1);
        Place {
            places: Arc::clone(self),
            client,
            connection,
            stage: Mutex::new(Stage::Begun),
        }
    }

    /// Returns whether the server would work on one more request.
    pub fn has_room(&self) -> bool {
        self.taken(|taken| taken.total.working < self.limits.working)
    }

    /// Returns the number of requests without an answer yet.
    pub fn unanswered(&self) -> usize {
        self.taken(|taken| taken.connections.values().sum())
    }

    fn taken<T>(&self, act: impl FnOnce(&mut Taken) -> T) -> T {
        act(&mut self.taken.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Place {
    /// Takes a place to read the request's body, after its head was accepted.
    ///
    /// # Errors
    /// The limit that is reached. The request holds no more places than before.
    pub fn reads(&self) -> Result<(), Full> {
        let limits = &self.places.limits;
        self.moves(Stage::Reading, |taken| {
            let own = taken.held_by(self.client);
            let of_connection = taken.connections.get(&self.connection);
            if of_connection.is_some_and(|count| *count > limits.per_connection) {
                return Err(Full::Connection);
            }
            own.allows_work(limits, taken.total)?;
            if own.reading >= limits.working_per_client {
                return Err(Full::Client);
            }
            if taken.total.reading >= limits.reading {
                return Err(Full::Server);
            }
            Ok(())
        })
    }

    /// Takes a place of work for a request that has arrived completely.
    ///
    /// # Errors
    /// The limit that is reached. The request holds no more places than before.
    pub fn works(&self) -> Result<(), Full> {
        let limits = &self.places.limits;
        self.moves(Stage::Working, |taken| {
            taken.held_by(self.client).allows_work(limits, taken.total)
        })
    }

    fn moves(&self, to: Stage, check: impl FnOnce(&Taken) -> Result<(), Full>) -> Result<(), Full> {
        let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        if *stage == to {
            return Ok(());
        }
        self.places.taken(|taken| {
            check(taken)?;
            taken.change(self.client, *stage, to);
            Ok(())
        })?;
        *stage = to;
        Ok(())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let stage = *self.stage.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.places.taken(|taken| {
            taken.change(self.client, stage, Stage::Begun);
            less(&mut taken.connections, &self.connection);
        });
    }
}

impl Taken {
    fn held_by(&self, client: IpAddr) -> Held {
        self.clients.get(&client).copied().unwrap_or_default()
    }

    fn change(&mut self, client: IpAddr, from: Stage, to: Stage) {
        let own = self.clients.entry(client).or_default();
        for held in [&mut self.total, own] {
            if let Some(count) = held.count(from) {
                *count -= 1;
            }
            if let Some(count) = held.count(to) {
                *count += 1;
            }
        }
        if *own == Held::default() {
            self.clients.remove(&client);
        }
    }
}

impl Held {
    fn allows_work(self, limits: &Limits, total: Held) -> Result<(), Full> {
        if total.working >= limits.working {
            Err(Full::Server)
        } else if self.working >= limits.working_per_client {
            Err(Full::Client)
        } else {
            Ok(())
        }
    }

    fn count(&mut self, stage: Stage) -> Option<&mut usize> {
        match stage {
            Stage::Begun => None,
            Stage::Reading => Some(&mut self.reading),
            Stage::Working => Some(&mut self.working),
        }
    }
}

/// Subtracts one, and removes a count of 0.
fn less<K: Eq + Hash>(counts: &mut HashMap<K, usize>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places() -> Arc<Places> {
        Places::new(Limits {
            working: 4,
            working_per_client: 3,
            reading: 5,
            per_connection: 4,
        })
    }

    fn client(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    fn connection(port: u16) -> SocketAddr {
        SocketAddr::new(client(1), port)
    }

    /// Begins this many requests, each on a connection of its own.
    fn begun(places: &Arc<Places>, of: u8, count: u16) -> Vec<Place> {
        let begin = |port| places.begin(client(of), connection(u16::from(of) * 100 + port));
        (0..count).map(begin).collect()
    }

    fn all<T>(of: &[Place], act: impl Fn(&Place) -> Result<T, Full>) -> Vec<Option<Full>> {
        of.iter().map(|place| act(place).err()).collect()
    }

    #[test]
    fn bodies_that_never_come_take_no_place_of_work() {
        let places = places();
        let waiting = begun(&places, 1, 5);
        let told = [None, None, None, Some(Full::Client), Some(Full::Client)];
        assert_eq!(all(&waiting, Place::reads), told);
        assert!(places.has_room());
        let others = begun(&places, 2, 3);
        assert_eq!(all(&others[..1], Place::reads), [None]);
        assert_eq!(all(&others[..1], Place::works), [None]);
        // A request that has arrived doesn't count as read any more.
        assert_eq!(all(&others[1..], Place::reads), [None, None]);
        let third = begun(&places, 3, 1);
        assert_eq!(all(&third, Place::reads), [Some(Full::Server)]);
        drop(waiting);
        assert_eq!(all(&third, Place::reads), [None]);
    }

    #[test]
    fn one_network_leaves_places_of_work_to_others() {
        let places = places();
        let own = begun(&places, 1, 4);
        assert_eq!(all(&own[..3], Place::works), [None, None, None]);
        assert_eq!(all(&own[3..], Place::reads), [Some(Full::Client)]);
        let others = begun(&places, 2, 2);
        assert_eq!(all(&others, Place::reads), [None, None]);
        assert!(places.has_room());
        assert_eq!(all(&others, Place::works), [None, Some(Full::Server)]);
        assert!(!places.has_room());
        drop(own);
        assert_eq!(all(&others, Place::works), [None, None]);
        drop(others);
        let taken = places.taken.lock().unwrap();
        assert!(taken.clients.is_empty() && taken.connections.is_empty());
        assert_eq!(taken.total, Held::default());
    }

    #[test]
    fn one_connection_has_so_many_streams() {
        let places = places();
        let by_one = |_| places.begin(client(1), connection(1));
        let mut streams: Vec<_> = (0..5).map(by_one).collect();
        assert_eq!(all(&streams[..1], Place::reads), [Some(Full::Connection)]);
        streams.pop();
        assert_eq!(all(&streams[..1], Place::reads), [None]);
    }
}
