//! A stackless typed SSA form of JVM methods: lowering, text form, verifier.
