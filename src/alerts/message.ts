/** What channels are told, in the format of each. */
import { toIsoTime } from '#base/clock.ts';
import type { Mail } from '#base/mail/mailer.ts';
import { measures, valueInWords } from './contract/measures.ts';
import type { Incident } from './rule.ts';
import { incidentFacts } from './view.ts';

/** What is told of: an incident that begins or ends, or nothing but that alerts arrive. */
export type Occasion =
  | { readonly type: 'firing' | 'resolved'; readonly incident: Incident }
  | { readonly type: 'test' };

/** A line that says everything, such as `Firing: Login (share of texts flagged: 40 %, limit 25 %)`. */
function headline(occasion: Occasion): string {
  if (occasion.type === 'test') return 'This is a test: alerts arrive here.';
  const { ruleName, measure, value, threshold, resolution } = occasion.incident;
  const limit = valueInWords(measure, threshold);
  const now = `${measures[measure].label.toLowerCase()}: ${valueInWords(measure, value)}, limit ${limit}`;
  if (occasion.type === 'firing') return `Firing: ${oneLine(ruleName)} (${now})`;
  return resolution === 'recovered'
    ? `Resolved: ${oneLine(ruleName)} (${now})`
    : `Resolved: ${oneLine(ruleName)} (the rule was changed, switched off or deleted)`;
}

function details(occasion: Occasion): string[] {
  if (occasion.type === 'test') return [];
  const { incident, type } = occasion;
  const { measure, subject, subjectName, windowMinutes, peak, startedAt, resolvedAt } = incident;
  const about = subject === null ? `all of them together` : oneLine(subjectName ?? subject);
  return [
    `${upperFirst(measures[measure].subject)}: ${about}`,
    `Window: ${windowMinutes} ${windowMinutes === 1 ? 'minute' : 'minutes'}`,
    `Firing since: ${toIsoTime(startedAt)}`,
    ...(type === 'resolved' && resolvedAt !== null
      ? [`Resolved: ${toIsoTime(resolvedAt)}`, `Highest value: ${valueInWords(measure, peak)}`]
      : []),
  ];
}

export const mailOf = (occasion: Occasion): Omit<Mail, 'to'> => ({
  subject: `[Bulwark] ${headline(occasion)}`,
  text: [
    headline(occasion),
    '',
    ...details(occasion),
    '',
    'The dashboard shows it under Activity → Alerts.',
  ].join('\n'),
});

/** By the Standard Webhooks specification: type, time and data. */
export const standardBody = (occasion: Occasion, tenantId: string, now: Date): object => ({
  type: `alert.${occasion.type}`,
  timestamp: toIsoTime(now),
  data: {
    tenant_id: tenantId,
    text: headline(occasion),
    ...(occasion.type !== 'test' && incidentFacts(occasion.incident)),
  },
});

/** Of Slack’s incoming webhooks: `text` for notices, `blocks` for the message. */
export function slackBody(occasion: Occasion): object {
  const rest = details(occasion).map(escaped).join('\n');
  const blocks = [`*${escaped(headline(occasion))}*`, ...(rest === '' ? [] : [rest])];
  return {
    text: escaped(`[Bulwark] ${headline(occasion)}`),
    blocks: blocks.map((text) => ({ type: 'section', text: { type: 'mrkdwn', text: text.slice(0, 3000) } })),
  };
}

/** Names are text, and no mentions, links or formatting of Slack’s. */
const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[*_~`]/g, (sign) => `\u200B${sign}`);

/** A name as one line, so that it cannot imitate lines of ours. */
const oneLine = (text: string): string =>
  text
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 255)
    .toWellFormed();

const upperFirst = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
