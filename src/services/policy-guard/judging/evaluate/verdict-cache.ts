import { hash } from 'node:crypto';
import type { Cache } from '#base/cache/cache.ts';
import type { ContextMessage, TextKind } from '#engine/text/types.ts';
import type { JudgedGroup } from '../../library/groups/judged-group.ts';
import type { Guard } from '../../guards/guard.ts';
import type { Engine } from '../../guards/engines.ts';
import type { Finding } from '../verdicts/verdict.ts';

/** All that a verdict depends on. */
export interface Question {
  readonly guard: Guard;
  readonly groups: readonly JudgedGroup[];
  /** Identifies the judge. */
  readonly judgeVersion: string;
  /** After truncation. */
  readonly text: string;
  readonly messages: readonly ContextMessage[];
  readonly kind: TextKind | undefined;
}

/** Rises when {@link encode} changes, so that values of another release are not read. */
const format = 4;

/**
 * The versions stand for thresholds, strictness, overrides and policies: each write raises one. What policies learn
 * in the background raises none, so those that have learned are named, with how much. As JSON the parts cannot run into each other,
 * and an unpaired surrogate is not taken for another.
 */
function keyOf({ guard, groups, judgeVersion, text, messages, kind }: Question): string {
  const parts = [
    format,
    guard.tenantId,
    guard.guardUuid,
    guard.version,
    groups.map(({ groupUuid, version, policies }) => [groupUuid, version, ...learned(policies)]),
    judgeVersion,
    text,
    messages.map(({ role, content }) => [role, content]),
    kind ?? null,
  ];
  return hash('sha256', JSON.stringify(parts), 'base64url');
}

const learned = (policies: JudgedGroup['policies']) =>
  policies.flatMap(({ id, compiled }) => (compiled.head === undefined ? [] : [[id, compiled.head.examples]]));

type Stored = [probabilities: number[], engines: Engine[], reasoning: string | null][];

const encode = (findings: readonly Finding[]): string =>
  JSON.stringify(
    findings.map(({ probabilities, engines, reasoning }) => [probabilities, engines, reasoning]),
  );

const engines: readonly Engine[] = ['embedded', 'llm', 'moderation', 'onnx'];

const isListOf = (value: unknown, length: number, fits: (each: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length === length && value.every(fits);

const isFinding = (value: unknown, policies: number): value is Stored[number] =>
  Array.isArray(value) &&
  isListOf(value[0], policies, (each) => typeof each === 'number') &&
  isListOf(value[1], policies, (each) => engines.some((engine) => engine === each)) &&
  (value[2] === null || typeof value[2] === 'string');

/** Undefined for a value that is not one of ours: a shared cache may hold anything. */
function decode(value: string, groups: readonly JudgedGroup[]): Finding[] | undefined {
  let stored: unknown;
  try {
    stored = JSON.parse(value);
  } catch {
    return undefined;
  }
  if (!Array.isArray(stored) || stored.length !== groups.length) return undefined;
  const findings: Finding[] = [];
  for (const [i, group] of groups.entries()) {
    const each: unknown = stored[i];
    if (!isFinding(each, group.policies.length)) return undefined;
    findings.push({ probabilities: each[0], engines: each[1], isDegraded: false, reasoning: each[2] });
  }
  return findings;
}

/** What the keys of verdicts begin with that guards of this user have made: members may forget those alone. */
export const keysOfOwner = (ownerId: string): string => `${ownerId} `;

/** The findings from the cache, or made now and cached. Each tenant has its own scope in the cache. */
export async function throughCache(
  cache: Cache,
  question: Question,
  make: () => Promise<Finding[]>,
): Promise<{ findings: Finding[]; fromCache: boolean }> {
  const scope = question.guard.tenantId;
  const key = keysOfOwner(question.guard.ownerId) + keyOf(question);
  const value = await cache.get(scope, key);
  const known = value === undefined ? undefined : decode(value, question.groups);
  if (known !== undefined) return { findings: known, fromCache: true };
  const findings = await make();
  // A substitute's finding is not cached: the judge may be available again at the next call.
  if (findings.some(({ isDegraded }) => isDegraded)) return { findings, fromCache: false };
  // Not awaited: the cache handles its own failures.
  void cache.set(scope, key, encode(findings));
  return { findings, fromCache: false };
}
