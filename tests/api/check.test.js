// POST /api/check: findings with their places and fixes, by the rules of platen check.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import path from "node:path";
import { after, before, test } from "node:test";
import { processorSeconds } from "./lib/processor.js";
import { startService } from "./service.js";

const GOOD = "^XA^FO100,100^BY3^BEN,120,Y^FD590123412345^FS^XZ";
const WRONG_DIGIT = "^XA^FO100,100^BY3^BEN,120,Y^FD5901234123450^FS^XZ";
let service;
before(async () => { service = await startService("platen"); });
after(() => service.stop());

async function check(body, { query = "", type = "text/plain" } = {}) {
  const response = await fetch(`${service.url}/api/check${query}`, { method: "POST", body, headers: { "content-type": type } });
  return { status: response.status, ...(await response.json()) };
}
const errors = (answer) => answer.findings.filter(({ severity }) => severity === "error").map(({ code }) => code);

test("a good label passes, a wrong check digit does not; applying its fix mends it", async () => {
  const good = await check(GOOD);
  assert.deepEqual([good.status, good.ok, good.passed, good.labels, errors(good)], [200, true, true, 1, []]);
  const bad = await check(WRONG_DIGIT);
  assert.deepEqual([bad.passed, errors(bad)], [false, ["check_digit_wrong"]]);
  const [{ fix }] = bad.findings.filter(({ code }) => code === "check_digit_wrong");
  const mended = fix.edits.reduce((code, { offset, length, text }) => code.slice(0, offset) + text + code.slice(offset + length), WRONG_DIGIT);
  assert.equal((await check(mended)).passed, true);
});

// The page had a table of fixes of its own, which knew fewer of them.
test("the JSON answer has the fixes that /api/check has, also of findings outside of labels", async () => {
  const label = "~QX1\n^XA^FO790,50^A0N,30,30^FDHello^FS^OF50,50^GB90,90,3^FS\n^XA^FO9,9^A0N,30^FB400,0,0,L^FDx";
  const fixes = (list) => list.filter(({ fix }) => fix).map(({ code, offset, fix }) => [code, offset, fix]).sort((a, b) => a[1] - b[1] || a[0].localeCompare(b[0]));
  const rendered = async (query = "") => (await fetch(`${service.url}/api/render?format=json${query}`, { method: "POST", body: label, headers: { "content-type": "text/plain" } })).json();
  const wanted = fixes((await check(label)).findings), { warnings, labels } = await rendered();
  assert.deepEqual(wanted.map(([code]) => code), ["unknown_command", "outside_label", "unknown_command", "format_unterminated", "nested_format", "parameter_range"]);
  assert.deepEqual(fixes(warnings), wanted);
  assert.deepEqual(fixes(labels.flatMap((one) => one.warnings)), wanted.slice(1), "all but the one before the first label");
  assert.deepEqual(fixes((await rendered("&page=1")).warnings).filter(([code]) => code === "unknown_command").length, 2, "those of a label that is not in the answer");
});

// Code that changed its own prefixes had no fix at all, nor had what Zebra's driver writes, which sets them to what they are.
test("fixes are written in the prefixes of their place", async () => {
  const once = async (code, kind) => applied(code, (await check(code)).findings.find((finding) => finding.code === kind).fix);
  assert.equal(await once("^XA^CC$$CD;\n$OF50;50$GB90;90;3$FS$XZ", "unknown_command"), "^XA^CC$$CD;\n$FO50;50$GB90;90;3$FS$XZ");
  assert.equal(await once("^XA^CC$$CD;$FO9;9$A0N;30$FB400;0;0;L$FDx$FS$XZ", "parameter_range"), "^XA^CC$$CD;$FO9;9$A0N;30$FB400;1;0;L$FDx$FS$XZ");
  assert.equal(await once("^XA^CC$$FO9,9$GB9,9,9$FS\n", "format_unterminated"), "^XA^CC$$FO9,9$GB9,9,9$FS\n$XZ\n");
  assert.equal(await once("CT~~CD,~CC^~CT~\n^XA^FO790,50^A0N,30,30^FDHello^FS^XZ", "outside_label"), "CT~~CD,~CC^~CT~\n^XA^FO751,50^A0N,30,30^FDHello^FS^XZ");
  // Before the last change it is not known which they are, and in a format that changes its own they are others.
  for (const code of ["^XA^OF50,50^GB90,90,3^FS^CC$$XZ", "^XA^DFR:A.ZPL^FS^FO9,9^GB9,9,9^FS^CC$$XZ\n$CC^\n^XA^XFR:A.ZPL^FS^OF9,9^XZ"]) {
    const { findings } = await check(code);
    assert.ok(findings.some((finding) => finding.code === "unknown_command"), JSON.stringify(findings));
    assert.deepEqual(findings.filter(({ fix }) => fix), []);
  }
});

