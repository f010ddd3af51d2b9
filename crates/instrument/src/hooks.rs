//! The hooks that inserted code calls: names and descriptors, as in the support class.

use selvedge_classfile::{Insn, PoolEditor, Result};

use crate::SUPPORT_NAME;

/// A static method of the support class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hook {
    pub(crate) name: &'static str,
    pub(crate) descriptor: &'static str,
}

const OBJECT_SITE: &str = "(Ljava/lang/Object;I)V";
const OFFSET: &str = "(Ljava/lang/Object;J)V";
const HANDLE: &str = "(Ljava/lang/Object;Ljava/lang/Object;I)V";
const OBJECT: &str = "(Ljava/lang/Object;)V";
const OBJECT_ME_SITE: &str = "(Ljava/lang/Object;Ljava/lang/Selvedge;I)V";
const SLOT_ME_SITE: &str = "(ILjava/lang/Selvedge;I)V";
const ARRAY: &str =
    "(Ljava/lang/Object;ILjava/lang/SelvedgeView;Ljava/lang/Selvedge;I)Ljava/lang/SelvedgeView;";
const RANGE: &str = "(Ljava/lang/Object;IIIIIILjava/lang/Selvedge;I)V";
const ONE: &str = "(Ljava/lang/Object;ILjava/lang/Selvedge;I)V";

macro_rules! hooks {
    ($($constant:ident = $name:literal $descriptor:expr;)*) => {
        $(pub(crate) const $constant: Hook = Hook { name: $name, descriptor: $descriptor };)*

        /// All of them, for the test that the support class has them.
        #[cfg(test)]
        pub(crate) const ALL: &[Hook] = &[$($constant),*];
    };
}

hooks! {
    ME = "me" "()Ljava/lang/Selvedge;";
    RAN = "ran" "(I)V";
    LOOPS = "loops" "(I)V";
    CALLING = "calling" "(Ljava/lang/Selvedge;I)V";
    ENTERS_QUIET = "entersQuiet" "(Ljava/lang/Selvedge;I)Z";
    FINAL_READ = "finalRead" SLOT_ME_SITE;
    INITIALISED = "initialised" "(I)V";
    PLAIN_READ = "plainRead" OBJECT_ME_SITE;
    PLAIN_WRITE = "plainWrite" OBJECT_ME_SITE;
    STATIC_READ_0 = "staticRead0" SLOT_ME_SITE;
    STATIC_READ_1 = "staticRead1" SLOT_ME_SITE;
    STATIC_READ_2 = "staticRead2" SLOT_ME_SITE;
    STATIC_READ_3 = "staticRead3" SLOT_ME_SITE;
    STATIC_WRITE = "staticWrite" SLOT_ME_SITE;
    MADE = "made" OBJECT_SITE;
    ARRAY_READ = "arrayRead" ARRAY;
    ARRAY_WRITE = "arrayWrite" ARRAY;
    READ_RANGE = "readRange" RANGE;
    WRITE_RANGE = "writeRange" RANGE;
    COPYING = "copying" "(Ljava/lang/Object;ILjava/lang/Object;IIII)V";
    CLONING = "cloning" OBJECT_SITE;
    BULK_READ = "bulkRead" "(Ljava/lang/Object;III)V";
    BULK_WRITE = "bulkWrite" "(Ljava/lang/Object;III)V";
    REACHED = "reached" "(Ljava/lang/Object;II)Ljava/lang/Object;";
    READ_ONE = "readOne" ONE;
    WRITE_ONE = "writeOne" ONE;
    VOLATILE_READ = "volatileRead" OBJECT_SITE;
    VOLATILE_WRITE = "volatileWrite" OBJECT_SITE;
    VOLATILE_INIT = "volatileInit" OBJECT_SITE;
    VARIABLE_READ = "variableRead" OBJECT_SITE;
    VARIABLE_WRITE = "variableWrite" OBJECT_SITE;
    ELEMENT_PUT = "elementPut" OBJECT_SITE;
    UNSAFE_READ = "unsafeRead" OFFSET;
    UNSAFE_WRITE = "unsafeWrite" OFFSET;
    UNSAFE_TRY = "unsafeTry" "(Ljava/lang/Object;J)Ljava/lang/Object;";
    HANDLE_READ = "handleRead" HANDLE;
    HANDLE_WRITE = "handleWrite" HANDLE;
    HANDLE_TRY = "handleTry" "(Ljava/lang/Object;Ljava/lang/Object;I)Ljava/lang/Object;";
    HANDLE_ACCESS = "handleAccess" "(Ljava/lang/Object;Ljava/lang/Object;III)V";
    TRIED = "tried" "(ILjava/lang/Object;)V";
    EXCHANGED = "exchanged" "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)V";
    EXCHANGED_INT = "exchanged" "(IILjava/lang/Object;)V";
    EXCHANGED_LONG = "exchanged" "(JJLjava/lang/Object;)V";
    REFLECTED_READ = "reflectedRead" "(Ljava/lang/Object;Ljava/lang/Object;)V";
    REFLECTED_WRITE = "reflectedWrite" "(Ljava/lang/Object;Ljava/lang/Object;)V";
    ALL_ENDED = "allEnded" "()V";
    RELEASE_FENCE = "releaseFence" "()V";
    ACQUIRE_FENCE = "acquireFence" "()V";
    ENTERED = "entered" OBJECT;
    EXITING = "exiting" OBJECT;
    LOCKED = "locked" OBJECT_SITE;
    LOCKED_IF = "lockedIf" "(ILjava/lang/Object;I)V";
    LOCKED_IF_LONG = "lockedIf" "(JLjava/lang/Object;I)V";
    UNLOCKING = "unlocking" OBJECT_SITE;
    OPTIMISTIC = "optimistic" "(J)V";
    VALIDATED = "validated" "()V";
    VIEW = "view" "(Ljava/lang/Object;Ljava/lang/Object;)V";
    STARTING = "starting" OBJECT;
    JOINED = "joined" OBJECT;
    ALIVE_ASKED = "aliveAsked" "(ILjava/lang/Object;)V";
    STATE_ASKED = "stateAsked" "(Ljava/lang/Object;Ljava/lang/Object;)V";
    ENDING = "ending" "()V";
    HANDING = "handing" "(Ljava/lang/Object;Ljava/lang/Object;)V";
    HANDED = "handed" OBJECT;
    HANDED_IF = "handedIf" "(ILjava/lang/Object;)V";
    HANDED_ITEM = "handedItem" "(Ljava/lang/Object;Ljava/lang/Object;)V";
    PARKED = "parked" "()V";
    UNPARKING = "unparking" OBJECT;
    INTERRUPTING = "interrupting" OBJECT;
    INTERRUPTED = "interrupted" "(ILjava/lang/Object;)V";
    NOTICED = "noticed" "()V";
    CALL = "call" OBJECT_SITE;
    AWAIT = "await" OBJECT;
    AWAIT_MILLIS = "await" "(Ljava/lang/Object;J)V";
    AWAIT_NANOS = "await" "(Ljava/lang/Object;JI)V";
}

