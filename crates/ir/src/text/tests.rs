//! Every kind of thing once through printing and parsing. Whole methods are in `tests/filetests`.

use selvedge_base::Symbol;

use super::name::Quoted;
use super::parse;

/// What prints as `text` and reads back as the same.
fn round_trip(text: &str) {
    let methods = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let printed: String = methods.iter().map(super::Method::print).collect();
    assert_eq!(parse(&printed).as_ref(), Ok(&methods), "{printed}");
    let shape = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    assert_eq!(shape(&printed), shape(text));
}

fn error(text: &str) -> String {
    parse(text).unwrap_err().to_string()
}

#[test]
fn quoting_is_lossless() {
    let mut state = 7u64;
    let interesting =
        [0xc0, 0x80, 0xed, 0xa0, 0xb0, 0xf0, 0x9f, b'"', b'\\', b'x', b'\n', 0, b'a', 0xe2, 0xc3];
    for round in 0..20_000 {
        let bytes: Vec<u8> = (0..round % 9)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let random = (state >> 33) as usize;
                if random.is_multiple_of(3) {
                    random as u8
                } else {
                    interesting[random / 3 % interesting.len()]
                }
            })
            .collect();
        let text = format!("method a.b()V {{\nb0:\n v0: java/lang/String = string {}\n}}\n", Quoted(&bytes));
        let methods = parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let read = methods[0].body.insts.iter().next().unwrap().op;
        assert_eq!(read, crate::Op::String(Symbol::new(&bytes)), "{text}");
    }
}

