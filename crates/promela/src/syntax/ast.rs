//! Promela's syntax tree, after preprocessing and with every inline call expanded in place.
//!
//! The tree keeps what later phases need to number control states as SPIN does: declarations stay in place
//! among statements, braces are [`Block`]s (they open scopes), and only inline calls are desugared. Names are
//! not resolved here: a [`VarRef`] may turn out to be a variable or a symbolic constant.

use std::sync::Arc;

/// A name as written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ident {
    /// The text.
    pub name: Arc<str>,
    /// Its location in the source.
    pub span: Span,
}

/// A range of bytes in one source file. A token from a macro is located where the macro's name is used; the
/// expansion of an inline call is located in the inline's body, as in SPIN's messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// Index into the source map.
    pub file: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// A whole model: its units in source order.
#[derive(Clone, Debug, Default)]
pub struct Ast {
    /// The units.
    pub units: Vec<Unit>,
}

/// A top-level item.
#[derive(Clone, Debug)]
pub enum Unit {
    /// `active [n] proctype p(...) priority n provided (e) { ... }`
    Proctype(Proctype),
    /// `init priority n { ... }`
    Init(Init),
    /// `never name { ... }`
    Never(Claim),
    /// `ltl name { formula }`
    Ltl(LtlBlock),
    /// `trace { ... }` or `notrace { ... }`
    Trace(EventTrace),
    /// Global variables and channels.
    Decl(Decl),
    /// `typedef T { ... }`
    Typedef(Typedef),
    /// `mtype = { ... }` or `mtype:sub = { ... }`
    Mtype(MtypeDecl),
    /// `function f(...) : type { ... }`
    Function(Function),
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Ident,
    /// Parameters, one `Decl` for each `;`-separated group.
    pub params: Vec<Decl>,
    /// The type of its result; `None` for a procedure.
    pub result: Option<TypeName>,
    /// The body.
    pub body: Block,
}

/// A process type.
#[derive(Clone, Debug)]
pub struct Proctype {
    /// Its name.
    pub name: Ident,
    /// The number of instances that start with the system; `None` if it is not active.
    pub active: Option<ActiveCount>,
    /// `D_proctype`: a process of this type must never have a choice.
    pub deterministic: bool,
    /// Parameters, one `Decl` for each `;`-separated group.
    pub params: Vec<Decl>,
    /// `priority n`
    pub priority: Option<i32>,
    /// `provided (e)`
    pub provided: Option<Expr>,
    /// The body.
    pub body: Block,
}

/// The number of instances of an active process type.
#[derive(Clone, Debug)]
pub enum ActiveCount {
    /// `active` or `active [constant]`
    Count(i32),
    /// `active [NAME]`, where NAME is an initialised global variable
    Named(Ident),
}

/// The initial process.
#[derive(Clone, Debug)]
pub struct Init {
    /// The location of `init`.
    pub span: Span,
    /// `priority n`
    pub priority: Option<i32>,
    /// The body.
    pub body: Block,
}

/// A never claim.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its name, if it has one.
    pub name: Option<Ident>,
    /// The location of `never`.
    pub span: Span,
    /// The body.
    pub body: Block,
}

/// A formula of linear temporal logic in the model.
#[derive(Clone, Debug)]
pub struct LtlBlock {
    /// Its name, if it has one.
    pub name: Option<Ident>,
    /// The location of `ltl`.
    pub span: Span,
    /// The formula.
    pub formula: Expr,
}

/// An event trace.
#[derive(Clone, Debug)]
pub struct EventTrace {
    /// `notrace`: the trace must not be matched.
    pub negated: bool,
    /// The location of `trace`.
    pub span: Span,
    /// The body.
    pub body: Block,
}

/// A record type.
#[derive(Clone, Debug)]
pub struct Typedef {
    /// Its name.
    pub name: Ident,
    /// Its fields, one `Decl` for each `;`-separated group.
    pub fields: Vec<Decl>,
}

/// Symbolic constants.
#[derive(Clone, Debug)]
pub struct MtypeDecl {
    /// `mtype:sub`
    pub subtype: Option<Ident>,
    /// The names, in source order.
    pub names: Vec<Ident>,
    /// The whole declaration.
    pub span: Span,
}

/// A group of variables of one type.
#[derive(Clone, Debug)]
pub struct Decl {
    /// `hidden`, `show` or `local`
    pub visibility: Visibility,
    /// The type.
    pub ty: TypeName,
    /// The variables.
    pub vars: Vec<VarDecl>,
    /// The whole declaration.
    pub span: Span,
}

/// The visibility prefix of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// No prefix.
    Normal,
    /// `hidden`: not part of the state.
    Hidden,
    /// `show`
    Show,
    /// `local`
    Local,
}

