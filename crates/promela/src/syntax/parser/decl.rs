//! Declarations and the constant expressions in them.

use super::{Parser, Res};
use crate::syntax::ast::{
    ArrayBound, ChannelInit, Decl, Expr, ExprKind, Ident, Initializer, MtypeDecl, Span, TypeName, VarDecl,
    VarPart, VarRef, Visibility,
};
use crate::syntax::lexer::{BaseType, Token, TokenKind as K};
use crate::syntax::source::Diagnostic;

/// The result of a declaration.
pub(super) enum Declared {
    Vars(Decl),
    Mtypes(MtypeDecl),
}

impl Parser<'_> {
    /// Whether a declaration begins here.
    pub(super) fn at_declaration(&self) -> bool {
        matches!(self.kind(), K::Type(_) | K::TypeName | K::Hidden | K::Show | K::Local)
    }

    /// One declaration. Symbolic constants may only be declared globally.
    pub(super) fn declaration(&mut self, global: bool) -> Res<Declared> {
        let start = self.current.span;
        let visibility = match self.kind() {
            K::Hidden => Visibility::Hidden,
            K::Show => Visibility::Show,
            K::Local => Visibility::Local,
            _ => Visibility::Normal,
        };
        if visibility != Visibility::Normal {
            self.bump();
        }
        let ty = match self.kind() {
            K::Type(BaseType::Mtype) => {
                self.bump();
                if matches!(self.kind(), K::Assign | K::LBrace) {
                    self.eat(K::Assign);
                    return self.mtypes(None, start, global);
                }
                let subtype =
                    if self.eat(K::Colon) { Some(self.name("the name of an mtype")?) } else { None };
                if subtype.is_some() && self.eat(K::Assign) {
                    return self.mtypes(subtype, start, global);
                }
                TypeName::Mtype(subtype)
            }
            K::Type(base) => {
                self.bump();
                base.type_name()
            }
            K::TypeName => {
                let token = self.bump();
                TypeName::Named(Ident { name: token.text, span: token.span })
            }
            K::Name if self.lexer.is_dynamic() => {
                let token = self.bump();
                match &*token.text {
                    "ftype" => TypeName::Ftype,
                    // A typedef that is not closed yet, or comes later: a pointer may refer to it.
                    _ => TypeName::Named(Ident { name: token.text, span: token.span }),
                }
            }
            _ => return self.unexpected("expected a type"),
        };
        self.variables(ty, visibility, start)
    }

    /// The variables of a declaration whose type was already read.
    pub(super) fn variables(&mut self, ty: TypeName, visibility: Visibility, start: Span) -> Res<Declared> {
        let mut vars = vec![self.variable(&ty)?];
        while self.eat(K::Comma) {
            if matches!(self.kind(), K::Type(_) | K::TypeName) {
                let error = Diagnostic::error("expected a name, found a type", self.current.span);
                self.report(error.with_hint("separate declarations by `;`, names of one type by `,`"));
                break;
            }
            vars.push(self.variable(&ty)?);
        }
        Ok(Declared::Vars(Decl { visibility, ty, vars, span: self.since(start) }))
    }

    /// Declarations separated by `;`, up to `close`.
    pub(super) fn declaration_list(&mut self, close: K) -> Res<Vec<Decl>> {
        let mut decls = Vec::new();
        loop {
            match self.declaration(false)? {
                Declared::Vars(decl) => decls.push(decl),
                Declared::Mtypes(_) => {}
            }
            if !self.at(K::Semi) && self.previous_kind != K::Comma {
                return Ok(decls);
            }
            while self.eat(K::Semi) {}
            if self.at(close) {
                return Ok(decls);
            }
        }
    }

    /// `{ a, b, c }`; the commas may be missing.
    fn mtypes(&mut self, subtype: Option<Ident>, start: Span, global: bool) -> Res<Declared> {
        self.expect(K::LBrace, "before symbolic constants")?;
        let mut names = vec![self.name("a symbolic constant")?];
        while !self.at(K::RBrace) {
            if !self.eat(K::Comma) {
                names.push(self.name("a symbolic constant")?);
            }
        }
        if !global {
            let error = Diagnostic::error("symbolic constants must be declared globally", start);
            self.report(error.with_hint("move this `mtype` declaration out of the process"));
        }
        // The names are known from the closing brace on, so they are declared before the token after it is
        // read.
        let kind = subtype.as_ref().map_or_else(|| "".into(), |s| s.name.clone());
        let texts: Vec<_> = names.iter().map(|n| n.name.clone()).collect();
        if self.lexer.names.declare_mtypes(&kind, &texts) > 255 {
            self.report(Diagnostic::error("there can be at most 255 symbolic constants of one kind", start));
        }
        self.bump();
        Ok(Declared::Mtypes(MtypeDecl { subtype, names, span: self.since(start) }))
    }

    fn variable(&mut self, ty: &TypeName) -> Res<VarDecl> {
        let pointer = self.lexer.is_dynamic() && self.eat(K::Amp);
        let name = self.name("a variable's name")?;
        let mut width = None;
        let mut array = None;
        if self.at(K::Colon) {
            self.bump();
            if !self.at(K::Const) {
                return self.unexpected("expected a width");
            }
            width = Some(self.bump().value);
        } else if self.eat(K::LBracket) {
            array = Some(if self.at(K::Name) {
                ArrayBound::Named(self.name("a bound")?)
            } else {
                ArrayBound::Count(self.constant()?)
            });
            self.expect(K::RBracket, "after an array's bound")?;
            if self.at(K::LBracket) {
                let error = Diagnostic::error("an array has one dimension", self.current.span);
                return self.fail(
                    error.with_hint("put the second dimension into a typedef: `typedef row { int x[4] }`"),
                );
            }
        }
        if width.is_none() && *ty == TypeName::Unsigned {
            let error = Diagnostic::error(format!("`{}` needs a width", name.name), name.span);
            self.report(error.with_hint(format!("write `unsigned {} : 4`", name.name)));
        } else if width.is_some() && *ty != TypeName::Unsigned {
            self.report(Diagnostic::error("only an `unsigned` variable has a width", name.span));
        }
        let init = if self.eat(K::Assign) { Some(self.initializer()?) } else { None };
        Ok(VarDecl { name, pointer, width, array, init })
    }

    fn initializer(&mut self) -> Res<Initializer> {
        match self.kind() {
            K::LBrace => {
                self.bump();
                let mut values = vec![self.constant_item()?];
                while self.eat(K::Comma) {
                    values.push(self.constant_item()?);
                }
                self.eat(K::Semi);
                self.expect(K::RBrace, "after initial values")?;
                Ok(Initializer::List(values))
            }
            K::LBracket => self.channel_init().map(Initializer::Channel),
            K::Name if self.lexer.is_dynamic() => self.dynamic_initializer().map(Initializer::Expr),
            _ => self.expr().map(Initializer::Expr),
        }
    }

    /// One value of an array's initialiser: a constant.
    fn constant_item(&mut self) -> Res<Expr> {
        let start = self.current.span;
        if self.at(K::Const) {
            let token = self.bump();
            return Ok(constant_expr(token));
        }
        let value = self.constant()?;
        Ok(Expr { kind: ExprKind::Const(value), span: self.since(start) })
    }

    fn channel_init(&mut self) -> Res<ChannelInit> {
        let start = self.bump().span;
        let capacity = self.constant()?;
        self.expect(K::RBracket, "after a channel's capacity")?;
        self.channel_fields(capacity, start)
    }

    /// A channel whose capacity was already read.
    pub(super) fn channel_fields(&mut self, capacity: i32, start: Span) -> Res<ChannelInit> {
        self.expect(K::Of, "before the types of a channel's messages")?;
        self.expect(K::LBrace, "before the types of a channel's messages")?;
        let mut fields = vec![self.message_type()?];
        while self.eat(K::Comma) {
            fields.push(self.message_type()?);
        }
        self.expect(K::RBrace, "after the types of a channel's messages")?;
        Ok(ChannelInit { capacity, fields, span: self.since(start) })
    }

    fn message_type(&mut self) -> Res<TypeName> {
        let ty = self.plain_message_type()?;
        if self.lexer.is_dynamic() && self.eat(K::Amp) {
            return Ok(TypeName::Pointer(Box::new(ty)));
        }
        Ok(ty)
    }

    fn plain_message_type(&mut self) -> Res<TypeName> {
        match self.kind() {
            K::Name if self.lexer.is_dynamic() && &*self.current.text == "ftype" => {
                self.bump();
                Ok(TypeName::Ftype)
            }
            K::Type(BaseType::Unsigned) => {
                let error = Diagnostic::error("a message field cannot be `unsigned`", self.current.span);
                self.report(error.with_hint("use `byte`, `short` or `int`"));
                self.bump();
                if self.eat(K::Colon) {
                    self.eat(K::Const);
                }
                Ok(TypeName::Unsigned)
            }
            K::Type(base) => {
                self.bump();
                if base == BaseType::Mtype && self.eat(K::Colon) {
                    return Ok(TypeName::Mtype(Some(self.name("the name of an mtype")?)));
                }
                Ok(base.type_name())
            }
            K::TypeName => {
                let token = self.bump();
                Ok(TypeName::Named(Ident { name: token.text, span: token.span }))
            }
            _ => self.unexpected("expected a message field's type"),
        }
    }

    /// A constant expression: numbers, `+ - * / %` and parentheses.
    pub(super) fn constant(&mut self) -> Res<i32> {
        let mut value = self.constant_term()?;
        loop {
            match self.kind() {
                K::Plus => {
                    self.bump();
                    value = value.wrapping_add(self.constant_term()?);
                }
                K::Minus => {
                    self.bump();
                    value = value.wrapping_sub(self.constant_term()?);
                }
                _ => return Ok(value),
            }
        }
    }

    fn constant_term(&mut self) -> Res<i32> {
        let mut value = self.constant_factor()?;
        loop {
            let operator = self.kind();
            if !matches!(operator, K::Star | K::Slash | K::Percent) {
                return Ok(value);
            }
            let span = self.bump().span;
            let right = self.constant_factor()?;
            if operator != K::Star && right == 0 {
                return self.fail(Diagnostic::error("division by zero in a constant", span));
            }
            value = match operator {
                K::Star => value.wrapping_mul(right),
                K::Slash => value.wrapping_div(right),
                _ => value.wrapping_rem(right),
            };
        }
    }

    fn constant_factor(&mut self) -> Res<i32> {
        self.nested(|p| match p.kind() {
            K::Const => Ok(p.bump().value),
            K::Minus => {
                p.bump();
                Ok(p.constant_factor()?.wrapping_neg())
            }
            K::LParen => {
                p.bump();
                let value = p.constant()?;
                p.expect(K::RParen, "in a constant")?;
                Ok(value)
            }
            K::Name => {
                let message = format!("expected a constant, found {}", p.current.describe());
                let error = Diagnostic::error(message, p.current.span);
                p.fail(error.with_hint("give the number by `#define`"))
            }
            _ => p.unexpected("expected a constant"),
        })
    }
}

/// The expression for a constant token: a number or a symbolic constant.
pub(super) fn constant_expr(token: Token) -> Expr {
    if token.text.is_empty() {
        return Expr { kind: ExprKind::Const(token.value), span: token.span };
    }
    Expr { kind: ExprKind::Var(symbol(token.clone())), span: token.span }
}

/// A symbolic constant as a reference.
pub(super) fn symbol(token: Token) -> VarRef {
    let span = token.span;
    VarRef {
        parts: vec![VarPart { name: Ident { name: token.text, span }, index: None, second: None }],
        span,
    }
}