#[test]
fn quotes_are_readable_where_they_can_be() {
    let quoted = |bytes: &[u8]| Quoted(bytes).to_string();
    assert_eq!(quoted("it's ümläut".as_bytes()), "\"it's ümläut\"");
    assert_eq!(quoted(b"\xed\xa0\xbd\xed\xb8\x80"), "\"😀\"", "a surrogate pair");
    assert_eq!(quoted(b"\xed\xa0\xbd"), r#""\xed\xa0\xbd""#, "half of one");
    assert_eq!(quoted("😀".as_bytes()), r#""\xf0\x9f\x98\x80""#, "not modified UTF-8");
    assert_eq!(quoted(b"\xc0\x80\0\x7f"), r#""\0\x00\x7f""#);
}

#[test]
fn odd_names_survive() {
    round_trip(
        "method public static 0x8200 \"int\".\"a b\"(I)V {\n\
         parameters v0: int, v1: \"int\", v2: \"a.b\", v3: [Lp/C;, v4: null\n\n\
         b0:\n\
         unwind \"any\" -> b1, any -> b2, p/E-x -> b1\n\
         v5: \"null\" = getfield \"1\".\"2 3\":\"L null;\" v1 @0\n\
         invoke special of_interface static.<init>(Lä/ö;)V v1, v3 @1\n\
         invoke interface of_class of_class.\"<x>\"\"(a b)\" @2\n\
         invoke interface of_interface.m()V @3\n\
         }\n",
    );
}

#[test]
fn numbers_survive() {
    for number in ["0.0", "-0.0", "1.5", "1e-45", "3.4028235e38", "inf", "-inf", "0x7fc00000", "0xffc00001"] {
        round_trip(&format!("method a.b()V {{\nb0:\nv0: float = float {number} @7\n}}\n"));
    }
    for number in ["0.1", "-1e300", "5e-324", "inf", "-inf", "0x7ff8000000000000", "0xfff0000000000001"] {
        round_trip(&format!("method a.b()V {{\nb0:\nv0: double = double {number} @4294967295\n}}\n"));
    }
    for number in [i32::MIN, -1, i32::MAX] {
        round_trip(&format!("method a.b()V {{\nb0:\nv0: int = int {number} @0\n}}\n"));
    }
}

#[test]
fn tables_survive() {
    round_trip(
        "method a.b()V {\n\
         lines @0 1, @1 70000\n\n\
         b0:\n\
         v0: java/lang/Runnable = invokedynamic cs0 @0 ; line 1, lambda invokestatic a.c()V\n\
         v1: int = constant k0 @1 ; line 70000, dynamic x\n\
         switch v1 { default -> b0 } @2\n\
         b1: <- b0, unwind b0\n\
         v2: int = phi b0 v1, b0 v1 @3\n\
         switch v1 {\n-1 -> b0,\n0 -> b1,\n1 -> b2,\n2 -> b3,\n3 -> b4,\ndefault -> b5\n} @4\n\n\
         callsite cs0 = run()Ljava/lang/Runnable; {\n\
         bootstrap invokestatic of_interface x/Y.z(I)V\n\
         argument method_type ()V\n\
         argument handle invokeinterface x/Z.z(I)V\n\
         argument float 0x7fc00001\n\
         lambda java/lang/Runnable.run()V\n\
         instantiated ()V\n\
         implementation invokestatic a.c()V\n\
         marker java/io/Serializable\n\
         bridge ()I\n\
         }\n\n\
         callsite cs1 = \"\"(I)V {\nbootstrap getfield x.y:I\nconcat \"a\\x01\\x02\"\nwith string \"b\"\n}\n\n\
         callsite cs2 = e()I {\nbootstrap putstatic x.y:I\nrecord p/R\ngetter getfield p/R.x:I\n}\n\n\
         callsite cs3 = e()I {\nbootstrap newinvokespecial x.<init>()V\nenum_switch\nlabel string \"A\"\n}\n\n\
         callsite cs4 = e()I {\nbootstrap invokevirtual x.y()V\ntype_switch\nlabel class p/C\nlabel int 3\n}\n\n\
         callsite cs5 = e()I {\nbootstrap invokespecial x.y()V\nother\n}\n\n\
         constant k0 = dynamic x:I invokestatic p/B.m()V { dynamic y:J getstatic a.b:I { }, long -7 }\n\n\
         constant k1 = double 1.5\n\
         }\n",
    );
}

#[test]
fn errors_say_where_and_what() {
    let in_block = |line: &str| error(&format!("method a.b()V {{\nb0:\n  {line}\n}}\n"));
    assert_eq!(error("methud"), "line 1, column 1: expected `method`, found `methud`");
    assert_eq!(error("method a.b()V"), "line 1, column 14: expected `{`, found the end of the text");
    assert_eq!(
        error("method quick a.b()V {"),
        "line 1, column 8: expected an access flag or a method, found `quick`"
    );
    assert_eq!(in_block("frob v1"), "line 3, column 3: there is no instruction `frob`");
    assert_eq!(in_block("v1: int = int x"), "line 3, column 17: expected an int, found `x`");
    assert_eq!(in_block("v1: int = int 3000000000"), "line 3, column 17: `3000000000` is not an int");
    assert_eq!(in_block("v1: int = int 3"), "line 4, column 1: v0 is not defined, but v1 is");
    assert_eq!(in_block("v0: int = float 0x100000000"), "line 3, column 19: a float has 32 bits");
    assert_eq!(in_block("goto v1"), "line 3, column 8: expected a block, found `v1`");
    assert_eq!(in_block("goto b01"), "line 3, column 8: expected a block, found `b01`");
    assert_eq!(in_block("return v1 @x"), "line 3, column 14: expected a bytecode index, found `x`");
    assert_eq!(in_block("v0: int = phi b7 v0"), "line 3, column 17: b0 has no predecessor 1");
    assert_eq!(in_block("if lt v1 b2"), "line 3, column 12: expected `then`, found `b2`");
    assert_eq!(in_block("b2:"), "line 3, column 3: blocks come in order, the next one is b1");
    assert_eq!(in_block("v0: int = string \"a"), "line 3, column 20: the quote is not closed on its line");
    assert_eq!(
        in_block("throw \"\\q\""),
        "line 3, column 10: no such escape; there are \\n \\r \\t \\0 \\\" \\\\ \\xHH"
    );
    assert_eq!(in_block("#"), "line 3, column 3: nothing starts with '#' here");
    assert_eq!(
        error("method a.b()V {\ngoto b1\n}"),
        "line 2, column 1: an instruction belongs to a block, and there is none yet"
    );
    let twice = "method a.b()V {\nparameters v0: int\nb0:\nv0: int = int 1\n}";
    assert_eq!(error(twice), "line 4, column 1: v0 is defined before");
    let deep = "dynamic x:I getstatic a.b:I { ".repeat(100_000);
    assert!(
        error(&format!("method a.b()V {{\nconstant k0 = {deep}"))
            .ends_with("constants are nested too deeply")
    );
}
