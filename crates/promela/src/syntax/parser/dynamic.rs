//! The dynamic extension: functions, pointers, `new` and `delete`.
//!
//! Its keywords are contextual. `function` begins a unit, where no plain name is allowed; `ftype` is a type
//! before a name; `new` is between `=` and a type; `delete` begins a statement before `(`; `return` belongs
//! to a function unless an inline is being expanded. Elsewhere these words are names, so a plain model that
//! uses them still parses.

use super::{Parser, Res};
use crate::syntax::ast::{
    Block, Call, Expr, ExprKind, Function, Ident, ReturnValue, Step, StmtKind, TypeName, VarRef,
};
use crate::syntax::lexer::{BaseType, TokenKind as K};
use crate::syntax::source::Diagnostic;

impl Parser<'_> {
    /// Whether the current token is a contextual word of the extension.
    pub(super) fn at_word(&self, word: &str) -> bool {
        self.lexer.is_dynamic() && self.at(K::Name) && &*self.current.text == word
    }

    /// `function name(...) : type { ... }`
    pub(super) fn function(&mut self) -> Res<Function> {
        self.bump();
        let name = self.name("the name of a function")?;
        self.expect(K::LParen, "before the parameters of a function")?;
        let params = if self.at(K::RParen) { Vec::new() } else { self.declaration_list(K::RParen)? };
        self.expect(K::RParen, "after the parameters of a function")?;
        for param in params.iter().flat_map(|decl| &decl.vars).filter(|param| param.init.is_some()) {
            let error = Diagnostic::error("a parameter cannot be initialised", param.name.span);
            self.report(error.with_hint("its value comes from the call"));
        }
        let result = if self.eat(K::Colon) { Some(self.result_type()?) } else { None };
        self.in_function = true;
        let body = self.body();
        self.in_function = false;
        let has_statement = |body: &Block| body.steps.iter().any(|step| !matches!(step, Step::Decl(_)));
        if body.as_ref().is_ok_and(|body| !has_statement(body)) {
            self.report(Diagnostic::error("a function needs at least one statement", name.span));
        }
        Ok(Function { name, params, result, body: body? })
    }

    fn result_type(&mut self) -> Res<TypeName> {
        let ty = self.object_type("the type of a result")?;
        Ok(if self.eat(K::Amp) { TypeName::Pointer(Box::new(ty)) } else { ty })
    }

    /// A type given only by its name.
    fn object_type(&mut self, what: &str) -> Res<TypeName> {
        match self.kind() {
            K::Type(BaseType::Unsigned) => {
                let error = Diagnostic::error("`unsigned` needs a width here", self.current.span);
                self.fail(error.with_hint("use `byte`, `short` or `int`"))
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
            K::Name if self.at_word("ftype") => {
                self.bump();
                Ok(TypeName::Ftype)
            }
            _ => self.unexpected(&format!("expected {what}")),
        }
    }

    /// The right side of an assignment to `target`, which begins with a name: a new object, the result of a
    /// call, or an expression.
    pub(super) fn dynamic_assignment(&mut self, target: VarRef) -> Res<StmtKind> {
        let name = self.bump();
        let at_type = matches!(self.kind(), K::Type(_) | K::TypeName | K::Name);
        if &*name.text == "new" && at_type {
            return self.new_object(target);
        }
        let var = self.reference_from(name)?;
        if self.at(K::LParen) {
            return self.call_statement(Some(target), var);
        }
        let left = self.operand_from_reference(var)?;
        let value = self.infix(left, 0)?;
        Ok(StmtKind::Assign { target, value })
    }

    /// `new T`, `new T[n]` and `new chan [n] of { ... }`, after `new`.
    fn new_object(&mut self, target: VarRef) -> Res<StmtKind> {
        let start = self.current.span;
        let ty = self.object_type("a type after `new`")?;
        if !self.eat(K::LBracket) {
            return Ok(StmtKind::New { target, ty, count: None });
        }
        let count = self.nested(Self::expr)?;
        self.expect(K::RBracket, "after the number of objects")?;
        if ty == TypeName::Chan && self.at(K::Of) {
            let Some(capacity) = constant(&count) else {
                let error = Diagnostic::error("the capacity of a channel must be a constant", count.span);
                return self.fail(error);
            };
            let init = self.channel_fields(capacity, start)?;
            return Ok(StmtKind::NewChannel { target, init });
        }
        Ok(StmtKind::New { target, ty, count: Some(count) })
    }

    /// `delete(p)`, at the parenthesis.
    pub(super) fn delete(&mut self) -> Res<StmtKind> {
        self.not_in_trace(self.previous);
        self.bump();
        let pointer = self.reference()?;
        self.expect(K::RParen, "after the pointer of `delete`")?;
        Ok(StmtKind::Delete(pointer))
    }

    /// A call, at the parenthesis.
    pub(super) fn call_statement(&mut self, result: Option<VarRef>, callee: VarRef) -> Res<StmtKind> {
        self.not_in_trace(callee.span);
        let call = self.call(callee)?;
        Ok(StmtKind::Call { result, call })
    }

    fn call(&mut self, callee: VarRef) -> Res<Call> {
        self.expect(K::LParen, "before the arguments of a call")?;
        let args = if self.at(K::RParen) { Vec::new() } else { self.nested(Self::arguments)? };
        self.expect(K::RParen, "after the arguments of a call")?;
        if super::expr::is_infix(self.kind()) {
            return self.misplaced_call(&callee);
        }
        Ok(Call { callee, args })
    }

    /// Reports a call inside an expression.
    pub(super) fn misplaced_call<T>(&mut self, callee: &VarRef) -> Res<T> {
        let error =
            Diagnostic::error(format!("a call of `{callee}` cannot stand inside an expression"), callee.span);
        self.fail(error.with_hint("a call is a statement; assign its result to a variable: `x = f(...)`"))
    }

    /// An initial value that begins with a name.
    pub(super) fn dynamic_initializer(&mut self) -> Res<Expr> {
        if self.at_word("new") {
            let word = self.bump();
            if matches!(self.kind(), K::Type(_) | K::TypeName) {
                let error = Diagnostic::error("`new` is a statement, not an initial value", word.span);
                return self.fail(error.with_hint("declare the pointer first: `T &p; p = new T`"));
            }
            let left = self.reference_from(word)?;
            let left = self.operand_from_reference(left)?;
            return self.infix(left, 0);
        }
        self.expr()
    }

    /// `&x`
    pub(super) fn address(&mut self) -> Res<Expr> {
        let start = self.bump().span;
        let var = self.reference()?;
        Ok(Expr { kind: ExprKind::Address(var), span: self.since(start) })
    }

    /// `return` in a function, after the word.
    pub(super) fn function_return(&mut self) -> Res<StmtKind> {
        let nothing = matches!(
            self.kind(),
            K::Semi | K::Arrow | K::RBrace | K::Option | K::Fi | K::Od | K::Unless | K::Eof
        );
        if nothing {
            return Ok(StmtKind::Return(ReturnValue::Nothing));
        }
        if !self.at(K::Name) {
            return Ok(StmtKind::Return(ReturnValue::Value(self.full_expr()?)));
        }
        let name = self.bump();
        let var = self.reference_from(name)?;
        if self.at(K::LParen) {
            return Ok(StmtKind::Return(ReturnValue::Call(self.call(var)?)));
        }
        let left = self.operand_from_reference(var)?;
        let value = self.infix(left, 0)?;
        Ok(StmtKind::Return(ReturnValue::Value(value)))
    }
}

/// The value of an expression made of numbers.
fn constant(e: &Expr) -> Option<i32> {
    use crate::syntax::ast::{BinaryOp, UnaryOp};
    match &e.kind {
        ExprKind::Const(value) => Some(*value),
        ExprKind::Unary(UnaryOp::Neg, a) => constant(a).map(i32::wrapping_neg),
        ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b) => {
            Some(op.apply(constant(a)?, constant(b)?))
        }
        _ => None,
    }
}