/// A type as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeName {
    /// `bit`
    Bit,
    /// `bool`
    Bool,
    /// `byte`
    Byte,
    /// `pid`
    Pid,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `unsigned`; each variable gives its width.
    Unsigned,
    /// `mtype` or `mtype:sub`
    Mtype(Option<Ident>),
    /// `chan`
    Chan,
    /// A typedef's name.
    Named(Ident),
    /// `ftype`: a reference to a function.
    Ftype,
    /// `T &` in a message or as a result; for a variable, see [`VarDecl::pointer`].
    Pointer(Box<TypeName>),
}

/// One declared variable.
#[derive(Clone, Debug)]
pub struct VarDecl {
    /// Its name.
    pub name: Ident,
    /// `&`: a pointer to the type.
    pub pointer: bool,
    /// `: n` (unsigned)
    pub width: Option<i32>,
    /// `[n]`
    pub array: Option<ArrayBound>,
    /// `= ...`
    pub init: Option<Initializer>,
}

/// The bound of an array.
#[derive(Clone, Debug)]
pub enum ArrayBound {
    /// A constant, already folded.
    Count(i32),
    /// The name of an initialised variable (SPIN takes its initial value, or 8).
    Named(Ident),
}

/// The initial value of a variable.
#[derive(Clone, Debug)]
pub enum Initializer {
    /// `= expression`
    Expr(Expr),
    /// `= { 1, 2, 3 }`
    List(Vec<Expr>),
    /// `= [capacity] of { types }`
    Channel(ChannelInit),
}

/// A new channel.
#[derive(Clone, Debug)]
pub struct ChannelInit {
    /// The number of messages it holds; 0 is rendezvous.
    pub capacity: i32,
    /// The types of a message's fields.
    pub fields: Vec<TypeName>,
    /// Its location in the source.
    pub span: Span,
}

/// `{ ... }`: opens a scope.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its steps.
    pub steps: Sequence,
    /// From brace to brace.
    pub span: Span,
}

/// Steps separated by `;` or `->`.
pub type Sequence = Vec<Step>;

/// An element of a sequence.
#[derive(Clone, Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "`unless` is rare, and boxing it would make every walk of the tree longer"
)]
pub enum Step {
    /// A declaration among statements.
    Decl(Decl),
    /// `xr c, d` or `xs c, d`
    Exclusive {
        /// `xr` if true, else `xs`
        receive: bool,
        /// The channels.
        channels: Vec<VarRef>,
        /// Its location in the source.
        span: Span,
    },
    /// A statement.
    Stmt(Stmt),
    /// `main unless escape`
    Unless {
        /// The statement that runs normally.
        main: Stmt,
        /// The statement that interrupts it as soon as it is executable.
        escape: Stmt,
        /// Its location in the source.
        span: Span,
    },
}

/// A statement with the labels before it.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// The labels, outermost first (`a: b: x = 1` has a, b). A label with nothing after it labels a `skip`.
    pub labels: Vec<Ident>,
    /// The statement.
    pub kind: StmtKind,
    /// Where it stands, without labels.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// An expression as a guard; `skip` is the constant 1.
    Expr(Expr),
    /// `x = e`, and `x++`, `x--` as `x = x + 1`, `x = x - 1`.
    Assign {
        /// The variable.
        target: VarRef,
        /// The value.
        value: Expr,
    },
    /// `c!...` and `c!!...`
    Send {
        /// The channel.
        channel: VarRef,
        /// `!!`
        sorted: bool,
        /// The fields.
        args: Vec<Expr>,
    },
    /// `c?...`, `c??...`, `c?<...>`, `c??<...>`
    Receive {
        /// The channel.
        channel: VarRef,
        /// `??`
        random: bool,
        /// `<...>`: the message stays.
        peek: bool,
        /// The fields.
        args: Vec<ReceiveArg>,
    },
    /// `if :: ... fi`
    If(Vec<Sequence>),
    /// `do :: ... od`
    Do(Vec<Sequence>),
    /// `for (i : a .. b) { ... }`
    For {
        /// The loop variable.
        var: VarRef,
        /// First value.
        from: Expr,
        /// Last value.
        to: Expr,
        /// The body.
        body: Block,
    },
    /// `for (i in array_or_channel) { ... }`
    ForIn {
        /// The loop variable.
        var: VarRef,
        /// An array or a channel.
        over: VarRef,
        /// The body.
        body: Block,
    },
    /// `select (i : a .. b)`. Outside inlines, a `select` over literal numbers is expanded as SPIN's lexer
    /// does: to an `If` for up to 33 values, to an assignment and a `Do` for more.
    Select {
        /// The variable.
        var: VarRef,
        /// Least value.
        from: Expr,
        /// Greatest value.
        to: Expr,
    },
    /// `atomic { ... }`
    Atomic(Block),
    /// `d_step { ... }`
    DStep(Block),
    /// `{ ... }`; also the expansion of an inline call.
    Block(Block),
    /// `goto l`
    Goto(Ident),
    /// `break`
    Break,
    /// `else`
    Else,
    /// `assert(e)`
    Assert(Expr),
    /// `printf("...", ...)`; the text is kept as written between the quotes.
    Printf {
        /// The format.
        format: Arc<str>,
        /// The values.
        args: Vec<Expr>,
    },
    /// `printm(e)`
    Printm(Expr),
    /// `set_priority(pid, n)`
    SetPriority(Expr, Expr),
    /// `p = new T`, `p = new T[n]`
    New {
        /// The pointer.
        target: VarRef,
        /// The type of one object.
        ty: TypeName,
        /// The number of objects.
        count: Option<Expr>,
    },
    /// `p = new chan [n] of { ... }`
    NewChannel {
        /// The pointer.
        target: VarRef,
        /// The channel.
        init: ChannelInit,
    },
    /// `delete(p)`
    Delete(VarRef),
    /// `f(...)` and `x = f(...)`
    Call {
        /// The variable that takes the result.
        result: Option<VarRef>,
        /// The function and its arguments.
        call: Call,
    },
    /// `return`, `return e`, `return f(...)`
    Return(ReturnValue),
}