test("copies are checked as they are: the control has no effect, and the answer says so", async () => {
  const three = GOOD.replace("^XZ", "^PQ3^XZ"), plain = await check(three), collapsed = await check(three, { query: "?copies=collapse" });
  assert.deepEqual([plain.labels, collapsed.labels], [3, 3]);
  assert.match(JSON.stringify(collapsed.warnings), /'copies' has no effect on this output/);
});

// A printer moves bars onto the label. Numbers that grow by the missing quiet zone alone leave them where they are.
// They were of the filled code: at these places the request's code has something else.
test("label code with values filled in has no fixes", async () => {
  const answer = async (request) => (await fetch(`${service.url}/api/render/json`, { method: "POST", body: JSON.stringify(request), headers: { "content-type": "application/json" } })).json();
  const zpl = "^XA^FX{{name}}^FS^FO50,50^GB-5,50,3^FS^XZ";
  for (const [request, fixed] of [[{ zpl }, true], [{ zpl, data: [{ name: "Anna Maria" }] }, false]]) {
    const { warnings, labels } = await answer(request);
    for (const { code, fix } of [...warnings, ...labels.flatMap((label) => label.warnings)]) assert.equal(Boolean(fix), fixed, code);
  }
});

test("with smooth edges, too, a barcode is not made larger where other things are printed", async () => {
  const titles = async (label, quality) => {
    const answer = await (await fetch(`${service.url}/api/render/json?rules=gs1-logistics&minModuleMm=0.25&quality=${quality}`, { method: "POST", body: label, headers: { "content-type": "text/plain" } })).json();
    return answer.labels[0].warnings.flatMap(({ fix }) => fix?.title ?? []);
  };
  const bars = "^XA^PW800^LL600^FO20,20^BY1^BCN,80,N^FD1234567890^FS";
  for (const quality of ["bitonal", "grayscale"]) {
    assert.match((await titles(`${bars}^XZ`, quality)).join(), /Write \^BY2/);
    assert.doesNotMatch((await titles(`${bars}^FO180,20^A0N,40,40^FDNEIGHBOUR^FS^XZ`, quality)).join(), /\^BY/);
  }
});

// Each finding looked through all of the label: 142 kB took more than ten seconds.
test("fixes of many findings take little time", async () => {
  const before = processorSeconds(service.child.pid);
  for (const label of ["^XA" + "^FO1,1^A0N,9^FDé^FS".repeat(1100) + "^".repeat(200_000) + "^XZ", "^XA" + "^".repeat(200_000) + "^FO1,1^FDx".repeat(1500) + "^XZ"])
    assert.equal((await fetch(`${service.url}/api/render/json`, { method: "POST", body: label, headers: { "content-type": "text/plain" } })).status, 200);
  const seconds = processorSeconds(service.child.pid) - before;
  assert.ok(seconds < 8, `${seconds} s of processor time`);
});

