/** Example texts of a policy, written by a language model: what they are, and which of them are kept. */
import { createHash } from 'node:crypto';
import type { Head } from '#engine/text/adapted-head.ts';
import type { PolicyFields } from '../policies/policy-group.ts';

/** What the exemplars of one text of a policy depend on, besides that text. */
export interface WrittenBy {
  readonly model: string;
  readonly promptVersion: number;
}

export interface Exemplars {
  /** Texts that violate the policy. */
  readonly block: readonly string[];
  /** Texts that come close and do not. */
  readonly safe: readonly string[];
}

export type Side = keyof Exemplars;

/** State of a policy's exemplars; absent for a policy without any. */
export interface ExemplarState {
  readonly status: 'pending' | 'ready' | 'failed';
  readonly block: number;
  readonly safe: number;
  readonly model: string;
  readonly updatedAt: Date;
}

/** What was learned from exemplars, as it is stored. */
export interface StoredHead {
  readonly head: Head;
  readonly engineVersion: string;
  /** Changes with the exemplars, and not when another engine learns from the same ones. */
  readonly writtenAt: string;
}

/** Hash of everything in a policy that affects its exemplars. */
export const textHash = ({
  name,
  description,
  blockActivities,
  safeActivities,
}: Omit<PolicyFields, 'enabled'>): string =>
  createHash('sha256')
    .update(JSON.stringify([name, description, blockActivities, safeActivities]))
    .digest('base64url');

/** Of each side. */
const mostExemplars = 100;

const shortest = 8;
const longest = 400;

/** Marks that models set before the items of a list, and quotation marks around the whole. */
const bullet = /^\s*(?:[-*•–]|\(?\d{1,3}[.):])\s+/;
const quoted = /^(["'“‘«])(.*)["'”’»]$/su;

function tidied(text: string): string {
  const plain = text.toWellFormed().replaceAll(/\s+/g, ' ').replace(bullet, '').trim();
  return quoted.exec(plain)?.[2]?.trim() ?? plain;
}

/** Equal for texts that differ in case, marks and blanks alone. */
const sameness = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();

/** The exemplars with what was newly written for one side: tidied, each once, of useful length, no text on both sides. */
export function withWritten(before: Exemplars, side: Side, written: readonly string[]): Exemplars {
  const known = new Map(before[side].map((text) => [sameness(text), text]));
  for (const each of written) {
    const text = tidied(each);
    const key = sameness(text);
    if (text.length < shortest || text.length > longest || key === '' || known.has(key)) continue;
    known.set(key, text);
  }
  const after = { ...before, [side]: [...known.values()].slice(0, mostExemplars) };
  const safe = new Set(after.safe.map(sameness));
  return { ...after, block: after.block.filter((text) => !safe.has(sameness(text))) };
}
