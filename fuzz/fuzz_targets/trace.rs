#![no_main]
//! Reads any bytes as a trace and judges what can be read; and as a plan.

use libfuzzer_sys::fuzz_target;
use selvedge_protocol::trace::TraceReader;
use selvedge_protocol::{Options, Plan};
use selvedge_runtime::{Circumstances, Engine, RaceLog};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = Plan::from_json(text);
    }
    let Ok(mut reader) = TraceReader::new(bytes) else { return };
    let options = Options { max_clock_words: 1 << 20, ..Options::default() };
    let mut engine = Engine::new(&options);
    let mut log = RaceLog::new(100);
    while let Ok(Some(event)) = reader.next_event() {
        if let Some(race) = engine.event(&event) {
            log.add(&race, reader.tables(), Circumstances::default());
        }
    }
    let _ = log.findings();
});
