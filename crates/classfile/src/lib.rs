//! JVM class files: lossless reading, decoding and writing.
