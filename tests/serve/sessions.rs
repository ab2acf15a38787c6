//! Sessions of clients.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tungstenite::Message;

use super::program::{Server, command, until};

#[test]
fn a_client_speaks_hub_and_sends_requests() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    client.say("hub");
    let declared = client.until("wait");
    let threads = "param name=threads value=1 type=int min=1 max=1";
    assert!(declared.iter().any(|line| line == threads), "{declared:#?}");
    assert!(declared.iter().any(|line| line.starts_with("param name=tt-size value=16 ")));
    client.say("init");
    client.until("ready");
    client.say("pos start moves=\"32-28 19-23\"\nlevel depth=5");
    assert!(client.answer("go think", "done").starts_with("done move=28x19x23"));
    client.say(r#"{"id": 7, "ask": "games"}"#);
    let answer: Value = serde_json::from_str(client.hear().unwrap().to_text().unwrap()).unwrap();
    assert_eq!((&answer["id"], answer.get("error")), (&Value::from(7), None));
}

#[test]
fn answers_requests_during_a_search() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    client.say("init");
    client.until("ready");
    client.say("level infinite");
    client.say("go analyze");
    client.until("info");
    client.say(r#"{"id": 7, "ask": "words", "variant": "international", "start": "W:WK28:BK5"}"#);
    let answer = loop {
        let line = client.hear().unwrap().into_text().unwrap();
        if line.starts_with('{') {
            break serde_json::from_str::<Value>(&line).unwrap();
        }
    };
    assert_eq!(answer["answer"]["bitbases"]["winner"], "white", "{answer}");
    assert_eq!(client.answer("ping", "pong"), "pong");
    assert!(client.answer("stop", "done").starts_with("done move="));
}

#[test]
fn pings_are_exchanged_both_ways() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    client.0.send(Message::Ping("are you there?".into())).unwrap();
    assert_eq!(client.hear().unwrap(), Message::Pong("are you there?".into()));
}

#[test]
fn a_search_ends_at_the_time_limit() {
    let server = Server::start(&["--max-search-time", "1"]);
    let mut client = server.connect();
    client.say("init");
    client.until("ready");
    client.say("level infinite");
    let began = Instant::now();
    assert!(client.answer("go analyze", "done").starts_with("done move="));
    assert!(began.elapsed() >= Duration::from_secs(1), "{:?}", began.elapsed());
    // The session continues.
    client.say("level depth=3");
    assert!(client.answer("go think", "done").starts_with("done move="));
}

#[test]
fn quit_ends_a_session_and_frees_its_slot() {
    let server = Server::start(&["--sessions", "1"]);
    for _ in 0..3 {
        let mut client = until("a place is free", || server.try_connect().ok());
        client.say("init");
        client.until("ready");
        assert!(server.try_connect().is_err());
        client.say("quit");
        while client.hear().is_ok() {}
    }
}

/// Like a reloaded page.
#[test]
fn waits_briefly_for_a_free_slot() {
    let server = Server::start(&["--sessions", "1"]);
    let mut first = server.connect();
    thread::scope(|scope| {
        let second = scope.spawn(|| server.try_connect().is_ok());
        thread::sleep(Duration::from_millis(300));
        first.say("quit");
        assert!(second.join().unwrap());
    });
}

#[test]
fn uses_bitbases_of_a_folder() {
    let missing = command(&["--port", "0", "--bitbases", "no-such-folder"]).output().unwrap();
    assert_eq!(missing.status.code(), Some(3));
    let errors = String::from_utf8(missing.stderr).unwrap();
    assert_eq!(errors, "error: no-such-folder: no such folder\n");
    let server = Server::start(&["--bitbases", "tests"]);
    let mut client = server.connect();
    client.say("hub");
    assert!(client.until("wait").iter().all(|line| !line.contains("name=bb-dir")));
}

#[test]
fn clients_get_no_more_than_the_server_allows() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    for line in ["set-param name=threads value=64", "set-param name=tt-size value=28", "hub"] {
        client.say(line);
    }
    let declared = client.until("wait");
    for line in ["param name=threads value=1 ", "param name=tt-size value=16 "] {
        assert!(declared.iter().any(|declared| declared.starts_with(line)), "{declared:#?}");
    }
    for name in ["weights", "book-file", "bb-dir"] {
        let answer = client.answer(&format!("set-param name={name} value=/etc/passwd"), "error");
        let expected = format!("error message=\"clients of a server cannot set {name}\"");
        assert_eq!(answer, expected);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_server() {
    for signal in ["INT", "TERM"] {
        let server = Server::start(&[]);
        let mut client = server.connect();
        client.say("go analyze");
        assert_eq!(server.end(signal), Some(0), "{signal}");
        while client.hear().is_ok() {}
    }
}

#[test]
fn prints_an_address_that_other_machines_can_open() {
    let server = Server::start(&["--address", "0.0.0.0"]);
    assert!(!server.address.starts_with("0.0.0.0"), "{}", server.address);
    assert_eq!(server.connect().answer("init", "ready"), "ready");
}
