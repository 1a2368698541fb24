//! Sums of whole numbers.

/// The sum of the numbers from `first` to `last`, both included.
pub fn sum_between(first: u32, last: u32) -> u32 {
    let mut sum = 0;
    for number in first..last {
        sum += number;
    }
    sum
}

/// The sum of the first `count` numbers.
pub fn triangle(count: u32) -> u32 {
    sum_between(1, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_range_has_no_sum() {
        assert_eq!(triangle(0), 0);
    }

    #[test]
    fn the_last_number_counts() {
        assert_eq!(triangle(4), 10);
    }
}
