//! The chi-square distribution: how surprising a sum of squared standard scores is.

/// The probability that a sum of `degrees` squared standard normal numbers is at least `sum`: the regularised upper incomplete
/// gamma function Q(degrees/2, sum/2).
pub fn chi_square_tail(sum: f64, degrees: usize) -> f64 {
    if degrees == 0 || sum <= 0.0 {
        return 1.0;
    }
    let (a, x) = (degrees as f64 / 2.0, sum / 2.0);
    let tail = if x < a + 1.0 { 1.0 - lower_series(a, x) } else { upper_fraction(a, x) };
    tail.clamp(0.0, 1.0)
}

/// More terms than any table of ours needs: both expansions take about sqrt(degrees) of them.
const TERMS: usize = 10_000;

/// `x^a·e^-x / Γ(a)`.
fn front(a: f64, x: f64) -> f64 {
    (a * x.ln() - x - ln_gamma_of_halves(a)).exp()
}

/// P(a, x) by its power series, which converges fast for x < a + 1.
fn lower_series(a: f64, x: f64) -> f64 {
    let (mut term, mut sum) = (1.0 / a, 1.0 / a);
    for n in 1..TERMS {
        term *= x / (a + n as f64);
        sum += term;
        if term < sum * 1e-16 {
            break;
        }
    }
    front(a, x) * sum
}

/// Q(a, x) by its continued fraction (Lentz's method), which converges fast for x > a + 1.
fn upper_fraction(a: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / TINY;
    let mut d = 1.0 / b;
    let mut fraction = d;
    for n in 1..TERMS {
        let n = n as f64;
        let numerator = n * (a - n);
        b += 2.0;
        d = 1.0 / nonzero(numerator * d + b, TINY);
        c = nonzero(b + numerator / c, TINY);
        let factor = c * d;
        fraction *= factor;
        if (factor - 1.0).abs() < 1e-15 {
            break;
        }
    }
    front(a, x) * fraction
}

fn nonzero(value: f64, tiny: f64) -> f64 {
    if value.abs() < tiny { tiny } else { value }
}

/// ln Γ(a) for a = 1/2, 1, 3/2, …, by Γ(a + 1) = a·Γ(a) from Γ(1/2) = sqrt(π) or Γ(1) = 1.
fn ln_gamma_of_halves(a: f64) -> f64 {
    let is_whole = a.fract() == 0.0;
    let (mut from, mut sum) = if is_whole { (1.0, 0.0) } else { (0.5, std::f64::consts::PI.ln() / 2.0) };
    while from < a {
        sum += f64::ln(from);
        from += 1.0;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_quantiles() {
        // Any table of the distribution: the values that are exceeded with these probabilities.
        for (degrees, sum, tail) in [
            (1, 3.841_459, 0.05),
            (1, 6.634_897, 0.01),
            (2, 5.991_465, 0.05),
            (5, 1.145_476, 0.95),
            (10, 18.307_038, 0.05),
            (30, 43.772_972, 0.05),
            (30, 50.892_181, 0.01),
            (100, 124.342_113, 0.05),
            (100, 77.929_465, 0.95),
        ] {
            let found = chi_square_tail(sum, degrees);
            assert!((found - tail).abs() < 1e-6, "{degrees} {sum}: {found}");
        }
    }

    #[test]
    fn by_hand() {
        // With two degrees the tail is e^(-sum/2).
        assert!((chi_square_tail(3.0, 2) - (-1.5_f64).exp()).abs() < 1e-12);
        assert!((chi_square_tail(60.0, 2) - (-30.0_f64).exp()).abs() < 1e-18);
        assert_eq!((chi_square_tail(0.0, 3), chi_square_tail(5.0, 0)), (1.0, 1.0));
        for degrees in [1, 2, 537, 5000] {
            for sum in [1e-9, 1.0, 537.0, 1e5] {
                let tail = chi_square_tail(sum, degrees);
                assert!((0.0..=1.0).contains(&tail), "{degrees} {sum}: {tail}");
            }
        }
    }
}
