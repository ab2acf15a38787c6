//! Checks that the processor can run this build.

use std::io::{self, Write};

/// The message for users of an older processor; it depends on whether the build is for x86-64-v3 or
/// x86-64-v2.
const TOO_OLD: &[u8] = if cfg!(target_feature = "avx2") {
    b"error: this build of the program needs a processor with AVX2, BMI1 and BMI2 \
    (x86-64-v3); builds made by scripts/release.sh need only SSE4.2 and POPCNT (see README.md)\n"
} else {
    b"error: the program needs a processor with SSE4.2 and POPCNT (x86-64-v2: Intel since 2008, \
    AMD since 2011)\n"
};

/// Whether the processor can run this build; if not, prints an error on standard error.
///
/// On an older processor, a build for a newer one would crash with an illegal instruction and no
/// useful message. This check therefore runs before everything else and does as little as possible:
/// the compiler may use newer instructions anywhere, even to copy a string.
pub fn is_suited() -> bool {
    if !is_too_old() {
        return true;
    }
    // A failure to print cannot be reported.
    let _ = io::stderr().write_all(TOO_OLD);
    false
}

/// Whether the processor lacks features that the build needs. `is_x86_feature_detected` is useless
/// here: for features enabled at compile time, it is a constant and does not query the processor.
#[cfg(target_arch = "x86_64")]
fn is_too_old() -> bool {
    use std::arch::x86_64::{__cpuid, __cpuid_count};

    // SSSE3, SSE4.1, SSE4.2 and POPCNT in leaf 1, and BMI1, AVX2 and BMI2 in leaf 7: the features that
    // builds for x86-64-v2 and v3 use everywhere.
    const OF_V2: u32 = 1 << 9 | 1 << 19 | 1 << 20 | 1 << 23;
    const OF_V3: u32 = 1 << 3 | 1 << 5 | 1 << 8;
    let has_v2 = || __cpuid(1).ecx & OF_V2 == OF_V2;
    let has_v3 = || __cpuid(0).eax >= 7 && __cpuid_count(7, 0).ebx & OF_V3 == OF_V3;
    cfg!(target_feature = "popcnt") && !has_v2() || cfg!(target_feature = "avx2") && !has_v3()
}

/// Builds for other processors assume no optional features.
#[cfg(not(target_arch = "x86_64"))]
fn is_too_old() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_the_processor_of_the_test() {
        assert!(is_suited());
    }
}
