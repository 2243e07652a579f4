// What an editor does with the fixes of findings.

// Label code with the edits of a round. Bytes: offsets count those.
export function applyFixes(code, findings) {
  const edits = findings.flatMap((finding) => finding.fix?.edits ?? []).sort((a, b) => b.offset - a.offset);
  let bytes = Buffer.from(code);
  let before = Infinity;
  for (const { offset, length, text } of edits) {
    if (offset + length > before || offset === before) continue; // another one of this round has changed the place
    bytes = Buffer.concat([bytes.subarray(0, offset), Buffer.from(text), bytes.subarray(offset + length)]);
    before = offset;
  }
  return bytes.toString();
}
