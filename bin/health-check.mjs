// Checks whether the services of this Bulwark are ready: exits with 0, or 1 and the reason. For container health
// checks.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const path = join(process.env['BULWARK_DATA_DIR'] ?? './data', 'addresses.json');

/** @param {string} name @param {string} url */
async function check(name, url) {
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(4_000) });
  await response.body?.cancel();
  if (response.status >= 500)
    throw new Error(`${name} at ${url} is not ready: it answers ${response.status}`);
}

try {
  const addresses = /** @type {Record<string, string>} */ (JSON.parse(readFileSync(path, 'utf8')));
  await Promise.all(Object.entries(addresses).map(([name, url]) => check(name, url)));
} catch (error) {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}${cause}\n`);
  process.exitCode = 1;
}
