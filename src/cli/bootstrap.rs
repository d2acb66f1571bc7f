//! Confidence intervals by resampling: the percentile bootstrap, from a seed.

use dchess::game::Draws;

/// Resamples of an interval.
const RESAMPLES: usize = 10_000;

/// An interval that covers the true ratio in 95 of 100 samples, about.
pub(crate) type Interval = [f64; 2];

/// How large the sum of `parts` is beside that of `wholes`, drawn with replacement pair by pair; none for fewer than two pairs.
pub(crate) fn ratio_interval(parts: &[u64], wholes: &[u64], seed: u64) -> Option<Interval> {
    let count = u32::try_from(parts.len()).ok().filter(|&count| count > 1)?;
    let mut draws = Draws::new(seed);
    let mut ratios: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let (mut part, mut whole) = (0, 0);
            for _ in 0..count {
                let place = draws.below(count) as usize;
                part += parts[place];
                whole += wholes[place];
            }
            part as f64 / whole as f64
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    let tail = RESAMPLES / 40;
    Some([ratios[tail], ratios[RESAMPLES - 1 - tail]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_that_of_the_normal_distribution() {
        // Pairs (x, 10) with x = 0 … 19 in equal parts: the mean of x / 10 is 0.95, its standard error 0.5766 / √2000.
        let parts: Vec<u64> = (0..2_000).map(|place| place % 20).collect();
        let wholes = vec![10; 2_000];
        let [low, high] = ratio_interval(&parts, &wholes, 1).unwrap();
        let error = 1.96 * 0.576_6 / f64::sqrt(2_000.0);
        assert!((low - (0.95 - error)).abs() < 0.002, "{low}");
        assert!((high - (0.95 + error)).abs() < 0.002, "{high}");
        assert_eq!(ratio_interval(&parts, &wholes, 1), Some([low, high]));
        assert_ne!(ratio_interval(&parts, &wholes, 2), Some([low, high]));
    }

    #[test]
    fn one_pair_has_no_interval() {
        assert_eq!(ratio_interval(&[3], &[4], 1), None);
        assert_eq!(ratio_interval(&[], &[], 1), None);
        assert_eq!(ratio_interval(&[2, 2], &[4, 4], 1), Some([0.5, 0.5]));
    }
}
