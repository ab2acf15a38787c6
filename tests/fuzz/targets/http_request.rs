//! Any bytes as the head of an HTTP request: what was read is the same if it comes in parts.

use manoury::serve::Request;

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let Ok(Some(request)) = Request::parse(bytes) else {
        return;
    };
    let head = bytes.len() - request.rest.len();
    assert_eq!(request.rest, bytes[head..]);
    let alone = Request::parse(&bytes[..head]).expect("a head").expect("a whole head");
    assert_eq!(alone, Request { rest: Vec::new(), ..request });
    assert!(!matches!(Request::parse(&bytes[..head - 1]), Ok(Some(_))));
}
