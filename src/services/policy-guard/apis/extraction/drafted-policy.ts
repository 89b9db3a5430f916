/** Policies that a document would make, before anybody has saved them. */

/** A place in the document. */
export interface Source {
  /** Counted from 1. */
  readonly page: number;
  /** As written on the page, except for white space. */
  readonly quote: string;
  readonly kind: 'prohibition' | 'obligation' | 'permission';
}

export interface DraftedPolicy {
  readonly name: string;
  readonly description: string;
  readonly blockActivities: readonly string[];
  readonly safeActivities: readonly string[];
  /** At least one; the first represents the policy. */
  readonly sources: readonly Source[];
}

/** A draft while it is being put together. */
export interface OpenDraft {
  readonly name: string;
  description: string;
  readonly block: Set<string>;
  readonly safe: Set<string>;
  readonly sources: Source[];
}

export const openDraft = (name: string): OpenDraft => ({
  name,
  description: '',
  block: new Set(),
  safe: new Set(),
  sources: [],
});

const longestActivity = 1000;
const mostActivities = 100;
const longestDescription = 1000;
/** PostgreSQL cannot store it, and it is invisible. */
const unstorable = /\0/g;

export const clean = (text: string, max: number): string =>
  text.replaceAll(unstorable, '').replaceAll(/\s+/g, ' ').trim().slice(0, max).toWellFormed();

/** A draft within the limits of a policy; one with more activities than a policy takes becomes several. */
export function closeDraft({ name, description, block, safe, sources }: OpenDraft): DraftedPolicy[] {
  const list = (items: ReadonlySet<string>) =>
    [...new Set([...items].map((item) => clean(item, longestActivity)))].filter((item) => item !== '');
  const blocked = list(block);
  const parts = Math.max(1, Math.ceil(blocked.length / mostActivities));
  const share = (part: number) => Math.floor((part * sources.length) / parts);
  return Array.from({ length: parts }, (_, i) => ({
    name: clean(parts === 1 ? name : `${name.slice(0, 240)} (${i + 1})`, 255),
    description: clean(description, longestDescription),
    blockActivities: blocked.slice(i * mostActivities, (i + 1) * mostActivities),
    safeActivities: list(safe).slice(0, mostActivities),
    sources: sources.slice(share(i), share(i + 1)),
  })).filter(({ sources: found }) => found.length > 0);
}

/** The same with names that differ within the group, none of them a key that no object can have. */
export function withOwnNames(policies: readonly DraftedPolicy[]): DraftedPolicy[] {
  const taken = new Set<string>(['', '__proto__']);
  return policies.map((policy) => {
    let { name } = policy;
    for (let i = 2; taken.has(name); i++) name = `${policy.name.slice(0, 240).toWellFormed()} (${i})`.trim();
    taken.add(name);
    return { ...policy, name };
  });
}
