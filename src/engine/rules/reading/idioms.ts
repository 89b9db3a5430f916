/**
 * Idioms that no list of acts holds, in the plain words that the grammar knows. Each stands for one thing only, whatever
 * the rule is about.
 */

import { nounSenses } from '../../actions/verbs.ts';
import { textWords } from '../../actions/words.ts';

type Idiom = readonly [shape: RegExp, plain: string];

const idioms: readonly Idiom[] = [
  [/\b(?:switch|turn)(?:ed|ing)? off\b|\bcut off\b|\bknock(?:ed)? out\b/gi, 'disabled'],
  [/\b(?:switch|turn)(?:ed|ing)? on\b/gi, 'enabled'],
  [/\b(?:take|taken|taking|bring|brought|shut|pull|pulled) down\b/gi, 'stopped'],
  [/\b(?:let out|let slip|given away|give away|gave away)\b/gi, 'disclosed'],
  [/\b(?:hand(?:ed)? (?:out|over)|pass(?:ed)? on)\b/gi, 'shared'],
  [/\b(?:get|getting|got) rid of\b|\bthr(?:ow|own|ew) away\b/gi, 'delete'],
  [/\bcall(?:ed)? off\b/gi, 'cancelled'],
  [/\b(?:pay|paid) back\b/gi, 'refunded'],
  [/\b(?:put|pushed|push) (?:off|back)\b/gi, 'postponed'],
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
