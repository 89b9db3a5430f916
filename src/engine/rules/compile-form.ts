import type { DataClass, FactName } from '../actions/clauses.ts';
import { threatBy } from '../actions/rules/compile.ts';
import type { CompiledRule } from '../actions/types.ts';
import { canonicalText } from './canonical.ts';
import { partsOf, predicatesOf, type RuleForm } from './rule-form.ts';

/** What of a sentence is kept beside the form that it was read as. */
export interface ReadFrom {
  readonly unread: readonly string[];
  /** Stems of the sentence with a weight each: a rule that was understood in part also warns by likeness. */
  readonly stems: CompiledRule['stems'];
}

/** What is shown of a rule that is given as a form; the form itself is what judges. */
export function compileForm(form: RuleForm, engineVersion: string, from?: ReadFrom): CompiledRule {
  const all = partsOf({ when: form.when, on_missing: form.on_missing }).flatMap(predicatesOf);
  const unread = from?.unread.slice(0, 8) ?? [];
  return {
    engineVersion,
    kind: 'matcher',
    summary: [
      canonicalText(form),
      ...(unread.length === 0 ? [] : [`Not understood, as no test looks for it: ${unread.join(', ')}.`]),
    ],
    threatCategory: threatBy({
      facts: all.flatMap((one) => (one.is === 'signal' ? one.signals : [])) as FactName[],
      senses: all.flatMap((one) => (one.is === 'action' ? (one.acts ?? []) : [])),
      classes: all.flatMap((one) => (one.is === 'data' ? one.kinds : [])) as DataClass[],
      leaves: all.some(({ is }) => is === 'destination' || is === 'data'),
    }),
    clauses: [],
    stems: from?.stems ?? [],
  };
}
