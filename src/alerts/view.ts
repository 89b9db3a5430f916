import { toIsoTime } from '#base/clock.ts';
import type { Answer } from '#base/contract/operation.ts';
import type { DestinationView } from '#base/events/webhooks/webhooks.ts';
import type { z } from 'zod';
import type { AlertRuleInput, alertOperations } from './contract/alerts.ts';
import { windowText, type frontDoorAlertOperations } from './contract/front-door.ts';
import { serviceOf } from './contract/measures.ts';
import type { Incident, Rule, RuleContent } from './rule.ts';
import type { Channel } from './channels-store.ts';
import type { ListedIncident } from './incidents-store.ts';

type Operations = typeof alertOperations;
type WireRule = Answer<Operations['createAlertRule']>;
type WireIncident = Answer<Operations['listAlertIncidents']>['incidents'][number];
type WireAlert = Answer<(typeof frontDoorAlertOperations)['createAlert']>;
type WireTarget = WireAlert['targets'][number];
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
  target_count: rule.targetCount,
});

function stateOf({ enabled, evaluatedAt }: Rule, open: Incident | undefined): WireRule['state'] {
  if (!enabled) return 'off';
  if (open !== undefined) return 'firing';
  return evaluatedAt === null ? 'waiting' : 'ok';
}

/** @param targets in wire format */
export const alertToWire = (
  rule: Rule,
  open: Incident | undefined,
  targets: readonly WireTarget[],
): WireAlert => {
  const {
    rule_id: alertId,
    window_minutes: minutes,
    threshold,
    min_count: minCount,
    target_count: _,
    ...rest
  } = ruleToWire(rule, open);
  return {
    ...rest,
    alert_id: alertId,
    service: serviceOf(rule.measure, rule.subject),
    condition: { operator: '>=', threshold, min_count: minCount },
    window: windowText(minutes),
    targets: [...targets],
  };
};

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

interface Sending {
  readonly destination: DestinationView | undefined;
  readonly mailAvailable: boolean;
}

const problemOf = ({ kind }: Channel, { destination, mailAvailable }: Sending): string | null =>
  kind === 'mail' && !mailAvailable
    ? 'No mail server is configured (smtp.url).'
    : (destination?.disabledReason ?? null);

export const channelToWire = (channel: Channel, sending: Sending): WireChannel => ({
  channel_id: channel.channelId,
  name: channel.name,
  kind: channel.kind,
  target: targetOf(channel),
  problem: problemOf(channel, sending),
});

export const targetToWire = (channel: Channel, sending: Sending): WireTarget => ({
  target_id: channel.channelId,
  kind: channel.kind,
  ...(channel.kind === 'mail'
    ? { mail_to: [...channel.mailTo] }
    : { url: channel.kind === 'slack' ? null : channel.url }),
  problem: problemOf(channel, sending),
});

function targetOf({ kind, mailTo, url }: Channel): string {
  if (kind === 'mail') return mailTo.join(', ');
  return kind === 'slack' ? `${new URL(url ?? '').origin}/…` : (url ?? '');
}
