//! The message for a log of work with other settings, in terms of the options of the command line.

use serde_json::Value;

use crate::runtime::log::LogDifference;

/// What is wrong with the log, and what to do.
pub fn message(difference: &LogDifference) -> String {
    let LogDifference { path, work, name, then, now } = difference;
    let change = change(work, name, then, now);
    format!(
        "{}, line 1: this {work} was started {change}; use the same settings, or another log for a new \
         {work}",
        path.display()
    )
}

/// How a setting differed when the work was started, in terms of what the user can change: `with
/// --seed 1, not --seed 2`.
fn change(work: &str, name: &str, then: &Value, now: &Value) -> String {
    let option = match name {
        "checksum" => {
            return "with other games (another PDN file, or it has changed since)".to_owned();
        }
        "file" => return format!("with the file {then}, not {now}"),
        "limits" => {
            return "with other limits per move (--move-time, --nodes, --depth, --time)".to_owned();
        }
        "adjudication" => {
            return "with other rules for ending games early, such as --max-moves".to_owned();
        }
        "effort" => return format!("with {}, not {}", effort(then), effort(now)),
        "engines" => "--engine".to_owned(),
        "params" => "--param".to_owned(),
        "gauntlet" => "--format".to_owned(),
        "margin" => "--time-margin".to_owned(),
        "patience" => "--max-move-time".to_owned(),
        "pairs" if work == "match" => "--rounds".to_owned(),
        _ => format!("--{}", name.replace('_', "-")),
    };
    // Weights are logged in a form that means nothing to users.
    let is_shown = |value: &Value| name != "weights" && (value.is_number() || value.is_string());
    match (then, now) {
        (Value::Null, _) => format!("without {option}"),
        (_, Value::Null) if is_shown(then) => format!("with {option} {}", text(then)),
        _ if is_shown(then) && is_shown(now) => {
            format!("with {option} {}, not {option} {}", text(then), text(now))
        }
        _ => format!("with another {option}"),
    }
}

/// A value as it is given on the command line.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The option for the effort of a book search, given as `{"nodes": 100}` or `{"seconds": 0.5}`.
fn effort(value: &Value) -> String {
    match value.get("nodes") {
        Some(nodes) => format!("--nodes-per-position {nodes}"),
        None => format!("--time-per-position {}", value.get("seconds").unwrap_or(value)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn differences_are_named_by_their_options() {
        for (name, then, now, words) in [
            ("random_plies", json!(2), json!(0), "with --random-plies 2, not --random-plies 0"),
            ("format", json!("knockout"), Value::Null, "with --format knockout"),
            ("format", Value::Null, json!("knockout"), "without --format"),
            ("format", json!({"swiss": {"rounds": 3}}), json!("knockout"), "with another --format"),
            ("gauntlet", json!(true), json!(false), "with another --format"),
            ("pairs", json!(2), json!(3), "with --rounds 2, not --rounds 3"),
            ("margin", json!(0.5), json!(1), "with --time-margin 0.5, not --time-margin 1"),
            ("engines", json!(["a", "b"]), json!(["a", "c"]), "with another --engine"),
        ] {
            assert_eq!(change("match", name, &then, &now), words);
        }
        let adjudication = change("match", "adjudication", &json!({}), &json!({"win": 3}));
        assert!(adjudication.contains("ending games early, such as --max-moves"));
        assert!(change("analysis", "checksum", &json!(1), &json!(2)).contains("other games"));
        assert_eq!(
            change("tuning", "pairs", &json!(2), &json!(3)),
            "with --pairs 2, not --pairs 3"
        );
    }
}
