//! Clients that come, search and vanish: none leaves anything behind.

#![cfg(target_os = "linux")]

use std::fs;
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use tungstenite::Message;

use super::program::{Server, until};

/// The clients.
const CLIENTS: usize = 200;

/// How many of them come at the same time.
const AT_A_TIME: usize = 20;

/// Memory growth allowed between the first clients and the last, in kilobytes: what the system keeps
/// of threads, and of memory that was given back.
const SLACK: u64 = 16 << 10;

/// The threads of a server without clients. A thread without a name of its own has its parent's.
const AT_REST: [&str; 3] = ["ctrl-c", "manoury", "server"];

/// The memory of the server, in kilobytes.
fn memory(server: &Server) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// The names of the threads of the server, sorted.
fn threads(server: &Server) -> Vec<String> {
    let tasks = fs::read_dir(format!("/proc/{}/task", server.id())).unwrap();
    // A thread may end between the two calls.
    let name = |task: fs::DirEntry| fs::read_to_string(task.path().join("comm")).ok();
    let mut names: Vec<_> = tasks.filter_map(|task| name(task.ok()?)).collect();
    names.iter_mut().for_each(|name| *name = name.trim_end().to_owned());
    names.sort();
    names
}

/// Clients at the same time, each of which is refused or searches, and vanishes. Returns how many
/// were not refused.
fn come_and_vanish(server: &Server, clients: usize) -> usize {
    thread::scope(|scope| {
        let visits: Vec<_> = (0..clients)
            .map(|_| {
                scope.spawn(|| {
                    let Ok(mut client) = server.try_connect() else { return false };
                    for line in ["init", "level infinite", "go analyze"] {
                        client.0.send(Message::text(line)).unwrap();
                    }
                    client.until("info");
                    true
                })
            })
            .collect();
        visits.into_iter().map(|visit| visit.join().unwrap()).filter(|&was| was).count()
    })
}

#[test]
fn vanished_clients_free_their_sessions() {
    let server = Server::start(&["--sessions", "8"]);
    let rest = || {
        until("the engines end", || (threads(&server) == AT_REST).then_some(()));
        memory(&server)
    };
    let mut served = come_and_vanish(&server, AT_A_TIME);
    let at_first = rest();
    for _ in 1..CLIENTS / AT_A_TIME {
        served += come_and_vanish(&server, AT_A_TIME);
        rest();
    }
    let at_last = rest();
    println!("{served} of {CLIENTS} served, {at_first} kB after the first, {at_last} kB at last");
    assert!(served >= CLIENTS / AT_A_TIME, "{served}");
    assert!(at_last < at_first + SLACK, "{at_first} kB, then {at_last} kB");
    assert_eq!(server.connect().answer("init", "ready"), "ready");
}

#[test]
fn silent_connections_do_not_shut_others_out() {
    let server = Server::start(&[]);
    let silent: Vec<_> = (0..300).map(|_| TcpStream::connect(&server.address).unwrap()).collect();
    let began = Instant::now();
    assert!(server.get("/").starts_with("HTTP/1.1 200"));
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    drop(silent);
}

/// A client that sends without reading fills neither the input nor the commands that wait.
#[test]
fn floods_do_not_fill_the_memory() {
    let server = Server::start(&[]);
    for lines in [["ping", "ping"], ["go analyze", "level infinite depth=1 nodes=1"]] {
        let before = memory(&server);
        let mut client = server.connect();
        let stream = client.0.get_mut();
        stream.set_write_timeout(Some(Duration::from_millis(200))).unwrap();
        let end = Instant::now() + Duration::from_secs(1);
        client.say(lines[0]);
        while Instant::now() < end && client.0.send(Message::text(lines[1])).is_ok() {}
        let after = memory(&server);
        assert!(after < before + 2 * SLACK, "{lines:?}: {before} kB, then {after} kB");
    }
}
