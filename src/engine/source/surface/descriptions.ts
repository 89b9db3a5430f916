import { checkDescription } from '#engine/descriptions/check-description.ts';
import type { Observation } from '#findings/finding.ts';
import { observeHit } from '../observe.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import type { Handler } from './entrances.ts';

/** Where a description stands in the file of its tool, or the tool itself. */
function placeOf({ fn, description }: Handler): { at: number; end: number } {
  const beginning = description.slice(0, 40).split(/[\n"'`\\]/)[0] ?? '';
  const { text } = fn.module;
  // The one that stands nearest before the end of the function is its own.
  const at = beginning.length < 8 ? -1 : text.lastIndexOf(beginning, fn.fn.end);
  return at < 0
    ? { at: fn.fn.at, end: fn.fn.at }
    : { at, end: Math.min(at + description.length, text.length) };
}

/** Descriptions of tools that speak to the model, as the gateway would see them, without starting the server. */
export function observeDescriptions(handlers: readonly Handler[], rules: RuleSet): Observation[] {
  const rule = rules.detector('tool-poisoning');
  if (rule === undefined) return [];
  return handlers.flatMap((handler): Observation[] => {
    if (handler.description === '' || handler.kind === 'http' || handler.kind === 'exported') return [];
    const { isFlagged, findings } = checkDescription(handler.description);
    if (!isFlagged) return [];
    const what = findings
      .filter(({ severity }) => severity !== 'low')
      .map(({ explanation }) => explanation)
      .join('; it ');
    const { fn, name } = handler;
    const observed = observeHit({
      rule,
      module: fn.module,
      ...placeOf(handler),
      what: `the tool "${name}" ${what}`,
      subject: name,
    });
    return [
      { ...observed, tags: [...observed.tags, ...new Set(findings.map(({ code }) => `code:${code}`))] },
    ];
  });
}
