// Which zxing-cpp the build has; '' where it has none: then only the project's own readers read.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export const program = process.env.READ_LABELS ?? join(process.env.PLATEN_BUILD ?? 'build', 'tests/checks/read_labels');
export const zxing = execFileSync(program, ['-V'], { encoding: 'latin1' }).trim();