/// The hook for a read of the static field of this number.
pub(crate) fn static_read(slot: u32) -> Hook {
    match slot & 3 {
        0 => STATIC_READ_0,
        1 => STATIC_READ_1,
        2 => STATIC_READ_2,
        _ => STATIC_READ_3,
    }
}

impl Hook {
    /// The call.
    pub(crate) fn call(self, pool: &mut PoolEditor<'_>) -> Result<Insn<'static>> {
        let (name, descriptor) = (self.name.as_bytes(), self.descriptor.as_bytes());
        Ok(Insn::InvokeStatic(pool.method(SUPPORT_NAME.as_bytes(), name, descriptor)?))
    }
}

/// Pushes an int.
pub(crate) fn push(value: u32, pool: &mut PoolEditor<'_>) -> Result<Insn<'static>> {
    let value = value as i32;
    Ok(match i16::try_from(value) {
        Ok(_) => Insn::IConst(value),
        Err(_) => Insn::Ldc(pool.integer(value)?),
    })
}

#[cfg(test)]
mod tests {
    use selvedge_classfile::{ClassFile, access};

    #[test]
    fn the_support_class_has_the_hooks() {
        let class = ClassFile::parse(selvedge_hooks::CLASS).unwrap();
        assert_eq!(class.this_class, crate::SUPPORT_NAME.as_bytes());
        for hook in super::ALL {
            let found = class.methods.iter().find(|method| {
                method.name == hook.name.as_bytes() && method.descriptor == hook.descriptor.as_bytes()
            });
            let wanted = access::PUBLIC | access::STATIC;
            assert!(found.is_some_and(|method| method.access & wanted == wanted), "{hook:?}");
        }
    }
}
