//! The syntax tree of a dynamic model. Names are for the text only: everything refers to everything by place.

/// A type of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scalar {
    /// 0 to 255.
    Byte,
    /// 32 bits.
    Int,
}

/// What a pointer may refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pointee {
    /// A number.
    Scalar(Scalar),
    /// A record, by its place in [`Model::records`].
    Record(usize),
}

/// The type of a variable or field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// A number.
    Scalar(Scalar),
    /// A pointer.
    Pointer(Pointee),
    /// A pointer to a function.
    Function,
    /// A record, by its place in [`Model::records`].
    Record(usize),
    /// A channel: its capacity, and the types of its fields (numbers, pointers, functions).
    Channel(usize, Vec<Type>),
    /// An array of numbers, pointers or records.
    Array(Box<Type>, usize),
}

/// A variable, parameter or field.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// What it begins with; null or zero if there is nothing.
    pub init: Option<Value>,
    /// The scope it belongs to, in its body: 0 is the outermost.
    pub scope: usize,
}

/// A typedef.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its name.
    pub name: String,
    /// Its fields; what they begin with is constant.
    pub fields: Vec<Variable>,
}

/// A function or process.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its name.
    pub name: String,
    /// How many of the variables are parameters.
    pub n_params: usize,
    /// Parameters, then the variables of all scopes.
    pub vars: Vec<Variable>,
    /// What it does.
    pub stmts: Vec<Stmt>,
    /// The type of the result, if it is a function that has one.
    pub result: Option<Type>,
    /// How many of it run from the start, if it is a process.
    pub n_active: usize,
}

/// A model.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Typedefs.
    pub records: Vec<Record>,
    /// Global variables; what they begin with is constant.
    pub globals: Vec<Variable>,
    /// Functions.
    pub functions: Vec<Body>,
    /// Processes.
    pub processes: Vec<Body>,
}

/// Where a place begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// A global variable.
    Global(usize),
    /// A variable of the body.
    Local(usize),
}

/// How a place goes on; both pass through a pointer.
#[derive(Clone, Debug)]
pub enum Select {
    /// To a field.
    Field(usize),
    /// To an element.
    Index(Expr),
}

/// A designator.
#[derive(Clone, Debug)]
pub struct PlaceExpr {
    /// Where it begins.
    pub root: Root,
    /// How it goes on.
    pub path: Vec<Select>,
}

/// An operator on numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Op {
    Add,
    Sub,
    Mul,
    Equal,
    Differs,
    Less,
    AtLeast,
    And,
    Or,
}

/// An expression whose value is a number.
#[derive(Clone, Debug)]
pub enum Expr {
    /// A constant.
    Const(i32),
    /// The right value of a place.
    Read(PlaceExpr),
    /// Two numbers.
    Binary(Op, Box<Expr>, Box<Expr>),
    /// Whether two pointers are equal (or not equal, if the first is `false`).
    Same(bool, Pointer, Pointer),
    /// The same of functions.
    SameFunction(bool, Function, Function),
}

/// An expression whose value is a reference.
#[derive(Clone, Debug)]
pub enum Pointer {
    /// `null`.
    Null,
    /// The left value of a place.
    Left(PlaceExpr),
    /// The address of a place.
    Address(PlaceExpr),
}

/// An expression whose value is a function.
#[derive(Clone, Debug)]
pub enum Function {
    /// `null`.
    Null,
    /// A function, by its place in [`Model::functions`].
    Named(usize),
    /// What a place of type `ftype` holds.
    Held(PlaceExpr),
}

/// A value of any type that can be assigned, sent and passed.
#[derive(Clone, Debug)]
pub enum Value {
    /// A number.
    Number(Expr),
    /// A reference.
    Pointer(Pointer),
    /// A function.
    Function(Function),
}

/// What is called.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A function by its place.
    Named(usize),
    /// What a place of type `ftype` holds.
    Held(PlaceExpr),
}

/// A field of a receive.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// Goes to a place.
    Bind(PlaceExpr),
    /// Must be this number.
    Number(i32),
    /// Must be this reference.
    Pointer(Pointer),
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// `skip`.
    Skip,
    /// An assignment; a number assigned to a pointer goes to what it refers to.
    Assign(PlaceExpr, Value),
    /// `place = new pointee [ length ]`.
    New(PlaceExpr, Pointee, Option<Expr>),
    /// `delete`.
    Delete(PlaceExpr),
    /// A call, with a place for its result or without.
    Call(Option<PlaceExpr>, Callee, Vec<Value>),
    /// `return`.
    Return(Option<Value>),
    /// `return` of a call.
    ReturnCall(Callee, Vec<Value>),
    /// A send.
    Send(PlaceExpr, Vec<Value>),
    /// A receive.
    Receive(PlaceExpr, Vec<Pattern>),
    /// An assertion.
    Assert(Expr),
    /// A condition to wait for.
    Guard(Expr),
    /// A selection, with what happens if no option is executable.
    If(Vec<Vec<Stmt>>, Option<Vec<Stmt>>),
    /// A loop: while a local number is less than a constant, it is incremented, then the body runs.
    Repeat(PlaceExpr, i32, Vec<Stmt>),
    /// An atomic sequence.
    Atomic(Vec<Stmt>),
    /// A scope by its number, with its statements.
    Scope(usize, Vec<Stmt>),
    /// Starts a process.
    Run(usize, Vec<Value>),
    /// A label of the statement that follows, by its number in the body.
    Label(usize, Label),
    /// A jump to a label, at the end of an option.
    Goto(usize),
}

/// What a label means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// Others can see when a process is there, so a state there is stored also behind a call or return.
    Seen,
    /// A process may rest there; its name begins with `end`.
    End,
}

impl PlaceExpr {
    /// A whole variable.
    #[must_use]
    pub fn of(root: Root) -> Self {
        PlaceExpr { root, path: Vec::new() }
    }

    /// A field of it.
    #[must_use]
    pub fn field(mut self, field: usize) -> Self {
        self.path.push(Select::Field(field));
        self
    }

    /// An element of it.
    #[must_use]
    pub fn index(mut self, index: Expr) -> Self {
        self.path.push(Select::Index(index));
        self
    }
}

impl Model {
    /// The places of the global numbers whose final values are compared.
    pub fn watched(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.globals.len()).filter(|&idx| matches!(self.globals[idx].ty, Type::Scalar(_)))
    }
}
