import { canonicalText } from '#engine/rules/canonical.ts';
import type { Predicate } from '#engine/rules/predicates/catalog.ts';
import type { Expression, RuleForm } from '#engine/rules/rule-form.ts';

/** A predicate of a form, for editors. */
export interface FormPart {
  /** Such as `when.all[0]`. */
  readonly at: string;
  readonly is: string;
  /** What follows "it" in the canonical sentence. */
  readonly words: string;
}

/** The words that the canonical sentence has for it. */
const wordsOf = (predicate: Predicate): string =>
  canonicalText({ when: predicate, on_missing: 'deny' })
    .replace(/^Deny when it /, '')
    .replace(/\.$/, '');

function partsOf(expression: Expression, at: string): FormPart[] {
  if ('is' in expression) return [{ at, is: expression.is, words: wordsOf(expression) }];
  if ('not' in expression) return partsOf(expression.not, `${at}.not`);
  return 'all' in expression
    ? expression.all.flatMap((one, index) => partsOf(one, `${at}.all[${index}]`))
    : expression.any.flatMap((one, index) => partsOf(one, `${at}.any[${index}]`));
}

/** Every predicate of the form, in the order of its sentence. */
export const partsOfForm = ({ when, unless, requires }: RuleForm): FormPart[] => [
  ...partsOf(when, 'when'),
  ...(requires === undefined ? [] : partsOf(requires, 'requires')),
  ...(unless === undefined ? [] : partsOf(unless, 'unless')),
];
