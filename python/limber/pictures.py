# SPDX-License-Identifier: Apache-2.0
"""Commands of the program `limber`: pages, pictures and tables of results, and models to start from."""
import json
import os
import shutil
import subprocess
import tempfile
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from .library import Error, ModelError, _find

Path = Union[str, "os.PathLike[str]"]


def _program() -> str:
    """The program next to the library, in a build folder or where both are installed; else that of the path."""
    folder = os.path.dirname(os.path.realpath(_find()))
    for place in (os.path.join(folder, "bin"), os.path.join(folder, "..", "bin"), os.path.join(folder, "..", "..", "bin")):
        path = os.path.join(place, "limber")
        if os.access(path, os.X_OK):
            return path
    found = shutil.which("limber")
    if not found:
        raise Error("the program `limber` is neither next to the library nor on the path")
    return found


def _environment() -> Dict[str, str]:
    """Without what mpiexec set for this process: the program is one process of its own."""
    return {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_COMM_WORLD_", "PMIX_", "PMI_"))}


def command(*words: object, text: str = "") -> str:
    """Runs a command of the program and returns what it prints: command("report", "run.h5", "-o", "run.html").

    text: what the command reads where a file is called "-". Raises ModelError where a model or the command line is wrong, Error where the
    command fails otherwise."""
    given = [os.fspath(word) if isinstance(word, os.PathLike) else str(word) for word in words]
    done = subprocess.run([_program(), *given], input=text, capture_output=True, text=True, check=False, env=_environment())
    if done.returncode:
        said = done.stderr.strip() or done.stdout.strip()
        raise (ModelError if done.returncode == 2 else Error)(said.removeprefix(f"limber {' '.join(given[:1])}: "))
    return done.stdout


def new(name: str, path: Optional[Path] = None, force: bool = False) -> str:
    """Writes a model that works, to change into your own, as `limber new` does, and returns its path: new("crane") writes crane.yaml.

    path: another place; force: in place of a file that is there."""
    path = f"{name}.yaml" if path is None else os.fspath(path)
    command("new", name, "-o", path, *_force(force))
    return path


def _force(force: bool) -> List[str]:
    return ["--force"] if force else []


def _numbers(name: str, value: Union[str, float, Iterable[float], None], between: str = ",") -> List[str]:
    """An option of numbers, if it is given."""
    if value is None:
        return []
    if not isinstance(value, str):
        value = between.join(f"{x:.12g}" for x in (value if isinstance(value, Iterable) else [value]))
    return [name, value]


def body(file: Path, interfaces: Iterable[str] = (), modes: Optional[int] = None, hold: Iterable[str] = (), count: Optional[int] = None,
         averaging: Iterable[str] = (), **options: object) -> List[Dict[str, Any]]:
    """Reduced bodies of a model or of a file with a mesh, as `limber body` reports them: of each body its name, mass, centre, inertia,
    interfaces, and modes: a list with the frequencies in Hz of the mesh and of the reduced body, free and with interfaces held.

    interfaces, averaging, modes: of the body that is made of a mesh, rigid and averaging interfaces; hold: interfaces to clamp, default
    all; count: of frequencies; options: as of the command, unit="mm", material="STEEL", stiffness="rod.sti", mass="rod.mas",
    unknowns="rod.dof", output="rod.yaml", picture="rod.svg"."""
    words: List[object] = [w for name, many in (("--interface", interfaces), ("--averaging", averaging), ("--hold", hold)) for one in many for w in (name, one)]
    given: Dict[str, object] = {"modes": modes, "count": count}
    given.update(options)
    words += [w for name, value in given.items() if value is not None for w in (f"--{name.replace('_', '-')}", value)]
    return list(json.loads(command("body", file, *words, "--json"))["bodies"])


def view(results: Path, path: Optional[Path] = None, frames: Optional[int] = None, video: Optional[Path] = None,
         seconds: Optional[float] = None, force: bool = False) -> str:
    """Writes a page that animates a results file, as `limber view` does, and returns its path.

    path: of the page; default: the name of the results with .html, in this folder. frames: largest number of snapshots. video: also writes
    a video, .mp4 or .webm, of so many seconds; needs Chromium and FFmpeg. force: in place of files that Limber did not write, too."""
    path = os.path.splitext(os.path.basename(os.fspath(results)))[0] + ".html" if path is None else os.fspath(path)
    words: List[Any] = [] if video is None else ["--video", os.fspath(video)]
    command("view", results, "-o", path, *_numbers("--frames", frames), *words, *_numbers("--seconds", seconds), *_force(force))
    return path


def picture(results: Path, path: Path, at: Union[str, float, Sequence[float], None] = None, size: Union[str, Tuple[int, int], None] = None,
            view: Union[str, Sequence[float], None] = None, force: bool = False) -> None:
    """Draws the mechanism of a results file as PNG, as `limber view --picture` does; needs Chromium.

    at: a time, or several of which all but the last are shadows [s]; default: the end. size: width and height in pixels.
    view: "x", "y", "z", "iso", or a direction that points at the reader. force: in place of a file that Limber did not write, too."""
    with tempfile.TemporaryDirectory() as folder:
        command("view", results, "-o", os.path.join(folder, "page.html"), "--picture", path, *_numbers("--at", at), *_numbers("--size", size, "x"),
                *_numbers("--view", view), *_force(force))


def export(results: Path, path: Path, *columns: str, file_id: Optional[int] = None, force: bool = False) -> None:
    """Writes columns of a results file as `limber export` does: a table (.csv), or OpenFAST's binary format (.outb).

    columns: names as of `limber export`; default: all. file_id: form of an .outb file, 1 to 4 (docs/pictures.md). force: in place
    of a file that Limber did not write, too."""
    command("export", results, *columns, "-o", path, *_numbers("--file-id", file_id), *_force(force))
