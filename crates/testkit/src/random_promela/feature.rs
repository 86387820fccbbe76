//! The features of the language that the generator can use, as names to count.
//!
//! A feature is recorded where its text is produced, so a model's set says what is really in the source. The
//! coverage table lists every variant, used or not: a feature that is never drawn shows as zero.

macro_rules! features {
    ($($variant:ident = $name:literal,)*) => {
        /// A feature of the language.
        #[allow(missing_docs)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Feature { $($variant),* }

        impl Feature {
            /// All features, in the order of the table.
            pub const ALL: &'static [Feature] = &[$(Feature::$variant),*];

            /// The name that the coverage table shows.
            pub fn name(self) -> &'static str {
                match self { $(Feature::$variant => $name),* }
            }
        }
    };
}

features! {
    TypeBit = "bit", TypeBool = "bool", TypeByte = "byte", TypeShort = "short", TypeInt = "int",
    TypeUnsigned = "unsigned:n", TypePid = "pid", TypeMtype = "mtype", NamedMtype = "mtype:name",
    TypeChan = "chan variable", Typedef = "typedef", NestedTypedef = "nested typedef",
    TypedefChan = "channel in a typedef", Array = "array", StructArray = "array of structures",
    ScalarInit = "initialiser", ArrayInit = "array list initialiser", ArrayFill = "array scalar initialiser",
    MultiDecl = "several names in one declaration", Hidden = "hidden", Show = "show", Local = "local",
    Truncation = "truncation on assignment", WriteOnly = "_ assigned",
    OpArith = "+ - *", OpDiv = "/ %", OpBits = "& | ^ ~", OpShift = "<< >>", OpCompare = "comparison",
    OpLogic = "&& || !", OpMinus = "unary minus", OpCond = "conditional expression",
    BarePrecedence = "operators without parentheses",
    VarPid = "_pid", VarNrPr = "_nr_pr", VarLast = "_last", Increment = "++", Decrement = "--",
    Proctype = "proctype run", Active = "active", ActiveN = "active [n]", ActiveParam = "active with parameters",
    DProctype = "D_proctype", Init = "init", RunExpr = "run as expression", RunAssign = "x = run p()",
    RunInLoop = "run in a loop", RunByOther = "run outside init", ParamScalar = "scalar parameter",
    ParamChan = "channel parameter", ParamStruct = "structure parameter", Provided = "provided",
    Priority = "priority", RunPriority = "run .. priority", SetPriority = "set_priority",
    GetPriority = "get_priority", VarPriority = "_priority",
    ChanBuffered = "buffered channel", ChanRendezvous = "rendezvous channel", ChanArray = "array of channels",
    ChanOfChan = "channel over channel", ChanLocal = "local channel", ChanStructField = "structure in a message",
    Send = "!", SendSorted = "!!", SendParen = "c!m(x)", Receive = "?", ReceiveRandom = "??",
    ReceiveCopy = "?<>", ReceiveRandomCopy = "??<>", Poll = "?[]", PollRandom = "??[]", Eval = "eval",
    ReceiveConst = "constant in a receive", ReceiveAny = "_ in a receive", Len = "len", Full = "full",
    Empty = "empty", NFull = "nfull", NEmpty = "nempty", XrXs = "xr/xs",
    If = "if", Do = "do", Else = "else", ElseWithIo = "else beside channel guards", Break = "break",
    Goto = "goto", GotoBack = "goto backwards", NestedLabel = "label in a block", ForRange = "for range",
    ForArray = "for in array", ForChan = "for in channel", Select = "select", Block = "{ }",
    Atomic = "atomic", AtomicBlocks = "blocking inside atomic", AtomicRendezvous = "rendezvous inside atomic",
    AtomicGoto = "goto out of atomic", NestedAtomic = "nested atomic", AtomicLoop = "loop inside atomic",
    DStep = "d_step", DStepIo = "channel in d_step", DStepInAtomic = "d_step inside atomic",
    DStepLoop = "loop inside d_step", DStepChoice = "choice inside d_step",
    Unless = "unless", NestedUnless = "nested unless", UnlessAtomic = "atomic or d_step escape",
    UnlessIo = "channel as escape", UnlessLoop = "do or if unless", UnlessInAtomic = "unless inside atomic",
    Timeout = "timeout", TimeoutExpr = "timeout in an expression", Assert = "assert",
    AssertMayFail = "assert that may fail", Printf = "printf", Printm = "printm", Skip = "skip",
    Inline = "inline", InlineParam = "inline parameter", InlineReturn = "inline return", InlineLocal = "inline local",
    InnerDecl = "declaration in an inner scope", InnerInit = "initialised declaration in an inner scope",
    LateDecl = "declaration after statements", ReusedName = "name used again in another block", RemoteLabel = "P[i]@l",
    RemoteVar = "P[i]:x", RemoteShort = "P@l or P:x", Enabled = "enabled", PcValue = "pc_value",
    Trace = "trace", Notrace = "notrace", EndLabel = "end label", ProgressLabel = "progress label",
    AcceptLabel = "accept label", MacroConst = "#define constant", MacroArgs = "#define with arguments",
    MacroMultiLine = "multi-line #define", Conditional = "#if", Never = "never claim", Ltl = "ltl block",
    ArrowSeparator = "-> as separator", ImpliedSemicolon = "omitted semicolon", Comment = "comment",
    Hostile = "hostile statement",
}
