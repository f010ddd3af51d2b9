//! `jdk.internal.misc.Unsafe`.

use super::{NativeReturn, Row, boolean, int, long, value, void};
use crate::class::ClassKind;
use crate::exec::not_null;
use crate::machine::{Exec, Machine, Raise};
use crate::place::{ARRAY_BASE, STATIC_OFFSET, element_size};
use crate::thread::{Pending, ThreadState};
use crate::value::Value;

const UNSAFE: &str = "jdk/internal/misc/Unsafe";

fn get<const LETTER: u8, const VOLATILE: bool>(
    machine: &mut Machine<'_>,
    args: &[Value],
) -> Exec<NativeReturn> {
    let location = machine.unsafe_location(args[1], args[2].long(), LETTER)?;
    value(machine.read_location(location, LETTER, VOLATILE)?)
}

fn put<const LETTER: u8, const VOLATILE: bool>(
    machine: &mut Machine<'_>,
    args: &[Value],
) -> Exec<NativeReturn> {
    let location = machine.unsafe_location(args[1], args[2].long(), LETTER)?;
    machine.write_location(location, args[3], LETTER, VOLATILE)?;
    void()
}

/// Compares and, if equal, stores; returns what was there, or whether it stored.
fn exchange<const LETTER: u8, const RETURNS_OLD: bool>(
    machine: &mut Machine<'_>,
    args: &[Value],
) -> Exec<NativeReturn> {
    let location = machine.unsafe_location(args[1], args[2].long(), LETTER)?;
    let old = machine.read_location(location, LETTER, true)?;
    let equal = old == args[3];
    if equal {
        machine.write_location(location, args[4], LETTER, true)?;
    }
    if RETURNS_OLD { value(old) } else { boolean(equal) }
}

macro_rules! accessors {
    ($($name:literal $letter:literal)*) => {
        &[$(
            (UNSAFE, concat!("get", $name), "", get::<$letter, false>),
            (UNSAFE, concat!("put", $name), "", put::<$letter, false>),
            (UNSAFE, concat!("get", $name, "Volatile"), "", get::<$letter, true>),
            (UNSAFE, concat!("put", $name, "Volatile"), "", put::<$letter, true>),
        )*]
    };
}

/// Reads and writes of each type.
pub(crate) const ACCESSORS: &[Row] = accessors! {
    "Int" b'I' "Long" b'J' "Reference" b'L' "Boolean" b'Z' "Byte" b'B' "Short" b'S' "Char" b'C' "Float" b'F'
    "Double" b'D'
};

