import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const weights = join(import.meta.dirname, '../../../../data/models/descriptions.bin');

/** Changes whenever the signs or the learned judge of descriptions change: results of scans are kept by it. */
export const signsVersion = `2-${createHash('sha256').update(readFileSync(weights)).digest('hex').slice(0, 12)}`;
