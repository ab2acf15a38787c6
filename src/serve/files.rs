//! The files of the page, which are embedded in the program.

/// A file of the page.
#[derive(Debug)]
pub struct File {
    /// The path within the folder of the page.
    pub path: &'static str,
    /// The media type.
    pub media_type: &'static str,
    pub contents: &'static [u8],
}

macro_rules! files {
    ($($path:literal,)*) => {
        &[$(File {
            path: $path,
            media_type: media_type($path),
            contents: include_bytes!(concat!("../page/", $path)),
        }),*]
    };
}

/// All files except `index.html` and the service worker, which caches the page for offline use.
static FILES: &[File] = files![
    "accuracy.js",
    "analysis.js",
    "annotation.js",
    "base.css",
    "board.js",
    "chances-chart.js",
    "clock.js",
    "collection.js",
    "dom.js",
    "engine-client.js",
    "exercises.js",
    "explorer.js",
    "files.js",
    "game-list.js",
    "game-state.js",
    "game-view.js",
    "game-viewer.js",
    "gif.js",
    "icon.svg",
    "icons.js",
    "images.js",
    "language/en.json",
    "language/fr.json",
    "language/index.json",
    "language/nl.json",
    "line-preview.js",
    "main.js",
    "manifest.webmanifest",
    "mistakes.js",
    "move-input.js",
    "move-list.js",
    "mover.js",
    "opponent.js",
    "pdn.js",
    "picture.js",
    "players.js",
    "review.js",
    "saved-game.js",
    "settings.js",
    "setup.js",
    "shapes.js",
    "sounds.js",
    "style.css",
    "tabs.js",
    "texts.js",
    "trainer.js",
    "tree.js",
    "walking.js",
];

/// The page, set up for an engine in a worker.
const INDEX: &str = include_str!("../page/index.html");

/// The page's declaration of an engine in a worker.
const WORKER: &str = r#"<meta name="engine" content="worker" />"#;
/// The page's declaration of an engine behind a socket.
const SOCKET: &str = r#"<meta name="engine" content="socket" />"#;

/// The page, set up for an engine behind a socket.
pub fn index() -> String {
    INDEX.replace(WORKER, SOCKET)
}

/// The file at a path.
pub fn find(path: &str) -> Option<&'static File> {
    FILES.iter().find(|file| file.path == path)
}

/// The media type of a file, by its extension.
pub const fn media_type(path: &str) -> &'static str {
    match path.as_bytes() {
        [.., b'.', b'c', b's', b's'] => "text/css; charset=utf-8",
        [.., b'.', b'j', b's'] => "text/javascript; charset=utf-8",
        [.., b'.', b'j', b's', b'o', b'n'] => "application/json",
        [.., b'.', b's', b'v', b'g'] => "image/svg+xml",
        _ => "application/manifest+json",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    /// The paths of all files below a folder, relative to it and each prefixed with `from`.
    fn below(folder: &Path, from: &str) -> BTreeSet<String> {
        let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
        let paths = entries.flat_map(|entry| {
            let name = format!("{from}{}", entry.file_name().into_string().unwrap());
            match entry.path().is_dir() {
                true => below(&entry.path(), &format!("{name}/")),
                false => BTreeSet::from([name]),
            }
        });
        paths.collect()
    }

    #[test]
    fn embeds_every_file_of_the_page() {
        let known = FILES.iter().map(|file| file.path.to_owned());
        let others = ["index.html", "service-worker.js"].map(str::to_owned);
        let known: BTreeSet<_> = known.chain(others).collect();
        assert_eq!(known, below(Path::new("src/page"), ""));
    }

    #[test]
    fn the_page_uses_a_socket() {
        assert!(index().contains(SOCKET));
        assert_eq!(find("main.js").unwrap().media_type, "text/javascript; charset=utf-8");
        assert_eq!(find("language/nl.json").unwrap().media_type, "application/json");
        assert!(find("../Cargo.toml").is_none());
    }
}
