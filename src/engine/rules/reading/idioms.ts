/**
 * Idioms that no list of acts holds, in the plain words that the grammar knows. Each stands for one thing only, whatever
 * the rule is about.
 */

import { nounSenses } from '../../actions/verbs.ts';
import { root, textWords } from '../../actions/words.ts';
import type { Expression, RuleForm } from '../rule-form.ts';

type Idiom = readonly [shape: RegExp, plain: string, kept?: Kept];

/** What a form looks for besides the plain word: the phrase as it is, by which tools are named too, and its other acts. */
interface Kept {
  readonly phrase: (found: string) => string;
  readonly acts: readonly string[];
}

const phrase = (verb: string, acts: readonly string[] = []): Kept => ({
  phrase: (found) => `${verb} ${found.split(/\s+/).at(-1) ?? ''}`.toLowerCase(),
  acts,
});

const idioms: readonly Idiom[] = [
  [/\b(?:switch|turn)(?:ed|ing)? off\b|\bcut off\b|\bknock(?:ed)? out\b/gi, 'disabled'],
  [/\b(?:switch|turn)(?:ed|ing)? on\b/gi, 'enabled'],
  [/\b(?:take|taken|taking) down\b/gi, 'stopped', phrase('take', ['disable', 'delete'])],
  [/\b(?:bring|brought) down\b/gi, 'stopped', phrase('bring', ['disable', 'delete'])],
  [/\bshut down\b/gi, 'stopped', phrase('shut', ['disable'])],
  [/\b(?:pull|pulled) down\b/gi, 'stopped', phrase('pull', ['disable', 'delete'])],
  [/\blet (?:out|slip)\b/gi, 'disclosed', phrase('let')],
  [/\b(?:given|give|gave) away\b/gi, 'disclosed', phrase('give')],
  [/\bhand(?:ed)? (?:out|over)\b/gi, 'shared', phrase('hand')],
  [/\bpass(?:ed)? on\b/gi, 'shared', phrase('pass')],
  [/\b(?:get|getting|got) rid of\b|\bthr(?:ow|own|ew) away\b/gi, 'delete'],
  [/\bcall(?:ed)? off\b/gi, 'cancelled', phrase('call')],
  [/\b(?:pay|paid) back\b/gi, 'refunded'],
  [/\bput (?:off|back)\b/gi, 'postponed', phrase('put')],
  [/\b(?:pushed|push) (?:off|back)\b/gi, 'postponed', phrase('push')],
];

/** "Never turn off" needs the plain form, "may be turned off" the participle. */
const bareAfter = /\b(?:not|never|don't|n't|to|and|or|cannot|can|may|must)\s+$/i;
const plainForm: Readonly<Record<string, string>> = {
  disabled: 'disable',
  enabled: 'enable',
  stopped: 'stop',
  disclosed: 'disclose',
  shared: 'share',
  cancelled: 'cancel',
  refunded: 'refund',
  postponed: 'postpone',
};
const participle: Readonly<Record<string, string>> = { delete: 'deleted' };

/** "Withdrawals are off limits" forbids an act, "the payroll folder is off limits" to touch a thing. */
const offLimits =
  /\b(?:is|are|remains?|stays?) (?:strictly |completely )?(?:off[- ]limits|out of bounds)\b/gi;
const touched = 'must not be read, changed, shared or deleted';

const namesAct = (sentence: string) =>
  textWords(sentence)
    .slice(0, 2)
    .some((word) => nounSenses(word.replace(/s$/, '')).length > 0 || word.endsWith('ing'));

interface Shape {
  readonly shape: RegExp;
  readonly plain: (parts: readonly string[]) => string;
}

const sentences: readonly Shape[] = [
  {
    // "Nothing about the merger may be disclosed."
    shape:
      /^nothing (?:about|of|from|on|in) (.{3,120}?) (?:may|can|must|shall|should) (?:ever )?be (.{3,})$/i,
    plain: ([about = '', done = '']) => `${about} must never be ${done}`,
  },
  {
    // "Claims without a receipt get rejected."
    shape:
      /^(.{3,120}?) (without|with no|lacking) (.{2,80}?) (?:get|gets|are|is|will be|must be) (?:rejected|refused|declined|denied|turned down)\b(.*)$/i,
    plain: ([what = '', without = '', thing = '', rest = '']) =>
      `Never accept ${what.charAt(0).toLowerCase()}${what.slice(1)} ${without} ${thing}${rest}`,
  },
  {
    // "Limits may be lowered, never raised."
    shape:
      /^(.{3,120}?) (?:may|can) be \p{L}+(?:ed|en|t|ut),? (?:but )?(?:never|not) (?:be )?(\p{L}+ed|cut|put)\b(.*)$/iu,
    plain: ([what = '', done = '', rest = '']) => `${what} must never be ${done}${rest}`,
  },
];

/** Adds what an idiom of the sentence keeps to the test of its plain word. */
function withKept(expression: Expression, found: string, plain: string, kept: Kept): Expression {
  if ('all' in expression) return { all: expression.all.map((one) => withKept(one, found, plain, kept)) };
  if ('any' in expression) return { any: expression.any.map((one) => withKept(one, found, plain, kept)) };
  if ('not' in expression || expression.is !== 'action') return expression;
  if (expression.verbs?.some((verb) => root(verb) === root(plain)) !== true) return expression;
  const acts = [...new Set([...(expression.acts ?? []), ...kept.acts])];
  return {
    ...expression,
    ...(acts.length > 0 && { acts }),
    verbs: [...new Set([...expression.verbs, kept.phrase(found)])],
  };
}

/** The form with the idioms of its sentence as verbs: "take down" is looked for by its own name as well. */
export function withIdiomVerbs(sentence: string, form: RuleForm): RuleForm {
  let { when } = form;
  for (const [shape, plain, kept] of idioms)
    for (const [found] of sentence.matchAll(shape))
      if (kept !== undefined) when = withKept(when, found, plain, kept);
  return { ...form, when };
}

/** The sentence in plainer words; itself where it has no idiom. */
export function withoutIdioms(sentence: string): string {
  let text = sentence.replaceAll('’', "'");
  for (const [shape, plain] of idioms)
    text = text.replace(shape, (_, ...rest) => {
      const at = rest.find((one) => typeof one === 'number') as number;
      const isBare = bareAfter.test(text.slice(0, at)) || at === 0;
      return isBare ? (plainForm[plain] ?? plain) : (participle[plain] ?? plain);
    });
  text = text.replace(offLimits, namesAct(text) ? 'are forbidden' : touched);
  for (const { shape, plain } of sentences) {
    const found = shape.exec(text);
    if (found !== null) return plain(found.slice(1));
  }
  return text;
}
