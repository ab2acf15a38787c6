//! Any text as a list of numbers to tune: those that are resolved fit together, and can be written and
//! read again.

use manoury::arena::client::{DeclaredNumber, DeclaredParameter};
use manoury::arena::tune::{ParameterText, parse_list};

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let Ok(texts) = std::str::from_utf8(bytes).map(parse_list) else {
        return;
    };
    for text in texts.unwrap_or_default() {
        let number = DeclaredNumber { value: Some(1.0), ..DeclaredNumber::default() };
        let name = text.name().to_owned();
        let declared =
            [DeclaredParameter { name, number: Some(number), ..DeclaredParameter::default() }];
        if let Ok(parameter) = text.resolve(&declared, 1000) {
            assert!((parameter.min..=parameter.max).contains(&parameter.start));
            let again: ParameterText = parameter.to_string().parse().expect("its own text");
            assert_eq!(again.resolve(&declared, 1000), Ok(parameter));
        }
    }
}
