// A reader's folder: the files that the pages' examples name, and the programs as if they were installed.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import jpeg from 'jpeg-js';

const LABEL = '^XA^FO50,50^A0N,60,60^FDHello^FS^FO50,130^BY3^BCN,120,Y,N,N^FDPKG-0042^FS^XZ\n';
const SECOND = '^XA^FO50,50^A0N,60,60^FDSecond^FS^XZ\n';
const BOX = '^XA^FO50,50^GB300,200,5^FS^XZ\n';
const OLD = '^XA^FO50,50^A0N,60,60^FDHello^FS^XZ\n';
const ORDERS = ['{"id":"a","zpl":"^XA^FO50,50^A0N,60,60^FDHello^FS^XZ","widthMm":50}', '{"id":"b","zpl":"^XA^FO50,50^A0N,60,60^FDWorld^FS^XZ"}'].join('\n');

const FILES = {
  'label.zpl': LABEL,
  'labels.zpl': LABEL + SECOND + BOX,
  'more.zpl': SECOND,
  'template.zpl': '^XA^FO50,50^A0N,60,60^FD{{name}}^FS^XZ\n',
  'old.zpl': OLD,
  'new.zpl': OLD.replace('50,50', '58,50'),
  'labels/a.zpl': LABEL,
  'labels/b.zpl': SECOND,
  'inbox/first.zpl': LABEL,
  'inbox/second.zpl': SECOND,
  'more/third.zpl': BOX,
  'orders.ndjson': `${ORDERS}\n`,
  'rows.csv': 'id,name\nann,Ann\nbob,Bob\n',
  'season.csv': 'time,ta,ur\n2026-01-01T00:00,20,70\n2026-01-01T01:00,21,68\n2026-01-01T02:00,22,66\n',
};

// fonts-dejavu-core, which ./run installs.
const FONT = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf';

/** Makes the folder; `ports` says where the services listen that the pages call 8080 and 8081. */
export function makeScratch({ build, ports }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'docs-'));
  for (const [name, content] of Object.entries(FILES)) {
    fs.mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), content);
  }
  for (const name of ['docs/images', 'examples', 'include']) fs.cpSync(name, path.join(folder, name), { recursive: true });
  fs.copyFileSync('docs/images/profiles.png', path.join(folder, 'logo.png'));
  fs.copyFileSync(FONT, path.join(folder, 'arial.ttf'));
  fs.writeFileSync(path.join(folder, 'photo.jpg'), jpeg.encode({ width: 64, height: 64, data: Buffer.alloc(64 * 64 * 4, 'shades') }, 90).data);
  const run = (program, ...args) => execFileSync(program, args, { cwd: folder, stdio: 'ignore' });
  const platen = path.resolve(build, 'platen');
  run('zip', '-q', 'codes.zip', 'old.zpl', 'new.zpl');
  run(platen, 'render', 'label.zpl', '-o', 'golden.png');
  run(platen, 'render', 'labels/', '--out-dir', 'golden');
  fs.symlinkSync(path.resolve(build), path.join(folder, 'build'));
  fs.mkdirSync(path.join(folder, 'bin'));
  for (const program of ['platen', 'hygro']) fs.symlinkSync(path.resolve(build, program), path.join(folder, 'bin', program));
  // curl is led to the started services, so that commands run as they are printed; it says which status it got.
  const led = Object.entries(ports).flatMap(([port, real]) => ['127.0.0.1', 'localhost'].map((host) => `connect-to = "${host}:${port}:127.0.0.1:${real}"`));
  fs.writeFileSync(path.join(folder, '.curlrc'), [...led, 'write-out = "%{stderr}HTTP status %{http_code}\\n"', 'show-error', ''].join('\n'));
  return folder;
}

export const environment = ({ folder, build, ports }) => ({
  HOME: folder,
  LANG: 'C.UTF-8',
  PATH: `${folder}/bin:${process.env.PATH}`,
  PLATEN_LISTEN: `127.0.0.1:${ports[8080]}`,
  HYGRO_LISTEN: `127.0.0.1:${ports[8081]}`,
  PKG_CONFIG_PATH: path.resolve(build, 'meson-uninstalled'),
  LD_LIBRARY_PATH: path.resolve(build),
  C_INCLUDE_PATH: path.resolve('include'), // where an installed library has its header by itself
});
