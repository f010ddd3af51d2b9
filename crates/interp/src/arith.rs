//! Arithmetic, conversions and comparisons, exactly as the JVM specification defines them.

use selvedge_ir::{BinaryOp, Comparison, Condition, Conversion};

use crate::value::Value;

/// An integer was divided by zero.
#[derive(Debug, PartialEq)]
pub(crate) struct DivisionByZero;

/// `a op b`; the operands' kinds agree, except that a shift's distance is an int.
pub(crate) fn binary(op: BinaryOp, a: Value, b: Value) -> Result<Value, DivisionByZero> {
    Ok(match (a, b) {
        (Value::Int(a), Value::Int(b)) => Value::Int(int(op, a, b)?),
        (Value::Long(a), Value::Long(b)) => Value::Long(long(op, a, b)?),
        (Value::Long(a), Value::Int(b)) => Value::Long(match op {
            BinaryOp::Shl => a.wrapping_shl(b as u32),
            BinaryOp::Shr => a.wrapping_shr(b as u32),
            BinaryOp::Ushr => (a as u64).wrapping_shr(b as u32) as i64,
            _ => long(op, a, b.into())?,
        }),
        (Value::Float(a), Value::Float(b)) => Value::Float(match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            BinaryOp::Div => a / b,
            // Rust's remainder is fmod, as the JVM's is.
            _ => a % b,
        }),
        (Value::Double(a), Value::Double(b)) => Value::Double(match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            BinaryOp::Div => a / b,
            _ => a % b,
        }),
        _ => Value::Int(0),
    })
}

fn int(op: BinaryOp, a: i32, b: i32) -> Result<i32, DivisionByZero> {
    Ok(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div | BinaryOp::Rem if b == 0 => return Err(DivisionByZero),
        BinaryOp::Div => a.wrapping_div(b),
        BinaryOp::Rem => a.wrapping_rem(b),
        BinaryOp::Shl => a.wrapping_shl(b as u32),
        BinaryOp::Shr => a.wrapping_shr(b as u32),
        BinaryOp::Ushr => (a as u32).wrapping_shr(b as u32) as i32,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
    })
}

fn long(op: BinaryOp, a: i64, b: i64) -> Result<i64, DivisionByZero> {
    Ok(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div | BinaryOp::Rem if b == 0 => return Err(DivisionByZero),
        BinaryOp::Div => a.wrapping_div(b),
        BinaryOp::Rem => a.wrapping_rem(b),
        BinaryOp::Shl => a.wrapping_shl(b as u32),
        BinaryOp::Shr => a.wrapping_shr(b as u32),
        BinaryOp::Ushr => (a as u64).wrapping_shr(b as u32) as i64,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
    })
}

/// `-a`.
pub(crate) fn negate(a: Value) -> Value {
    match a {
        Value::Int(a) => Value::Int(a.wrapping_neg()),
        Value::Long(a) => Value::Long(a.wrapping_neg()),
        Value::Float(a) => Value::Float(-a),
        Value::Double(a) => Value::Double(-a),
        Value::Ref(_) => a,
    }
}

/// A primitive conversion. Rust's `as` saturates and maps NaN to zero, as the JVM does.
pub(crate) fn convert(conversion: Conversion, a: Value) -> Value {
    match conversion {
        Conversion::I2L => Value::Long(a.int().into()),
        Conversion::I2F => Value::Float(a.int() as f32),
        Conversion::I2D => Value::Double(a.int().into()),
        Conversion::L2I => Value::Int(a.long() as i32),
        Conversion::L2F => Value::Float(a.long() as f32),
        Conversion::L2D => Value::Double(a.long() as f64),
        Conversion::F2I => Value::Int(a.float() as i32),
        Conversion::F2L => Value::Long(a.float() as i64),
        Conversion::F2D => Value::Double(a.float().into()),
        Conversion::D2I => Value::Int(a.double() as i32),
        Conversion::D2L => Value::Long(a.double() as i64),
        Conversion::D2F => Value::Float(a.double() as f32),
        Conversion::I2B => Value::Int((a.int() as i8).into()),
        Conversion::I2C => Value::Int((a.int() as u16).into()),
        Conversion::I2S => Value::Int((a.int() as i16).into()),
    }
}

/// A three-way comparison.
pub(crate) fn compare(comparison: Comparison, a: Value, b: Value) -> Value {
    let (ordering, unordered) = match comparison {
        Comparison::Long => (Some(a.long().cmp(&b.long())), 0),
        Comparison::FloatL => (a.float().partial_cmp(&b.float()), -1),
        Comparison::FloatG => (a.float().partial_cmp(&b.float()), 1),
        Comparison::DoubleL => (a.double().partial_cmp(&b.double()), -1),
        Comparison::DoubleG => (a.double().partial_cmp(&b.double()), 1),
    };
    Value::Int(ordering.map_or(unordered, |ordering| ordering as i32))
}

/// Whether a condition holds; `b` is missing where one operand is compared with zero or null.
pub(crate) fn holds(condition: Condition, a: Value, b: Option<Value>) -> bool {
    let ints = || (a.int(), b.map_or(0, Value::int));
    let refs = || (a.reference(), b.and_then(Value::reference));
    match condition {
        Condition::Eq => matches!(ints(), (a, b) if a == b),
        Condition::Ne => matches!(ints(), (a, b) if a != b),
        Condition::Lt => matches!(ints(), (a, b) if a < b),
        Condition::Ge => matches!(ints(), (a, b) if a >= b),
        Condition::Gt => matches!(ints(), (a, b) if a > b),
        Condition::Le => matches!(ints(), (a, b) if a <= b),
        Condition::RefEq => matches!(refs(), (a, b) if a == b),
        Condition::RefNe => matches!(refs(), (a, b) if a != b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_wrap_and_shifts_are_masked() {
        let int = |op, a, b| binary(op, Value::Int(a), Value::Int(b)).unwrap();
        assert_eq!(int(BinaryOp::Div, i32::MIN, -1), Value::Int(i32::MIN));
        assert_eq!(int(BinaryOp::Rem, i32::MIN, -1), Value::Int(0));
        assert_eq!(int(BinaryOp::Rem, -7, 3), Value::Int(-1));
        assert_eq!(int(BinaryOp::Shl, 1, 33), Value::Int(2));
        assert_eq!(int(BinaryOp::Ushr, -1, 31), Value::Int(1));
        assert_eq!(binary(BinaryOp::Shr, Value::Long(i64::MIN), Value::Int(-1)), Ok(Value::Long(-1)));
        assert_eq!(binary(BinaryOp::Div, Value::Long(1), Value::Long(0)), Err(DivisionByZero));
    }

    #[test]
    fn floating_point_follows_the_specification() {
        let nan = Value::Double(f64::NAN);
        assert_eq!(convert(Conversion::D2I, nan), Value::Int(0));
        assert_eq!(convert(Conversion::D2L, Value::Double(1e300)), Value::Long(i64::MAX));
        assert_eq!(convert(Conversion::I2B, Value::Int(200)), Value::Int(-56));
        assert_eq!(compare(Comparison::DoubleL, nan, nan), Value::Int(-1));
        assert_eq!(compare(Comparison::DoubleG, nan, nan), Value::Int(1));
        assert_eq!(compare(Comparison::FloatL, Value::Float(0.0), Value::Float(-0.0)), Value::Int(0));
        assert_eq!(binary(BinaryOp::Rem, Value::Double(-5.5), Value::Double(2.0)), Ok(Value::Double(-1.5)));
    }
}
