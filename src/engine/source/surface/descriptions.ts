import { checkTexts } from '#engine/descriptions/check-tool.ts';
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

/** Issues below are only told where another is serious. */
const seriousFrom = 0.5;

/** Descriptions of tools that speak to the model, as the gateway would see them, without starting the server. */
export function observeDescriptions(handlers: readonly Handler[], rules: RuleSet): Observation[] {
  const rule = rules.detector('tool-poisoning');
  if (rule === undefined) return [];
  return handlers.flatMap((handler): Observation[] => {
    if (handler.description === '' || handler.kind === 'http' || handler.kind === 'exported') return [];
    const { name: own, kind, description } = handler;
    const { flagged, issues } = checkTexts({ name: own, kind, description });
    if (!flagged) return [];
    const what = issues
      .filter(({ score }) => score >= seriousFrom)
      .map(({ says }) => says.replace(/^The description,? /, '').replace(/\.$/, ''))
      .join('; it ');
    const { fn, name } = handler;
    const observed = observeHit({
      rule,
      module: fn.module,
      ...placeOf(handler),
      what: `the tool "${name}" ${what}`,
      subject: name,
    });
    return [{ ...observed, tags: [...observed.tags, ...new Set(issues.map(({ code }) => `code:${code}`))] }];
  });
}
