//! Prints the tree as Promela.
//!
//! Used for counterexamples and lists of unreached statements: one line for each statement, with parentheses
//! only where the grammar needs them, so that an expression's text parses back to the same tree. A statement
//! that contains others shows only its first word.

use std::fmt::{self, Display, Formatter};

use super::ast::{
    ArrayBound, BinaryOp, Call, ChanQuery, Decl, Expr, ExprKind, Initializer, LtlOp, ReceiveArg, ReturnValue,
    Step, Stmt, StmtKind, TypeName, UnaryOp, VarDecl, VarPart, VarRef, Visibility,
};

/// The power of prefix operators; operands that never need parentheses have a higher one.
const PREFIX: u8 = 13;
const OPERAND: u8 = 14;

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl Display for ExprKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Const(value) => write!(f, "{value}"),
            Self::Var(var) => var.fmt(f),
            Self::Binary(op, left, right) => infix(f, left, op.symbol(), op.power(), right),
            Self::Unary(op, inner) => {
                f.write_str(op.symbol())?;
                // `!!` and `--` are other tokens.
                let repeats =
                    matches!(&inner.kind, Self::Unary(..)) || matches!(inner.kind, Self::Const(v) if v < 0);
                operand(f, inner, if repeats { OPERAND } else { PREFIX })
            }
            Self::Cond(test, yes, no) => write!(f, "({test} -> {yes} : {no})"),
            Self::Run { proctype, args, priority } => {
                write!(f, "run {}({})", proctype.name, List(args))?;
                priority.map_or(Ok(()), |p| write!(f, " priority {p}"))
            }
            Self::Chan(query, channel) => write!(f, "{}({channel})", query.word()),
            Self::Poll { channel, random, args } => {
                write!(f, "{channel}{}[{}]", if *random { "??" } else { "?" }, Fields(args))
            }
            Self::Timeout => f.write_str("timeout"),
            Self::NonProgress => f.write_str("np_"),
            Self::Enabled(process) => write!(f, "enabled({process})"),
            Self::PcValue(process) => write!(f, "pc_value({process})"),
            Self::GetPriority(process) => write!(f, "get_priority({process})"),
            Self::RemoteLabel { proctype, index, label } => {
                remote(f, &proctype.name, index.as_deref())?;
                write!(f, "@{}", label.name)
            }
            Self::RemoteVar { proctype, index, var } => {
                remote(f, &proctype.name, index.as_deref())?;
                write!(f, ":{var}")
            }
            Self::Ltl(op, left, Some(right)) => infix(f, left, op.symbol(), op.power(), right),
            Self::Address(var) => write!(f, "&{var}"),
            Self::Ltl(op, inner, None) => {
                f.write_str(op.symbol())?;
                f.write_str(" ")?;
                operand(f, inner, PREFIX)
            }
        }
    }
}

fn remote(f: &mut Formatter<'_>, proctype: &str, index: Option<&Expr>) -> fmt::Result {
    f.write_str(proctype)?;
    index.map_or(Ok(()), |index| write!(f, "[{index}]"))
}

/// Prints an infix operator; operators of one power associate to the left.
fn infix(f: &mut Formatter<'_>, left: &Expr, symbol: &str, power: u8, right: &Expr) -> fmt::Result {
    operand(f, left, power)?;
    write!(f, " {symbol} ")?;
    operand(f, right, power + 1)
}

/// Puts parentheses around an expression that binds weaker than `power`.
fn operand(f: &mut Formatter<'_>, expr: &Expr, power: u8) -> fmt::Result {
    if binding(&expr.kind) < power { write!(f, "({expr})") } else { expr.fmt(f) }
}

fn binding(kind: &ExprKind) -> u8 {
    match kind {
        ExprKind::Binary(op, ..) => op.power(),
        ExprKind::Ltl(op, _, Some(_)) => op.power(),
        ExprKind::Unary(..) | ExprKind::Address(_) | ExprKind::Ltl(_, _, None) => PREFIX,
        ExprKind::Const(value) if *value < 0 => PREFIX,
        _ => OPERAND,
    }
}

