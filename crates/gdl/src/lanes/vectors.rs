//! [`Vectors`]: the same code, compiled for the widest vectors that the processor has.
//!
//! Kernels are plain loops over words, written once. They are inlined into one of three functions, two of which are compiled
//! for processors with wider vectors; all three give the same bits.
//!
//! This is the one place with `unsafe` code: a function that is compiled for some instructions may be called only where the
//! processor has them. A [`Vectors`] cannot be made by hand. Its constructors ask the processor for every instruction set
//! that the function of its width enables, so whoever has one may call that function.

/// Work that gains from wide vectors.
pub(super) trait Kernel {
    type Output;

    /// Does the work. To be compiled for each width it has to be `#[inline(always)]`, with all that it calls.
    fn run(self) -> Self::Output;
}

/// Which vectors are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vectors(Width);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Width {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Vectors {
    /// The widest that the processor has.
    pub fn best() -> Vectors {
        *Vectors::available().last().expect("portable code runs everywhere")
    }

    /// All that the processor has, the widest last.
    pub fn available() -> Vec<Vectors> {
        let mut all = vec![Vectors(Width::Portable)];
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt");
            if avx2 {
                all.push(Vectors(Width::Avx2));
            }
            let avx512 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl");
            if avx2 && avx512 {
                all.push(Vectors(Width::Avx512));
            }
        }
        all
    }

    /// The name of the instruction set.
    pub fn name(self) -> &'static str {
        match self.0 {
            Width::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => "avx512",
        }
    }

    /// Does some work with these vectors.
    #[allow(unsafe_code)]
    pub(super) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Width::Portable => kernel.run(),
            // SAFETY: a `Vectors` of this width exists only if the processor has all that `avx2` enables.
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => unsafe { avx2(kernel) },
            // SAFETY: a `Vectors` of this width exists only if the processor has all that `avx512` enables.
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => unsafe { avx512(kernel) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
fn avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}
