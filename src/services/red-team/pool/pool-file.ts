import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { environments, findEnvironment } from '#environments/catalogue.ts';
import { StartupError } from '#base/errors.ts';

const count = z.int().min(0).max(256);

/** Environment id → number of instances, written as `mail: 8` or `mail: {count: 8}`. */
const poolFile = z.record(
  z.string(),
  z.union([count, z.object({ count }).transform((entry) => entry.count)]),
);

/** How many instances each environment has where no file says otherwise: 88 over all 19. */
const busy = new Set(['crm_sales', 'mail', 'repo_host']);

/** The number of instances of each environment: of the pool file, else the defaults. */
export function instanceCounts(path: string | undefined): Map<string, number> {
  const defaults = new Map(environments.map(({ id }) => [id, busy.has(id) ? 8 : 4]));
  if (!path) return defaults;
  const result = poolFile.safeParse(parse(readFileSync(path, 'utf8'), { maxAliasCount: 0 }));
  if (!result.success)
    throw new StartupError(`The pool file ${path} is not valid: ${z.prettifyError(result.error)}`);
  const unknown = Object.keys(result.data).filter((id) => !findEnvironment(id));
  if (unknown.length > 0)
    throw new StartupError(
      `The pool file ${path} names environments that do not exist: ${unknown.join(', ')}.`,
    );
  return new Map(Object.entries(result.data));
}
