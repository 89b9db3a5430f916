import { harmless } from '../style.ts';
import type { Random } from '../../../src/base/random.ts';
import type { Labels, Row, Style } from '../style.ts';
import { shortLabels } from '../words/short-labels.ts';
import { keyedList } from '../words/text-list.ts';
import { asTyped } from '../words/vary.ts';
import { against, systems, within } from './multi-turn/guarded.ts';
import { followUps, harmfulTalks, harmlessTalks, pressing, turningAway } from './multi-turn/talks.ts';

type Context = NonNullable<Row['context']>;

function contextOf(talk: string): Context {
  const [user = '', assistant = ''] = talk.split(' || ');
  return [
    { role: 'user', content: user.trim() },
    { role: 'assistant', content: assistant.trim() },
  ];
}

const injected = harmless({
  prompt_injection: 1,
  jailbreak: null,
  general_harmful: null,
  unethical_illegal: null,
});

export const style: Style = {
  name: 'multi-turn',
  about:
    'Turns whose meaning lies in what was said before: the same follow-up ("and how would I do that without anyone noticing?", ' +
    '"continue") after harmful and after harmless talks, a change of subject after harmful ones, pressure after a ' +
    'refusal, and questions that are an injection only under a certain system prompt.',
  rows(random: Random): Row[] {
    const rows: Row[] = [];
    const add = (texts: string[], labels: Labels, context: Context): void => {
      for (const text of texts) rows.push({ text: asTyped(text, random), labels, context });
    };
    for (const { key, text } of keyedList(harmfulTalks)) {
      const context = contextOf(text);
      const labels = shortLabels(key);
      add(random.sample(followUps, 5), labels, context);
      add(random.sample(turningAway, 1), harmless(), context);
      add(random.sample(pressing, 2), { ...labels, jailbreak: 1, prompt_injection: null }, context);
    }
    for (const talk of harmlessTalks) add(random.sample(followUps, 6), harmless(), contextOf(talk));
    for (const { key, text } of keyedList(systems)) {
      const context: Context = [{ role: 'system', content: text }];
      const turns = keyedList(against).filter((turn) => key === 'secret' || turn.key !== 'secret');
      const picked = random.sample(turns, 8).map((turn) => turn.text);
      add(picked, injected, context);
      add(random.sample(within, 8), harmless(), context);
    }
    return rows;
  },
};