// Fixes changed the field before, other barcodes and other parameters.
test("a fix changes what the finding is about, and nothing else", async () => {
  for (const [kind, label, wanted, query] of [
    ["barcode_data", "^XA^FO50,50^A0N,40,40^FDOrder 4711^FO50,150^BY3^BUN,100,Y^FD0123456789^FS^XZ", "^XA^FO50,50^A0N,40,40^FDOrder 4711^FO50,150^BY3^BUN,100,Y^FD00123456789^FS^XZ"],
    ["bars_too_low", "^XA^FO50,50^BY3^BCN,80,Y^FDFIRST^FO50,400^BCN,31,Y^FDSECOND^FS^XZ", "^XA^FO50,50^BY3^BCN,80,Y^FDFIRST^FO50,400^BCN,40,Y^FDSECOND^FS^XZ"],
    ["module_below_minimum", "^XA^BY1^FO50,50^BCN,80,N^FD123456^FS^FO50,300^bcN,80,N^FD654321^FS^XZ", "^XA^BY1^FO50,50^BY2^BCN,80,N^FD123456^FS^BY1^FO50,300^bcN,80,N^FD654321^FS^XZ"],
    ["module_below_minimum", "^XA^DFR:A.ZPL^FO50,500^BCN,50^FDXYZ^FS^XZ^XA^BY1^FO100,100^BCN,80,N^FD123456^FS^XFR:A.ZPL^FS^XZ", "^XA^DFR:A.ZPL^FO50,500^BCN,50^FDXYZ^FS^XZ^XA^BY1^FO100,100^BY2^BCN,80,N^FD123456^FS^BY1^XFR:A.ZPL^FS^XZ"],
    ["module_below_minimum", "^XA^FO50,50^BY1^BCN,80,N^FD123456^FS^FO50,300^BCN,80,N^FD654321^FS^XZ", "^XA^FO50,50^BY2^BCN,80,N^FD123456^FS^BY1^FO50,300^BCN,80,N^FD654321^FS^XZ"],
    // A text that goes into the quiet zone of a barcode, and a barcode that goes over a text, are no better there.
    ["outside_label", "^XA^FO560,800^BY2^BCN,100,N^FD12345678^FS^FO770,820^A0N,30,30^FDTEXT^FS^XZ", undefined],
    ["outside_label", "^XA^FO770,820^A0N,30,30^FDTEXT^FS^XZ", "^XA^FO751,820^A0N,30,30^FDTEXT^FS^XZ"],
    // Of bars that are over other ink already others were hit, and a symbol was lost that could be read.
    ["outside_label", "^XA^FO416,144^BY2^BCN,94,Y^FD1736112^FS^FO619,127^BXN,8,200^FDDM647195^FS^XZ", undefined, "?widthMm=80"],
    ["quiet_zone_at_edge", "^XA^FO16,208^BY2^BEN,68,Y^FD590123412345^FS^FO182,122^GB342,191,3^FS^XZ", undefined, "?widthMm=80"],
    ["symbol_unreadable", "^XA^FO628,180^BXN,3,200^FDDM707570^FS^FT610,234^BY2^BEN,53,N^FD590123412345^FS^XZ", undefined, "?widthMm=80"],
    ["quiet_zone_at_edge", "^XA^FO20,20^GB780,400,3^FS^FO400,144^BY2^BCN,94,N^FD1736112^FS^XZ", "^XA^FO20,20^GB780,400,3^FS^FO395,144^BY2^BCN,94,N^FD1736112^FS^XZ", "?widthMm=80"],
    ["bars_too_low", "^XA^FO50,50^BY3^BCN,10\x1eFDabc,def\x1eFS^XZ", "^XA^FO50,50^BY3^BCN,40\x1eFDabc,def\x1eFS^XZ"],
    ["parameter_range", "^XA^FO50,50^A040000,30^FDabc^FS^XZ", undefined],
    ["charset_suspect", "^XA^ci0^FO50,50^A0N,40,40^FDGrüße^FS^XZ", undefined],
    ["module_below_minimum", "^XA^FO50,50^BY4,2.0,100^B2N,300,N,N,N^FD12345678901231^FS^XZ", undefined, "?rules=gs1-logistics"],
    // Values of ^BY in millimetres, ink that is turned, and what is behind the place would make them something else.
    ["module_below_minimum", "^XA^MUM^FO10,10^BY.125^BCN,10,Y^FD123^FS^XZ", undefined, "?profile=printer"],
    ["outside_label", "^XA^FO700,100^A0N,40,40^FDHello world^FS^XZ", undefined, "?rotation=180"],
    ["charset_suspect", "^XA12^FO50,50^A0N,40,40^FDGrüße^FS^XZ", undefined],
    // Only the print area is printed.
    ["outside_label", "^XA^PW406^FO320,20^A0N,40,40^FD$4.99^FS^XZ", "^XA^PW406^FO319,20^A0N,40,40^FD$4.99^FS^XZ"],
  ]) {
    const finding = (await check(label, { query })).findings.find(({ code }) => code === kind);
    assert.ok(finding, `${kind}: ${label}`);
    assert.equal(finding.fix && applied(label, finding.fix), wanted, label);
  }
});

