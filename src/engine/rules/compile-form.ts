import type { DataClass, FactName } from '../actions/clauses.ts';
import { threatBy } from '../actions/rules/compile.ts';
import type { CompiledRule } from '../actions/types.ts';
import { canonicalText } from './canonical.ts';
import { partsOf, predicatesOf, type RuleForm } from './rule-form.ts';

/** What is shown of a rule that is given as a form; the form itself is what judges. */
export function compileForm(form: RuleForm, engineVersion: string): CompiledRule {
  const all = partsOf({ when: form.when, on_missing: form.on_missing }).flatMap(predicatesOf);
  return {
    engineVersion,
    kind: 'matcher',
    summary: [canonicalText(form)],
    threatCategory: threatBy({
      facts: all.flatMap((one) => (one.is === 'signal' ? one.signals : [])) as FactName[],
      senses: all.flatMap((one) => (one.is === 'action' ? (one.acts ?? []) : [])),
      classes: all.flatMap((one) => (one.is === 'data' ? one.kinds : [])) as DataClass[],
      leaves: all.some(({ is }) => is === 'destination' || is === 'data'),
    }),
    clauses: [],
    stems: [],
  };
}
