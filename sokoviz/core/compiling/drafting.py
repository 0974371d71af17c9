"""Kernels in two stages: a draft for the kernels that call it, machine code for Python.

numba makes machine code of each function that it compiles, with all that this one calls put in and optimized anew. In
a chain of ten kernels the last is optimized ten times, and nine machine codes are never run. So what a kernel calls is
only translated into LLVM's language, a draft; drafts are put together and optimized once, in the kernel that Python
calls. That takes half the time, and what comes out is as fast.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import binding
from numba.core import compiler, sigutils, types, typing
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher

from sokoviz.core.compiling.machine_code import Store, is_foreign

Types = tuple[types.Type, ...]


class NoEnvironments:
    """Where numba writes the address of a function's environment; a draft has no machine code that could hold it."""

    def set_env(self, name: str, environment: Any) -> None:
        """Forget it: the kernel that the draft becomes a part of tells it again."""


class Draft(JITCodeLibrary):
    """A kernel in LLVM's language, with all that it calls."""

    codegen = NoEnvironments()

    def _optimize_final_module(self) -> None:
        """Leave it as it is."""

    def _finalize_final_module(self) -> None:
        """Make no machine code."""
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, _name: str) -> int:
        """There is none; numba uses what it makes of this only as a name."""
        return 0

    def to_bytes(self) -> bytes:
        """Return what `from_bytes` reads."""
        return bytes(self._final_module.as_bitcode())

    @classmethod
    def from_bytes(cls, codegen: Any, name: str, text: bytes) -> Draft:
        """Read a draft that was kept."""
        draft = cls(codegen, name)
        draft._final_module = binding.parse_bitcode(text)
        draft._finalize_final_module()
        return draft


class MachineCode(JITCodeLibrary):
    """What Python calls: drafts put together and optimized once.

    Parameters
    ----------
    codegen, name
        As numba has them.
    called
        Names of the functions that are called from outside.
    """

    def __init__(self, codegen: Any, name: str, called: frozenset[str]) -> None:
        super().__init__(codegen, name)
        self._called = called

    def _optimize_final_module(self) -> None:
        """Let the optimizer shape what is called only here for its callers: a kernel is up to a third faster then.

        Such a function must not be found by name any more, for in another kernel it has another shape. So it is
        private: the loader finds internal ones, too.
        """
        for function in self._final_module.functions:
            if not function.is_declaration and function.name not in self._called:
                function.linkage = "private"
        super()._optimize_final_module()


class Drafting(compiler.Compiler):
    """numba's compiler, which stops at a draft."""

    def __init__(self, typing_context, target_context, _library, args, return_type, flags, local_types) -> None:
        flags.no_cpython_wrapper = True
        draft = Draft(target_context.codegen(), "draft")
        super().__init__(typing_context, target_context, draft, args, return_type, flags, local_types)


