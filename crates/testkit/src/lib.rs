//! Test support: a javac driver with a cache, inline expectations, golden files.
