//! Atomic file writes: a file is written completely or not at all. Devices and pipes, which cannot
//! be replaced, are written into.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// Writes a file atomically: to a temporary file in the same folder, which then replaces any file
/// at `path`. The temporary file, unlike most, has the permissions of an ordinary new file. Returns
/// the file, positioned at its end.
///
/// A symbolic link stays: the file that it leads to is replaced. What is not an ordinary file, such
/// as a device or a pipe, is written into.
///
/// If the process is killed mid-write, the temporary file stays, and the next write of the same
/// file reuses it.
///
/// # Errors
///
/// Fails if the file cannot be written; any ordinary file at `path` is then left unchanged.
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<File> {
    let Some(path) = ordinary(path)? else {
        return write_all(File::options().write(true).truncate(true).open(path)?, write);
    };
    let file = write_all(temporary(&path)?, write)?;
    let file = file.persist(path).map_err(|error| error.error)?;
    // This fails only for a temporary file with a random name, which was never locked.
    let _ = file.unlock();
    Ok(file)
}

/// Writes a file through a buffer, and returns it.
fn write_all<W: Write>(
    file: W,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<W> {
    let mut file = BufWriter::new(file);
    write(&mut file)?;
    file.into_inner().map_err(io::IntoInnerError::into_error)
}

/// Checks that [`write_atomically`] can write a file, before work that takes long. Neither creates
/// the file nor changes an existing one. Devices and pipes are not opened: the reader of a pipe
/// would take that for the end.
///
/// # Errors
///
/// The path names a folder, or its folder does not exist or cannot be written.
pub fn check_writable(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    ordinary(path)?.map_or(Ok(()), |path| temporary(&path).map(drop))
}

/// The path of the ordinary file, existing or new, to which `path` leads through symbolic links.
/// `None` if it leads to something else: a device, a pipe, a folder, or an open file that has been
/// deleted (through `/dev/stdout`).
fn ordinary(path: &Path) -> io::Result<Option<PathBuf>> {
    match fs::metadata(path) {
        Ok(data) if data.is_file() => Ok(fs::canonicalize(path).ok()),
        Ok(_) => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Some(missing(path))),
        Err(error) => Err(error),
    }
}

/// The path of the missing file to which `path` leads.
fn missing(path: &Path) -> PathBuf {
    match fs::read_link(path) {
        Ok(link) => missing(&folder(path).join(link)),
        Err(_) => path.to_owned(),
    }
}

/// Writes the parts of a file and their CRC-32 atomically, as [`write_atomically`] does.
///
/// # Errors
///
/// See [`write_atomically`].
pub fn write_with_checksum(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let write = |file: &mut dyn Write| {
        let mut check = crc32fast::Hasher::new();
        for part in parts {
            check.update(part);
            file.write_all(part)?;
        }
        file.write_all(&check.finalize().to_le_bytes())
    };
    write_atomically(path, write).map(drop)
}

/// The temporary file for `path`: `.NAME.tmp`, or one with a random name if that file is in use or
/// the file system has no locks.
fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    let folder = folder(path);
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    let known = Builder::new().prefix(&name).suffix(".tmp").rand_bytes(0).make_in(folder, claim);
    known.or_else(|_| Builder::new().make_in(folder, create_new))
}

