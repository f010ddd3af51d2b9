//! `StackMapTable`: the types of locals and operands at branch targets, which spare the verifier a fixpoint.

use crate::error::{Error, Result};
use crate::output::Output;
use crate::reader::Reader;

/// The type of a local variable or operand. `Long` and `Double` stand for two slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VerificationType {
    /// Nothing known: unusable.
    Top,
    /// An `int` or narrower.
    Integer,
    /// A `float`.
    Float,
    /// A `double`, two slots.
    Double,
    /// A `long`, two slots.
    Long,
    /// `null`.
    Null,
    /// `this` in a constructor, before it called another constructor.
    UninitializedThis,
    /// An object of the class at this pool index.
    Object(u16),
    /// The result of the `new` at this bci, before its constructor ran.
    Uninitialized(u16),
}

/// One frame. `bci` is where it applies; `change` is how it differs from the frame before it (for the first: from the
/// frame that follows from the method's descriptor).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The bci at which the frame holds.
    pub bci: u32,
    /// The difference to the preceding frame.
    pub change: FrameChange,
}

/// How a frame differs from the preceding one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FrameChange {
    /// The same locals, empty stack.
    Same,
    /// The same locals, one operand.
    SameWithStackItem(VerificationType),
    /// The last one to three locals are gone, empty stack.
    Chop(u8),
    /// One to three more locals, empty stack.
    Append(Vec<VerificationType>),
    /// Everything anew.
    Full {
        /// The locals.
        locals: Vec<VerificationType>,
        /// The operands, deepest first.
        stack: Vec<VerificationType>,
    },
}

/// Reads a `StackMapTable` of code of the given length.
pub(crate) fn read(info: &[u8], code_length: usize) -> Result<Vec<Frame>> {
    let mut reader = Reader::new(info, "StackMapTable");
    // The first frame's offset is a bci, every later one counts from the bci after the frame before it.
    let mut next = 0u32;
    let frames = reader.list(1, |reader| {
        let frame_type = reader.u8()?;
        let (delta, change) = match frame_type {
            0..=63 => (u16::from(frame_type), FrameChange::Same),
            64..=127 => (u16::from(frame_type) - 64, FrameChange::SameWithStackItem(read_type(reader)?)),
            247 => {
                let delta = reader.u16()?;
                (delta, FrameChange::SameWithStackItem(read_type(reader)?))
            }
            248..=250 => (reader.u16()?, FrameChange::Chop(251 - frame_type)),
            251 => (reader.u16()?, FrameChange::Same),
            252..=254 => {
                let delta = reader.u16()?;
                let added = (251..frame_type).map(|_| read_type(reader)).collect::<Result<Vec<_>>>()?;
                (delta, FrameChange::Append(added))
            }
            255 => {
                let delta = reader.u16()?;
                let locals = reader.list(1, read_type)?;
                let stack = reader.list(1, read_type)?;
                (delta, FrameChange::Full { locals, stack })
            }
            128..=246 => return Err(Error::Malformed { what: "a stack map frame has a reserved type" }),
        };
        let bci = next + u32::from(delta);
        if bci as usize >= code_length {
            return Err(Error::Malformed { what: "a stack map frame lies outside its code" });
        }
        next = bci + 1;
        Ok(Frame { bci, change })
    })?;
    reader.finish()?;
    Ok(frames)
}

fn read_type(reader: &mut Reader<'_>) -> Result<VerificationType> {
    Ok(match reader.u8()? {
        0 => VerificationType::Top,
        1 => VerificationType::Integer,
        2 => VerificationType::Float,
        3 => VerificationType::Double,
        4 => VerificationType::Long,
        5 => VerificationType::Null,
        6 => VerificationType::UninitializedThis,
        7 => VerificationType::Object(reader.u16()?),
        8 => VerificationType::Uninitialized(reader.u16()?),
        _ => return Err(Error::Malformed { what: "a stack map frame has an unknown verification type" }),
    })
}

