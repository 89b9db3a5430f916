/** When which key signs and which ones are published: pure. */
import type { SigningKey } from './key-store.ts';

/**
 * Longer than anybody keeps the published keys at hand: a key is published so long before it signs, and so long after
 * its last token, which is over within a minute of it.
 */
export const publishedAroundMs = 3_600_000;

type Times = Pick<SigningKey, 'signsFrom'>;

/** The newest that signs already, by a clock that may be behind that of who made it; keys come oldest first. */
export const signerOf = <K extends Times>(keys: readonly K[], nowMs: number): K | undefined =>
  keys.findLast(({ signsFrom }) => signsFrom.getTime() <= nowMs) ?? keys[0];

/** Those whose tokens may still be about. */
export const currentOf = <K extends Times>(keys: readonly K[], nowMs: number): readonly K[] =>
  keys.filter((_, i) => {
    const next = keys[i + 1];
    return next === undefined || next.signsFrom.getTime() + publishedAroundMs > nowMs;
  });

/** When the next key is to sign, should it be time to publish it; the first one signs at once, since nobody knows another. */
export function nextFrom(keys: readonly Times[], nowMs: number, keyMs: number): number | undefined {
  const newest = keys.at(-1);
  if (newest === undefined) return nowMs;
  const due = newest.signsFrom.getTime() + keyMs;
  return nowMs + publishedAroundMs < due ? undefined : Math.max(due, nowMs + publishedAroundMs);
}
