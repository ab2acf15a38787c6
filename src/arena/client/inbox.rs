//! What an engine sends, split into texts and time-stamped on a thread of its own.
//!
//! The thread stamps every text when its bytes arrive, however busy the arena is. It enforces a
//! budget, so that an engine that floods its output costs neither memory nor much time: the thread
//! stops reading, the pipe fills up, and the engine blocks.

use std::borrow::Cow;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TryRecvError};

/// Maximum length of a text in bytes.
const LONGEST: usize = 1 << 20;

/// Maximum number of texts, and of bytes, that an engine may send for one question.
const MAX_TEXTS: usize = 100_000;
const MAX_BYTES: usize = 64 << 20;

/// Maximum number of texts that wait to be received. An engine that sends more without being asked
/// is flooding.
const MAX_WAITING: usize = 4096;

/// The texts of an engine in order of arrival.
pub struct TextReceiver {
    texts: Receiver<ReceivedText>,
    budget: Arc<OutputBudget>,
}

/// A text that has been received.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReceivedText {
    /// The text without its terminator.
    pub bytes: Vec<u8>,
    /// When it arrived.
    pub at: Instant,
}

/// Why no more texts will come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The engine has closed its output, or its connection.
    Closed,
    /// It has sent more than its budget.
    Flood,
}

/// What an engine has sent since it was last asked.
#[derive(Default)]
struct OutputBudget {
    texts: AtomicUsize,
    bytes: AtomicUsize,
    is_exceeded: AtomicBool,
}

impl ReceivedText {
    /// The text as a line, without surrounding whitespace. Invalid UTF-8 is replaced.
    pub fn line(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.bytes.trim_ascii())
    }
}

impl TextReceiver {
    /// Starts a thread that reads texts, each terminated by the byte `end`. The thread ends with
    /// the input, or when it finds that the inbox has been dropped.
    ///
    /// # Errors
    ///
    /// The system refuses a thread.
    pub fn open(input: impl Read + Send + 'static, end: u8) -> io::Result<TextReceiver> {
        let (sender, texts) = crossbeam_channel::bounded(MAX_WAITING);
        let budget = Arc::new(OutputBudget::default());
        let inbox = TextReceiver { texts, budget: Arc::clone(&budget) };
        let reader = ReaderThread { end, sender, budget, pending: Vec::new() };
        thread::Builder::new().name("engine output".to_owned()).spawn(move || reader.run(input))?;
        Ok(inbox)
    }

    /// The next text; `None` if none arrives before the deadline.
    ///
    /// # Errors
    ///
    /// No more texts will come.
    pub fn receive(&self, deadline: Instant) -> Result<Option<ReceivedText>, Stop> {
        match self.texts.recv_deadline(deadline) {
            Ok(arrival) => Ok(Some(arrival)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.budget.stop()),
        }
    }

    /// The next text, if it has already arrived.
    ///
    /// # Errors
    ///
    /// No more texts will come.
    pub fn pending(&self) -> Result<Option<ReceivedText>, Stop> {
        match self.texts.try_recv() {
            Ok(arrival) => Ok(Some(arrival)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(self.budget.stop()),
        }
    }

    /// Begins a question: refills the budget of the engine.
    ///
    /// # Errors
    ///
    /// It has sent too much without being asked.
    pub fn start_request(&self) -> Result<(), Stop> {
        if self.texts.is_full() {
            return Err(Stop::Flood);
        }
        self.budget.refill();
        Ok(())
    }
}

impl OutputBudget {
    fn refill(&self) {
        self.texts.store(0, Ordering::Relaxed);
        self.bytes.store(0, Ordering::Relaxed);
    }

    /// Counts a text or a part of one. Returns whether it is within the budget.
    fn spend(&self, texts: usize, bytes: usize) -> bool {
        let texts = texts + self.texts.fetch_add(texts, Ordering::Relaxed);
        let bytes = bytes + self.bytes.fetch_add(bytes, Ordering::Relaxed);
        texts <= MAX_TEXTS && bytes <= MAX_BYTES
    }

    fn stop(&self) -> Stop {
        if self.is_exceeded.load(Ordering::Acquire) { Stop::Flood } else { Stop::Closed }
    }
}

/// The thread that reads.
struct ReaderThread {
    end: u8,
    sender: Sender<ReceivedText>,
    budget: Arc<OutputBudget>,
    /// The start of a text whose terminator has not arrived yet.
    pending: Vec<u8>,
}

/// Why the thread ends early.
enum Over {
    Flood,
    ReceiverDropped,
}

impl ReaderThread {
    fn run(mut self, mut input: impl Read) {
        let mut chunk = vec![0; 16 << 10];
        loop {
            let length = match input.read(&mut chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                // An input that cannot be read any more has ended, too.
                Ok(0) | Err(_) => return,
                Ok(length) => length,
            };
            match self.take(&chunk[..length], Instant::now()) {
                Ok(()) => {}
                Err(Over::ReceiverDropped) => return,
                Err(Over::Flood) => {
                    // The sender is dropped after this, which makes the inbox look at the flag.
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
                self.sender.send(ReceivedText { bytes, at }).map_err(|_| Over::ReceiverDropped)?;
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
    fn texts(inbox: &TextReceiver) -> (Vec<String>, Stop) {
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
        let inbox = TextReceiver::open(Cursor::new(b"one\r\n\n\xff two\nlost"), b'\n').unwrap();
        let expected = ["one", "", "\u{fffd} two"].map(str::to_owned).to_vec();
        assert_eq!(texts(&inbox), (expected, Stop::Closed));
    }

    #[test]
    fn texts_are_put_together_from_parts() {
        let input = Cursor::new("a long ").chain(Cursor::new("text\0and")).chain(Cursor::new("\0"));
        let inbox = TextReceiver::open(input, 0).unwrap();
        assert_eq!(texts(&inbox).0, ["a long text", "and"]);
    }

    #[test]
    fn floods_end() {
        let inbox = TextReceiver::open(io::repeat(b'x'), b'\n').unwrap();
        assert_eq!(texts(&inbox), (vec![], Stop::Flood), "an endless line");
        let inbox = TextReceiver::open(io::repeat(b'\n'), b'\n').unwrap();
        let (lines, stop) = texts(&inbox);
        assert_eq!((lines.len(), stop), (MAX_TEXTS, Stop::Flood), "endless lines");
    }

    #[test]
    fn floods_without_a_question_are_noticed() {
        let inbox = TextReceiver::open(io::repeat(b'\n'), b'\n').unwrap();
        while !inbox.texts.is_full() {
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(inbox.start_request(), Err(Stop::Flood));
    }
}
