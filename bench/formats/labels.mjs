// Labels of our own that stand for a kind each: name and label code. 101.6 x 152.4 mm at 8 dots a millimetre.
const line = (y, size, text) => `^FO30,${y}^A0N,${size},${size}^FD${text}^FS`;
const words = 'Handle with care keep dry this side up do not stack fragile goods inside 0123456789'.split(' ');
const sentence = (from) => Array.from({ length: 9 }, (_, i) => words[(from * (i + 3) + i * i * 5) % words.length]).join(' ') + ` ${(from * 7919) % 10007}`;

function fullPage() {
  // A pattern that neither repeats from row to row nor is noise.
  let data = '';
  for (let y = 0; y < 1218; y++)
    for (let x = 0; x < 102; x++) {
      const v = ((x * 8 - 400) ** 2 + (y - 600) ** 2) >> 9;
      data += ((v * 37 + (x ^ (y >> 3))) & 255).toString(16).padStart(2, '0');
    }
  return `^XA^FO0,0^GFA,${1218 * 102},${1218 * 102},102,${data.toUpperCase()}^FS^XZ`;
}

function parcel(turned) {
  return `^XA${turned ? '^POI' : ''}^FO20,20^GB772,1178,4^FS^FO20,300^GB772,0,4^FS^FO20,760^GB772,0,4^FS${line(50, 36, 'Example Parcels Ltd')}${line(100, 28, '12 Sample Street, Exampleton')}${line(
    140,
    28,
    'EX1 2MP, Nowhere',
  )}${line(330, 40, 'TO: A. Customer')}${line(390, 34, '99 Test Road, Flat 4')}${line(440, 34, '10115 Berlin, Germany')}^FO120,520^BY3^BCN,180,Y,N,N^FDEX123456789012^FS^FO560,60^BQN,2,6^FDQA,EX123456789012^FS^FO60,800^BY2,3^B7N,6,4,10,,N^FDEX123456789012 shipment data of this parcel, some more of it^FS${line(1080, 60, 'STANDARD')}^FO600,1060^GB160,100,100^FS^FO620,1080^FR^A0N,60,60^FDBER^FS^XZ`;
}

export const labels = {
  'one box': '^XA^FO50,50^GB300,200,8^FS^XZ',
  parcel: parcel(false),
  'parcel, turned over': parcel(true),
  'dense text': `^XA${Array.from({ length: 40 }, (_, i) => line(20 + i * 29, 24, sentence(i))).join('')}^XZ`,
  'full-page graphic': fullPage(),
  '2D-heavy': `^XA^FO30,30^BQN,2,8^FDQA,${'0123456789'.repeat(12)}^FS^FO420,30^BXN,8,200^FD${'ABCDEFGH'.repeat(12)}^FS^FO30,480^BY3,4^B7N,8,5,12,,N^FD${'PDF417 data '.repeat(14)}^FS^FO30,900^B0N,8^FD${'AZTEC'.repeat(14)}^FS^FO430,830^BD2^FH^FD001840152382802[)>_1E01_1D961Z00004951_1DUPSN_1D_1E_04^FS^XZ`,
  'round shapes': '^XA^FO40,40^GB700,500,6,B,4^FS^FO100,100^GC300,12,B^FS^FO450,100^GE250,380,8,B^FS^FO60,620^GD600,400,10,B,R^FS^FO100,700^GB400,300,60,B,8^FS^XZ',
  'device fonts': `^XA${['A', 'B', 'D', 'E', 'F', 'G', 'H'].map((font, i) => `^FO30,${40 + i * 120}^A${font}N^FDFONT ${font} 0123456789^FS`).join('')}^XZ`,
  'large text': `^XA${line(60, 220, 'Berlin')}${line(320, 160, 'EX-4711')}${line(520, 300, 'B 12')}^XZ`,
  reversed: `^XA^FO20,20^GB772,500,250^FS^LRY${line(60, 90, 'Reversed text')}${line(200, 70, 'and more of it')}^LRN^FO20,560^GB772,200,3^FS^XZ`,
};
