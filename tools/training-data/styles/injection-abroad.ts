import { harmless } from '../style.ts';
import type { Random } from '../../../src/base/random.ts';
import type { Labels, Row, Style } from '../style.ts';
import { keyedList } from '../words/text-list.ts';
import { asTyped } from '../words/vary.ts';
import { attempts, twins } from './injection-abroad/attempts.ts';

const injected: Labels = harmless({
  prompt_injection: 1,
  jailbreak: null,
  general_harmful: null,
  unethical_illegal: null,
});

export const style: Style = {
  name: 'injection-abroad',
  about:
    'Injections in seven languages other than English, written one by one, and harmless texts in the same languages with the same ' +
    'trigger words.',
  rows(random: Random): Row[] {
    const rowsOf = (entries: readonly string[], labels: Labels): Row[] =>
      keyedList(entries).map(({ key, text }) => ({ text: asTyped(text, random), labels, lang: key }));
    return [...rowsOf(attempts, injected), ...rowsOf(twins, harmless())];
  },
};
