//! Whether the processor can run this build.

use std::io;

use super::Error;

/// A build for newer processors would end in the middle of its work, without a word, on an older one.
///
/// # Errors
///
/// The processor lacks what the build needs: says so, and what to do.
pub fn check() -> Result<(), Error> {
    match lacking() {
        None => Ok(()),
        Some(what) => Err(Error::System(io::Error::other(format!(
            "this processor has no {what}, which this build of the program needs; the portable one runs on \
             it (see README.md)"
        )))),
    }
}

/// What of x86-64-v3 the build needs and the processor lacks. `is_x86_feature_detected` does not ask the
/// processor about what the build takes for granted.
#[cfg(target_arch = "x86_64")]
fn lacking() -> Option<&'static str> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};

    // The bits of leaf 7 that the instructions have which such builds are full of.
    const BMI1: u32 = 1 << 3;
    const AVX2: u32 = 1 << 5;
    const BMI2: u32 = 1 << 8;
    let leaves = __cpuid(0).eax;
    let has = if leaves < 7 { 0 } else { __cpuid_count(7, 0).ebx };
    let needs = [
        (cfg!(target_feature = "avx2"), AVX2, "AVX2"),
        (cfg!(target_feature = "bmi1"), BMI1, "BMI1"),
        (cfg!(target_feature = "bmi2"), BMI2, "BMI2"),
    ];
    let lacking = needs.into_iter().find(|&(is_needed, bit, _)| is_needed && has & bit == 0);
    lacking.map(|(_, _, name)| name)
}

/// Builds for other processors take nothing for granted.
#[cfg(not(target_arch = "x86_64"))]
fn lacking() -> Option<&'static str> {
    None
}
