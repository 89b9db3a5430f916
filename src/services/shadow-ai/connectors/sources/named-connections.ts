import type { SourceBatch } from './source.ts';

/** Connections that a source reports by address alone, named by the look-ups before them. */

export interface LookUp {
  readonly device: string;
  readonly process: string;
  readonly atMs: number;
  readonly host: string;
  readonly addresses: readonly string[];
}

/** A look-up names connections for so long. */
export const lookUpMs = 60 * 60_000;

/** Addresses in whatever way a source lists them: `1.2.3.4;5.6.7.8`, `type: 5 x; 1.2.3.4`. */
export const addressesIn = (list: string | undefined): string[] =>
  (list ?? '')
    .split(/[;,\s]+/)
    .map((each) => each.replace(/^::ffff:/i, ''))
    .filter((each) => /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]*:[0-9a-f:]+)$/i.test(each));

/**
 * Reads the look-ups before connections, once more where there are none: some sources answer nothing, with success, where
 * something failed, and connections would stay without names then.
 */
export async function readLookUps<Row>(
  read: () => AsyncGenerator<SourceBatch<Row>>,
  lookUpOf: (row: Row) => LookUp,
): Promise<LookUp[]> {
  const found: LookUp[] = [];
  for (let times = 0; times < 2 && found.length === 0; times += 1)
    for await (const { rows } of read()) for (const row of rows) found.push(lookUpOf(row));
  return found;
}

/**
 * The host behind a connection's address: what the process itself looked up last before; else what the device looked up,
 * where all of its look-ups of that address agree. Undefined where nothing says it: several hosts share an address.
 */
export function createNamer(
  lookUps: readonly LookUp[],
): (connection: { device: string; process: string; atMs: number; ip: string }) => string | undefined {
  const byAddress = new Map<string, LookUp[]>();
  for (const each of lookUps)
    for (const address of each.addresses) {
      const key = `${each.device}\u0000${address}`;
      const known = byAddress.get(key);
      if (known === undefined) byAddress.set(key, [each]);
      else known.push(each);
    }
  // The last one of a moment is the one that is last by name too, whatever order the source has.
  for (const list of byAddress.values()) list.sort((a, b) => a.atMs - b.atMs || (a.host < b.host ? -1 : 1));
  return ({ device, process, atMs, ip }) => {
    const before = (byAddress.get(`${device}\u0000${ip}`) ?? []).filter(
      (each) => each.atMs <= atMs + 1000 && atMs - each.atMs <= lookUpMs,
    );
    const own = before.findLast((each) => each.process === process);
    if (own !== undefined) return own.host;
    const hosts = new Set(before.map(({ host }) => host));
    const [only] = hosts;
    return hosts.size === 1 ? only : undefined;
  };
}
