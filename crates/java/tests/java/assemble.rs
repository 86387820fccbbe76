//! A small assembler: class files that no compiler writes.
//!
//! Code is text: mnemonics of JVMS chapter 6 and their operands, apart by blanks; a word that ends with a
//! colon is a label. Constants are written `int:7`, `float:1.5`, `long:7`, `double:1.5`, `string:word`,
//! `class:Name`; fields and methods `Class.name:descriptor`.

use std::collections::HashMap;

/// The mnemonics of all instructions, in the order of their numbers.
pub(crate) const MNEMONICS: &str = "nop aconst_null iconst_m1 iconst_0 iconst_1 iconst_2 iconst_3 iconst_4 iconst_5 \
    lconst_0 lconst_1 fconst_0 fconst_1 fconst_2 dconst_0 dconst_1 bipush sipush ldc ldc_w ldc2_w iload lload fload \
    dload aload iload_0 iload_1 iload_2 iload_3 lload_0 lload_1 lload_2 lload_3 fload_0 fload_1 fload_2 fload_3 \
    dload_0 dload_1 dload_2 dload_3 aload_0 aload_1 aload_2 aload_3 iaload laload faload daload aaload baload caload \
    saload istore lstore fstore dstore astore istore_0 istore_1 istore_2 istore_3 lstore_0 lstore_1 lstore_2 lstore_3 \
    fstore_0 fstore_1 fstore_2 fstore_3 dstore_0 dstore_1 dstore_2 dstore_3 astore_0 astore_1 astore_2 astore_3 \
    iastore lastore fastore dastore aastore bastore castore sastore pop pop2 dup dup_x1 dup_x2 dup2 dup2_x1 dup2_x2 \
    swap iadd ladd fadd dadd isub lsub fsub dsub imul lmul fmul dmul idiv ldiv fdiv ddiv irem lrem frem drem ineg lneg \
    fneg dneg ishl lshl ishr lshr iushr lushr iand land ior lor ixor lxor iinc i2l i2f i2d l2i l2f l2d f2i f2l f2d \
    d2i d2l d2f i2b i2c i2s lcmp fcmpl fcmpg dcmpl dcmpg ifeq ifne iflt ifge ifgt ifle if_icmpeq if_icmpne if_icmplt \
    if_icmpge if_icmpgt if_icmple if_acmpeq if_acmpne goto jsr ret tableswitch lookupswitch ireturn lreturn freturn \
    dreturn areturn return getstatic putstatic getfield putfield invokevirtual invokespecial invokestatic \
    invokeinterface invokedynamic new newarray anewarray arraylength athrow checkcast instanceof monitorenter \
    monitorexit wide multianewarray ifnull ifnonnull goto_w jsr_w";

/// The mnemonic of an instruction.
pub(crate) fn mnemonic(opcode: u8) -> &'static str {
    MNEMONICS.split_ascii_whitespace().nth(usize::from(opcode)).unwrap_or("?")
}

/// A class file in the making.
pub(crate) struct Assembler {
    pool: Vec<u8>,
    n_constants: u16,
    known: HashMap<Vec<u8>, u16>,
    opcodes: HashMap<&'static str, u8>,
    name: String,
    fields: Vec<Vec<u8>>,
    methods: Vec<Vec<u8>>,
}

/// What to emit for one instruction: bytes, and where offsets of labels go.
struct Emitter<'a> {
    bytes: Vec<u8>,
    labels: &'a HashMap<String, usize>,
}

impl Emitter<'_> {
    fn offset(&self, label: &str, from: usize) -> i32 {
        self.labels.get(label).map_or(0, |&to| to as i32 - from as i32)
    }

    fn short(&mut self, value: u16) {
        self.bytes.extend_from_slice(&value.to_be_bytes());
    }

    fn long(&mut self, value: i32) {
        self.bytes.extend_from_slice(&value.to_be_bytes());
    }

    /// The number of a local variable, and by how much `iinc` changes it.
    fn local_operands<'t>(&mut self, wide: bool, increments: bool, operand: &mut impl FnMut() -> &'t str) {
        let local: u16 = operand().parse().expect("a local variable");
        if wide {
            self.short(local);
        } else {
            self.bytes.push(u8::try_from(local).expect("a wide one is said to be"));
        }
        if increments {
            let by: i16 = operand().parse().expect("a number");
            if wide {
                self.short(by as u16);
            } else {
                self.bytes.push(i8::try_from(by).expect("a byte") as u8);
            }
        }
    }

    /// The padding and the default of a switch whose opcode was just emitted; gives where the opcode is and
    /// the number of cases.
    fn switch_head<'t>(&mut self, operand: &mut impl FnMut() -> &'t str) -> (usize, i32) {
        let at = self.bytes.len() - 1;
        while !self.bytes.len().is_multiple_of(4) {
            self.bytes.push(0);
        }
        self.long(self.offset(operand(), at));
        (at, operand().parse().expect("a number"))
    }

    fn table_switch<'t>(&mut self, operand: &mut impl FnMut() -> &'t str) {
        let (at, n) = self.switch_head(operand);
        let low: i32 = operand().parse().expect("a number");
        self.long(low);
        self.long(low + n - 1);
        for _ in 0..n {
            self.long(self.offset(operand(), at));
        }
    }

    fn lookup_switch<'t>(&mut self, operand: &mut impl FnMut() -> &'t str) {
        let (at, n) = self.switch_head(operand);
        self.long(n);
        for _ in 0..n {
            self.long(operand().parse().expect("a number"));
            self.long(self.offset(operand(), at));
        }
    }
}

