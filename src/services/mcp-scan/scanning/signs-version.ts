import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const models = join(import.meta.dirname, '../../../../data/models');
const weights = ['descriptions.bin', 'order-net.bin'].map((name) => readFileSync(join(models, name)));

/** Changes whenever the signs or the learned judge of descriptions change: results of scans are kept by it. */
export const signsVersion = `5-${createHash('sha256').update(Buffer.concat(weights)).digest('hex').slice(0, 12)}`;
