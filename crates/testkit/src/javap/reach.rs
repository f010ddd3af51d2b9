//! Which instructions can be executed, from javap's text alone.

use super::{Code, Instruction};
use std::collections::{BTreeMap, BTreeSet};

impl Code {
    /// The indexes of instructions that any reader of the code must consider reachable: over branches, and into a handler
    /// only from a reachable instruction that throws by its definition. (A reader may consider more to be reachable, since
    /// a JVM may throw certain errors anywhere.)
    pub fn certainly_reachable(&self) -> BTreeSet<u32> {
        let positions: BTreeMap<u32, usize> =
            self.instructions.iter().enumerate().map(|(position, insn)| (insn.bci, position)).collect();
        let mut reached = BTreeSet::new();
        let mut pending: Vec<u32> = self.instructions.first().map(|insn| insn.bci).into_iter().collect();
        while let Some(bci) = pending.pop() {
            let Some(&position) = positions.get(&bci) else { continue };
            if !reached.insert(bci) {
                continue;
            }
            let instruction = &self.instructions[position];
            pending.extend(branch_target(instruction));
            pending.extend(&instruction.switch_targets);
            if falls_through(instruction) {
                pending.extend(self.instructions.get(position + 1).map(|next| next.bci));
            }
            if throws(instruction) {
                pending.extend(self.handlers_of(bci));
            }
        }
        reached
    }

    /// Where an exception thrown at an index may go: nothing gets past a handler that catches all throwables.
    fn handlers_of(&self, bci: u32) -> Vec<u32> {
        let mut targets = Vec::new();
        for handler in self.handlers.iter().filter(|handler| (handler.from..handler.to).contains(&bci)) {
            targets.push(handler.target);
            if handler.catches.as_deref().is_none_or(|class| class == "java/lang/Throwable") {
                break;
            }
        }
        targets
    }
}

fn branch_target(instruction: &Instruction) -> Option<u32> {
    let mnemonic = instruction.mnemonic.as_str();
    let branches = mnemonic.starts_with("if") || matches!(mnemonic, "goto" | "goto_w" | "jsr" | "jsr_w");
    if branches { instruction.operand.parse().ok() } else { None }
}

fn falls_through(instruction: &Instruction) -> bool {
    let mnemonic = instruction.mnemonic.as_str();
    let leaves =
        matches!(mnemonic, "goto" | "goto_w" | "athrow" | "ret" | "ret_w" | "tableswitch" | "lookupswitch");
    // After a `jsr` execution goes on when the subroutine returns, as all but contrived ones do.
    !leaves && !mnemonic.ends_with("return")
}

/// Whether the instruction's own description in the JVM specification names an exception that ordinary programs see.
fn throws(instruction: &Instruction) -> bool {
    let mnemonic = instruction.mnemonic.as_str();
    mnemonic.starts_with("invoke")
        || matches!(
            mnemonic,
            "iaload"
                | "laload"
                | "faload"
                | "daload"
                | "aaload"
                | "baload"
                | "caload"
                | "saload"
                | "iastore"
                | "lastore"
                | "fastore"
                | "dastore"
                | "aastore"
                | "bastore"
                | "castore"
                | "sastore"
                | "getfield"
                | "putfield"
                | "getstatic"
                | "putstatic"
                | "new"
                | "newarray"
                | "anewarray"
                | "multianewarray"
                | "arraylength"
                | "athrow"
                | "checkcast"
                | "instanceof"
                | "monitorenter"
                | "monitorexit"
                | "idiv"
                | "ldiv"
                | "irem"
                | "lrem"
        )
}

#[cfg(test)]
mod tests {
    use super::super::{Handler, Instruction};
    use super::*;

    /// Code from lines of `bci mnemonic operand`.
    fn code(text: &str, handlers: &[(u32, u32, u32, &str)]) -> Code {
        let instructions = text.lines().map(|line| {
            let mut words = line.split_whitespace();
            Instruction {
                bci: words.next().unwrap().parse().unwrap(),
                mnemonic: words.next().unwrap().to_owned(),
                operand: words.next().unwrap_or_default().to_owned(),
                ..Instruction::default()
            }
        });
        let handlers = handlers.iter().map(|&(from, to, target, catches)| {
            let catches = (catches != "any").then(|| catches.to_owned());
            Handler { from, to, target, catches }
        });
        Code { instructions: instructions.collect(), handlers: handlers.collect(), lines: vec![] }
    }

    fn check(text: &str, handlers: &[(u32, u32, u32, &str)], expected: &[u32]) {
        let reached: Vec<u32> = code(text, handlers).certainly_reachable().into_iter().collect();
        assert_eq!(reached, expected, "{text}");
    }

    #[test]
    fn branches_and_dead_ends() {
        check(
            "0 iload_0\n1 ifeq 7\n4 iconst_1\n5 ireturn\n6 nop\n7 iconst_0\n8 ireturn",
            &[],
            &[0, 1, 4, 5, 7, 8],
        );
        check("0 goto 4\n3 nop\n4 goto 4\n7 return", &[], &[0, 4]);
        check("0 jsr 4\n3 return\n4 astore_1\n5 ret 1\n7 nop", &[], &[0, 3, 4, 5]);
    }

    #[test]
    fn handlers_are_reached_from_what_throws() {
        check("0 invokestatic #1\n3 return\n4 athrow", &[(0, 3, 4, "any")], &[0, 3, 4]);
        check("0 iconst_0\n1 pop\n2 return\n4 athrow", &[(0, 2, 4, "any")], &[0, 1, 2]);
        check("0 iaload\n1 pop\n2 return\n4 athrow", &[(0, 1, 4, "any")], &[0, 1, 2, 4]);
        let code = "0 athrow\n4 return\n5 return\n6 return";
        check(code, &[(0, 1, 4, "p/E"), (0, 1, 5, "java/lang/Throwable"), (0, 1, 6, "any")], &[0, 4, 5]);
        check("0 aload_0\n1 pop\n2 return\n4 athrow", &[(0, 1, 4, "any")], &[0, 1, 2]);
    }
}