impl BinaryOp {
    /// The operator's symbol.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::BitAnd => "&",
            Self::BitXor => "^",
            Self::BitOr => "|",
            Self::Shl => "<<",
            Self::Shr => ">>",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::And => "&&",
            Self::Or => "||",
        }
    }

    fn power(self) -> u8 {
        match self {
            Self::Or => 2,
            Self::And => 3,
            Self::BitOr => 5,
            Self::BitXor => 6,
            Self::BitAnd => 7,
            Self::Eq | Self::Ne => 8,
            Self::Lt | Self::Le | Self::Gt | Self::Ge => 9,
            Self::Shl | Self::Shr => 10,
            Self::Add | Self::Sub => 11,
            Self::Mul | Self::Div | Self::Rem => 12,
        }
    }
}

impl UnaryOp {
    /// The operator's symbol.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Neg => "-",
            Self::BitNot => "~",
            Self::Not => "!",
        }
    }
}

impl LtlOp {
    /// The operator's symbol.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Always => "[]",
            Self::Eventually => "<>",
            Self::Next => "X",
            Self::Until => "U",
            Self::WeakUntil => "W",
            Self::Release => "V",
            Self::Implies => "->",
            Self::Equivalent => "<->",
        }
    }

    fn power(self) -> u8 {
        match self {
            Self::Implies | Self::Equivalent => 1,
            Self::Until | Self::WeakUntil | Self::Release => 4,
            Self::Always | Self::Eventually | Self::Next => PREFIX,
        }
    }
}

impl ChanQuery {
    /// The keyword.
    pub fn word(self) -> &'static str {
        match self {
            Self::Len => "len",
            Self::Full => "full",
            Self::NFull => "nfull",
            Self::Empty => "empty",
            Self::NEmpty => "nempty",
        }
    }
}

impl Display for VarRef {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (n, part) in self.parts.iter().enumerate() {
            if n > 0 {
                f.write_str(".")?;
            }
            part.fmt(f)?;
        }
        Ok(())
    }
}

impl Display for VarPart {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name.name)?;
        self.index.iter().chain(&self.second).try_for_each(|index| write!(f, "[{index}]"))
    }
}

impl Display for ReceiveArg {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Var(var) => var.fmt(f),
            Self::Eval(value) => write!(f, "eval({value})"),
            Self::Const(value, _) => write!(f, "{value}"),
        }
    }
}

/// Items separated by commas.
struct List<'a, T>(&'a [T]);

impl<T: Display> Display for List<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (n, item) in self.0.iter().enumerate() {
            write!(f, "{}{item}", if n > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

/// The fields of a message: `m(a,b)` if the first is a plain name, which usually is the message's type,
/// otherwise `a,b`.
struct Fields<'a, T>(&'a [T]);

impl<T: Display + PlainName> Display for Fields<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            [first, rest @ ..] if !rest.is_empty() && first.is_plain_name() => {
                write!(f, "{first}({})", List(rest))
            }
            all => List(all).fmt(f),
        }
    }
}

trait PlainName {
    fn is_plain_name(&self) -> bool;
}

impl PlainName for VarRef {
    fn is_plain_name(&self) -> bool {
        self.parts.len() == 1 && self.parts[0].index.is_none() && !self.parts[0].name.name.starts_with('_')
    }
}

impl PlainName for Expr {
    fn is_plain_name(&self) -> bool {
        matches!(&self.kind, ExprKind::Var(var) if var.is_plain_name())
    }
}

impl PlainName for ReceiveArg {
    fn is_plain_name(&self) -> bool {
        matches!(self, Self::Var(var) if var.is_plain_name())
    }
}

