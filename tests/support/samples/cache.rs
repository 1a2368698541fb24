//! A cache.
use std::collections::{HashMap, hash_map::Entry as Slot};
use crate::errors::*;

pub const CAPACITY: usize = 64;
static NAME: &str = "cache";

/// One cached thing.
#[derive(Debug, Clone)]
pub struct Item<T> {
    pub key: String,
    value: T,
}

pub enum State { Empty, Full(usize) }

pub trait Evict {
    fn evict(&mut self) -> bool;
    fn force(&mut self) { self.evict(); }
}

type Table = HashMap<String, Item<u8>>;

impl<T: Clone> Evict for Item<T> {
    /// Drops it.
    #[inline]
    fn evict(&mut self) -> bool {
        log!("evicting {}", self.key);
        drop_value(&self.value);
        State::Empty.is_full()
    }
}

macro_rules! log {
    ($($arg:tt)*) => { println!($($arg)*) };
}

mod inner {
    pub fn helper() -> super::Table { super::Table::new() }
}

#[cfg(test)]
mod tests {
    #[test]
    fn evicts() { assert!(inner::helper().is_empty()); }
}
