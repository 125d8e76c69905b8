//! The random numbers of `NumPy`'s `RandomState`, so that the report's own gaps and its own split
//! can be repeated row for row.
//!
//! The generator is the Mersenne Twister (Matsumoto and Nishimura 1998); the report seeds it with
//! 1, draws one number per cell for the gaps, and hands it to `train_test_split`.

use crate::split::Fold;

const SIZE: usize = 624;

/// A Mersenne Twister as `NumPy` uses it.
///
/// ```
/// let mut state = wits_learn::numpy::RandomState::new(1);
/// assert_eq!(state.unit(), 0.417022004702574);
/// ```
#[derive(Clone, Debug)]
pub struct RandomState {
    state: [u32; SIZE],
    at: usize,
}

impl RandomState {
    /// Seeded as `RandomState(seed)` is.
    pub fn new(seed: u32) -> RandomState {
        let mut state = [0; SIZE];
        state[0] = seed;
        for i in 1..SIZE {
            let before = state[i - 1];
            state[i] = 1_812_433_253u32
                .wrapping_mul(before ^ (before >> 30))
                .wrapping_add(i as u32);
        }
        RandomState { state, at: SIZE }
    }

    fn next(&mut self) -> u32 {
        if self.at == SIZE {
            for i in 0..SIZE {
                let joined =
                    (self.state[i] & 0x8000_0000) | (self.state[(i + 1) % SIZE] & 0x7fff_ffff);
                let odd = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
                self.state[i] = self.state[(i + 397) % SIZE] ^ (joined >> 1) ^ odd;
            }
            self.at = 0;
        }
        let mut y = self.state[self.at];
        self.at += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }

    /// A number in 0..1 with 53 bits from two draws.
    pub fn unit(&mut self) -> f64 {
        let (high, low) = (self.next() >> 5, self.next() >> 6);
        (f64::from(high) * 67_108_864.0 + f64::from(low)) / 9_007_199_254_740_992.0
    }

    /// A number from 0 to `most`: bits are drawn under a mask until they fit.
    fn up_to(&mut self, most: u32) -> u32 {
        if most == 0 {
            return 0;
        }
        let mask = u32::MAX >> most.leading_zeros();
        loop {
            let value = self.next() & mask;
            if value <= most {
                return value;
            }
        }
    }

    fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            let j = self.up_to(i as u32) as usize;
            order.swap(i, j);
        }
        order
    }

    /// Divides draws over groups in proportion, ties by lot.
    fn proportional(&mut self, sizes: &[usize], draws: usize) -> Vec<usize> {
        let all: usize = sizes.iter().sum();
        let exact: Vec<f64> = sizes
            .iter()
            .map(|&s| s as f64 / all as f64 * draws as f64)
            .collect();
        let mut given: Vec<usize> = exact.iter().map(|e| e.floor() as usize).collect();
        let mut open = draws - given.iter().sum::<usize>();
        let rest: Vec<f64> = exact.iter().map(|e| e - e.floor()).collect();
        let mut levels = rest.clone();
        levels.sort_by(|a, b| b.total_cmp(a));
        levels.dedup_by(|a, b| a.to_bits() == b.to_bits());
        for level in levels {
            if open == 0 {
                break;
            }
            let tied: Vec<usize> = (0..rest.len())
                .filter(|&g| rest[g].to_bits() == level.to_bits())
                .collect();
            let now = tied.len().min(open);
            let order = self.permutation(tied.len());
            order.iter().take(now).for_each(|&k| given[tied[k]] += 1);
            open -= now;
        }
        given
    }

    /// What `train_test_split(..., stratify=y)` deals.
    pub fn split(&mut self, y: &[u32], test_share: f64) -> Fold {
        let classes = y.iter().map(|&c| c as usize + 1).max().unwrap_or(0);
        let mut sizes = vec![0; classes];
        for &c in y {
            sizes[c as usize] += 1;
        }
        let test = (test_share * y.len() as f64).ceil() as usize;
        let train = self.proportional(&sizes, y.len() - test);
        let rest: Vec<usize> = sizes.iter().zip(&train).map(|(s, t)| s - t).collect();
        let tests = self.proportional(&rest, test);
        let mut fold = Fold {
            train: Vec::new(),
            test: Vec::new(),
        };
        for class in 0..classes {
            let members: Vec<usize> = (0..y.len()).filter(|&i| y[i] as usize == class).collect();
            let order = self.permutation(members.len());
            let dealt: Vec<usize> = order.iter().map(|&k| members[k]).collect();
            fold.train.extend(&dealt[..train[class]]);
            fold.test
                .extend(&dealt[train[class]..train[class] + tests[class]]);
        }
        let mix = |order: Vec<usize>, rows: &[usize]| order.iter().map(|&k| rows[k]).collect();
        fold.train = mix(self.permutation(fold.train.len()), &fold.train);
        fold.test = mix(self.permutation(fold.test.len()), &fold.test);
        fold
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reports_own_gaps_and_split() {
        // Figures from NumPy 2.4.6 and scikit-learn 1.9.1 for the report's first lines.
        let data = crate::bench::glass();
        let mut state = RandomState::new(1);
        let gaps = (0..214 * 9).filter(|_| state.unit() < 0.05).count();
        assert_eq!(gaps, 103);
        let fold = state.split(&data.y, 0.3);
        assert_eq!(
            &fold.train[..10],
            &[139, 190, 167, 28, 213, 35, 126, 89, 76, 211]
        );
        assert_eq!(
            &fold.test[..10],
            &[200, 13, 107, 207, 40, 140, 165, 172, 185, 10]
        );
    }
}
