//! `manoury pdn clean`: games as PDN 3.0 has them.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};

use clap::Args;

use crate::cli::Error;
use crate::notation::pdn::{self, GameRecord, MoveLine};

use super::stream::GameFiles;

/// Print games as PDN 3.0 has them, whatever habits they were written in
///
/// Games are read as people write them: with either kind of result, captures with a dash, captures
/// that leave their way open, Latin-1 or UTF-8. Games with faults are left out, and the exit code is
/// then 1.
///
/// Examples:
///   manoury pdn clean games.pdn --unique --no-comments
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    #[command(flatten)]
    files: GameFiles,
    /// Leave out games whose start and moves came before
    #[arg(long)]
    unique: bool,
    /// Leave out comments, and with them clocks
    #[arg(long)]
    no_comments: bool,
    /// Leave out side lines
    #[arg(long)]
    no_variations: bool,
    /// Print games with faults up to the fault
    #[arg(long)]
    keep_faulty: bool,
}

/// Prints the games.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let mut output = io::stdout().lock();
    // A number of 64 bits a game: doubles are found among millions.
    let (hasher, mut seen) = (RandomState::new(), HashSet::new());
    let faults = arguments.files.each(&mut |game| {
        let record = match game.record {
            Ok(record) => record,
            Err(broken) => match broken.before.filter(|_| arguments.keep_faulty) {
                Some(record) => *record,
                None => return Ok(()),
            },
        };
        let moves: Vec<_> = record.line.moves.iter().map(|annotated| annotated.mv).collect();
        if arguments.unique && !seen.insert(hasher.hash_one((record.start.key(), moves))) {
            return Ok(());
        }
        let text = pdn::write_game(&arguments.stripped(record)) + "\n";
        Ok(output.write_all(text.as_bytes())?)
    })?;
    output.flush()?;
    Error::of_faulty_games(faults)
}

impl Arguments {
    fn stripped(&self, mut record: GameRecord) -> GameRecord {
        self.strip(&mut record.line);
        record
    }

    fn strip(&self, line: &mut MoveLine) {
        if self.no_comments {
            line.comments.clear();
        }
        for annotated in &mut line.moves {
            if self.no_comments {
                annotated.comments.clear();
            }
            if self.no_variations {
                annotated.variations.clear();
            }
            annotated.variations.iter_mut().for_each(|line| self.strip(line));
        }
    }
}
