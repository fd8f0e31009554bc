# SPDX-License-Identifier: Apache-2.0
"""System structures (SSP): a system that is written and read again gives the bits of its models; hostile archives are refused."""
import pathlib
import struct
import subprocess
import xml.etree.ElementTree as xml
import zipfile

import h5py
import numpy as np
import pytest

from support import limber, needs, source, write

SPACES = " ".join(f'xmlns:{k}="http://ssp-standard.org/SSP1/SystemStructure{v}"'
                  for k, v in (("ssd", "Description"), ("ssc", "Common"), ("ssv", "ParameterValues")))
# Two gains and oscillators (tests/fmu/blocks/block.c): y = k u, x'' = u - k x.
SSD = f"""<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription {SPACES} name="two valves" version="1.0">
  <ssd:System name="root">
    <ssd:ParameterBindings><ssd:ParameterBinding source="resources/values.ssv"/></ssd:ParameterBindings>
    <ssd:Elements>
      <ssd:Component name="first valve" type="application/x-fmu-sharedlibrary" source="resources/valve.fmu">
        <ssd:Connectors>
          <ssd:Connector name="u" kind="input"><ssc:Real/></ssd:Connector>
          <ssd:Connector name="y" kind="output"><ssc:Real/></ssd:Connector>
          <ssd:Connector name="x" kind="output"><ssc:Real/></ssd:Connector>
        </ssd:Connectors>
        <ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues>
          <ssv:ParameterSet version="1.0" name="own"><ssv:Parameters>
            <ssv:Parameter name="u"><ssv:Real value="3"/></ssv:Parameter>
            <ssv:Parameter name="k"><ssv:Real value="7"/></ssv:Parameter>
          </ssv:Parameters></ssv:ParameterSet>
        </ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings>
      </ssd:Component>
      <ssd:Component name="second" source="resources/valve.fmu"/>
    </ssd:Elements>
    <ssd:Connections>
      <ssd:Connection startElement="first valve" startConnector="y" endElement="second" endConnector="u"/>
    </ssd:Connections>
  </ssd:System>
  <ssd:DefaultExperiment startTime="0" stopTime="0.5"/>
</ssd:SystemStructureDescription>
"""
SSV = f"""<ssv:ParameterSet {SPACES} version="1.0" name="values"><ssv:Parameters>
  <ssv:Parameter name="first valve.k"><ssv:Real value="2"/></ssv:Parameter>
  <ssv:Parameter name="second.k"><ssv:Real value="500" unit="N/mm"/></ssv:Parameter>
</ssv:Parameters>
<ssv:Units><ssc:Unit name="N/mm"><ssc:BaseUnit kg="1" s="-2" factor="0.001"/></ssc:Unit></ssv:Units></ssv:ParameterSet>
"""
BY_HAND = """limber: 1
participants:
  first: {fmu: valve.fmu, parameters: {k: 2}, inputs: {u: 3}, outputs: [x]}
  second: {fmu: valve.fmu, parameters: {k: 0.5}}
connections:
  - signal: {from: first.y, to: second.u}
  - signal: {from: second.y, to: sink.u}
run: {step: 1 ms, end: 0.5 s}
"""


@pytest.fixture(scope="module", autouse=True)
def valve(folder):
    needs("cc")
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-DFMI=2", "-I", source / "src", "-o", "block.so", source / "tests/fmu/blocks/block.c", "-lm"],
                   check=True)
    with zipfile.ZipFile("valve.fmu", "w") as z:
        z.write(source / "tests/fmu/blocks/modelDescription.xml", "modelDescription.xml")
        z.write("block.so", "binaries/linux64/block.so")


def pack(name="two.ssp", ssd=SSD, ssv=SSV, more=()):
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("SystemStructure.ssd", ssd)
        z.writestr("resources/values.ssv", ssv)
        z.write("valve.fmu", "resources/valve.fmu")
        for file, text in more:
            z.writestr(file, text)
    return name


def couple(*words, code=0):
    said = limber("couple", *words, "-q", "--force", "--allow-library")
    assert said.code == code, said.err
    return said


def columns(path):
    out = {}
    with h5py.File(path) as f:
        f["history"].visititems(lambda name, x: out.__setitem__(name, x[()]) if isinstance(x, h5py.Dataset) else None)
    return out