pub(crate) const ROWS: &[Row] = &[
    (UNSAFE, "compareAndSetInt", "", exchange::<b'I', false>),
    (UNSAFE, "compareAndSetLong", "", exchange::<b'J', false>),
    (UNSAFE, "compareAndSetReference", "", exchange::<b'L', false>),
    (UNSAFE, "compareAndExchangeInt", "", exchange::<b'I', true>),
    (UNSAFE, "compareAndExchangeLong", "", exchange::<b'J', true>),
    (UNSAFE, "compareAndExchangeReference", "", exchange::<b'L', true>),
    (UNSAFE, "compareAndExchangeByte", "", exchange::<b'B', true>),
    (UNSAFE, "compareAndExchangeShort", "", exchange::<b'S', true>),
    (UNSAFE, "loadFence", "", |_, _| void()),
    (UNSAFE, "storeFence", "", |_, _| void()),
    (UNSAFE, "fullFence", "", |_, _| void()),
    (UNSAFE, "arrayBaseOffset0", "", |_, _| int(ARRAY_BASE as i32)),
    (UNSAFE, "arrayIndexScale0", "", |machine, args| {
        let class = machine.mirrored(not_null(args[1])?)?;
        let element = crate::class::element_of(machine.class(class).name);
        int(element_size(&crate::heap::Payload::array(element, 0)) as i32)
    }),
    (UNSAFE, "objectFieldOffset0", "", |machine, args| {
        let field = not_null(args[1])?;
        long(machine.field_named(field, "slot")?.int().into())
    }),
    (UNSAFE, "objectFieldOffset1", "", |machine, args| {
        let class = machine.mirrored(not_null(args[1])?)?;
        let name = machine.string_text(not_null(args[2])?);
        let (_, slot) = machine.slot_named(class, &name)?;
        long(slot as i64)
    }),
    (UNSAFE, "staticFieldOffset0", "", |machine, args| {
        let field = not_null(args[1])?;
        long(STATIC_OFFSET + i64::from(machine.field_named(field, "slot")?.int()))
    }),
    (UNSAFE, "staticFieldBase0", "", |machine, args| {
        let field = not_null(args[1])?;
        value(machine.field_named(field, "clazz")?)
    }),
    (UNSAFE, "ensureClassInitialized0", "", |machine, args| {
        let class = machine.mirrored(not_null(args[1])?)?;
        machine.initialize(class)?;
        void()
    }),
    (UNSAFE, "shouldBeInitialized0", "", |machine, args| {
        let class = machine.mirrored(not_null(args[1])?)?;
        boolean(machine.class(class).init != crate::class::InitState::Done)
    }),
    (UNSAFE, "allocateInstance", "", |machine, args| {
        let class = machine.mirrored(not_null(args[1])?)?;
        machine.initialize(class)?;
        value(machine.new_instance(class)?)
    }),
    (UNSAFE, "throwException", "", |_, args| Err(Raise::Object(not_null(args[1])?))),
    (UNSAFE, "setMemory0", "", |machine, args| {
        for offset in 0..args[3].long() {
            let location = machine.unsafe_location(args[1], args[2].long() + offset, b'B')?;
            machine.write_location(location, args[4], b'B', false)?;
        }
        void()
    }),
    (UNSAFE, "copyMemory0", "", |machine, args| {
        let (from, to) = (args[2].long(), args[4].long());
        let mut bytes = Vec::new();
        for offset in 0..args[5].long() {
            let location = machine.unsafe_location(args[1], from + offset, b'B')?;
            bytes.push(machine.read_location(location, b'B', false)?);
        }
        for (offset, byte) in bytes.into_iter().enumerate() {
            let location = machine.unsafe_location(args[3], to + offset as i64, b'B')?;
            machine.write_location(location, byte, b'B', false)?;
        }
        void()
    }),
    (UNSAFE, "park", "", |machine, args| {
        park(machine, args[1].int() != 0, args[2].long())?;
        void()
    }),
    (UNSAFE, "unpark", "", |machine, args| {
        if let Some(object) = args[1].reference()
            && let Some(id) = machine.thread_of(object)
        {
            machine.threads[id].permit = true;
            if let ThreadState::Parked { .. } = machine.threads[id].state {
                machine.wake(id);
            }
        }
        void()
    }),
];

/// Waits for the permit, an interrupt or a time: nanoseconds from now, or milliseconds since the epoch.
fn park(machine: &mut Machine<'_>, is_absolute: bool, time: i64) -> Exec<()> {
    let resumed = machine.thread().pending.take() == Some(Pending::Park);
    let permit = std::mem::take(&mut machine.thread().permit);
    if resumed || permit || machine.is_interrupted(machine.current)? {
        return Ok(());
    }
    let now = machine.scheduler.now();
    let until = if is_absolute {
        let millis = time.saturating_sub(super::lang::EPOCH_MILLIS).max(0) as u64;
        Some(millis.saturating_mul(1_000_000))
    } else {
        (time > 0).then(|| now.saturating_add(time as u64))
    };
    if until.is_some_and(|until| until <= now) {
        return Ok(());
    }
    let thread = machine.thread();
    thread.pending = Some(Pending::Park);
    thread.state = ThreadState::Parked { until };
    Err(Raise::Block)
}

/// Whether a class is that of arrays; for checks of variable handles.
pub(crate) fn is_array(machine: &Machine<'_>, class: crate::class::RtClassId) -> bool {
    matches!(machine.class(class).kind, ClassKind::Array(_))
}
