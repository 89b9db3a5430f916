import type { Observation } from '#findings/finding.ts';
import { minifiedAs } from '../library/minified.ts';
import { observeHit } from '../observe.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import type { SourceModule } from '../modules.ts';

/** Overrides and isolates of writing direction, fillers that pass as letters, and long runs without any shape. */
const hidden =
  /[\u202A-\u202E\u2066-\u2069]|[\u115F\u1160\u3164\uFFA0]|(?:[\uFE00-\uFE0F\u200B-\u200D\u2060-\u2064\uFEFF]|\uDB40[\uDC00-\uDDEF]){16,}/;

/** Letters of Hebrew and Arabic need such marks, and what a machine made small holds them in its expressions. */
const isOrdinary = (module: SourceModule): boolean =>
  /[\u05D0-\u06FF]/.test(module.text) || minifiedAs(module) !== undefined;

/** The first place of a file whose characters make it look other than it runs. */
export function observeHiddenCharacters(module: SourceModule, rules: RuleSet): Observation[] {
  const rule = rules.detector('hidden-characters');
  const found = hidden.exec(module.text);
  if (rule === undefined || found === null || isOrdinary(module)) return [];
  const code = found[0].codePointAt(0) ?? 0;
  const what = `A character that is not shown (U+${code.toString(16).toUpperCase().padStart(4, '0')})`;
  return [observeHit({ rule, module, at: found.index, end: found.index + found[0].length, what })];
}
