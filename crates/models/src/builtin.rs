//! The files of built-in rows.

/// Names and texts of the built-in files, in the order in which their rows are numbered.
pub(crate) const FILES: &[(&str, &str)] = &[
    ("natives.toml", include_str!("../rows/natives.toml")),
    ("unsafe.toml", include_str!("../rows/unsafe.toml")),
    ("reflection.toml", include_str!("../rows/reflection.toml")),
    ("roots.toml", include_str!("../rows/roots.toml")),
    ("threads.toml", include_str!("../rows/threads.toml")),
    ("locks.toml", include_str!("../rows/locks.toml")),
    ("queues-and-latches.toml", include_str!("../rows/queues-and-latches.toml")),
    ("atomics.toml", include_str!("../rows/atomics.toml")),
    ("containers.toml", include_str!("../rows/containers.toml")),
    ("frameworks.toml", include_str!("../rows/frameworks.toml")),
];
