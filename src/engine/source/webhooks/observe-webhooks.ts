import type { Observation } from '#findings/finding.ts';
import { lineOf } from '../locations.ts';
import type { SourceModule } from '../modules.ts';
import { observeHit } from '../observe.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import type { Handler } from '../surface/entrances.ts';
import { WebhookFinder } from './find-webhooks.ts';

const id = 'missing-signature-check';

/**
 * What was seen in each file, and the webhooks that believe whoever calls them. Where a webhook registered in one file
 * is checked in another, what was said of the first is taken back.
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
  const overlaps = ({ rule: of, location }: Observation, module: SourceModule, at: number, end: number): boolean =>
    of === id &&
    location?.path === module.path &&
    (location.startLine ?? 0) <= lineOf(module, end) &&
    (location.endLine ?? location.startLine ?? 0) >= lineOf(module, at);
  const checkedElsewhere = handlers.filter(({ kind, fn }) =>
    kind === 'http' && webhooks.some(({ isChecked, module, at, end }) => isChecked && module === fn.module && at <= fn.fn.at && fn.fn.end <= end),
  );
  const isTakenBack = (each: Observation): boolean =>
    each.rule === id &&
    checkedElsewhere.some(({ name, fn }) => {
      const path = /\/\S+$/.exec(name)?.[0];
      return path !== undefined && fn.module.path !== each.location?.path && each.description.includes(path);
    });
  const kept = seen.filter((each) => !isTakenBack(each));
  const added = webhooks
    .filter(({ isChecked, module, at, end }) => !isChecked && !kept.some((each) => overlaps(each, module, at, end)))
    .map(({ module, at, end, name }) => observeHit({ rule, module, at, end, what: `\`${name}\`` }));
  return [...kept, ...added];
}
