//! Searches pages of Stripe's lists for an object of ours.

use serde::Deserialize;

use super::generated::wire::{Customer, PaymentIntent, Refund, SetupIntent};
use super::notes::{Metadata, has_entry};

/// A page of a list or of search results.
#[derive(Deserialize)]
pub struct Page<T> {
    pub data: Vec<T>,
    pub has_more: bool,
}

/// The id of an object.
#[derive(Deserialize)]
pub struct Found {
    pub id: String,
}

/// The result of the search in one page.
pub enum Looked<T> {
    Found(T),
    /// Not on this page; the next page starts after this id.
    Further(String),
    Nowhere,
}

/// Looks for the object whose metadata has this entry.
pub fn look_for<T: Filed>((name, key): (&str, &str), page: Page<T>) -> Looked<T> {
    let further = page.data.last().filter(|_| page.has_more);
    let further = further.map(|last| last.id().to_owned());
    let mut things = page.data.into_iter();
    let found = things.find(|thing| thing.metadata().is_some_and(|of| has_entry(of, name, key)));
    match (found, further) {
        (Some(thing), _) => Looked::Found(thing),
        (None, Some(last)) => Looked::Further(last),
        (None, None) => Looked::Nowhere,
    }
}

/// An object that can be found by its metadata.
pub trait Filed {
    fn id(&self) -> &str;
    fn metadata(&self) -> Option<&Metadata>;
}

impl Filed for PaymentIntent {
    fn id(&self) -> &str {
        &self.id
    }

    fn metadata(&self) -> Option<&Metadata> {
        Some(&self.metadata)
    }
}

impl Filed for SetupIntent {
    fn id(&self) -> &str {
        &self.id
    }

    fn metadata(&self) -> Option<&Metadata> {
        Some(&self.metadata)
    }
}

impl Filed for Customer {
    fn id(&self) -> &str {
        &self.id
    }

    fn metadata(&self) -> Option<&Metadata> {
        Some(&self.metadata)
    }
}

impl Filed for Refund {
    fn id(&self) -> &str {
        &self.id
    }

    fn metadata(&self) -> Option<&Metadata> {
        self.metadata.as_ref()
    }
}
