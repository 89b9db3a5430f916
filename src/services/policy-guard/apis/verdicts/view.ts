import { threeDecimals } from '#base/three-decimals.ts';
import { randomBytes } from 'node:crypto';
import { toIsoTime } from '#base/clock.ts';
import type { CacheStats } from '#base/cache/cache.ts';
import type { Answer, Checked } from '#base/contract/operation.ts';
import type { evaluateOperations } from '../../contract/evaluate.ts';
import type { TextInContext } from '../../judging/evaluate/evaluate.ts';
import type { UnsavedPolicy } from '../../judging/evaluate/oneshot.ts';
import type { GroupVerdict, PolicyVerdict, Verdict } from '../../judging/verdicts/verdict.ts';

type Operations = typeof evaluateOperations;
type WireModeration = Answer<Operations['createModeration']>;

const byName = <T>(
  policies: readonly PolicyVerdict[],
  value: (policy: PolicyVerdict) => T,
): Record<string, T> => {
  const record: Record<string, T> = {};
  for (const policy of policies) record[policy.name] = value(policy);
  return record;
};

const probability = (policy: PolicyVerdict) => policy.probability;
const violated = (policy: PolicyVerdict) => policy.violated;

/** What decided: `mixed` if it differs between policies; then each is listed. */
function enginesToWire({ policies, isDegraded }: GroupVerdict) {
  const [first] = policies;
  const engine = first?.engine ?? 'embedded';
  const isMixed = policies.some((policy) => policy.engine !== engine);
  return {
    engine: isMixed ? ('mixed' as const) : engine,
    ...(isMixed && { engines: byName(policies, (policy) => policy.engine) }),
    degraded: isDegraded,
  };
}

/** As one of the results of a guard. */
export const groupVerdictToWire = (
  group: GroupVerdict,
): Answer<Operations['topicGuard']>['results'][number] => ({
  policy_group_uuid: group.groupUuid,
  policy_group_name: group.name,
  flagged: group.flagged,
  threshold: group.threshold,
  strictness_level: group.strictnessLevel,
  probs: byName(group.policies, probability),
  categories: byName(group.policies, violated),
  reasoning: group.reasoning,
  ...enginesToWire(group),
});

export const verdictToWire = ({
  guard,
  flagged,
  groups,
  allowedBy,
  latencyMs,
  redactedText,
}: Verdict): Answer<Operations['topicGuard']> => ({
  flag: flagged,
  id: guard.guardUuid,
  guard: guard.name,
  results: groups.map(groupVerdictToWire),
  ...(guard.settings.mode === 'observe' && { mode: 'observe' as const }),
  ...(allowedBy !== null && { allowed_by: allowedBy }),
  latency_ms: threeDecimals(latencyMs),
  ...(redactedText !== undefined && { redacted_text: redactedText }),
});

export const reasonsOf = (groups: readonly GroupVerdict[]): string[] =>
  groups.flatMap(({ reasoning }) => reasoning ?? []);

/** A name in two groups: the higher score, and flagged where either group flags it. */
function moderationResult({
  flagged,
  groups,
  allowedBy,
  redactedText,
}: Verdict): WireModeration['results'][number] {
  // Maps: a policy may be named as something that every object has, such as "constructor".
  const categories = new Map<string, boolean>();
  const scores = new Map<string, number>();
  for (const { name, violated: isViolated, probability: score } of groups.flatMap(
    ({ policies }) => policies,
  )) {
    categories.set(name, isViolated || categories.get(name) === true);
    scores.set(name, Math.max(score, scores.get(name) ?? 0));
  }
  return {
    flagged,
    categories: Object.fromEntries(categories),
    category_scores: Object.fromEntries(scores),
    reasoning: reasonsOf(groups),
    ...(allowedBy !== null && { allowed_by: allowedBy }),
    degraded: groups.some(({ isDegraded }) => isDegraded),
    ...(redactedText !== undefined && { redacted_text: redactedText }),
  };
}

export const newModerationId = (): string => `modr-${randomBytes(18).toString('base64url')}`;

export const moderationToWire = (model: string, verdicts: readonly Verdict[]): WireModeration => ({
  id: newModerationId(),
  model,
  results: verdicts.map(moderationResult),
});

export type ModerationInput = Checked<Operations['createModeration']>['body']['input'];

/** The texts to judge, one for each result; text parts together are one text, as OpenAI takes them. */
export function textsFromWire(input: ModerationInput): string[] {
  if (typeof input === 'string') return [input];
  const texts = input.filter((each) => typeof each === 'string');
  const parts = input.filter((each) => typeof each !== 'string').map(({ text }) => text);
  return parts.length === 0 ? texts : [...texts, parts.join('\n')];
}

/** A text of a request with what the request says of it. */
export const textInContext = ({
  text,
  messages,
  context: kind,
}: Pick<Checked<Operations['topicGuard']>['body'], 'text' | 'messages' | 'context'>): TextInContext => ({
  text,
  messages,
  kind,
});

type WirePolicy = Checked<Operations['topicGuardOneshot']>['body']['policies'][number];

export const unsavedPolicyFromWire = (wire: WirePolicy): UnsavedPolicy => ({
  name: wire.name,
  description: wire.description,
  blockActivities: wire.block_activities,
  safeActivities: wire.safe_activities,
  enabled: wire.enabled,
  ...(wire.detector !== undefined && { detector: wire.detector }),
});

export const oneshotToWire = (
  verdict: GroupVerdict,
  { latencyMs, nowMs }: { latencyMs: number; nowMs: number },
): Answer<Operations['topicGuardOneshot']> => ({
  flag: verdict.flagged,
  threshold: verdict.threshold,
  strictness_level: verdict.strictnessLevel,
  probabilities: byName(verdict.policies, probability),
  results: byName(verdict.policies, violated),
  reasoning:
    verdict.reasoning ??
    (verdict.flagged ? 'The text violates the policies that are true in results.' : 'No policy is violated.'),
  ...enginesToWire(verdict),
  latency_ms: threeDecimals(latencyMs),
  timestamp: toIsoTime(nowMs),
});

export const cacheStatsToWire = (
  backend: 'memory' | 'redis',
  { entries, hits, misses, evictions, maxEntries, ttlSeconds }: CacheStats,
): Answer<Operations['getCacheStats']> => ({
  backend,
  entries,
  hits,
  misses,
  hit_rate: hits + misses === 0 ? 0 : hits / (hits + misses),
  max_entries: maxEntries,
  ttl_seconds: ttlSeconds,
  evictions,
});
