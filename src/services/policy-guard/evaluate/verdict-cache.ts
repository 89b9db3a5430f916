import { hash } from 'node:crypto';
import type { Cache } from '#base/cache/cache.ts';
import type { ContextMessage } from '#engine/text/types.ts';
import type { JudgedGroup } from '../groups/judged-group.ts';
import type { Guard } from '../guards/guard.ts';
import type { Finding } from './verdict.ts';

/** All that a verdict depends on. */
export interface Question {
  readonly guard: Guard;
  readonly groups: readonly JudgedGroup[];
  readonly engineVersion: string;
  /** After truncation. */
  readonly text: string;
  readonly messages: readonly ContextMessage[];
}

/** Rises when {@link encode} changes, so that values of another release are not read. */
const format = 3;

/**
 * The versions stand for thresholds, strictness, overrides and policies: each write raises one. What policies learn
 * in the background raises none, so those that have learned are named, with how much. As JSON the parts cannot run into each other,
 * and an unpaired surrogate is not taken for another.
 */
function keyOf({ guard, groups, engineVersion, text, messages }: Question): string {
  const parts = [
    format,
    guard.tenantId,
    guard.guardUuid,
    guard.version,
    groups.map(({ groupUuid, version, policies }) => [groupUuid, version, ...learned(policies)]),
    engineVersion,
    text,
    messages.map(({ role, content }) => [role, content]),
  ];
  return hash('sha256', JSON.stringify(parts), 'base64url');
}

const learned = (policies: JudgedGroup['policies']) =>
  policies.flatMap(({ id, compiled }) => (compiled.head === undefined ? [] : [[id, compiled.head.examples]]));

type Stored = [probabilities: number[], reasoning: string | null][];

const encode = (findings: readonly Finding[]): string =>
  JSON.stringify(findings.map(({ probabilities, reasoning }) => [probabilities, reasoning]));

const isFinding = (value: unknown, policies: number): value is Stored[number] =>
  Array.isArray(value) &&
  Array.isArray(value[0]) &&
  value[0].length === policies &&
  value[0].every((each) => typeof each === 'number') &&
  (value[1] === null || typeof value[1] === 'string');

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
    findings.push({ probabilities: each[0], reasoning: each[1] });
  }
  return findings;
}

/** The findings from the cache, or made now and kept. A tenant's verdicts are in a scope of their own. */
export async function throughCache(
  cache: Cache,
  question: Question,
  make: () => Promise<Finding[]>,
): Promise<{ findings: Finding[]; fromCache: boolean }> {
  const scope = question.guard.tenantId;
  const key = keyOf(question);
  const value = await cache.get(scope, key);
  const known = value === undefined ? undefined : decode(value, question.groups);
  if (known !== undefined) return { findings: known, fromCache: true };
  const findings = await make();
  // Nobody waits for the cache, and it fails on its own account.
  void cache.set(scope, key, encode(findings));
  return { findings, fromCache: false };
}
