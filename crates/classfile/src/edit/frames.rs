//! Stack map frames in absolute form: expanded from differences, completed, and compressed again.

use crate::class::ClassFile;
use crate::code::Code;
use crate::edit::types::{State, Type, push_local};
use crate::error::{Error, Result};
use crate::pool_editor::PoolEditor;
use crate::stack_map::{Frame, FrameChange, VerificationType};

/// The state of each original frame, in order. Frames of the file are differences to their predecessors, the first one
/// to the state at the method's entry.
pub(crate) fn expand<'a>(
    entry: &State<'a>,
    frames: &[Frame],
    class: &ClassFile<'a>,
) -> Result<Vec<(u32, State<'a>)>> {
    let convert = |types: &[VerificationType]| -> Result<Vec<Type<'a>>> {
        types.iter().map(|&each| Type::of_verification(each, &class.pool)).collect()
    };
    let mut locals = entry.locals.clone();
    let mut expanded = Vec::with_capacity(frames.len());
    for frame in frames {
        let mut stack = Vec::new();
        match &frame.change {
            FrameChange::Same => {}
            FrameChange::SameWithStackItem(item) => stack = convert(&[*item])?,
            FrameChange::Chop(count) => {
                for _ in 0..*count {
                    // A long or double is one local in a frame, two slots in a state.
                    let half = locals.pop();
                    if half == Some(Type::Top) && locals.last().is_some_and(|local| local.takes_two_slots()) {
                        locals.pop();
                    } else if half.is_none() {
                        return Err(Error::Malformed { what: "a stack map frame removes too many locals" });
                    }
                }
            }
            FrameChange::Append(added) => {
                convert(added)?.into_iter().for_each(|local| push_local(&mut locals, local));
            }
            FrameChange::Full { locals: all, stack: operands } => {
                locals.clear();
                convert(all)?.into_iter().for_each(|local| push_local(&mut locals, local));
                stack = convert(operands)?;
            }
        }
        expanded.push((frame.bci, State { locals: locals.clone(), stack }));
    }
    Ok(expanded)
}

/// The states before the instructions at the `wanted` bcis, which are sorted. `None` where code is unreachable.
pub(crate) fn states_before<'a>(
    wanted: &[u32],
    entry: &State<'a>,
    frames: &[(u32, State<'a>)],
    code: &Code<'a>,
    class: &ClassFile<'a>,
) -> Result<Vec<Option<State<'a>>>> {
    let mut states = Vec::with_capacity(wanted.len());
    let mut frames = frames.iter().peekable();
    let mut current = Some(entry.clone());
    let mut wanted = wanted.iter().peekable();
    for item in code.instructions() {
        if wanted.peek().is_none() {
            break;
        }
        let (bci, insn) = item?;
        while let Some((at, state)) = frames.peek()
            && *at <= bci
        {
            if *at == bci {
                current = Some(state.clone());
            }
            frames.next();
        }
        while wanted.next_if(|&&wanted| wanted == bci).is_some() {
            states.push(current.clone());
        }
        if let Some(state) = &mut current {
            state.step(bci, &insn, code, class)?;
            if !insn.falls_through() {
                current = None;
            }
        }
    }
    states.resize(states.len() + wanted.count(), None);
    Ok(states)
}

/// Encodes absolute states as frames, each as a short difference to its predecessor. `states` are in strictly
/// increasing order of their bcis, which are those of the new code; `moved` maps the bci of a `new` there.
pub(crate) fn compress<'a>(
    entry: &State<'a>,
    states: &[(u32, State<'a>)],
    pool: &mut PoolEditor<'_>,
    moved: impl Fn(u16) -> Result<u16>,
) -> Result<Vec<Frame>> {
    let mut previous = listed_locals(&entry.locals);
    let mut frames = Vec::with_capacity(states.len());
    let mut convert = |types: &[Type<'a>]| -> Result<Vec<VerificationType>> {
        types.iter().map(|&each| verification_type(each, pool, &moved)).collect()
    };
    for (bci, state) in states {
        let locals = listed_locals(&state.locals);
        let change = match (&*state.stack, locals.len() as isize - previous.len() as isize) {
            ([], 0) if locals == previous => FrameChange::Same,
            ([item], 0) if locals == previous => FrameChange::SameWithStackItem(convert(&[*item])?[0]),
            ([], 1..=3) if locals.starts_with(&previous) => {
                FrameChange::Append(convert(&locals[previous.len()..])?)
            }
            ([], fewer @ -3..=-1) if previous.starts_with(&locals) => FrameChange::Chop(-fewer as u8),
            _ => FrameChange::Full { locals: convert(&locals)?, stack: convert(&state.stack)? },
        };
        frames.push(Frame { bci: *bci, change });
        previous = locals;
    }
    Ok(frames)
}

/// Locals as frames list them: one entry for a long or double, no `Top`s at the end.
fn listed_locals<'a>(slots: &[Type<'a>]) -> Vec<Type<'a>> {
    let mut listed = Vec::with_capacity(slots.len());
    let mut at = 0;
    while let Some(&local) = slots.get(at) {
        listed.push(local);
        at += if local.takes_two_slots() { 2 } else { 1 };
    }
    while listed.last() == Some(&Type::Top) {
        listed.pop();
    }
    listed
}

fn verification_type(
    of: Type<'_>,
    pool: &mut PoolEditor<'_>,
    moved: impl Fn(u16) -> Result<u16>,
) -> Result<VerificationType> {
    Ok(match of {
        Type::Top => VerificationType::Top,
        Type::Int => VerificationType::Integer,
        Type::Float => VerificationType::Float,
        Type::Long => VerificationType::Long,
        Type::Double => VerificationType::Double,
        Type::Null => VerificationType::Null,
        Type::UninitializedThis => VerificationType::UninitializedThis,
        Type::Uninitialized(bci) => VerificationType::Uninitialized(moved(bci)?),
        Type::Class(_) | Type::Array(..) => {
            let name = of.class_name().expect("classes and arrays have a name");
            VerificationType::Object(pool.class(&name)?)
        }
    })
}
