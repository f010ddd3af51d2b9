//! From jars, directories and a JDK to a program: hierarchy, resolution, entry points, harness.
