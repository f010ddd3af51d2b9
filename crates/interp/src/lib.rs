//! A concrete interpreter of the intermediate form: the oracle the analyses are tested against.
