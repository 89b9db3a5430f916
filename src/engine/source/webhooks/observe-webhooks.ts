import type { Observation } from '#findings/finding.ts';
import { lineOf } from '../locations.ts';
import type { SourceModule } from '../modules.ts';
import { observeHit } from '../observe.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import type { Handler } from '../surface/entrances.ts';
import { type Webhook, WebhookFinder } from './find-webhooks.ts';

const id = 'missing-signature-check';

interface Lines {
  from: number;
  to: number;
}

const linesOf = ({ module, at, end }: Webhook): Lines => ({
  from: lineOf(module, at),
  to: lineOf(module, Math.max(at, end - 1)),
});

/** How what was seen by itself lies to a webhook that was looked at as a whole. */
function relation({ location }: Observation, webhook: Webhook): 'within' | 'around' | 'apart' {
  if (location?.path !== webhook.module.path) return 'apart';
  const { from, to } = linesOf(webhook);
  const first = location.startLine ?? 0;
  const last = location.endLine ?? first;
  if (first >= from && last <= to) return 'within';
  return first <= to && last >= from ? 'around' : 'apart';
}

/**
 * What was seen in each file, and the webhooks that believe whoever calls them. Of one that was looked at as a whole,
 * with what it calls in other files, what was seen of its parts no longer counts.
 */
export function withWebhooks(
  seen: readonly Observation[],
  modules: readonly SourceModule[],
  handlers: readonly Handler[],
  rules: RuleSet,
): Observation[] {
  const rule = rules.patterns.find((each) => each.id === id);
  if (rule === undefined) return [...seen];
  const webhooks = new WebhookFinder(modules).find(handlers);
  const registers = ({ location, description }: Observation, { module, name }: Webhook): boolean =>
    location?.path !== module.path &&
    name.length > 3 &&
    new RegExp(String.raw`\b${name.replaceAll(/\W/g, '.')}\b`).test(description);
  const kept = seen.filter(
    (each) =>
      each.rule !== id ||
      !webhooks.some((webhook) => relation(each, webhook) === 'within' || registers(each, webhook)),
  );
  const own = kept.filter((each) => each.rule === id);
  const added = webhooks
    .filter((webhook) => !webhook.isChecked && !own.some((each) => relation(each, webhook) === 'around'))
    .map(({ module, at, end, name }) => observeHit({ rule, module, at, end, what: `\`${name}\`` }));
  return [...kept, ...added];
}
