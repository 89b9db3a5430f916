/** What a sentence says beside a form that a person gave or changed. */
import { canonicalText } from '#engine/rules/canonical.ts';
import { draftRule } from '#engine/rules/reading/draft.ts';
import { type Reading, spansOf } from '#engine/rules/reading/spans.ts';
import type { RuleForm } from '#engine/rules/rule-form.ts';

/** Which words of the sentence the form looks for, and which it leaves out: these are not enforced. */
export function readingBeside(sentence: string, form: RuleForm): Reading {
  const read = draftRule(sentence);
  const { spans, unread } = read.canonical === canonicalText(form) ? read : spansOf(sentence, form);
  return { spans, unread };
}