/// The folder of a file.
fn folder(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Opens a temporary file, either new or left behind by a process that has ended. Fails if another
/// process or thread is writing it.
fn claim(path: &Path) -> io::Result<File> {
    let is_file = || fs::symlink_metadata(path).map(|data| data.is_file());
    // The name is predictable, so it may have been planted as a link to another file.
    if is_file().is_ok_and(|is| !is) {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let file = File::options().create(true).truncate(false).write(true).open(path)?;
    file.try_lock()?;
    // If the file is gone by now, its writer has just renamed it to its final name.
    if !is_file()? {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    file.set_len(0)?;
    Ok(file)
}

/// Creates a file with the permissions of an ordinary new file. Its errors, unlike those of
/// `tempfile`, do not name the temporary file, which would mean nothing to users.
fn create_new(path: &Path) -> io::Result<File> {
    File::options().write(true).create_new(true).open(path)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// The contents of the files in a folder, by name.
    fn texts(folder: &Path) -> BTreeMap<String, String> {
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        files
            .map(|entry| {
                let name = entry.file_name().into_string().unwrap();
                (name, fs::read_to_string(entry.path()).unwrap())
            })
            .collect()
    }

    #[test]
    fn reuses_the_temporary_file_of_a_killed_process() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(".table.tmp"), "much longer than what is written").unwrap();
        write_atomically(&folder.path().join("table"), |file| file.write_all(b"whole")).unwrap();
        assert_eq!(texts(folder.path()), [("table".to_owned(), "whole".to_owned())].into());
    }

    #[test]
    fn concurrent_writes_are_atomic() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        let outer = write_atomically(&path, |file| {
            file.write_all(b"out")?;
            write_atomically(&path, |file| file.write_all(b"inner"))?;
            assert_eq!(fs::read(&path)?, b"inner");
            file.write_all(b"er")
        });
        outer.unwrap();
        assert_eq!(texts(folder.path()), [("table".to_owned(), "outer".to_owned())].into());
    }

    #[test]
    fn a_failed_write_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        fs::write(&path, "before").unwrap();
        let failed = write_atomically(&path, |file| {
            file.write_all(b"half")?;
            Err(io::ErrorKind::Other.into())
        });
        assert!(failed.is_err());
        assert_eq!(texts(folder.path()), [("table".to_owned(), "before".to_owned())].into());
    }

    #[test]
    fn checks_change_nothing() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("old"), "before").unwrap();
        for name in ["old", "new"] {
            check_writable(&folder.path().join(name)).unwrap();
        }
        assert_eq!(texts(folder.path()), [("old".to_owned(), "before".to_owned())].into());
        assert!(check_writable(folder.path()).is_err());
    }

    #[test]
    fn errors_are_those_of_the_system() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing").join("table");
        let system = fs::File::create(&path).unwrap_err().to_string();
        assert_eq!(check_writable(&path).unwrap_err().to_string(), system);
        assert_eq!(write_atomically(&path, |_| Ok(())).unwrap_err().to_string(), system);
    }

    #[cfg(unix)]
    #[test]
    fn planted_links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let other = folder.path().join("other");
        fs::write(&other, "of somebody else").unwrap();
        std::os::unix::fs::symlink(&other, folder.path().join(".table.tmp")).unwrap();
        write_atomically(&folder.path().join("table"), |file| file.write_all(b"whole")).unwrap();
        assert_eq!(fs::read_to_string(&other).unwrap(), "of somebody else");
        assert_eq!(fs::read_to_string(folder.path().join("table")).unwrap(), "whole");
    }

    #[cfg(unix)]
    #[test]
    fn links_stay() {
        let folder = tempfile::tempdir().unwrap();
        let [old, new, link] = ["old", "new", "link"].map(|name| folder.path().join(name));
        fs::write(&old, "before").unwrap();
        std::os::unix::fs::symlink("old", &link).unwrap();
        std::os::unix::fs::symlink("new", folder.path().join("chain")).unwrap();
        let to_new = folder.path().join("to_new");
        std::os::unix::fs::symlink(folder.path().join("chain"), &to_new).unwrap();
        for (link, file) in [(&link, &old), (&to_new, &new), (&to_new, &new)] {
            check_writable(link).unwrap();
            write_atomically(link, |file| file.write_all(b"after")).unwrap();
            assert!(link.is_symlink());
            assert_eq!(fs::read_to_string(file).unwrap(), "after");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 5);
    }

    #[cfg(unix)]
    #[test]
    fn a_circle_of_links_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("link", &link).unwrap();
        assert!(check_writable(&link).is_err());
        assert!(write_atomically(&link, |file| file.write_all(b"whole")).is_err());
        assert!(link.is_symlink());
    }

    #[cfg(unix)]
    #[test]
    fn pipes_are_written_into() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        check_writable(&pipe).unwrap();
        let read = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        write_atomically(&pipe, |file| file.write_all(b"whole")).unwrap();
        assert_eq!(read.join().unwrap(), "whole");
        assert!(!fs::metadata(&pipe).unwrap().is_file());
    }

    #[cfg(unix)]
    #[test]
    fn permissions_are_ordinary() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let mode = |name: &str| {
            let path = folder.path().join(name);
            fs::metadata(path).unwrap().permissions().mode()
        };
        fs::write(folder.path().join("ordinary"), "").unwrap();
        for name in ["known", "other"] {
            let path = folder.path().join(name);
            write_atomically(&path, |_| write_atomically(&path, |_| Ok(())).map(drop)).unwrap();
            assert_eq!(mode(name), mode("ordinary"));
        }
    }
}
