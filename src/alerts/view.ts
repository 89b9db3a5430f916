import { toIsoTime } from '#base/clock.ts';
import type { Answer } from '#base/contract/operation.ts';
import type { DestinationView } from '#base/events/webhooks/webhooks.ts';
import type { z } from 'zod';
import type { AlertRuleInput, alertOperations } from './contract/alerts.ts';
import type { Incident, Rule, RuleContent } from './rule.ts';
import type { Channel } from './channels-store.ts';
import type { ListedIncident } from './incidents-store.ts';

type Operations = typeof alertOperations;
type WireRule = Answer<Operations['createAlertRule']>;
type WireIncident = Answer<Operations['listAlertIncidents']>['incidents'][number];
type WireChannel = Answer<Operations['listAlertChannels']>['channels'][number];

const timeOrNull = (time: Date | null) => (time === null ? null : toIsoTime(time));

export const contentFromWire = (body: z.output<typeof AlertRuleInput>): RuleContent => ({
  name: body.name,
  measure: body.measure,
  subject: body.subject,
  windowMinutes: body.window_minutes,
  threshold: body.threshold,
  minCount: body.min_count,
  enabled: body.enabled,
});

/** @param open what fires by the rule */
export const ruleToWire = (rule: Rule, open: Incident | undefined): WireRule => ({
  rule_id: rule.ruleId,
  name: rule.name,
  measure: rule.measure,
  subject: rule.subject,
  subject_name: rule.subjectName,
  window_minutes: rule.windowMinutes,
  threshold: rule.threshold,
  min_count: rule.minCount,
  enabled: rule.enabled,
  muted_until: timeOrNull(rule.mutedUntil),
  state: stateOf(rule, open),
  firing_since: timeOrNull(open?.startedAt ?? null),
  value: rule.value,
  counted: rule.counted,
  evaluated_at: timeOrNull(rule.evaluatedAt),
});

function stateOf({ enabled, evaluatedAt }: Rule, open: Incident | undefined): WireRule['state'] {
  if (!enabled) return 'off';
  if (open !== undefined) return 'firing';
  return evaluatedAt === null ? 'waiting' : 'ok';
}

/** What lists and messages tell of an incident. */
export const incidentFacts = (incident: Incident) => ({
  incident_id: incident.incidentId,
  rule_id: incident.ruleId,
  rule_name: incident.ruleName,
  measure: incident.measure,
  subject: incident.subject,
  subject_name: incident.subjectName,
  window_minutes: incident.windowMinutes,
  threshold: incident.threshold,
  value: incident.value,
  peak: incident.peak,
  started_at: toIsoTime(incident.startedAt),
  resolved_at: timeOrNull(incident.resolvedAt),
  resolution: incident.resolution,
});

export const incidentToWire = (incident: ListedIncident): WireIncident => ({
  ...incidentFacts(incident),
  told: incident.toldAt !== null,
  muted_until: timeOrNull(incident.mutedUntil),
});

export const channelToWire = (
  channel: Channel,
  { destination, mailAvailable }: { destination: DestinationView | undefined; mailAvailable: boolean },
): WireChannel => ({
  channel_id: channel.channelId,
  name: channel.name,
  kind: channel.kind,
  target: targetOf(channel),
  problem:
    channel.kind === 'mail' && !mailAvailable
      ? 'No mail server is configured (smtp.url).'
      : (destination?.disabledReason ?? null),
});

function targetOf({ kind, mailTo, url }: Channel): string {
  if (kind === 'mail') return mailTo.join(', ');
  return kind === 'slack' ? `${new URL(url ?? '').origin}/…` : (url ?? '');
}
