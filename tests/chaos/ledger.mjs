// Which jobs were accepted and which were printed: each accepted one exactly once, no other one twice, each with its own picture.
import fs from 'node:fs';
import path from 'node:path';
import { numberOfPicture, numbersIn } from './labels.mjs';

export class Ledger {
  accepted = new Map(); // number -> how it came in: must be printed
  sent = new Map(); // all that were sent, whether or not they were accepted
  printed = new Map(); // number -> times
  refused = new Set(); // printed labels that say that they were refused: a renderer was killed under them
  failures = [];

  /** Takes what --keep has written since, and removes it. A label has three files; the last is written last. */
  collect(folder) {
    for (const file of fs.readdirSync(folder)) {
      if (!file.startsWith('a-') || !file.endsWith('.json')) continue;
      const base = path.join(folder, file.slice(0, -5));
      if (!fs.existsSync(`${base}.zpl`)) continue;
      const description = fs.readFileSync(`${base}.json`, 'utf8'), code = fs.readFileSync(`${base}.zpl`, 'latin1');
      const label = JSON.parse(description);
      for (const number of numbersIn(code)) {
        this.printed.set(number, (this.printed.get(number) ?? 0) + 1);
        if (this.printed.get(number) > 1) this.failures.push(`job ${number} (${this.sent.get(number)}) was printed ${this.printed.get(number)} times`);
        if (!this.sent.has(number)) this.failures.push(`job ${number} was printed, and nobody sent it`);
        if (label.refused) { this.refused.add(number); continue; }
        const texts = numbersIn((label.label?.elements ?? []).map(({ text }) => text).join('\n'));
        if (!texts.includes(number)) this.failures.push(`job ${number}: its description has ${texts}`);
        if (!fs.existsSync(`${base}.png`)) this.failures.push(`job ${number}: no picture was kept`);
        else if (numberOfPicture(fs.readFileSync(`${base}.png`)) !== number) this.failures.push(`job ${number}: its picture is that of ${numberOfPicture(fs.readFileSync(`${base}.png`))}`);
      }
      for (const end of ['zpl', 'png', 'json']) fs.rmSync(`${base}.${end}`, { force: true });
    }
  }

  missing() { return [...this.accepted.keys()].filter((number) => !this.printed.has(number)); }
}
