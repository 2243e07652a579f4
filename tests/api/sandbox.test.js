// The sandbox: after start the service cannot reach files, programs or other machines, and still does all its work.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startService } from './service.js';

const seccomp = (pid) => /^Seccomp:\s+(\d)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1];

for (const program of ['platen', 'hygro']) {
  test(`${program} is confined, in all its threads, and answers`, async (t) => {
    const service = await startService(program);
    try {
      const metrics = await (await fetch(`${service.url}/metrics`)).text();
      if (!new RegExp(`^${program}_sandbox 1$`, 'm').test(metrics)) {
        t.skip('this kernel or build has no seccomp');
        return;
      }
      assert.equal(seccomp(service.pid), '2');
      assert.doesNotMatch(service.output(), /filter/);
      assert.match(readFileSync(`/proc/${service.pid}/status`, 'utf8'), /NoNewPrivs:\s+1/);
      assert.equal((await fetch(`${service.url}/api/health`)).status, 200);
      assert.equal((await fetch(`${service.url}/`)).status, 200);
    } finally {
      await service.stop();
    }
  });
  test(`${program} --sandbox off is not confined`, async () => {
    const service = await startService(program, ['--sandbox', 'off']);
    try {
      assert.equal(seccomp(service.pid), '0');
      assert.match(await (await fetch(`${service.url}/metrics`)).text(), new RegExp(`^${program}_sandbox 0$`, 'm'));
    } finally {
      await service.stop();
    }
  });
}

test('every kind of work runs inside the sandbox: scripts, character sets, fonts, all formats', async () => {
  const service = await startService('platen');
  const labels = [
    '^XA^CI28^FO10,10^A0N,40,40^FDПривет Γειά עברית العربية ไทย हिन्दी 漢字 한국어^FS^XZ',
    '^XA^CI15^FO10,10^A0N,40,40^FH^FD_93_FA_96_7B^FS^XZ',
    '^XA^CI16^FO10,10^A0N,40,40^FH^FD_C6_FC^FS^XZ',
    '^XA^CI26^FO10,10^A0N,40,40^FH^FD_D6_D0^FS^XZ',
    '^XA^SEE:UHANGUL.DAT^CI26^FO10,10^A0N,40,40^FH^FD_C7_D1^FS^XZ',
    '^XA^SEE:BIG5.DAT^CI26^FO10,10^A0N,40,40^FH^FD_A4_A4^FS^XZ',
    '^XA^FO10,10^FC%^A0N,40,40^FD%Y %H^FS^XZ',
    '^XA^FO40,40^BQN,2,5^FDQA,x^FS^FO240,40^BD4^FDmaxi^FS^FO60,400^BCN,50^FD12^FS^XZ',
  ];
  try {
    for (const zpl of labels) {
      for (const format of ['png', 'jpeg', 'webp', 'pdf', 'json']) {
        for (const quality of ['bitonal', 'grayscale']) {
          const response = await fetch(`${service.url}/api/render/${format}?quality=${quality}`, { method: 'POST', body: zpl, headers: { 'Content-Type': 'text/plain' } });
          assert.equal(response.status, 200, `${format} ${zpl}`);
          const body = await response.arrayBuffer();
          if (format === 'json') {
            const answer = JSON.parse(Buffer.from(body));
            assert.deepEqual(answer.warnings.filter((w) => w.code !== 'glyph_missing' && w.severity !== 'info'), [], zpl);
            // The clock is a system call where the kernel maps no page for it: refused, it would be a day before 1970.
            if (zpl.includes('^FC')) assert.match(answer.labels[0].elements[0].text, /^20[2-9]\d /);
          }
        }
      }
    }
  } finally {
    await service.stop();
  }
});