impl Assembler {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            pool: Vec::new(),
            n_constants: 1,
            known: HashMap::new(),
            opcodes: MNEMONICS.split_ascii_whitespace().zip(0..).collect(),
            name: name.to_owned(),
            fields: Vec::new(),
            methods: Vec::new(),
        }
    }

    fn constant(&mut self, bytes: Vec<u8>) -> u16 {
        if let Some(&idx) = self.known.get(&bytes) {
            return idx;
        }
        let idx = self.n_constants;
        // A long and a double take two places.
        self.n_constants += if matches!(bytes[0], 5 | 6) { 2 } else { 1 };
        self.pool.extend_from_slice(&bytes);
        self.known.insert(bytes, idx);
        idx
    }

    fn utf8(&mut self, text: &str) -> u16 {
        let mut bytes = vec![1];
        bytes.extend_from_slice(&(text.len() as u16).to_be_bytes());
        bytes.extend_from_slice(text.as_bytes());
        self.constant(bytes)
    }

    fn pair(&mut self, tag: u8, a: u16, b: u16) -> u16 {
        let mut bytes = vec![tag];
        bytes.extend_from_slice(&a.to_be_bytes());
        bytes.extend_from_slice(&b.to_be_bytes());
        self.constant(bytes)
    }

    fn named(&mut self, tag: u8, text: &str) -> u16 {
        let name = self.utf8(text).to_be_bytes();
        self.constant(vec![tag, name[0], name[1]])
    }

    fn class(&mut self, name: &str) -> u16 {
        self.named(7, name)
    }

    /// `Class.name:descriptor`; the tag tells a field, a method and an interface's method apart.
    fn member(&mut self, tag: u8, text: &str) -> u16 {
        let (member, descriptor) = text.split_once(':').expect("a member has a descriptor");
        let (class, name) = member.rsplit_once('.').expect("a member has a class");
        let class = self.class(class);
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        let name_and_type = self.pair(12, name, descriptor);
        self.pair(tag, class, name_and_type)
    }

    fn loadable(&mut self, text: &str) -> u16 {
        let (kind, value) = text.split_once(':').expect("a constant has a kind");
        let number = |tag: u8, bytes: &[u8]| [&[tag], bytes].concat();
        match kind {
            "int" => self.constant(number(3, &value.parse::<i32>().expect("an int").to_be_bytes())),
            "float" => self.constant(number(4, &value.parse::<f32>().expect("a float").to_be_bytes())),
            "long" => self.constant(number(5, &value.parse::<i64>().expect("a long").to_be_bytes())),
            "double" => self.constant(number(6, &value.parse::<f64>().expect("a double").to_be_bytes())),
            "string" => self.named(8, value),
            "class" => self.class(value),
            _ => panic!("{kind} is no kind of constant"),
        }
    }

    /// Adds a static field.
    pub(crate) fn field(&mut self, name: &str, descriptor: &str, flags: u16) {
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        self.fields.push([flags, name, descriptor, 0].iter().flat_map(|word| word.to_be_bytes()).collect());
    }

    /// Adds a method; each handler is three labels (from, to, handler) and the class it catches, or `*`.
    pub(crate) fn method(
        &mut self,
        name: &str,
        descriptor: &str,
        flags: u16,
        text: &str,
        handlers: &[[&str; 4]],
    ) {
        let mut labels = HashMap::new();
        // The first pass finds the labels: no instruction's length depends on where they are.
        self.emit(text, &HashMap::new(), &mut labels);
        let code = self.emit(text, &labels.clone(), &mut labels);
        let mut attribute: Vec<u8> = Vec::new();
        for word in [40_u16, 700] {
            attribute.extend_from_slice(&word.to_be_bytes());
        }
        attribute.extend_from_slice(&(code.len() as u32).to_be_bytes());
        attribute.extend_from_slice(&code);
        attribute.extend_from_slice(&(handlers.len() as u16).to_be_bytes());
        for [from, to, handler, class] in handlers {
            for label in [from, to, handler] {
                attribute.extend_from_slice(&(labels[*label] as u16).to_be_bytes());
            }
            let class = if *class == "*" { 0 } else { self.class(class) };
            attribute.extend_from_slice(&class.to_be_bytes());
        }
        attribute.extend_from_slice(&[0, 0]);
        let words = [flags, self.utf8(name), self.utf8(descriptor), 1, self.utf8("Code")];
        let mut method: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        method.extend_from_slice(&(attribute.len() as u32).to_be_bytes());
        method.extend_from_slice(&attribute);
        self.methods.push(method);
    }

    fn emit(
        &mut self,
        text: &str,
        labels: &HashMap<String, usize>,
        found: &mut HashMap<String, usize>,
    ) -> Vec<u8> {
        let mut out = Emitter { bytes: Vec::new(), labels };
        let mut words = text.split_ascii_whitespace();
        let mut wide = false;
        while let Some(word) = words.next() {
            if let Some(label) = word.strip_suffix(':') {
                found.insert(label.to_owned(), out.bytes.len());
                continue;
            }
            let opcode = *self.opcodes.get(word).unwrap_or_else(|| panic!("{word} is no instruction"));
            out.bytes.push(opcode);
            let mut operand = || words.next().unwrap_or_else(|| panic!("{word} needs an operand"));
            match word {
                "iload" | "lload" | "fload" | "dload" | "aload" | "istore" | "lstore" | "fstore"
                | "dstore" | "astore" | "ret" | "iinc" => {
                    out.local_operands(wide, word == "iinc", &mut operand);
                }
                "goto_w" | "jsr_w" => out.long(out.offset(operand(), out.bytes.len() - 1)),
                "goto" | "jsr" => out.short(out.offset(operand(), out.bytes.len() - 1) as u16),
                _ if word.starts_with("if") => {
                    out.short(out.offset(operand(), out.bytes.len() - 1) as u16);
                }
                "tableswitch" => out.table_switch(&mut operand),
                "lookupswitch" => out.lookup_switch(&mut operand),
                _ => self.constant_operands(&mut out, word, &mut operand),
            }
            wide = word == "wide";
        }
        out.bytes
    }

    /// The operands of an instruction that takes a number or a constant; most take nothing.
    fn constant_operands<'t>(
        &mut self,
        out: &mut Emitter<'_>,
        word: &str,
        operand: &mut impl FnMut() -> &'t str,
    ) {
        match word {
            "bipush" => out.bytes.push(operand().parse::<i8>().expect("a byte") as u8),
            "newarray" => out.bytes.push(operand().parse::<u8>().expect("a kind")),
            "sipush" => out.short(operand().parse::<i16>().expect("a short") as u16),
            "ldc" => {
                let idx = self.loadable(operand());
                out.bytes.push(u8::try_from(idx).expect("the constant comes early"));
            }
            "ldc_w" | "ldc2_w" => out.short(self.loadable(operand())),
            "getstatic" | "putstatic" | "getfield" | "putfield" => out.short(self.member(9, operand())),
            "invokevirtual" | "invokespecial" | "invokestatic" => out.short(self.member(10, operand())),
            "invokeinterface" => {
                out.short(self.member(11, operand()));
                // The number of slots, the receiver included: here such methods have no parameters.
                out.bytes.extend_from_slice(&[1, 0]);
            }
            "new" | "anewarray" | "checkcast" | "instanceof" => out.short(self.class(operand())),
            "multianewarray" => {
                out.short(self.class(operand()));
                out.bytes.push(operand().parse().expect("a number"));
            }
            _ => {}
        }
    }

    /// The class file, of a version that needs no stack maps and may have `jsr`.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let name = self.name.clone();
        let (this, parent) = (self.class(&name), self.class("java/lang/Object"));
        let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 49];
        bytes.extend_from_slice(&self.n_constants.to_be_bytes());
        bytes.extend_from_slice(&self.pool);
        for word in [0x21, this, parent, 0, self.fields.len() as u16] {
            bytes.extend_from_slice(&word.to_be_bytes());
        }
        bytes.extend(self.fields.concat());
        bytes.extend_from_slice(&(self.methods.len() as u16).to_be_bytes());
        bytes.extend(self.methods.concat());
        bytes.extend_from_slice(&[0, 0]);
        bytes
    }
}