# ---- reading ----
def test_components_connections_and_parameters_are_read():
    """Parameters of the system come before those of a component; an input with a value and without a connection keeps it."""
    couple(pack(), "--set", "run.step=1ms")
    write("by_hand.yaml", BY_HAND.replace("  - signal: {from: second.y, to: sink.u}\n", "").replace("{k: 0.5}}", "{k: 0.5}, outputs: [y]}"))
    couple("by_hand.yaml")
    a, b = columns("two.h5"), columns("by_hand.h5")
    assert np.array_equal(a["first_valve.x/value"], b["first.x/value"]) and np.ptp(a["first_valve.x/value"]) > 0.1
    assert np.array_equal(a["first_valve.y/value"], b["first.y/value"]) and a["first_valve.y/value"][-1] == 6
    assert len(a["time"]) == 501
    with h5py.File("two.h5") as f:
        assert f.attrs["title"] == "two valves"
    second = [k for k in a if k.startswith("second.") and k.endswith("/value")]
    assert len(second) == 1  # nothing of it is connected: its first output is recorded


def test_a_run_is_continued_with_the_same_bits():
    couple(pack(), "--set", "run.step=1ms", "-o", "whole.h5")
    couple("two.ssp", "--set", "run.step=1ms", "-o", "half.h5", "--set", "run.end=0.2s")
    said = limber("couple", "two.ssp", "--set", "run.step=1ms", "-o", "half.h5", "--resume", "-q", "--allow-library")
    assert said.code == 0, said.err
    a, b = columns("whole.h5"), columns("half.h5")
    assert a.keys() == b.keys() and all(np.array_equal(a[k], b[k]) for k in a)


REFUSED = [
    (('version="1.0">\n  <ssd:System', 'version="2.0">\n  <ssd:System'), "version 2.0 of SSP; Limber reads 1.0"),
    (('<ssd:Component name="second" source="resources/valve.fmu"/>', '<ssd:System name="inner"/>'), "<System> within a system is not read"),
    (('name="second" source', 'name="second" type="application/x-ssp-package" source'), "has the type 'application/x-ssp-package'"),
    (('name="second" source', 'name="second" implementation="ModelExchange" source'), "'ModelExchange', not for co-simulation"),
    (('name="second" source="resources/valve.fmu"', 'name="second" source="../valve.fmu"'), "it has no ../valve.fmu"),
    (('endElement="second"', 'endElement="third"'), "there is no component 'third'"),
    (('endConnector="u"/>', 'endConnector="u"><ssc:LinearTransformation factor="2"/></ssd:Connection>'), "<LinearTransformation> of a connection"),
    (('endConnector="u"', 'endConnector="w"'), "'two.ssp/resources/valve.fmu' has no input 'w'"),
    (('<?xml version="1.0" encoding="UTF-8"?>', '<!DOCTYPE a [<!ENTITY b "c">]>'), "a document type, <!DOCTYPE ...>, is not supported"),
    (('<ssv:Real value="7"/>', '<ssv:String value="7"/>'), "is of the type String, which is no number"),
    (('<ssv:Real value="7"/>', '<ssv:Real value="seven"/>'), "'value' must be a number, not 'seven'"),
    (('source="resources/values.ssv"/>', 'source="resources/values.ssv"><ssd:ParameterMapping/></ssd:ParameterBinding>'), "mappings of parameters"),
    (('source="resources/values.ssv"', 'source="resources/other.ssv"'), "it has no resources/other.ssv"),
    (('name="second" source', 'name="first valve" source'), "two components are called 'first valve'"),
    (("</ssd:Elements>", "</ssd:Other>"), "mismatched tag"),
]


@pytest.mark.parametrize("change, message", REFUSED)
def test_what_cannot_be_mapped_is_refused(change, message):
    assert change[0] in SSD
    said = couple(pack(ssd=SSD.replace(*change)), "--set", "run.step=1ms", code=2)
    assert message in said.err and "Traceback" not in said.err, said.err


def test_parameters_that_fit_nothing_are_refused():
    for old, new, message in (("second.k", "third.k", "the parameter 'third.k' belongs to no component"),
                              ('unit="N/mm"', 'unit="lbf/in"', "in 'lbf/in', which no unit of the archive defines"),
                              ("<ssc:Unit", "<ssc:Unit bad", "not well-formed")):
        said = couple(pack(ssv=SSV.replace(old, new)), "--set", "run.step=1ms", code=2)
        assert message in said.err, said.err


