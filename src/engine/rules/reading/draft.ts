import { compileRule } from '../../actions/rules/compile.ts';
import type { CompiledRule } from '../../actions/types.ts';
import { canonicalText, readCanonical } from '../canonical.ts';
import { checkForm } from '../check-form.ts';
import { compileForm } from '../compile-form.ts';
import type { RuleForm } from '../rule-form.ts';
import { type Alternative, alternativesTo, withWindow } from './alternatives.ts';
import { readAccess } from './access-sentence.ts';
import { completeForm } from './complete-form.ts';
import { doubtsAbout } from './doubts.ts';
import { withIdiomVerbs, withoutIdioms } from './idioms.ts';
import { liftClauses } from './lift-clauses.ts';
import { type Span, spansOf } from './spans.ts';
import { withSums } from './sums.ts';
import { withCurrency } from './with-currency.ts';

/** Changes whenever a sentence may be read as another form than before. */
export const readerVersion = 'rules-6';

export type Understood = 'fully' | 'partly' | 'not';

/** A rule as it was understood, before anybody relies on it. */
export interface Draft {
  /** Undefined where nothing was understood. */
  readonly rule: RuleForm | undefined;
  readonly canonical: string | undefined;
  readonly understood: Understood;
  readonly spans: readonly Span[];
  /** Words that say something and that no predicate of the rule looks for. */
  readonly unread: readonly string[];
  /** Why the form may be something else than was meant, a sentence each. */
  readonly doubts: readonly string[];
  readonly alternatives: readonly Alternative[];
  /** What is shown of the rule besides; of one that was not understood, by what it is compared with a call. */
  readonly compiled: CompiledRule;
}

const longest = 4000;
const sure = 0.6;

const nothing = (unread: readonly string[], compiled: CompiledRule): Draft => ({
  rule: undefined,
  canonical: undefined,
  understood: 'not',
  spans: [],
  unread,
  doubts: ['Nothing of the sentence was understood as a test of a call.'],
  alternatives: [],
  compiled,
});

/** What the grammar read; each word that says something and was not read is named. */
/** What the grammar read; each word that says something and that was not read is named. */
function draftOf(text: string, smooth: string): Draft {
  const plain = withoutIdioms(smooth);
  const compiled = compileRule({ description: plain, severity: 'Medium' }, readerVersion);
  const { clauses, stems } = compiled;
  const lifted = liftClauses(clauses);
  if (!('form' in lifted)) return nothing([text], { ...compiled, kind: 'similarity' });
  const complete = checkForm(completeForm(plain, lifted.form));
  const read = 'form' in complete ? complete.form : lifted.form;
  const summed = withCurrency(smooth, withSums(smooth, withIdiomVerbs(smooth, read)));
  const form = withWindow(summed, spansOf(text, summed).unread);
  const { spans, unread } = spansOf(text, form);
  const doubts = [
    ...doubtsAbout(smooth, form),
    ...(clauses.some(({ confidence }) => confidence < sure)
      ? ['The grammar itself hardly believes what it read.']
      : []),
  ];
  return {
    rule: form,
    canonical: canonicalText(form),
    understood: unread.length > 0 || doubts.length > 0 ? 'partly' : 'fully',
    spans,
    unread,
    doubts,
    alternatives: alternativesTo(form),
    compiled: compileForm(form, readerVersion, { unread, stems }),
  };
}

/** A form as it was given, or as its canonical sentence says it: nothing of it is in doubt. */
export const certainDraft = (form: RuleForm, text = canonicalText(form)): Draft => ({
  rule: form,
  canonical: canonicalText(form),
  understood: 'fully',
  spans: [{ text, from: 0, to: text.length, predicate: 'when' }],
  unread: [],
  doubts: [],
  alternatives: [],
  compiled: compileForm(form, readerVersion),
});

/** Each run of white space as one character: patterns of the grammar try every place in a run. */
const withoutRuns = (text: string): string =>
  text.replaceAll(/\s+/g, (run) => (run.includes('\n') ? '\n' : ' '));

/** The form of a rule as a sentence says it; a canonical sentence says its form exactly. Never throws. */
export function draftRule(description: string): Draft {
  const text = description.slice(0, longest);
  const said = readCanonical(text);
  const checked = said && checkForm(said);
  if (checked !== undefined && 'form' in checked) return certainDraft(checked.form, text);
  const smooth = withoutRuns(text);
  const access = readAccess(smooth);
  return access !== undefined ? certainDraft(access, text) : draftOf(text, smooth);
}
