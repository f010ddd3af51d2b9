//! Events written to a file.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use selvedge_protocol::trace::TraceWriter;
use selvedge_protocol::{Definition, Event};

use crate::results::say;

/// Writes events to a file. The first failure ends it, and the file stays as it is then.
pub(crate) struct Recorder {
    writer: Option<TraceWriter<BufWriter<File>>>,
}

impl Recorder {
    pub(crate) fn create(file: &Path) -> Option<Recorder> {
        match File::create(file) {
            Ok(created) => Some(Recorder { writer: Some(TraceWriter::new(BufWriter::new(created))) }),
            Err(error) => {
                say(&format!("the trace {} cannot be written: {error}", file.display()));
                None
            }
        }
    }

    pub(crate) fn definition(&mut self, definition: &Definition) {
        self.write(|writer| writer.define(definition));
    }

    pub(crate) fn event(&mut self, event: &Event) {
        self.write(|writer| writer.event(event));
    }

    fn write(&mut self, step: impl FnOnce(&mut TraceWriter<BufWriter<File>>) -> std::io::Result<()>) {
        if self.writer.as_mut().is_some_and(|writer| step(writer).is_err()) {
            say("the trace cannot be written any further");
            self.writer = None;
        }
    }

    pub(crate) fn finish(self) {
        let Some(writer) = self.writer else { return };
        if let Err(error) = writer.finish().and_then(|mut file| file.flush()) {
            say(&format!("the trace cannot be finished: {error}"));
        }
    }
}