/// A call of a function.
#[derive(Clone, Debug)]
pub struct Call {
    /// A function's name, or a variable of type `ftype`.
    pub callee: VarRef,
    /// The arguments.
    pub args: Vec<Expr>,
}

/// The value that a `return` gives.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one in a statement, and statements are larger")]
pub enum ReturnValue {
    /// No value.
    Nothing,
    /// A value.
    Value(Expr),
    /// The result of another function.
    Call(Call),
}

/// A field of a receive.
#[derive(Clone, Debug)]
pub enum ReceiveArg {
    /// A variable to fill, `_` to ignore, or a symbolic constant to match.
    Var(VarRef),
    /// `eval(e)`: the field must be equal to it.
    Eval(Expr),
    /// A constant: the field must be equal to it.
    Const(i32, Span),
}

/// A reference to a variable: `name[index].field[index]`.
#[derive(Clone, Debug)]
pub struct VarRef {
    /// The first part and what follows each dot.
    pub parts: Vec<VarPart>,
    /// The whole reference.
    pub span: Span,
}

/// One part of a reference.
#[derive(Clone, Debug)]
pub struct VarPart {
    /// The name.
    pub name: Ident,
    /// `[e]`
    pub index: Option<Box<Expr>>,
    /// A second `[e]`, which is applied through an element that is a pointer.
    pub second: Option<Box<Expr>>,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Its kind.
    pub kind: ExprKind,
    /// Its location in the source.
    pub span: Span,
}

/// The kind of an expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number, `true`, `false`, `skip`.
    Const(i32),
    /// A variable, a symbolic constant, or a predefined name (`_pid`, `_nr_pr`, `_last`, `_priority`, `_`).
    Var(VarRef),
    /// `a op b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `op a`
    Unary(UnaryOp, Box<Expr>),
    /// `(c -> a : b)`
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `run p(args) priority n`
    Run {
        /// The process type.
        proctype: Ident,
        /// The arguments.
        args: Vec<Expr>,
        /// `priority n`
        priority: Option<i32>,
    },
    /// `len(c)`, `full(c)`, ...
    Chan(ChanQuery, VarRef),
    /// `c?[...]`, `c??[...]`
    Poll {
        /// The channel.
        channel: VarRef,
        /// `??`
        random: bool,
        /// The fields.
        args: Vec<ReceiveArg>,
    },
    /// `timeout`
    Timeout,
    /// `np_`
    NonProgress,
    /// `enabled(pid)`
    Enabled(Box<Expr>),
    /// `pc_value(pid)`
    PcValue(Box<Expr>),
    /// `get_priority(pid)`
    GetPriority(Box<Expr>),
    /// `p[i]@label`, `p@label`
    RemoteLabel {
        /// The process type.
        proctype: Ident,
        /// The instance.
        index: Option<Box<Expr>>,
        /// The label.
        label: Ident,
    },
    /// `p[i]:var`, `p:var`
    RemoteVar {
        /// The process type.
        proctype: Ident,
        /// The instance.
        index: Option<Box<Expr>>,
        /// The variable.
        var: VarPart,
    },
    /// A temporal operator; only in `ltl` blocks.
    Ltl(LtlOp, Box<Expr>, Option<Box<Expr>>),
    /// `&x`
    Address(VarRef),
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&&`
    And,
    /// `||`
    Or,
}

/// A unary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `~`
    BitNot,
    /// `!`
    Not,
}

/// A query of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChanQuery {
    /// `len`
    Len,
    /// `full`
    Full,
    /// `nfull`
    NFull,
    /// `empty`
    Empty,
    /// `nempty`
    NEmpty,
}

/// A temporal operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LtlOp {
    /// `[]`, `always`
    Always,
    /// `<>`, `eventually`
    Eventually,
    /// `X`, `next`
    Next,
    /// `U`, `until`, `stronguntil`
    Until,
    /// `W`, `weakuntil`
    WeakUntil,
    /// `V`, `R`, `release`
    Release,
    /// `->`, `implies`
    Implies,
    /// `<->`, `equivalent`
    Equivalent,
}