def test_a_step_and_permission_are_needed():
    said = limber("couple", pack(), "-q", "--allow-library")
    assert said.code == 2 and "'two.ssp' has no step, which system structures do not have: add --set run.step=1ms" in said.err
    said = limber("couple", "two.ssp", "-q", "--set", "run.step=1ms", "-o", "no.h5")
    assert said.code == 2 and "--allow-library" in said.err and not pathlib.Path("no.h5").exists()
    said = couple(pack("endless.ssp", SSD.replace(' stopTime="0.5"', "")), "--set", "run.step=1ms", code=2)
    assert "'endless.ssp' has no stop time: add --set run.end=1s" in said.err


def test_damaged_archives_are_refused():
    data = pathlib.Path(pack()).read_bytes()
    for cut in range(0, len(data), len(data) // 12):
        pathlib.Path("bad.ssp").write_bytes(data[:cut])
        said = couple("bad.ssp", "--set", "run.step=1ms", code=2)
        assert "cannot use 'bad.ssp'" in said.err
    at = data.index(b"SystemStructure.ssd") + 40  # in the packed text
    pathlib.Path("bad.ssp").write_bytes(data[:at] + struct.pack("<I", 0xdeadbeef) + data[at + 4:])
    assert "is damaged" in couple("bad.ssp", "--set", "run.step=1ms", code=2).err


# ---- writing ----
def example():
    for name in ("carriage.yaml", "models.yaml", "pendulum.yaml"):
        pathlib.Path(name).write_text((source / "examples/coupled_fmu" / name).read_text())


def test_a_system_that_is_written_and_read_gives_the_bits_of_its_models():
    example()
    said = limber("couple", "models.yaml", "--ssp", "models.ssp", "--set", "run.end=0.4 s")
    assert said.code == 0 and "SSP 1.0) with 2 components and 2 connections" in said.out, said.err
    couple("models.yaml", "--set", "run.end=0.4 s")
    couple("models.ssp", "--set", "run.step=2ms", "-o", "read.h5")
    a, b = columns("read.h5"), columns("models.h5")
    assert np.array_equal(a["pendulum.tip_position_x/value"], b["pendulum.tip/position"][:, 0])
    assert np.array_equal(a["carriage.pull_value/value"], b["carriage.pull/value"]) and np.ptp(b["carriage.pull/value"]) > 0.1
    with zipfile.ZipFile("models.ssp") as z:
        assert z.testzip() is None
        root = xml.fromstring(z.read("SystemStructure.ssd"))
    units = {u.get("name"): u[0].attrib for u in root.iter() if u.tag.endswith("}Unit")}
    assert units == {"N": {"kg": "1", "m": "1", "s": "-2"}, "m": {"m": "1"}}
    again = pathlib.Path("models.ssp").read_bytes()
    assert limber("couple", "models.yaml", "--ssp", "models.ssp", "-q", "--set", "run.end=0.4 s").code == 0  # it is Limber's own
    assert pathlib.Path("models.ssp").read_bytes() == again


def test_fmus_of_a_system_are_written_with_their_parameters():
    text = BY_HAND.replace("  - signal: {from: second.y, to: sink.u}\n", "").replace("{k: 0.5}}", "{k: 0.5}, outputs: [y]}")
    couple(write("fmus.yaml", text), "--ssp", "fmus.ssp")
    couple("fmus.yaml")
    couple("fmus.ssp", "--set", "run.step=1ms", "-o", "read.h5")
    a, b = columns("fmus.h5"), columns("read.h5")
    for name in ("first.x/value", "first.y/value", "second.y/value"):
        assert np.array_equal(a[name], b[name])


def test_what_a_structure_has_no_place_for_is_refused():
    example()
    wave = pathlib.Path("models.yaml").read_text().replace("  - signal: {from: carriage.pull, to: pendulum.pull}", "  - wave: {from: carriage.a, to: pendulum.b}")
    for name, joint in (("carriage", "rail"), ("pendulum", "hinge")):
        port = f"ports:\n  - wave: {{name: {'a' if joint == 'rail' else 'b'}, joint: {joint}, impedance: 3}}\nprobes:"
        write(f"{name}.yaml", pathlib.Path(f"{name}.yaml").read_text().replace("probes:", port))
    said = limber("couple", write("waves.yaml", wave), "--ssp", "waves.ssp")
    assert said.code == 2 and "a line between wave ports cannot be in a system structure" in said.err
    example()
    write("mine.ssp", "PK\3\4 of somebody else")
    said = limber("couple", "models.yaml", "--ssp", "mine.ssp")
    assert said.code == 2 and "is not an SSP that Limber wrote" in said.err
    said = limber("couple", "models.yaml", "--ssp", "carriage.yaml", "--force")
    assert said.code == 2 and "is an input of this command" in said.err
