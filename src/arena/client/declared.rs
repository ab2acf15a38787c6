//! The parameters that a Hub 2 engine declares, and the values that a match gives them.

use crate::protocol::hub::{HubLine, LineBuilder, parse_number, variant_name};
use crate::rules::Variant;

use super::EngineFault;

/// A parameter that an engine has declared.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Declared {
    /// Its name.
    pub name: String,
    /// What is declared about it as a number; `None` unless its type is `int` or `real`.
    pub number: Option<DeclaredNumber>,
    /// The permitted values, if they are declared.
    pub values: Option<Vec<String>>,
}

/// What an engine has declared about a number. Scan's protocol has no `step`; Manoury declares the
/// smallest change that games can be expected to reveal.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct DeclaredNumber {
    /// Whether its type is `int`.
    pub is_integer: bool,
    /// Its value without tuning.
    pub value: Option<f64>,
    /// The smallest permitted value.
    pub min: Option<f64>,
    /// The largest permitted value.
    pub max: Option<f64>,
    /// A sensible change.
    pub step: Option<f64>,
}

/// The parameter that chooses the game.
const VARIANT: &str = "variant";

impl Declared {
    /// The parameter declared on a line; `None` if it is not a `param` line.
    pub fn parse(line: &HubLine) -> Option<Declared> {
        let name = line.value("name").filter(|_| line.word == "param")?.to_owned();
        let split = |values: &str| values.split_whitespace().map(str::to_owned).collect();
        let values = line.value("values").map(split);
        Some(Declared { name, number: DeclaredNumber::parse(line), values })
    }

    fn has(&self, value: &str) -> bool {
        self.values.as_ref().is_none_or(|values| values.iter().any(|known| known == value))
    }
}

impl DeclaredNumber {
    fn parse(line: &HubLine) -> Option<DeclaredNumber> {
        let kind = line.value("type").filter(|kind| ["int", "real"].contains(kind))?;
        let number = |name| line.value(name).and_then(parse_number);
        Some(DeclaredNumber {
            is_integer: kind == "int",
            value: number("value"),
            min: number("min"),
            max: number("max"),
            step: number("step"),
        })
    }
}

/// The lines that choose the variant and set parameters.
///
/// # Errors
///
/// [`EngineFault::Unsuitable`]: the engine has no such variant, parameter or value.
pub fn set_params(
    declared: &[Declared],
    variant: Variant,
    params: &[(String, String)],
) -> Result<String, EngineFault> {
    let mut lines = String::new();
    if let Some(name) = choose_variant(declared, variant)? {
        lines += &set_param(VARIANT, &name);
    }
    for (name, value) in params {
        check(declared, name, value).map_err(EngineFault::Unsuitable)?;
        lines += &set_param(name, value);
    }
    Ok(lines)
}

/// The line that sets a parameter.
pub fn set_param(name: &str, value: &str) -> String {
    format!("{}\n", LineBuilder::new("set-param").field("name", name).field("value", value))
}

/// The engine's name for the variant; `None` for an engine that knows only international draughts.
fn choose_variant(declared: &[Declared], variant: Variant) -> Result<Option<String>, EngineFault> {
    let unsuitable = |what: &str| Err(EngineFault::Unsuitable(format!("{what} {variant}")));
    let Some(param) = declared.iter().find(|param| param.name == VARIANT) else {
        return match variant {
            Variant::International => Ok(None),
            _ => unsuitable("it has no parameter for the variant"),
        };
    };
    let Some(values) = &param.values else {
        return Ok(Some(variant_name(variant).to_owned()));
    };
    let means_it = |name: &&String| name.parse() == Ok(variant);
    match values.iter().find(means_it) {
        Some(name) => Ok(Some(name.clone())),
        None => unsuitable(&format!("it plays {}, not", values.join(", "))),
    }
}

fn check(declared: &[Declared], name: &str, value: &str) -> Result<(), String> {
    if name == VARIANT {
        return Err("the variant is set by the match".to_owned());
    }
    let Some(param) = declared.iter().find(|param| param.name == name) else {
        let names: Vec<_> = declared.iter().map(|param| param.name.as_str()).collect();
        return Err(format!("it has no parameter {name:?}, but {}", list(&names)));
    };
    if !param.has(value) {
        let values = param.values.as_deref().unwrap_or_default();
        return Err(format!("its parameter {name} is not {value:?}, but {}", list(values)));
    }
    if value.contains(['"', '\n', '\r']) {
        return Err(format!("the value of {name} cannot be written in Hub: {value:?}"));
    }
    Ok(())
}

fn list(names: &[impl AsRef<str>]) -> String {
    let names: Vec<_> = names.iter().map(AsRef::as_ref).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(lines: &[&str]) -> Vec<Declared> {
        lines.iter().filter_map(|line| Declared::parse(&HubLine::parse(line))).collect()
    }

    fn param(name: &str, value: &str) -> Vec<(String, String)> {
        vec![(name.to_owned(), value.to_owned())]
    }

    #[test]
    fn sets_variant_and_parameters() {
        let declared = declared(&[
            "id name=Test",
            "param name=variant value=normal type=enum values=\"normal bt\"",
            "param name=threads value=1 type=int",
            "param name=book-file value=\"\" type=string",
        ]);
        let lines = set_params(&declared, Variant::Breakthrough, &param("threads", "2")).unwrap();
        assert_eq!(lines, "set-param name=variant value=bt\nset-param name=threads value=2\n");
        let lines = set_params(&declared, Variant::International, &param("book-file", "a=b c"));
        let expected =
            "set-param name=variant value=normal\nset-param name=book-file value=\"a=b c\"\n";
        assert_eq!(lines.unwrap(), expected);
    }

    #[test]
    fn an_engine_without_variants_plays_international_draughts() {
        assert_eq!(set_params(&[], Variant::International, &[]), Ok(String::new()));
        let anything = declared(&["param name=variant value=normal type=string"]);
        let lines = set_params(&anything, Variant::Frisian, &[]).unwrap();
        assert_eq!(lines, "set-param name=variant value=frisian\n");
    }

    #[test]
    fn what_the_engine_lacks_is_named() {
        let some = declared(&[
            "param name=variant values=\"normal bt\"",
            "param name=style values=\"calm wild\"",
        ]);
        for (variant, params, word) in [
            (Variant::Frisian, vec![], "normal, bt"),
            (Variant::International, param("hash", "3"), "variant, style"),
            (Variant::International, param("style", "odd"), "calm, wild"),
            (Variant::International, param("variant", "bt"), "by the match"),
        ] {
            let fault = set_params(&some, variant, &params).unwrap_err();
            assert!(matches!(fault, EngineFault::Unsuitable(_)));
            assert!(fault.to_string().contains(word), "{fault}");
        }
        let fault = set_params(&[], Variant::Frisian, &[]).unwrap_err();
        assert!(fault.to_string().contains("frisian"), "{fault}");
    }
}
