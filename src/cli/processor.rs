//! The check that the processor can run this build.

use std::io::{self, Write};

/// The message for users of an older processor.
const TOO_OLD: &[u8] =
    b"error: this build of the program needs a processor with AVX2, BMI1 and BMI2 \
    (x86-64-v3); the portable one runs on this processor (see README.md)\n";

/// Whether the processor can run this build; if not, says so on standard error.
///
/// On an older processor a build for x86-64-v3 would die of an illegal instruction, without a
/// message. So this runs before everything else and does as little as possible: the compiler may
/// use newer instructions anywhere, even to copy a string.
pub fn is_suited() -> bool {
    if !is_too_old() {
        return true;
    }
    // A failure to print cannot be reported.
    let _ = io::stderr().write_all(TOO_OLD);
    false
}

/// Whether the build needs x86-64-v3 and the processor lacks it. `is_x86_feature_detected` is no
/// use here: for features the build assumes it is a constant and does not query the processor.
#[cfg(target_arch = "x86_64")]
fn is_too_old() -> bool {
    use std::arch::x86_64::{__cpuid, __cpuid_count};

    // BMI1, AVX2 and BMI2 in leaf 7: the features such builds use everywhere.
    const NEEDED: u32 = 1 << 3 | 1 << 5 | 1 << 8;
    if !cfg!(target_feature = "avx2") {
        return false;
    }
    __cpuid(0).eax < 7 || __cpuid_count(7, 0).ebx & NEEDED != NEEDED
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
    fn a_processor_that_runs_this_is_suited() {
        assert!(is_suited());
    }
}