impl Display for Stmt {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl Display for StmtKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expr(Expr { kind: ExprKind::Const(1), .. }) => f.write_str("skip"),
            Self::Expr(expr) => expr.fmt(f),
            Self::Assign { target, value } => write!(f, "{target} = {value}"),
            Self::Send { channel, sorted, args } => {
                write!(f, "{channel}{}{}", if *sorted { "!!" } else { "!" }, Fields(args))
            }
            Self::Receive { channel, random, peek, args } => {
                let (open, close) = if *peek { ("<", ">") } else { ("", "") };
                write!(f, "{channel}{}{open}{}{close}", if *random { "??" } else { "?" }, Fields(args))
            }
            Self::If(_) => f.write_str("if"),
            Self::Do(_) => f.write_str("do"),
            Self::For { var, from, to, .. } => write!(f, "for ({var} : {from} .. {to})"),
            Self::ForIn { var, over, .. } => write!(f, "for ({var} in {over})"),
            Self::Select { var, from, to } => write!(f, "select ({var} : {from} .. {to})"),
            Self::Atomic(_) => f.write_str("atomic"),
            Self::DStep(_) => f.write_str("d_step"),
            Self::Block(_) => f.write_str("{ ... }"),
            Self::Goto(label) => write!(f, "goto {}", label.name),
            Self::Break => f.write_str("break"),
            Self::Else => f.write_str("else"),
            Self::Assert(expr) => write!(f, "assert({expr})"),
            Self::Printf { format, args } if args.is_empty() => write!(f, "printf(\"{format}\")"),
            Self::Printf { format, args } => write!(f, "printf(\"{format}\",{})", List(args)),
            Self::Printm(value) => write!(f, "printm({value})"),
            Self::SetPriority(process, priority) => write!(f, "set_priority({process},{priority})"),
            Self::New { target, ty, count: None } => write!(f, "{target} = new {ty}"),
            Self::New { target, ty, count: Some(count) } => write!(f, "{target} = new {ty}[{count}]"),
            Self::NewChannel { target, init } => {
                write!(f, "{target} = new chan [{}] of {{{}}}", init.capacity, List(&init.fields))
            }
            Self::Delete(pointer) => write!(f, "delete({pointer})"),
            Self::Call { result: None, call } => call.fmt(f),
            Self::Call { result: Some(result), call } => write!(f, "{result} = {call}"),
            Self::Return(ReturnValue::Nothing) => f.write_str("return"),
            Self::Return(ReturnValue::Value(value)) => write!(f, "return {value}"),
            Self::Return(ReturnValue::Call(call)) => write!(f, "return {call}"),
        }
    }
}

impl Display for Call {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.callee, List(&self.args))
    }
}

impl Display for Step {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decl(decl) => decl.fmt(f),
            Self::Exclusive { receive, channels, .. } => {
                write!(f, "{} {}", if *receive { "xr" } else { "xs" }, List(channels))
            }
            Self::Stmt(stmt) => stmt.fmt(f),
            Self::Unless { main, escape, .. } => write!(f, "{main} unless {escape}"),
        }
    }
}

impl Display for Decl {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let prefix = match self.visibility {
            Visibility::Normal => "",
            Visibility::Hidden => "hidden ",
            Visibility::Show => "show ",
            Visibility::Local => "local ",
        };
        write!(f, "{prefix}{} ", self.ty)?;
        for (n, var) in self.vars.iter().enumerate() {
            write!(f, "{}{var}", if n > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

impl Display for VarDecl {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.pointer { "&" } else { "" }, self.name.name)?;
        if let Some(width) = self.width {
            write!(f, " : {width}")?;
        }
        match &self.array {
            Some(ArrayBound::Count(count)) => write!(f, "[{count}]")?,
            Some(ArrayBound::Named(name)) => write!(f, "[{}]", name.name)?,
            None => {}
        }
        match &self.init {
            Some(Initializer::Expr(value)) => write!(f, " = {value}"),
            Some(Initializer::List(values)) => write!(f, " = {{{}}}", List(values)),
            Some(Initializer::Channel(init)) => {
                write!(f, " = [{}] of {{{}}}", init.capacity, List(&init.fields))
            }
            None => Ok(()),
        }
    }
}

impl Display for TypeName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bit => "bit",
            Self::Bool => "bool",
            Self::Byte => "byte",
            Self::Pid => "pid",
            Self::Short => "short",
            Self::Int => "int",
            Self::Unsigned => "unsigned",
            Self::Mtype(None) => "mtype",
            Self::Mtype(Some(kind)) => return write!(f, "mtype:{}", kind.name),
            Self::Chan => "chan",
            Self::Named(name) => &name.name,
            Self::Ftype => "ftype",
            Self::Pointer(ty) => return write!(f, "{ty} &"),
        })
    }
}
