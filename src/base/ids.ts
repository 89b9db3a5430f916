import { randomBytes, randomFillSync } from 'node:crypto';

/** Every prefix that a resource id may carry. */
export type IdPrefix = 'gd' | 'gw' | 'mcp' | 'agp' | 'pol' | 'rul' | 'vs' | 'scan' | 'modr' | 'dset';

/** A prefixed id: 24 url-safe characters (144 random bits) after the prefix. */
export const newId = <P extends IdPrefix>(prefix: P): `${P}_${string}` =>
  `${prefix}_${randomBytes(18).toString('base64url')}`;

const pool = Buffer.alloc(16 * 256);
let poolOffset = pool.length;
/** The last count of each of the latest milliseconds: several, since two clocks may take turns: a test's, the machine's. */
const counts = new Map<number, number>();
const mostMilliseconds = 256;
const mostCounted = 0xfff;

/** The millisecond of the newest id and its count, which are not among {@link counts}. */
const newest = { ms: -1, count: 0 };

/** The place of the next id among those of this process and millisecond: from a random one on, so that few collide. */
function countWithin(nowMs: number, random: number): number {
  if (nowMs === newest.ms) {
    newest.count = Math.min(newest.count + 1, mostCounted);
    return newest.count;
  }
  counts.delete(newest.ms);
  counts.set(newest.ms, newest.count);
  if (counts.size > mostMilliseconds) counts.delete(counts.keys().next().value ?? nowMs);
  const last = counts.get(nowMs);
  newest.ms = nowMs;
  newest.count = last === undefined ? random & 0x7ff : Math.min(last + 1, mostCounted);
  return newest.count;
}

/**
 * A UUID of version 7 (RFC 9562 §5.7): 48 bits of Unix milliseconds, 12 bits that count within one (§6.2, method 1),
 * then 62 random bits. So the ids of one process sort as they were made: the first two thousand of each millisecond.
 */
export function newUuid(nowMs: number = Date.now()): string {
  if (poolOffset === pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  const at = poolOffset;
  poolOffset += 16;
  pool.writeUIntBE(nowMs, at, 6);
  pool.writeUInt16BE(0x7000 | countWithin(nowMs, pool.readUInt16BE(at + 6)), at + 6);
  pool[at + 8] = ((pool[at + 8] ?? 0) & 0x3f) | 0x80;
  const hex = pool.toString('hex', at, at + 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether PostgreSQL accepts the text as a uuid; anything else must be an unknown id. */
export const isUuid = (text: string): boolean => uuidPattern.test(text);
