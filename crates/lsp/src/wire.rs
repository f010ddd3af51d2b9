//! Messages over standard input and output.
//!
//! It differs from `lsp_server`'s own transport in what it does with bad input: a message that is not valid is answered and passed over,
//! one that is longer than [`LONGEST`] is never held, and only a header without a length, after which nothing can be read, ends it.

use std::io::{self, BufRead, Read};
use std::thread::JoinHandle;

use crossbeam_channel::{Sender, bounded};
use lsp_server::{Connection, ErrorCode, Message, Notification, RequestId, Response};
use serde_json::{Value, json};

/// The longest message that is read: larger than any source file in one.
const LONGEST: u64 = 64 << 20;

/// The longest line of a header.
const LONGEST_LINE: u64 = 1 << 12;

/// The threads that read and write.
pub struct Threads {
    reader: JoinHandle<io::Result<()>>,
    writer: JoinHandle<io::Result<()>>,
}

impl Threads {
    /// Waits until all is read and written. The connection must be gone.
    pub fn join(self) -> io::Result<()> {
        let joined = |thread: JoinHandle<io::Result<()>>| {
            thread.join().unwrap_or_else(|_| Err(io::Error::other("a thread of the connection ended early")))
        };
        joined(self.reader).and(joined(self.writer))
    }
}

/// A connection over standard input and output.
pub fn stdio() -> (Connection, Threads) {
    let (sender, outgoing) = bounded::<Message>(0);
    let (incoming, receiver) = bounded(0);
    let answers = sender.clone();
    let reader = std::thread::spawn(move || read_all(&mut io::stdin().lock(), &incoming, &answers));
    let writer = std::thread::spawn(move || {
        let mut output = io::stdout().lock();
        outgoing.into_iter().try_for_each(|message| message.write(&mut output))
    });
    (Connection { sender, receiver }, Threads { reader, writer })
}

/// Passes messages on until there are no more, the editor says `exit`, or nobody takes them.
fn read_all(
    input: &mut impl BufRead,
    incoming: &Sender<Message>,
    answers: &Sender<Message>,
) -> io::Result<()> {
    while let Some(body) = read_body(input)? {
        let message = match body {
            Ok(bytes) => serde_json::from_slice::<Message>(&bytes).map_err(|error| refusal(&bytes, &error)),
            Err(length) => Err(complaint(&format!("a message of {length} bytes is too long"))),
        };
        let is_last = matches!(&message, Ok(Message::Notification(it)) if it.method == "exit");
        let passed = match message {
            Ok(message) => incoming.send(message),
            Err(answer) => answers.send(answer),
        };
        if is_last || passed.is_err() {
            break;
        }
    }
    Ok(())
}

/// The bytes of the next message, or the length of one that is too long. Nothing at the end of the input.
fn read_body(input: &mut impl BufRead) -> io::Result<Option<Result<Vec<u8>, u64>>> {
    let mut length: Option<u64> = None;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        match (line.split_once(':'), length) {
            (Some((name, value)), _) if name.trim().eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().ok();
            }
            (Some(_), _) => {}
            (None, Some(_)) if line.trim().is_empty() => break,
            (None, _) => {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "a message without a Content-Length"));
            }
        }
    }
    let length = length.unwrap_or(0);
    let mut body = input.by_ref().take(length);
    if length > LONGEST {
        io::copy(&mut body, &mut io::sink())?;
        return Ok(Some(Err(length)));
    }
    let mut bytes = Vec::new();
    body.read_to_end(&mut bytes)?;
    // Half a message is the end of an editor that has died.
    Ok((bytes.len() as u64 == length).then_some(Ok(bytes)))
}

/// The answer to what is no message: an error to whom it names, otherwise a line in the log.
fn refusal(bytes: &[u8], error: &serde_json::Error) -> Message {
    let value = serde_json::from_slice::<Value>(bytes).unwrap_or(Value::Null);
    match serde_json::from_value::<RequestId>(value["id"].clone()) {
        Ok(id) => Response::new_err(id, ErrorCode::InvalidRequest as i32, error.to_string()).into(),
        Err(_) => complaint(&format!("the editor sent what is not a message ({error})")),
    }
}

fn complaint(sentence: &str) -> Message {
    let parameters = json!({ "type": 2, "message": format!("Selvedge: {sentence}") });
    Notification::new("window/logMessage".to_owned(), parameters).into()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// What is passed on and what is answered for an input, and whether it ends well.
    fn read(input: &[u8]) -> (Vec<Message>, Vec<Message>, bool) {
        let (incoming, passed) = crossbeam_channel::unbounded();
        let (answers, answered) = crossbeam_channel::unbounded();
        let ended = read_all(&mut io::BufReader::new(input), &incoming, &answers);
        drop((incoming, answers));
        (passed.iter().collect(), answered.iter().collect(), ended.is_ok())
    }

    fn framed(text: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    }

    const GOOD: &str = r#"{"jsonrpc":"2.0","id":1,"method":"x"}"#;

    #[test]
    fn messages_behind_bad_ones_are_read() {
        let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
        for bad in ["{", "", "null", "[1]", r#"{"id":7,"method":3}"#, "\u{fffd}", deep.as_str()] {
            let (passed, answered, is_well) = read((framed(bad) + &framed(GOOD)).as_bytes());
            assert_eq!((passed.len(), answered.len(), is_well), (1, 1, true), "{bad}");
        }
        let (_, answered, _) = read(framed(r#"{"id":7,"method":3}"#).as_bytes());
        assert!(matches!(&answered[0], Message::Response(it) if it.id == RequestId::from(7)));
    }

    #[test]
    fn headers_are_read_as_the_protocol_has_them() {
        let odd = format!("content-length:{}\r\nContent-Type: x; charset=utf-8\r\n\r\n{GOOD}", GOOD.len());
        assert_eq!(read(odd.as_bytes()).0.len(), 1);
        assert!(!read(b"hello\r\n\r\n").2);
        assert!(!read(b"Content-Length: -3\r\n\r\n").2);
        // The end in the middle of a message, or of a header, is that of the editor.
        for cut in [&framed(GOOD).as_bytes()[..30], b"Content-Len"] {
            assert_eq!(read(cut).0.len(), 0);
        }
    }

    #[test]
    fn too_long_a_message_is_not_held() {
        let length = LONGEST + 1;
        let head = format!("Content-Length: {length}\r\n\r\n");
        let body = io::repeat(b' ').take(length);
        let mut input = io::BufReader::new(head.as_bytes().chain(body).chain(io::Cursor::new(framed(GOOD))));
        assert_eq!(read_body(&mut input).unwrap(), Some(Err(length)));
        assert_eq!(read_body(&mut input).unwrap(), Some(Ok(GOOD.as_bytes().to_vec())));
    }
}
