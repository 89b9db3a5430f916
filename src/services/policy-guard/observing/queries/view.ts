import { threeDecimals } from '#base/three-decimals.ts';
import { toIsoTime } from '#base/clock.ts';
import type { Answer, Checked } from '#base/contract/operation.ts';
import type { queryOperations } from '../../contract/queries.ts';
import type { Label } from './labels-store.ts';
import type { QueryNames } from './names.ts';
import type { Wanted } from './queries.ts';
import { timeOfId, violatedIn, type Found, type Query } from './query.ts';

type Operations = typeof queryOperations;
type WireEntry = Answer<Operations['listQueries']>['queries'][number];
type WireDetail = Answer<Operations['getQuery']>;
type WireFilters = Omit<Checked<Operations['streamQueries']>['query'], 'last_event_id'>;

export const wantedFromWire = ({ guard_uuid, flagged, outcome, policy }: WireFilters): Wanted => ({
  guardUuid: guard_uuid,
  flagged,
  outcome,
  policy,
});

type Engine = NonNullable<Found[5][number][2]>;

const engineOf = ([, , engine = 'embedded']: Found[5][number]): Engine => engine;

/** Null if nothing was judged. */
function engineToWire(policies: Found[5]): Engine | 'mixed' | null {
  const [first, ...others] = new Set(policies.map(engineOf));
  return others.length > 0 ? 'mixed' : (first ?? null);
}

export function entryToWire(query: Query, guardNames: QueryNames['guard']): WireEntry {
  const policies = violatedIn(query.found);
  return {
    query_id: query.queryId,
    timestamp: toIsoTime(timeOfId(query.queryId)),
    guard_uuid: query.guardUuid,
    guard_name: guardNames.get(query.guardUuid) ?? null,
    outcome: query.outcome,
    flag: query.outcome === 'flagged',
    observed_flag: policies.length > 0,
    policies,
    text: query.text,
    text_hash: query.textHash,
    text_length: query.textLength,
    from_cache: query.fromCache,
    latency_ms: threeDecimals(query.latencyMs),
    allowed_by: query.allowedBy,
    engine: engineToWire(query.found.flatMap(([, , , , , found]) => found)),
    degraded: query.found.some(([, , , , , , isDegraded]) => isDegraded === true),
  };
}

function foundToWire([
  groupUuid,
  name,
  threshold,
  strictness,
  reasoning,
  policies,
  isDegraded = false,
]: Found): WireDetail['results'][number] {
  const categories = policies.map(([policy, probability]) => [policy, probability >= threshold] as const);
  // A group without policies: as the evaluation returns it.
  const engine = engineToWire(policies) ?? 'embedded';
  return {
    policy_group_uuid: groupUuid,
    policy_group_name: name,
    flagged: categories.some(([, violated]) => violated),
    threshold,
    strictness_level: strictness,
    probs: Object.fromEntries(policies.map(([policy, probability]) => [policy, probability])),
    categories: Object.fromEntries(categories),
    reasoning,
    engine,
    ...(engine === 'mixed' && {
      engines: Object.fromEntries(policies.map((each) => [each[0], engineOf(each)])),
    }),
    degraded: isDegraded,
  };
}

export const labelToWire = (label: Label, names: QueryNames): Answer<Operations['labelQuery']> => ({
  query_id: label.queryId,
  policy: label.policyName,
  policy_group_uuid: label.groupUuid,
  policy_group_name: names.group.get(label.groupUuid) ?? null,
  label: label.violates,
  text: label.text,
  labelled_by: label.labelledBy,
  labelled_by_name: names.user(label.labelledBy),
  labelled_at: toIsoTime(label.labelledAt),
});

export const detailToWire = (query: Query, labels: readonly Label[], names: QueryNames): WireDetail => ({
  ...entryToWire(query, names.guard),
  guard_version: query.guardVersion,
  door: query.door,
  user_id: query.userId,
  user_name: names.user(query.userId),
  api_key_id: query.apiKeyId,
  request_id: query.requestId,
  trace_id: query.traceId,
  messages: query.messages,
  results: query.found.map(foundToWire),
  labels: labels.map((label) => labelToWire(label, names)),
});
