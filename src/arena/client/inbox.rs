//! What an engine sends, taken apart and timed on a thread of its own.
//!
//! The thread stamps every text when its bytes arrive, however busy the arena is. It keeps to a
//! budget, so that an engine that floods its output costs neither memory nor much time: the thread
//! stops reading it, and soon the engine, whose pipe is full, stands still.

use std::borrow::Cow;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TryRecvError};

/// The longest text in bytes.
const LONGEST: usize = 1 << 20;

/// The texts, and their bytes, that an engine may send for one question.
const MOST_TEXTS: usize = 100_000;
const MOST_BYTES: usize = 64 << 20;

/// The texts that wait until somebody looks. An engine that has sent so many without being asked
/// floods.
const MOST_WAITING: usize = 4096;

/// The texts of an engine in the order of their arrival.
pub struct Inbox {
    texts: Receiver<Arrival>,
    budget: Arc<Budget>,
}

/// A text that has come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrival {
    /// The text without its end.
    pub bytes: Vec<u8>,
    /// When it came.
    pub at: Instant,
}

/// Why nothing more comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The engine has closed its output, or its connection.
    Closed,
    /// It has sent too much.
    Flood,
}

/// What an engine has sent since it was asked.
#[derive(Default)]
struct Budget {
    texts: AtomicUsize,
    bytes: AtomicUsize,
    is_exceeded: AtomicBool,
}

impl Arrival {
    /// A line, without blanks around it. Bytes that are no UTF-8 are replaced.
    pub fn line(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.bytes.trim_ascii())
    }
}

impl Inbox {
    /// Reads texts, each with the byte `end` behind it. The thread ends with the input, or when it
    /// finds that the inbox is gone.
    ///
    /// # Errors
    ///
    /// The system gives no thread.
    pub fn open(input: impl Read + Send + 'static, end: u8) -> io::Result<Inbox> {
        let (sender, texts) = crossbeam_channel::bounded(MOST_WAITING);
        let budget = Arc::new(Budget::default());
        let inbox = Inbox { texts, budget: Arc::clone(&budget) };
        let reader = Reader { end, sender, budget, pending: Vec::new() };
        thread::Builder::new().name("engine output".to_owned()).spawn(move || reader.run(input))?;
        Ok(inbox)
    }

    /// The next text; `None` if there is none until the deadline.
    ///
    /// # Errors
    ///
    /// There will be none any more.
    pub fn receive(&self, deadline: Instant) -> Result<Option<Arrival>, Stop> {
        match self.texts.recv_deadline(deadline) {
            Ok(arrival) => Ok(Some(arrival)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.budget.stop()),
        }
    }

    /// A text that is there already.
    ///
    /// # Errors
    ///
    /// There will be none any more.
    pub fn pending(&self) -> Result<Option<Arrival>, Stop> {
        match self.texts.try_recv() {
            Ok(arrival) => Ok(Some(arrival)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(self.budget.stop()),
        }
    }

    /// Begins a question: the engine may send as much as for any other.
    ///
    /// # Errors
    ///
    /// It has sent too much without being asked.
    pub fn begin(&self) -> Result<(), Stop> {
        if self.texts.is_full() {
            return Err(Stop::Flood);
        }
        self.budget.refill();
        Ok(())
    }
}

impl Budget {
    fn refill(&self) {
        self.texts.store(0, Ordering::Relaxed);
        self.bytes.store(0, Ordering::Relaxed);
    }

    /// Counts a text, or a part of one; `false` if it is too much.
    fn spend(&self, texts: usize, bytes: usize) -> bool {
        let texts = texts + self.texts.fetch_add(texts, Ordering::Relaxed);
        let bytes = bytes + self.bytes.fetch_add(bytes, Ordering::Relaxed);
        texts <= MOST_TEXTS && bytes <= MOST_BYTES
    }

    fn stop(&self) -> Stop {
        if self.is_exceeded.load(Ordering::Acquire) { Stop::Flood } else { Stop::Closed }
    }
}

/// The thread that reads.
struct Reader {
    end: u8,
    sender: Sender<Arrival>,
    budget: Arc<Budget>,
    /// The start of a text whose end has not come yet.
    pending: Vec<u8>,
}

/// Why the thread ends early.
enum Over {
    Flood,
    NobodyListens,
}

impl Reader {
    fn run(mut self, mut input: impl Read) {
        let mut chunk = vec![0; 16 << 10];
        loop {
            let length = match input.read(&mut chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                // What cannot be read any more has ended, too.
                Ok(0) | Err(_) => return,
                Ok(length) => length,
            };
            match self.take(&chunk[..length], Instant::now()) {
                Ok(()) => {}
                Err(Over::NobodyListens) => return,
                Err(Over::Flood) => {
                    // The sender is dropped after this, and tells the inbox to look.
                    self.budget.is_exceeded.store(true, Ordering::Release);
                    return;
                }
            }
        }
    }

    fn take(&mut self, chunk: &[u8], at: Instant) -> Result<(), Over> {
        for part in chunk.split_inclusive(|byte| *byte == self.end) {
            let is_whole = part.last() == Some(&self.end);
            self.pending.extend_from_slice(part);
            let is_affordable = self.budget.spend(usize::from(is_whole), part.len());
            if !is_affordable || self.pending.len() > LONGEST {
                return Err(Over::Flood);
            }
            if is_whole {
                self.pending.pop();
                let bytes = std::mem::take(&mut self.pending);
                self.sender.send(Arrival { bytes, at }).map_err(|_| Over::NobodyListens)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::time::Duration;

    use super::*;

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    /// All texts up to the end.
    fn texts(inbox: &Inbox) -> (Vec<String>, Stop) {
        let mut texts = Vec::new();
        loop {
            match inbox.receive(soon()) {
                Ok(Some(arrival)) => texts.push(arrival.line().into_owned()),
                Ok(None) => panic!("nothing came"),
                Err(stop) => return (texts, stop),
            }
        }
    }

    #[test]
    fn takes_any_bytes_apart() {
        let inbox = Inbox::open(Cursor::new(b"one\r\n\n\xff two\nlost"), b'\n').unwrap();
        let expected = ["one", "", "\u{fffd} two"].map(str::to_owned).to_vec();
        assert_eq!(texts(&inbox), (expected, Stop::Closed));
    }

    #[test]
    fn texts_are_put_together_from_parts() {
        let input = Cursor::new("a long ").chain(Cursor::new("text\0and")).chain(Cursor::new("\0"));
        let inbox = Inbox::open(input, 0).unwrap();
        assert_eq!(texts(&inbox).0, ["a long text", "and"]);
    }

    #[test]
    fn floods_end() {
        let inbox = Inbox::open(io::repeat(b'x'), b'\n').unwrap();
        assert_eq!(texts(&inbox), (vec![], Stop::Flood), "an endless line");
        let inbox = Inbox::open(io::repeat(b'\n'), b'\n').unwrap();
        let (lines, stop) = texts(&inbox);
        assert_eq!((lines.len(), stop), (MOST_TEXTS, Stop::Flood), "endless lines");
    }

    #[test]
    fn floods_without_a_question_are_noticed() {
        let inbox = Inbox::open(io::repeat(b'\n'), b'\n').unwrap();
        while !inbox.texts.is_full() {
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(inbox.begin(), Err(Stop::Flood));
    }
}
