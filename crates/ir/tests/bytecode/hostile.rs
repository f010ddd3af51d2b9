//! Methods made to take long or much memory: lowering ends soon, with a body or an error.

use crate::try_lower_with;

/// The number of blocks, or why the code was refused.
fn blocks(descriptor: &str, max_locals: u16, source: &str) -> Result<usize, String> {
    let lowered = try_lower_with(descriptor, max_locals, source, &selvedge_ir::NoHierarchy);
    lowered.map(|body| body.blocks.len()).map_err(|error| error.reason)
}

#[test]
fn many_variables_in_many_blocks() {
    // Every block assigns one of 2,500 variables, and a handler reads them all: six million arguments of phis.
    let each = |text: &str| (0..2500).map(|slot| text.replace('#', &slot.to_string())).collect::<String>();
    let source = each("aconst_null\nastore #\n")
        + "from: nop\n"
        + &each("aconst_null\nastore #\nnew X\npop\n")
        + "to: return\nhandler: pop\n"
        + &each("aload #\npop\n")
        + "return\n.catch any from to handler";
    assert_eq!(blocks("()V", 2500, &source), Ok(2504));
    let refusal = "the method has too many branches and local variables";
    let source = source.replace("return\nhandler", "iconst_0\nistore 60000\nreturn\nhandler");
    assert_eq!(blocks("()V", 60001, &source), Err(refusal.to_owned()));
}

#[test]
fn many_handlers() {
    let mut source = String::from("from: nop\n");
    source += &"new X\nastore 0\n".repeat(3000);
    source += "to: return\nhandler: pop\nreturn\n";
    for handler in 0..20_000 {
        source += &format!(".catch X{handler} from to handler\n");
    }
    assert_eq!(blocks("()V", 1, &source), Err("the method has too many exception handlers".to_owned()));
}

#[test]
fn deep_nests_of_loops() {
    let mut source = String::new();
    for level in 0..3000 {
        source += &format!("l{level}: iinc {} 1\n", level % 200);
    }
    for level in (0..3000).rev() {
        source += &format!("iload {}\nifeq l{level}\n", level % 200);
    }
    source += "return";
    let parameters = "I".repeat(200);
    assert_eq!(blocks(&format!("({parameters})V"), 200, &source), Ok(6001));
}

#[test]
fn tall_stacks() {
    let mut source = "iconst_0\n".repeat(30_000);
    for block in 0..6000 {
        source += &format!("iconst_0\nifeq b{block}\nb{block}: nop\n");
    }
    source += "return";
    assert_eq!(blocks("()V", 0, &source), Err("the method keeps too many values on the stack".to_owned()));
}

#[test]
fn long_chains_of_merges() {
    // The first merge takes both parameters; each of the others looks redundant until the one before it is known.
    let mut source = String::from("aload 0\nastore 3\niload 2\nifeq first\naload 1\nastore 3\nfirst: nop\n");
    for block in 0..6000 {
        source += &format!("iload 2\nifeq b{block}\naload 0\nastore 3\nb{block}: nop\n");
    }
    source += "aload 3\nareturn";
    let descriptor = "(Ljava/lang/Object;Ljava/lang/Object;I)Ljava/lang/Object;";
    assert_eq!(blocks(descriptor, 4, &source), Ok(12_003));
}
