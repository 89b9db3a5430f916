import { threeDecimals } from '#base/three-decimals.ts';
import { toIsoTime } from '#base/clock.ts';
import type { Answer, Checked } from '#base/contract/operation.ts';
import type { guardOperations } from '../contract/guards.ts';
import type { NameOf } from '#identity/users/user-names.ts';
import type { GroupOverride, Guard, GuardSettings } from './guard.ts';
import type { GuardChanges } from './guards.ts';
import { latencyQuantile } from './latency-histogram.ts';
import type { GuardCounts } from './metrics-store.ts';

type Operations = typeof guardOperations;
type WireGuard = Answer<Operations['getGuard']>;
type WireChanges = Checked<Operations['updateGuard']>['body'];
type WireSettings = NonNullable<WireChanges['settings']>;
type WireOverrides = NonNullable<WireChanges['policy_group_overrides']>;

const overrideFromWire = (wire: WireOverrides[string]): GroupOverride => ({
  ...(typeof wire.threshold === 'number' && { threshold: wire.threshold }),
  ...(typeof wire.strictness_level === 'string' && { strictnessLevel: wire.strictness_level }),
});

const overrideToWire = ({ threshold, strictnessLevel }: GroupOverride) => ({
  ...(threshold === undefined ? {} : { threshold }),
  ...(strictnessLevel === undefined ? {} : { strictness_level: strictnessLevel }),
});

const mapValues = <A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));

/** Only what was sent: a field that is absent here stays as it is. */
const settingsFromWire = (wire: WireSettings): Partial<GuardSettings> => ({
  ...(wire.max_text_length === undefined ? {} : { maxTextLength: wire.max_text_length }),
  ...(wire.cache_enabled === undefined ? {} : { cacheEnabled: wire.cache_enabled }),
  ...(wire.log_requests === undefined ? {} : { logRequests: wire.log_requests }),
  ...(wire.overflow === undefined ? {} : { overflow: wire.overflow }),
  ...(wire.mode === undefined ? {} : { mode: wire.mode }),
  ...(wire.log_text === undefined ? {} : { logText: wire.log_text }),
  ...(wire.engine === undefined ? {} : { engine: wire.engine }),
  ...(wire.fail_mode === undefined ? {} : { failMode: wire.fail_mode }),
  ...(wire.redact === undefined ? {} : { redact: wire.redact }),
});

/** UUIDs are compared as text further on. */
const uuid = (text: string) => text.toLowerCase();

/** The fields of a request body that were sent. */
export const changesFromWire = (wire: WireChanges): GuardChanges => ({
  ...(wire.name === undefined ? {} : { name: wire.name }),
  ...(wire.description === undefined ? {} : { description: wire.description }),
  ...(wire.policy_group_uuids === undefined ? {} : { policyGroupUuids: wire.policy_group_uuids.map(uuid) }),
  ...(wire.policy_group_overrides === undefined
    ? {}
    : {
        policyGroupOverrides: Object.fromEntries(
          Object.entries(wire.policy_group_overrides).map(([groupUuid, each]) => [
            uuid(groupUuid),
            overrideFromWire(each),
          ]),
        ),
      }),
  ...(wire.enabled === undefined ? {} : { enabled: wire.enabled }),
  ...(wire.visibility === undefined ? {} : { visibility: wire.visibility }),
  ...(wire.settings === undefined ? {} : { settings: settingsFromWire(wire.settings) }),
});

const share = (part: number, all: number) => (all === 0 ? 0 : part / all);
function metricsToWire(counts: GuardCounts | undefined): WireGuard['metrics'] {
  if (counts === undefined || counts.requests === 0)
    return {
      requests_total: 0,
      flagged_total: 0,
      flag_rate: 0,
      observed_flag_total: 0,
      allowed_total: 0,
      latency_ms_avg: null,
      latency_ms_p95: null,
      cache_hit_rate: 0,
      last_called_at: null,
    };
  return {
    requests_total: counts.requests,
    flagged_total: counts.flagged,
    flag_rate: share(counts.flagged, counts.requests),
    observed_flag_total: counts.observed,
    allowed_total: counts.allowed,
    latency_ms_avg: threeDecimals(counts.latencyMsSum / counts.requests),
    latency_ms_p95: threeDecimals(latencyQuantile(counts.latencyBuckets, 0.95) ?? 0),
    cache_hit_rate: share(counts.cacheHits, counts.requests),
    last_called_at: toIsoTime(counts.lastCalledAt),
  };
}

/** Names for the ids in responses. */
export interface GuardNames {
  readonly userName: NameOf;
  readonly groups: ReadonlyMap<string, string>;
}

export const guardToWire = (guard: Guard, counts: GuardCounts | undefined, names: GuardNames): WireGuard => ({
  guard_uuid: guard.guardUuid,
  name: guard.name,
  description: guard.description,
  policy_group_uuids: [...guard.policyGroupUuids],
  policy_group_names: Object.fromEntries(
    guard.policyGroupUuids.flatMap((uuid) => {
      const name = names.groups.get(uuid);
      return name === undefined ? [] : [[uuid, name]];
    }),
  ),
  policy_group_overrides: mapValues(guard.policyGroupOverrides, overrideToWire),
  enabled: guard.enabled,
  settings: {
    max_text_length: guard.settings.maxTextLength,
    cache_enabled: guard.settings.cacheEnabled,
    log_requests: guard.settings.logRequests,
    overflow: guard.settings.overflow,
    mode: guard.settings.mode,
    log_text: guard.settings.logText,
    engine: guard.settings.engine,
    fail_mode: guard.settings.failMode,
    redact: guard.settings.redact && {
      ...(guard.settings.redact.kinds && { kinds: [...guard.settings.redact.kinds] }),
      style: guard.settings.redact.style ?? 'label',
    },
  },
  owner_id: guard.ownerId,
  owner_name: names.userName(guard.ownerId),
  visibility: guard.visibility,
  version: guard.version,
  created_at: toIsoTime(guard.createdAt),
  updated_at: toIsoTime(guard.updatedAt),
  metrics: metricsToWire(counts),
});
