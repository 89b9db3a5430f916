import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Written by `bulwark eval text … --choose-band --write-bands`, for the weights that are shipped beside it. */
const path = join(import.meta.dirname, '../../../../../data/models/text.bands.json');

const Shipped = z.object({
  detectors: z.array(z.object({ detector: z.string(), from: z.number(), to: z.number() })),
});

/** The default bands, in the syntax of the configuration. */
export const shippedBands = (): string[] =>
  Shipped.parse(JSON.parse(readFileSync(path, 'utf8'))).detectors.map(
    ({ detector, from, to }) => `${detector}=${from}..${to}`,
  );