test("barcodes at ^FT beyond an edge: applying the fix brings them into the label, in both profiles", async () => {
  const barcodes = [["BC", ",80,N", "ABC123"], ["B3", ",N,80,N", "ABC1"], ["BU", ",80,N", "12345678901"], ["BE", ",80,Y", "123456789012"], ["B8", ",80,Y", "1234567"], ["BM", ",B,80,N", "12345"], ["B5", ",80,N", "12345678901"], ["B2", ",80,Y", "1234567890"]];
  const places = [["I", 60, 400], ["I", 5, 400], ["B", 400, 40], ["N", 750, 200]];
  for (const profile of ["reference", "printer"]) {
    for (const start of ["", "^POI"]) {
      for (const [command, options, data] of barcodes) {
        for (const [turn, x, y] of places) {
          const label = `^XA${start}^BY2^FT${x},${y}^${command}${turn}${options}^FD${data}^FS^XZ`;
          const offered = (await check(label, { query: `?profile=${profile}` })).findings.find(({ fix }) => fix?.title === "Move it into the label");
          assert.ok(offered, `${profile}: ${label}`);
          const mended = [...offered.fix.edits].sort((a, b) => b.offset - a.offset).reduce((code, { offset, length, text }) => code.slice(0, offset) + text + code.slice(offset + length), label);
          const left = (await check(mended, { query: `?profile=${profile}` })).findings.filter(({ code }) => /edge|cut|outside|unreadable/.test(code));
          assert.deepEqual(left, [], `${profile}: ${label} became ${mended}`);
        }
      }
    }
  }
});

const applied = (code, { edits }) => [...edits].sort((a, b) => b.offset - a.offset).reduce((text, e) => text.slice(0, e.offset) + e.text + text.slice(e.offset + e.length), code);
// What the fix of this finding makes of the label, and what is found there; nothing where none is offered.
async function fixed(label, code, query) {
  const { findings } = await check(label, { query });
  const found = findings.filter((finding) => finding.code === code);
  assert.notEqual(found.length, 0, `${code}: ${label}`);
  if (!found[0].fix) return {};
  const text = applied(label, found[0].fix);
  return { text, codes: (await check(text, { query })).findings.map((finding) => finding.code) };
}

test("wider modules are offered where the label has room for them, in each turn and at both kinds of places", async () => {
  const long = "(01)00012345678905(10)ABCDEF12>8(21)12345678", query = "?minModuleMm=0.37";
  const bars = (place, turn, data = "(01)00012345678905") => `^XA${place}^BY2^BC${turn},120,N,N,N,D^FD${data}^FS^XZ`;
  assert.deepEqual(await fixed(bars("^FO40,200", "N", long), "module_below_minimum", query), {});
  for (const [place, turn, room] of [["^FO40,200", "N", true], ["^FO400,200", "N", true], ["^FO40,40", "R", true], ["^FO40,900", "R", true], ["^FO40,40", "I", true], ["^FO400,40", "I", true],
    ["^FO40,900", "B", true], ["^FT40,400", "N", true], ["^FT400,400", "N", true], ["^FT330,400", "I", false], ["^FT600,400", "I", true], ["^FT400,330", "B", false], ["^FO300,200,1", "N", false], ["^POI^FO400,200", "N", false]]) {
    const { text, codes } = await fixed(bars(place, turn), "module_below_minimum", query);
    assert.equal(text !== undefined, room, `${place} ${turn}`);
    if (room) assert.deepEqual(codes, [], text);
  }
  // On a page that is turned upside down the bars grow to the left.
  assert.deepEqual(await fixed(bars("^FO400,200", "N"), "module_below_minimum", `${query}&rotation=180`), {});
});

