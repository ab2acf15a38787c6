//! Training as far as it is: everything that the next epoch needs.
//!
//! ```text
//! magic    8 bytes: "Manoury" and 0x1f
//! length   u32: bytes of the text that follows
//! text     the data, the settings and the epochs so far: JSON
//! numbers  f32: those of the network, then the sums of their squared slopes
//! check    u32: the CRC-32 of all bytes before
//! ```

use std::fs;
use std::io;
use std::path::Path;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use crate::eval::network::file::Data;
use crate::learn::data::{DataError, Problem};
use crate::rules::Rules;
use crate::storage::write_whole;

use super::model::Model;
use super::step::Memory;
use super::{Epoch, Settings};

/// The first bytes of every file.
const MAGIC: [u8; 8] = *b"Manoury\x1f";

/// Training after some epochs.
pub(super) struct Checkpoint {
    /// The network.
    pub(super) model: Model,
    /// What is remembered of all steps.
    pub(super) memory: Memory,
    /// The epochs so far.
    pub(super) epochs: Vec<Epoch>,
}

/// What the text says.
#[derive(Serialize, Deserialize)]
struct Text {
    variant: String,
    data: Data,
    settings: Settings,
    epochs: Vec<Epoch>,
}

impl Checkpoint {
    /// That of a file; a new beginning if there is none.
    pub(super) fn open<R: Rules>(
        path: &Path,
        data: &Data,
        settings: &Settings,
    ) -> Result<Self, DataError> {
        if !path.exists() {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
            let model = Model::new::<R::Geometry>(&mut random);
            let memory = Memory::new::<R::Geometry>(Model::zeros::<R::Geometry>());
            return Ok(Checkpoint { model, memory, epochs: Vec::new() });
        }
        let open = || Self::read::<R>(&fs::read(path)?, data, settings);
        open().map_err(|problem| problem.of(path))
    }

    fn read<R: Rules>(file: &[u8], data: &Data, settings: &Settings) -> Result<Self, Problem> {
        let (body, check) = file.split_last_chunk().ok_or(Problem::NoData)?;
        let rest = body.strip_prefix(&MAGIC).ok_or(Problem::NoData)?;
        if crc32fast::hash(body).to_le_bytes() != *check {
            return Err(Problem::About);
        }
        let (length, rest) = rest.split_first_chunk().ok_or(Problem::About)?;
        let length = u32::from_le_bytes(*length) as usize;
        let (text, numbers) = rest.split_at_checked(length).ok_or(Problem::About)?;
        let text: Text = serde_json::from_slice(text).map_err(|_| Problem::About)?;
        if text.variant != R::VARIANT.name() {
            return Err(Problem::OtherVariant(text.variant));
        }
        if text.data != *data {
            return Err(Problem::OtherData);
        }
        // More epochs may be wanted now than then.
        if (Settings { epochs: settings.epochs, ..text.settings }) != *settings {
            return Err(Problem::OtherSettings);
        }
        let mut model = Model::zeros::<R::Geometry>();
        let mut squares = Model::zeros::<R::Geometry>();
        let all = model.numbers_mut().chain(squares.numbers_mut());
        let (chunks, _) = numbers.as_chunks();
        for (to, from) in all.zip(chunks) {
            *to = f32::from_le_bytes(*from);
        }
        Ok(Checkpoint { model, memory: Memory::new::<R::Geometry>(squares), epochs: text.epochs })
    }

    /// Writes it to a file, in place of an older one.
    pub(super) fn write<R: Rules>(
        &mut self,
        path: &Path,
        data: &Data,
        settings: &Settings,
    ) -> Result<(), DataError> {
        let text = Text {
            variant: R::VARIANT.name().to_owned(),
            data: data.clone(),
            settings: *settings,
            epochs: self.epochs.clone(),
        };
        let mut write = || {
            let text = serde_json::to_vec(&text)?;
            let mut file = MAGIC.to_vec();
            file.extend((text.len() as u32).to_le_bytes());
            file.extend(text);
            let numbers = self.model.numbers_mut().chain(self.memory.squares.numbers_mut());
            numbers.for_each(|number| file.extend(number.to_le_bytes()));
            file.extend(crc32fast::hash(&file).to_le_bytes());
            write_whole(path, |to| to.write_all(&file))?;
            io::Result::Ok(())
        };
        write().map_err(|error| Problem::Io(error).of(path))
    }
}