class Kernel(CPUDispatcher):
    """A compiled function: called from Python it becomes machine code, called from another kernel only a draft."""

    def __init__(self, function: Callable[..., Any], locals=None, targetoptions=None, pipeline_class=Drafting) -> None:  # noqa: A002  numba's names
        super().__init__(function, locals or {}, targetoptions, pipeline_class)
        self.drafts: dict[Types, Any] = {}
        self.store = Store(function, self.targetctx.codegen().magic_tuple())

    def get_call_template(self, args, kws) -> tuple[Any, ...]:
        """Tell the compiler of a kernel that calls this one what it returns."""
        signature, arguments = self._compiler.fold_argument_types(args, kws)
        self.draft(tuple(arguments))
        name = self.py_func.__name__
        signatures = [draft.signature for draft in self.drafts.values()]
        template = typing.make_concrete_template(f"CallTemplate({name})", key=name, signatures=signatures)
        return template, signature, arguments, {}

    def get_overload(self, sig) -> Any:
        """Return numba's name of a draft."""
        arguments, _ = sigutils.normalize_signature(sig)
        return self.drafts[tuple(arguments)].entry_point

    def compile(self, sig) -> Any:
        """Return what Python calls."""
        arguments, _ = sigutils.normalize_signature(sig)
        arguments = tuple(arguments)
        with global_compiler_lock:
            if arguments not in self.overloads:
                self.add_overload(self._made_once("code", arguments, self._load, self._make, self._keep))
            return self.overloads[arguments].entry_point

    def draft(self, arguments: Types) -> Any:
        """Return what is known of a draft: its result, its text, its name."""
        with global_compiler_lock:
            if arguments not in self.drafts:
                with self._compiling_counter:  # by which numba knows a kernel that calls itself
                    draft = self._made_once("draft", arguments, self._load_draft, self._make_draft, self._keep_draft)
                self.targetctx.insert_user_function(draft.entry_point, draft.fndesc, [draft.library])
                self.drafts[arguments] = draft
            return self.drafts[arguments]

    def _made_once(self, kind: str, arguments: Types, load, make, keep) -> Any:
        """Take from the store what is there, else make it; what another process is making is waited for."""
        if is_foreign(arguments):
            return make(arguments)
        found = self.store.read(kind, arguments)
        if found is None:
            with self.store.alone(kind, arguments):
                found = self.store.read(kind, arguments)
                if found is None:
                    made = make(arguments)
                    if not made.library.has_dynamic_globals:  # addresses of this process
                        self.store.write(kind, arguments, keep(made))
                    return made
        if kind == "code":
            self._cache_hits[arguments] += 1  # numba's count of what was not compiled
        self.targetctx.refresh()
        return load(found)

    # --- drafts ----------------------------------------------------------------------------------------------------

    def _make_draft(self, arguments: Types) -> Any:
        return self._compiler.compile(arguments, None)

    def _keep_draft(self, draft: Any) -> tuple[Any, ...]:
        draft.fndesc.typemap = draft.fndesc.calltypes = None  # numba drops them too: they cannot be written
        environments = tuple(draft._find_referenced_environments())  # noqa: SLF001  numba has no other way in
        text = draft.library.to_bytes()
        return text, draft.fndesc, draft.environment, draft.signature, draft.reload_init, environments

    def _load_draft(self, kept: tuple[Any, ...]) -> Any:
        text, descriptor, environment, signature, reload_init, environments = kept
        for action in reload_init:
            action()
        library = Draft.from_bytes(self.targetctx.codegen(), descriptor.qualname, text)
        return compiler.compile_result(
            typing_context=self.typingctx,
            target_context=self.targetctx,
            entry_point=self.targetctx.get_executable(library, descriptor, environment),
            environment=environment,
            fndesc=descriptor,
            library=library,
            signature=signature,
            objectmode=False,
            reload_init=reload_init,
            referenced_envs=environments,
        )

    # --- machine code ----------------------------------------------------------------------------------------------

    def _make(self, arguments: Types) -> Any:
        draft = self.draft(arguments)
        descriptor, environment = draft.fndesc, draft.environment
        flags = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        context = compiler._make_subtarget(self.targetctx, flags)  # noqa: SLF001  numba has no other way in
        called = frozenset({descriptor.llvm_func_name, descriptor.llvm_cpython_wrapper_name})
        library = MachineCode(self.targetctx.codegen(), descriptor.qualname, called)
        library.enable_object_caching()
        library.add_linking_library(draft.library)
        context.create_cpython_wrapper(library, descriptor, environment, None, release_gil=flags.release_gil)
        library.finalize()
        entry_point = context.get_executable(library, descriptor, environment)
        made = draft._replace(library=library, entry_point=entry_point, type_annotation="", referenced_envs=())
        for name in _names_of_environments(library):
            library.codegen.set_env(name, lookup_environment(name))
        return made

    @staticmethod
    def _keep(made: Any) -> tuple[Any, ...]:
        return list(made.environment.consts), made._reduce()  # noqa: SLF001  numba has no other way in

    def _load(self, kept: tuple[Any, ...]) -> Any:
        constants, reduced = kept
        made = compiler.CompileResult._rebuild(self.targetctx, *reduced)  # noqa: SLF001  numba has no other way in
        # An environment that came with another kernel's draft does not know yet what Python is handed.
        made.environment.consts[:] = constants
        return made


def _names_of_environments(library: JITCodeLibrary) -> list[str]:
    """Names of the environments of all functions that a library holds, as far as they are alive."""
    names = [variable.name for variable in library._final_module.global_variables]  # noqa: SLF001  as above
    return [name for name in names if name.startswith("_ZN08NumbaEnv") and lookup_environment(name) is not None]
