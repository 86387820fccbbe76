//! Top-level items.

use super::decl::Declared;
use super::{Parser, Res};
use crate::syntax::ast::{
    ActiveCount, Block, Claim, EventTrace, Expr, Ident, Init, LtlBlock, Proctype, Span, Typedef, Unit,
};
use crate::syntax::lexer::TokenKind as K;
use crate::syntax::source::Diagnostic;

impl Parser<'_> {
    pub(super) fn units(&mut self) {
        loop {
            let at = self.current.at;
            match self.kind() {
                K::Eof => return,
                K::Semi | K::Arrow => {
                    self.bump();
                    continue;
                }
                _ => {}
            }
            match self.unit() {
                Ok(Some(unit)) => self.units.push((at, unit)),
                Ok(None) => {}
                Err(_) => {
                    // A token must be consumed, or the loop would never end.
                    if self.current.at == at && !self.at(K::Eof) {
                        self.bump();
                    }
                    self.recover_at_unit();
                }
            }
        }
    }

    fn unit(&mut self) -> Res<Option<Unit>> {
        match self.kind() {
            K::Active | K::Proctype | K::DProctype => self.proctype().map(|p| Some(Unit::Proctype(p))),
            K::Init => self.init().map(|i| Some(Unit::Init(i))),
            K::Never => self.never().map(|c| Some(Unit::Never(c))),
            K::Trace | K::NoTrace => self.trace().map(|t| Some(Unit::Trace(t))),
            K::Ltl => self.ltl().map(|l| Some(Unit::Ltl(l))),
            K::Typedef => self.typedef().map(|t| Some(Unit::Typedef(t))),
            K::Inline => self.inline_definition().map(|()| None),
            K::CCode | K::CDecl | K::CState | K::CTrack => self.embedded_unit().map(|()| None),
            K::Name if self.at_word("function") => self.function().map(|f| Some(Unit::Function(f))),
            K::Name if self.at_word("ftype") => Ok(Some(match self.declaration(true)? {
                Declared::Vars(decl) => Unit::Decl(decl),
                Declared::Mtypes(decl) => Unit::Mtype(decl),
            })),
            K::Type(_) | K::TypeName | K::Hidden | K::Show | K::Local => {
                Ok(Some(match self.declaration(true)? {
                    Declared::Vars(decl) => Unit::Decl(decl),
                    Declared::Mtypes(decl) => Unit::Mtype(decl),
                }))
            }
            _ => self.unexpected("expected a declaration, a proctype, init, never, ltl, typedef or inline"),
        }
    }

    fn proctype(&mut self) -> Res<Proctype> {
        let active = if self.eat(K::Active) { Some(self.active_count()?) } else { None };
        let deterministic = self.at(K::DProctype);
        if !deterministic && !self.at(K::Proctype) {
            return self.unexpected("expected `proctype`");
        }
        self.bump();
        if self.at(K::Name) {
            // From here on, the name is that of a process type.
            self.lexer.names.proctypes.insert(self.current.text.clone());
        }
        if self.at(K::ProcName) {
            let message = format!("proctype '{}' is declared twice", self.current.text);
            let error = Diagnostic::error(message, self.current.span);
            return self.fail(error);
        }
        let name = self.name("the name of a process type")?;
        self.expect(K::LParen, "before the parameters of a process type")?;
        let params = if self.at(K::RParen) { Vec::new() } else { self.declaration_list(K::RParen)? };
        self.expect(K::RParen, "after the parameters of a process type")?;
        for param in params.iter().flat_map(|decl| &decl.vars) {
            if param.init.is_some() {
                let error = Diagnostic::error("a parameter cannot be initialised", param.name.span);
                self.report(error.with_hint("its value comes from `run`; an active process starts with 0"));
            }
        }
        let priority = self.priority()?;
        let provided = self.provided()?;
        let body = self.body()?;
        Ok(Proctype { name, active, deterministic, params, priority, provided, body })
    }

    fn active_count(&mut self) -> Res<ActiveCount> {
        if !self.eat(K::LBracket) {
            return Ok(ActiveCount::Count(1));
        }
        let count = if self.at(K::Name) {
            ActiveCount::Named(self.name("a number")?)
        } else {
            ActiveCount::Count(self.constant()?)
        };
        self.expect(K::RBracket, "after the number of processes")?;
        Ok(count)
    }

    pub(super) fn priority(&mut self) -> Res<Option<i32>> {
        if !self.eat(K::Priority) {
            return Ok(None);
        }
        if self.at(K::Const) {
            return Ok(Some(self.bump().value));
        }
        self.unexpected("expected a constant priority")
    }

    fn provided(&mut self) -> Res<Option<Expr>> {
        if !self.eat(K::Provided) {
            return Ok(None);
        }
        self.expect(K::LParen, "after `provided`")?;
        let condition = self.full_expr()?;
        self.expect(K::RParen, "after the condition of `provided`")?;
        Ok(Some(condition))
    }

    fn init(&mut self) -> Res<Init> {
        let span = self.bump().span;
        let priority = self.priority()?;
        if self.at(K::LParen) {
            let error = Diagnostic::error("`init` has no parameters", self.current.span);
            return self.fail(error.with_hint("write `init { ... }`"));
        }
        let body = self.body()?;
        Ok(Init { span, priority, body })
    }

    fn never(&mut self) -> Res<Claim> {
        let span = self.bump().span;
        let name = self.optional_name()?;
        let body = self.body()?;
        Ok(Claim { name, span, body })
    }

    fn optional_name(&mut self) -> Res<Option<Ident>> {
        if self.at(K::LBrace) { Ok(None) } else { self.name("a name or `{`").map(Some) }
    }

    fn trace(&mut self) -> Res<EventTrace> {
        let negated = self.at(K::NoTrace);
        let span = self.bump().span;
        self.in_trace = true;
        let body = self.body()?;
        self.in_trace = false;
        Ok(EventTrace { negated, span, body })
    }

    fn ltl(&mut self) -> Res<LtlBlock> {
        let span = self.bump().span;
        let name = self.optional_name()?;
        if !self.at(K::LBrace) {
            return self.unexpected("expected `{` before a formula");
        }
        self.lexer.in_ltl = true;
        self.bump();
        let formula = self.full_expr()?;
        if matches!(self.kind(), K::Semi | K::Arrow) {
            self.bump();
        }
        self.lexer.in_ltl = false;
        if self.at(K::Eof) {
            // SPIN itself closes a formula at the end of the model.
            let warning = Diagnostic::warning("the formula is not closed", self.previous);
            self.report(warning.with_hint("add `}`"));
        } else {
            self.expect(K::RBrace, "after a formula")?;
        }
        Ok(LtlBlock { name, span, formula })
    }

    fn typedef(&mut self) -> Res<Typedef> {
        self.bump();
        let name = self.name("the name of a type")?;
        if self.lexer.is_dynamic() {
            // Its fields may be pointers to it.
            self.lexer.names.typedefs.insert(name.name.clone());
        }
        if !self.at(K::LBrace) {
            return self.unexpected("expected `{` before the fields of a type");
        }
        self.lexer.in_body = true;
        self.bump();
        let fields = self.declaration_list(K::RBrace)?;
        self.lexer.in_body = false;
        if self.at(K::RBrace) {
            self.lexer.names.typedefs.insert(name.name.clone());
        }
        self.expect(K::RBrace, "after the fields of a type")?;
        Ok(Typedef { name, fields })
    }

    /// The body of a process, a claim or a trace.
    pub(super) fn body(&mut self) -> Res<Block> {
        if !self.at(K::LBrace) {
            return self.unexpected("expected `{` before a body");
        }
        self.lexer.in_body = true;
        let start = self.bump().span;
        let steps = self.sequence(false)?;
        self.lexer.in_body = false;
        if !self.at(K::RBrace) {
            self.lexer.in_body = true;
            return self.unclosed(start, "}");
        }
        self.bump();
        Ok(Block { steps, span: self.since(start) })
    }

    /// Reports that what opened at `start` is not closed by `close` here.
    pub(super) fn unclosed<T>(&mut self, start: Span, close: &str) -> Res<T> {
        let message = format!("expected `{close}`, found {}", self.current.describe());
        let error = Diagnostic::error(message, self.current.span);
        self.fail(error.with_note("to close this", Some(start)))
    }

    /// Reads embedded C outside processes.
    fn embedded_unit(&mut self) -> Res<()> {
        if matches!(self.kind(), K::CCode | K::CDecl) {
            return self.embedded_block();
        }
        let span = self.bump().span;
        let mut n_strings = 0;
        while self.at(K::Str) && n_strings < 3 {
            self.bump();
            n_strings += 1;
        }
        if n_strings < 2 {
            return self.unexpected("expected two or three strings");
        }
        self.embedded(self.since(span));
        Ok(())
    }
}
