//! Bits of floating-point numbers, and the functions of `StrictMath` that the JDK leaves to C.

use super::{Row, int, long, value};
use crate::value::Value;

macro_rules! unary {
    ($name:literal, $function:expr) => {
        ("java/lang/StrictMath", $name, "(D)D", |_, args| {
            let function: fn(f64) -> f64 = $function;
            value(Value::Double(function(args[0].double())))
        })
    };
}

pub(crate) const ROWS: &[Row] = &[
    ("java/lang/Float", "floatToRawIntBits", "", |_, args| int(args[0].float().to_bits() as i32)),
    ("java/lang/Float", "intBitsToFloat", "", |_, args| {
        value(Value::Float(f32::from_bits(args[0].int() as u32)))
    }),
    ("java/lang/Double", "doubleToRawLongBits", "", |_, args| long(args[0].double().to_bits() as i64)),
    ("java/lang/Double", "longBitsToDouble", "", |_, args| {
        value(Value::Double(f64::from_bits(args[0].long() as u64)))
    }),
    unary!("sin", f64::sin),
    unary!("cos", f64::cos),
    unary!("tan", f64::tan),
    unary!("asin", f64::asin),
    unary!("acos", f64::acos),
    unary!("atan", f64::atan),
    unary!("log", f64::ln),
    unary!("log10", f64::log10),
    unary!("sqrt", f64::sqrt),
    unary!("sinh", f64::sinh),
    unary!("cosh", f64::cosh),
    unary!("tanh", f64::tanh),
    unary!("expm1", f64::exp_m1),
    unary!("log1p", f64::ln_1p),
    ("java/lang/StrictMath", "atan2", "", |_, args| {
        value(Value::Double(args[0].double().atan2(args[1].double())))
    }),
    ("java/lang/StrictMath", "IEEEremainder", "", |_, args| {
        value(Value::Double(ieee_remainder(args[0].double(), args[1].double())))
    }),
];

/// `a - b * n` for the integer `n` nearest to `a / b`, the even one of two.
fn ieee_remainder(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() || a.is_infinite() || b == 0.0 {
        return f64::NAN;
    }
    if b.is_infinite() {
        return a;
    }
    // The remainder of twice the divisor tells whether the truncated quotient is even.
    let b = b.abs();
    let mut rest = if b <= f64::MAX / 2.0 { a % (b + b) } else { a };
    let sign = rest.is_sign_negative();
    rest = rest.abs();
    if b < f64::MIN_POSITIVE * 2.0 {
        if rest + rest > b {
            rest -= b;
            if rest + rest >= b {
                rest -= b;
            }
        }
    } else {
        let half = 0.5 * b;
        if rest > half {
            rest -= b;
            if rest >= half {
                rest -= b;
            }
        }
    }
    if sign { -rest } else { rest }
}

#[cfg(test)]
mod tests {
    use super::ieee_remainder;

    #[test]
    fn remainders_round_to_even() {
        assert_eq!(ieee_remainder(10.0, 3.0), 1.0);
        assert_eq!(ieee_remainder(5.0, 2.0), 1.0);
        assert_eq!(ieee_remainder(7.0, 2.0), -1.0);
        assert_eq!(ieee_remainder(-10.0, 4.0), -2.0);
        assert!(ieee_remainder(1.0, 0.0).is_nan());
    }
}
