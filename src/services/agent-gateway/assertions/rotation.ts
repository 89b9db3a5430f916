/** Key rotation: which key signs at a given time, and which keys are published. Pure. */
import type { SigningKey } from './key-store.ts';

/**
 * How long a key is published before it signs and after its last token. Longer than verifiers cache the published keys,
 * plus the minute for which a token is valid.
 */
export const publishedAroundMs = 3_600_000;

type Times = Pick<SigningKey, 'signsFrom'>;

/**
 * The newest key that may sign already, allowing for clock differences between processes. Keys are sorted, oldest
 * first.
 */
export const signerOf = <K extends Times>(keys: readonly K[], nowMs: number): K | undefined =>
  keys.findLast(({ signsFrom }) => signsFrom.getTime() <= nowMs) ?? keys[0];

/** Keys whose tokens may still be valid. */
export const currentOf = <K extends Times>(keys: readonly K[], nowMs: number): readonly K[] =>
  keys.filter((_, i) => {
    const next = keys[i + 1];
    return next === undefined || next.signsFrom.getTime() + publishedAroundMs > nowMs;
  });

/**
 * When the next key starts to sign, if it must be published now. The first key signs at once, since there is no other.
 */
export function nextFrom(keys: readonly Times[], nowMs: number, keyMs: number): number | undefined {
  const newest = keys.at(-1);
  if (newest === undefined) return nowMs;
  const due = newest.signsFrom.getTime() + keyMs;
  return nowMs + publishedAroundMs < due ? undefined : Math.max(due, nowMs + publishedAroundMs);
}
