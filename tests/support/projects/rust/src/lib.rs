//! Adds up what somebody buys.

/// Adds the prices; it forgets the first one.
pub fn total(prices: &[u32]) -> u32 {
    prices.iter().skip(1).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_all() {
        println!("printed by the test");
        assert_eq!(total(&[1, 2]), 3, "the first price is missing");
    }

    #[test]
    fn empty_is_zero() {
        assert_eq!(total(&[]), 0);
    }

    #[test]
    #[ignore]
    fn takes_long() {}
}