test("wider modules of one barcode leave those behind it as they are", async () => {
  const low = "^FO60,200^BCN,120,N^FD1234^FS", later = (by) => `^FO60,400${by}^BCN,120,N^FD123456^FS`, code = "module_below_minimum";
  const query = "?minModuleMm=0.37";
  const widened = low.replace("^BC", "^BY3^BC");
  for (const [label, expected] of [
    [`^XA^BY2${low}${later("")}^XZ`, `^XA^BY2${widened}^BY2${later("")}^XZ`],
    [`^XA${low}${later("")}^XZ`, `^XA${widened}^BY2${later("")}^XZ`],
    [`^XA^BY2${low}${later("^BY4")}^XZ`, `^XA^BY2${widened}${later("^BY4")}^XZ`],
    [`^XA^BY2${low}^XZ^XA${later("")}^XZ`, `^XA^BY2${widened}^BY2^XZ^XA${later("")}^XZ`],
    [`^XA^BY2${low}^XZ`, `^XA^BY2${widened}^XZ`],
  ]) assert.equal((await fixed(label, code, query)).text, expected);
});

test("higher bars are offered where the label has room for them", async () => {
  const bars = (place, turn = "N") => `^XA${place}^BY4^BC${turn},100,Y,N,N,D^FD(00)340123450000000017^FS^XZ`, query = "?rules=gs1-logistic-label&heightMm=210";
  for (const [place, turn, room] of [["^FO60,1500", "N", false], ["^FO60,1300", "N", true], ["^FO60,1500", "I", false], ["^FO60,1300", "I", true], ["^FT60,1400", "N", true], ["^FT60,200", "N", false]])
    assert.equal((await fixed(bars(place, turn), "bars_too_low", query)).text !== undefined, room, `${place} ${turn}`);
});

test("it says what platen check says of the same label", async () => {
  for (const code of [GOOD, WRONG_DIGIT, "hello", "^XA^FO0,200^BY3^BCN,100,N^FD12345678^FS^XZ", "^XA^FO50,50^FDno end"]) {
    const program = path.resolve(process.env.BUILD ?? "build", "platen");
    let text;
    try {
      text = execFileSync(program, ["check", "-f", "json", "-"], { input: code });
    } catch (error) {
      text = error.stdout;
    }
    const expected = JSON.parse(text).files[0].warnings.map(({ code, severity }) => `${severity} ${code}`).sort();
    assert.deepEqual((await check(code)).findings.map(({ code, severity }) => `${severity} ${code}`).sort(), expected, code);
  }
});

test("label code comes in every form that /api/render takes; controls count or are named", async () => {
  const json = await check(JSON.stringify({ zpl: WRONG_DIGIT, widthMm: 50, heightMm: 30 }), { type: "application/json" });
  assert.deepEqual([json.passed, json.widthMm, json.heightMm, json.warnings], [false, 50, 30, []]);
  assert.equal((await check(new URLSearchParams({ zpl: WRONG_DIGIT }).toString(), { type: "application/x-www-form-urlencoded" })).passed, false);
  const rules = await check(GOOD, { query: "?rules=none&verify=false" });
  assert.equal(rules.passed, true);
  const named = await check(GOOD, { query: "?pageSize=A4&jpegQuality=3&colour=red" });
  assert.deepEqual(named.warnings.map(({ message }) => message.match(/'(\w+)'/)[1]).sort(), ["colour", "jpegQuality", "pageSize"]);
});

test("what it cannot check is refused by name", async () => {
  for (const [body, code] of [[JSON.stringify({ zpl: GOOD, data: [{ a: 1 }] }), "invalid_parameter"], [JSON.stringify({ code: GOOD }), "missing_zpl"], ["{", "invalid_json"]]) {
    const answer = await check(body, { type: "application/json" });
    assert.deepEqual([answer.status, answer.ok, answer.code], [400, false, code]);
  }
});