/// Writes the frames, each in its shortest encoding. They must be in strictly increasing order of their bcis.
pub(crate) fn write(frames: &[Frame], out: &mut Output) -> Result<()> {
    let mut next = 0u32;
    out.list(frames, "StackMapTable", |out, frame| {
        let delta = frame.bci.checked_sub(next).and_then(|delta| u16::try_from(delta).ok());
        let delta = delta.ok_or(Error::Malformed { what: "stack map frames are out of order" })?;
        next = frame.bci + 1;
        match &frame.change {
            FrameChange::Same if delta < 64 => out.u8(delta as u8),
            FrameChange::Same => {
                out.u8(251);
                out.u16(delta);
            }
            FrameChange::SameWithStackItem(item) => {
                if delta < 64 {
                    out.u8(64 + delta as u8);
                } else {
                    out.u8(247);
                    out.u16(delta);
                }
                write_type(*item, out);
            }
            &FrameChange::Chop(count @ 1..=3) => {
                out.u8(251 - count);
                out.u16(delta);
            }
            FrameChange::Append(added) if (1..=3).contains(&added.len()) => {
                out.u8(251 + added.len() as u8);
                out.u16(delta);
                added.iter().for_each(|&local| write_type(local, out));
            }
            FrameChange::Chop(_) | FrameChange::Append(_) => {
                return Err(Error::Malformed {
                    what: "a frame removes or adds none or more than three locals",
                });
            }
            FrameChange::Full { locals, stack } => {
                out.u8(255);
                out.u16(delta);
                for types in [locals, stack] {
                    out.list(types, "a stack map frame", |out, &each| {
                        write_type(each, out);
                        Ok(())
                    })?;
                }
            }
        }
        Ok(())
    })
}

fn write_type(verification_type: VerificationType, out: &mut Output) {
    let (tag, operand) = match verification_type {
        VerificationType::Top => (0, None),
        VerificationType::Integer => (1, None),
        VerificationType::Float => (2, None),
        VerificationType::Double => (3, None),
        VerificationType::Long => (4, None),
        VerificationType::Null => (5, None),
        VerificationType::UninitializedThis => (6, None),
        VerificationType::Object(class) => (7, Some(class)),
        VerificationType::Uninitialized(bci) => (8, Some(bci)),
    };
    out.u8(tag);
    if let Some(operand) = operand {
        out.u16(operand);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_of_frames_round_trip() {
        let item = VerificationType::Uninitialized(3);
        let changes = [
            FrameChange::Same,
            FrameChange::SameWithStackItem(item),
            FrameChange::Chop(3),
            FrameChange::Append(vec![VerificationType::Long, VerificationType::Object(7)]),
            FrameChange::Full { locals: vec![VerificationType::UninitializedThis], stack: vec![item, item] },
        ];
        // Once close together, once so far apart that offsets need the long form.
        for distance in [1, 64, 65, 1000] {
            let at = |position: usize| (position as u32 + 1) * distance - 1;
            let frames: Vec<Frame> = changes
                .iter()
                .enumerate()
                .map(|(position, change)| Frame { bci: at(position), change: change.clone() })
                .collect();
            let mut out = Output::default();
            write(&frames, &mut out).unwrap();
            assert_eq!(read(&out.bytes, at(4) as usize + 1).unwrap(), frames);
            assert!(read(&out.bytes, at(4) as usize).is_err(), "a frame behind the code");
        }
    }

    #[test]
    fn what_no_encoding_exists_for_is_an_error() {
        let frame = |bci, change| Frame { bci, change };
        let mut out = Output::default();
        assert!(write(&[frame(3, FrameChange::Same), frame(3, FrameChange::Same)], &mut out).is_err());
        assert!(write(&[frame(3, FrameChange::Chop(4))], &mut out).is_err());
        assert!(write(&[frame(3, FrameChange::Append(Vec::new()))], &mut out).is_err());
    }
}
