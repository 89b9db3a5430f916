/** What the audit trail says of rules and of who is told. */
import type { Asking, AuditEvent } from '#identity/audit/audit.ts';
import { resourceEvent } from '#identity/audit/resource-event.ts';
import type { Channel } from './channels-store.ts';
import type { Rule } from './rule.ts';

/** A rule with its targets. */
export interface AuditedRule {
  readonly rule: Rule;
  readonly targets: readonly Channel[];
}

export function auditedRule(
  event: `alert_rule_${'created' | 'changed' | 'deleted' | 'muted' | 'unmuted'}`,
  asking: Asking,
  { before, after }: { readonly before?: AuditedRule; readonly after?: AuditedRule },
): AuditEvent {
  const { ruleId: id = '', name = '' } = (after ?? before)?.rule ?? {};
  return resourceEvent(event, asking, {
    id,
    name,
    before: before && fieldsOf(before),
    after: after && fieldsOf(after),
  });
}

export const auditedChannel = (
  event: `alert_channel_${'created' | 'deleted'}`,
  asking: Asking,
  channel: Channel,
): AuditEvent => {
  const { channelId: id, name, kind } = channel;
  const fields = { name, kind, toldAt: placesOf(channel) };
  const isNew = event === 'alert_channel_created';
  return resourceEvent(event, asking, { id, name, ...(isNew ? { after: fields } : { before: fields }) });
};

const fieldsOf = ({ rule, targets }: AuditedRule) => ({
  name: rule.name,
  measure: rule.measure,
  subject: rule.subjectName ?? rule.subject,
  windowMinutes: rule.windowMinutes,
  threshold: rule.threshold,
  minCount: rule.minCount,
  enabled: rule.enabled,
  mutedUntil: rule.mutedUntil,
  // Without targets of its own, all channels of the tenant are told.
  targets: targets.flatMap((target) => placesOf(target).map((place) => `${target.kind}: ${place}`)),
});

/** Paths of webhooks are secrets: whoever knows one can send there. The id says whether it is another one. */
const placesOf = ({ channelId, mailTo, url }: Channel): string[] =>
  url === null ? [...mailTo] : [`${new URL(url).origin} (${channelId})`];
