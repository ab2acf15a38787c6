//! Any lines as the requests of a page, one after another: each has an answer, one line of JSON with
//! the number of the request.

use manoury::page_api::PageApi;
use serde_json::Value;

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut page = PageApi::default();
    for line in text.split('\n') {
        check_request(&mut page, line);
    }
}

fn check_request(page: &mut PageApi, line: &str) {
    let answer = page.answer(line);
    assert!(!answer.contains('\n'), "{answer}");
    let answer: Value = serde_json::from_str(&answer).expect("JSON");
    assert!(answer.get("answer").is_some() != answer.get("error").is_some(), "{answer}");
    let request = serde_json::from_str::<Value>(line).unwrap_or_default();
    let id = request.get("id").and_then(Value::as_u64).unwrap_or_default();
    assert_eq!(answer["id"].as_u64(), Some(id), "{answer}");
}
