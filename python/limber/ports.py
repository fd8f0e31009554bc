# SPDX-License-Identifier: Apache-2.0
"""Wave ports: runs of several models that exchange waves after every step.

    a, b = limber.Model("arm.yaml").start(), limber.Model("base.yaml").start()
    system = limber.couple([(a.ports["root"], b.ports["top"])])
    system.advance(2)
    system.energy"""
import ctypes
import os
from ctypes import byref
from typing import TYPE_CHECKING, Dict, Iterator, Mapping, NamedTuple, Optional, Sequence, Union

import numpy

from .interface import Id, LimberBondState, LimberConnection, LimberPort, LimberPortState
from .library import Error, library
from .pictures import Path, command
from .results import Results

if TYPE_CHECKING:
    from . import Run


class Port:
    """A port of a run. Masses are kg, or kg m2 at an angle."""

    def __init__(self, run: "Run", index: int):
        self.run, self._id = run, index
        p = LimberPort()
        library.LimberRunGetPort(run._run, self._id, byref(p))
        self.name: str = (p.name or b"").decode()
        self.waves: int = p.waves
        self.mass: float = p.mass
        self.impedance: float = p.impedance
        self.largest_mass: float = p.largest_mass
        self.step: float = p.step

    def __repr__(self) -> str:
        return f"Port('{self.name}', mass {self.mass:g} of at most {self.largest_mass:g})"

    def _get(self, name):
        s = LimberPortState()
        library.LimberRunGetPortState(self.run._run, self._id, byref(s))
        return numpy.array(getattr(s, name)[:self.waves])

    @property
    def incoming(self) -> numpy.ndarray:
        """The wave that comes in, sqrt(W). Set it before a step; `couple` does this for both ends of a line."""
        return self._get("in")

    @incoming.setter
    def incoming(self, wave: Union[float, Sequence[float]]) -> None:
        values = numpy.array(wave, dtype=float).reshape(-1)
        if len(values) != self.waves:
            raise ValueError(f"port '{self.name}' has {self.waves} waves, not {len(values)}")
        library.LimberRunSetPortWave(self.run._run, self._id, values.ctypes.data_as(ctypes.POINTER(ctypes.c_double)))

    @property
    def outgoing(self) -> numpy.ndarray:
        """The wave that went out over the last step, sqrt(W)."""
        return self._get("out")

    @property
    def force(self) -> numpy.ndarray:
        """The force of the model on the line, mean over the last step: N, or N m at an angle."""
        return self._get("force")

    @property
    def moved(self) -> numpy.ndarray:
        """The displacement of the last step: m, or rad at an angle."""
        return self._get("moved")

    @property
    def gap(self) -> numpy.ndarray:
        """By how much the force of the last step moves the ends of the line apart, F h^2/z0: m, or rad at an angle."""
        return self._get("gap")


class Bond(NamedTuple):
    """A bond to an FMU over the last step; of a step that was taken in parts, over the last part."""
    flow: float  #: m/s or rad/s: velocity that the FMU got
    effort: float  #: N or N m: mean of its forces at the start and the end
    force: float  #: N or N m: on the model; less than the effort where that would create energy
    moved: float  #: m or rad: displacement of the coordinate
    exchange: float  #: J: work of the force less flow times effort, since the start


def bonds(run: "Run") -> Dict[str, Bond]:
    """The bonds of a run by their names."""
    out, state = {}, LimberBondState()
    for i in range(library.limber_run_bonds(run._run)):
        library.LimberRunGetBond(run._run, i, byref(state))
        out[(state.name or b"").decode()] = Bond(state.flow, state.effort, state.force, state.moved, state.exchange)
    return out


class Ports(Mapping[str, Port]):
    """The ports of a run by their names."""

    def __init__(self, run: "Run"):
        self._port = {p.name: p for p in (Port(run, i) for i in range(library.limber_run_ports(run._run)))}

    def __getitem__(self, name: str) -> Port:
        return self._port[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._port)

    def __len__(self) -> int:
        return len(self._port)


class CoupledEnergy(NamedTuple):
    """Energies of coupled runs, J. stored + lines + lost - work is constant, apart from round-off."""
    stored: float  # kinetic, strain and potential energy of all runs, and the stored energy of their schemes
    lines: float   # of the waves
    work: float    # of the loads of all runs, since the start
    lost: float    # in dampers, by the schemes, and of waves where a step was taken in parts, since the start


class Coupling:
    """Runs whose ports are connected. See couple."""

    def __init__(self, connections: Sequence[tuple]):
        self.runs: "list[Run]" = []
        for c in connections:
            for port in c[:2]:
                if not isinstance(port, Port):
                    raise TypeError(f"a connection is of two ports, and not of {port!r}")
                if port.run not in self.runs:
                    self.runs.append(port.run)
        of = self.runs.index
        self._connection = (LimberConnection * len(connections))(*(
            LimberConnection((of(c[0].run), of(c[1].run)), (Id(c[0]._id), Id(c[1]._id)), c[2] if len(c) > 2 else 1)
            for c in connections))
        self._run = (ctypes.c_void_p * len(self.runs))(*(r._run for r in self.runs))
        if not self.runs:
            raise Error("there is no connection")

    def _call(self, function):
        function(len(self.runs), self._run, len(self._connection), self._connection)

    @property
    def time(self) -> float:
        """Where the runs stand, s."""
        return self.runs[0].time

    def step(self) -> None:
        """One step of every run, and the exchange of their waves. Raises StepError if one cannot be taken."""
        for run in self.runs:
            run.step()
        self._call(library.LimberPortsExchange)

    def advance(self, until: float) -> None:
        """Steps until that time, s."""
        h = min(p.step for r in self.runs for p in r.ports.values())
        while self.time < until - h / 2:
            self.step()

    @property
    def energy(self) -> CoupledEnergy:
        """Energies of all runs and of the waves between them."""
        ledgers = [r.ledger for r in self.runs]
        return CoupledEnergy(sum(x.kinetic + x.strain + x.potential + x.scheme_energy for x in ledgers), sum(x.ports for x in ledgers),
                             sum(x.work for x in ledgers), sum(x.damping + x.dissipated + x.port_loss for x in ledgers))


def couple(connections: Sequence[tuple]) -> Coupling:
    """Connects ports of runs, and starts their waves from the forces of the coupled system.

    connections: pairs of ports; (a, b, -1) where they move in opposite directions. Every port of the runs has one
    connection. Both ends have the same mass or impedance, the same step and the same velocity at the start."""
    system = Coupling(connections)
    system._call(library.LimberPortsStart)
    for run in system.runs:
        run._restart_rows()
    return system


def run_couple(system: Path, path: Optional[Path] = None, changes: Optional[Mapping[str, object]] = None, resume: bool = False,
               allow_library: bool = False, force: bool = False) -> Results:
    """Runs a system of models, each in a process of its own, as `limber couple` does, and returns the results of the whole.

    path: of the results; default: the name of the system with .h5, in this folder; those of participant NAME are beside it, with .NAME.h5.
    changes: {"crane.let.load": "2 t", "run.step": "1 ms"}. resume: continues from the last checkpoint. allow_library: the models may load
    FMUs and shared libraries. force: in place of files that Limber did not write, too."""
    path = os.path.splitext(os.path.basename(os.fspath(system)))[0] + ".h5" if path is None else os.fspath(path)
    words = [w for key, value in (changes or {}).items() for w in ("--set", f"{key}={value}")]
    words += ["--resume"] * resume + ["--allow-library"] * allow_library
    command("couple", system, "-q", "-o", path, *words, *["--force"] * force)
    return Results(path)
