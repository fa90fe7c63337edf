//! The one source of randomness: xoshiro256++, seeded by splitting.
//!
//! A [`Seed`] is a place in a tree of seeds. `Seed::new(7).at(cell).at(game).at(role)` names a stream that depends on
//! nothing but those numbers, so games are the same on one thread or many, resumed or not. The streams are part
//! of the recorded format: the tests hold their first values.

/// A seed, and the root of a tree of further seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seed(u64);

impl Seed {
    /// The root seed for a number chosen by the user.
    pub fn new(seed: u64) -> Seed {
        Seed(seed)
    }

    /// The number behind the seed, as it is written into records.
    pub fn value(self) -> u64 {
        self.0
    }

    /// The child with the given index. The order of a path matters: `at(1).at(2)` is not `at(2).at(1)`.
    #[must_use]
    pub fn at(self, index: u64) -> Seed {
        Seed(finalize(self.0.wrapping_add(GOLDEN) ^ finalize(index.wrapping_mul(GOLDEN).wrapping_add(GOLDEN))))
    }

    /// The child with the given name: FNV-1a of its bytes as an index.
    #[must_use]
    pub fn named(self, name: &str) -> Seed {
        let hash = name
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
        self.at(hash)
    }

    /// The generator of this place: four outputs of SplitMix64 are its state.
    pub fn rng(self) -> Rng {
        let mut place = self.0;
        let state = std::array::from_fn(|_| {
            place = place.wrapping_add(GOLDEN);
            finalize(place)
        });
        Rng { state }
    }
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The output function of SplitMix64 (Steele, Lea, Flood 2014): a bijection that spreads every input bit.
#[inline]
fn finalize(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// xoshiro256++ 1.0 (Blackman, Vigna 2019).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// The next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let [s0, s1, s2, s3] = &mut self.state;
        let out = s0.wrapping_add(*s3).rotate_left(23).wrapping_add(*s0);
        let shifted = *s1 << 17;
        *s2 ^= *s0;
        *s3 ^= *s1;
        *s1 ^= *s2;
        *s0 ^= *s3;
        *s2 ^= shifted;
        *s3 = s3.rotate_left(45);
        out
    }

    /// A number below `n > 0`, each with exactly the same probability (Lemire 2019: multiply, redraw the few values that
    /// would favour some results).
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        debug_assert!(n > 0);
        let mut product = (self.next_u64() >> 32) * u64::from(n);
        if (product as u32) < n {
            let unfair = n.wrapping_neg() % n;
            while (product as u32) < unfair {
                product = (self.next_u64() >> 32) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }

    /// A number in `[0, 1)` with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// `true` with the given probability.
    #[inline]
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generator_is_the_published_one() {
        // The values that the reference C code prints for the state 1, 2, 3, 4.
        let mut rng = Rng { state: [1, 2, 3, 4] };
        let expected = [
            41943041,
            58720359,
            3588806011781223,
            3591011842654386,
            9228616714210784205,
            9973669472204895162,
            14011001112246962877,
            12406186145184390807,
            15849039046786891736,
            10450023813501588000,
        ];
        assert_eq!(expected.map(|_| rng.next_u64()), expected);
    }

    #[test]
    fn seeding_is_splitmix64() {
        // The first outputs of the reference SplitMix64 for the seed 1477776061723855037.
        let rng = Seed::new(1477776061723855037).rng();
        assert_eq!(rng.state, [1985237415132408290, 2979275885539914483, 13511426838097143398, 8488337342461049707]);
    }

    #[test]
    fn split_streams_never_change() {
        let root = Seed::new(42);
        let first = |seed: Seed| seed.rng().next_u64();
        let streams = [
            first(root),
            first(root.at(0)),
            first(root.at(1)),
            first(root.at(1).at(2)),
            first(root.at(2).at(1)),
            first(root.named("cell")),
        ];
        assert_eq!(streams, STREAMS_OF_42);
        let distinct: std::collections::HashSet<_> = streams.iter().collect();
        assert_eq!(distinct.len(), streams.len());
    }

    const STREAMS_OF_42: [u64; 6] = [
        15021278609987233951,
        6525582878885041049,
        2763077822255631840,
        12058506647233868355,
        10539116964134513738,
        10477723443233469730,
    ];

    #[test]
    fn no_two_of_a_million_children_share_a_seed() {
        let root = Seed::new(0);
        let seeds: std::collections::HashSet<_> =
            (0..1000).flat_map(|a| (0..1000).map(move |b| root.at(a).at(b))).collect();
        assert_eq!(seeds.len(), 1_000_000);
    }

    #[test]
    fn bounded_draws_are_uniform() {
        let mut rng = Seed::new(1).rng();
        for n in [1_u32, 2, 3, 7, 64, 1000] {
            let draws = 2000 * n;
            let mut counts = vec![0_u32; n as usize];
            for _ in 0..draws {
                counts[rng.below(n) as usize] += 1;
            }
            // Each count has mean 2000 and standard deviation below 44.8; 5.5 of those is exceeded by chance in about one
            // of 26 million counts.
            assert!(counts.iter().all(|&count| count.abs_diff(2000) < 246), "n = {n}: {counts:?}");
        }
    }

    #[test]
    fn large_bounds_are_not_biased() {
        // With n = 3·2^30 a plain multiplication would give the residues 0, 1, 2 mod 3 the weights 2, 1, 1.
        let mut rng = Seed::new(2).rng();
        let mut counts = [0_u32; 3];
        for _ in 0..30_000 {
            counts[(rng.below(3 << 30) % 3) as usize] += 1;
        }
        assert!(counts.iter().all(|&count| count.abs_diff(10_000) < 450), "{counts:?}");
    }

    #[test]
    fn unit_draws_stay_below_one_and_have_mean_one_half() {
        let mut rng = Seed::new(3).rng();
        let draws: Vec<f64> = (0..100_000).map(|_| rng.unit()).collect();
        assert!(draws.iter().all(|x| (0.0..1.0).contains(x)));
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        assert!((mean - 0.5).abs() < 0.005, "{mean}");
        assert!(!rng.chance(0.0));
        assert!(rng.chance(1.0));
    }
}
