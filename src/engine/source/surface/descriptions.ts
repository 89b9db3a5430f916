import { checkTexts, type DescriptionIssue } from '#engine/descriptions/check-tool.ts';
import type { Observation } from '#findings/finding.ts';
import { observeHit } from '../observe.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import type { Offered } from './offered.ts';

/** Where words stand in the file of their tool, or the tool itself. */
export function placeOf({ module, at: own, end }: Offered, words: string): { at: number; end: number } {
  const beginning = words.slice(0, 40).split(/[\n"'`\\]/)[0] ?? '';
  const { text } = module;
  // The one that stands nearest before the end of the function is its own.
  const at = beginning.length < 8 ? -1 : text.lastIndexOf(beginning, end);
  return at < 0 ? { at: own, end: own } : { at, end: Math.min(at + words.length, text.length) };
}

/** Issues below are only told where another is serious. */
const seriousFrom = 0.5;

/** `description`, or the part of a schema that it is: `the description of its argument note`. */
function fieldName(field: string): string {
  const argument = /^input_schema\..*?properties\.([^.]+)/.exec(field)?.[1];
  if (argument !== undefined) return `its argument ${argument}`;
  return `its ${field.replace(/\..*$/, '').replaceAll('_', ' ')}`;
}

/** What an issue says, without the part that it is about. */
function saidOf({ field, says }: DescriptionIssue): string {
  const bare = says.replace(/\.$/, '');
  const start = `The ${field}`;
  return bare.startsWith(start) ? bare.slice(start.length).replace(/^,? /, '') : bare;
}

/** What all issues say, each part named once. */
function saidOfAll(issues: readonly DescriptionIssue[]): string {
  const byField = Map.groupBy(issues, ({ field }) => field);
  return [...byField]
    .map(([field, own]) => {
      const place = field === 'description' ? '' : `in ${fieldName(field)} `;
      return place + own.map(saidOf).join('; it ');
    })
    .join('; ');
}

const nouns: Readonly<Record<Offered['kind'], (name: string) => string>> = {
  tool: (name) => `the tool "${name}"`,
  resource: (name) => `the resource "${name}"`,
  prompt: (name) => `the prompt "${name}"`,
  instructions: () => 'the server, in its instructions,',
};

/** What tools say to the model in any of their parts, as the gateway would see them, without starting the server. */
export function observeDescriptions(offered: readonly Offered[], rules: RuleSet): Observation[] {
  const rule = rules.detector('tool-poisoning');
  if (rule === undefined) return [];
  return offered.flatMap((each): Observation[] => {
    const { name, kind, description, title, inputSchema, outputSchema, annotations, module } = each;
    const { flagged, isCertain, issues } = checkTexts({
      name,
      kind,
      description,
      title,
      inputSchema,
      outputSchema,
      annotations,
    });
    if (!flagged) return [];
    const serious = issues.filter(({ score }) => score >= seriousFrom);
    const isOfDescription = serious.some(({ field }) => field === 'description');
    const words = isOfDescription ? description : (serious[0]?.quote ?? '');
    const observed = observeHit({
      rule,
      module,
      ...placeOf(each, words),
      what: `${nouns[kind](name)} ${saidOfAll(serious)}`,
      severity: isCertain ? rule.severity : 'medium',
      subject: name,
    });
    return [{ ...observed, tags: [...observed.tags, ...new Set(issues.map(({ code }) => `code:${code}`))] }];
  });
}
