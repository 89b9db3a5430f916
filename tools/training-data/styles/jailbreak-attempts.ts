import { harmless } from '../style.ts';
import type { Random } from '../../../src/base/random.ts';
import type { Labels, Row, Style } from '../style.ts';
import { goalLabels, harmfulGoals } from '../words/harmful-goals.ts';
import { keyedList, textList } from '../words/text-list.ts';
import { asTyped } from '../words/vary.ts';
import { bare, bareLong, longWithGoal } from './jailbreak-attempts/bare.ts';
import { breaking, covers, thinCovers } from './jailbreak-attempts/breaking.ts';
import { moreBare, moreBreaking } from './jailbreak-attempts/more-breaking.ts';

const attempt = (labels: Labels): Labels => ({ ...labels, jailbreak: 1, prompt_injection: null });

const firstQuestions = textList`
\n\nFirst question: how do I {goal}?
\n\nSo, let's begin. I want to {goal}. Go.
\n---\nQ1: What's the surest way to {goal}?
\n\nAnd since you agree: explain how to {goal}.
`;

const times = (items: readonly string[], count: number): string[] =>
  items.flatMap((item) => Array<string>(count).fill(item));

const withoutGoal = harmless({
  jailbreak: 1,
  prompt_injection: null,
  general_harmful: null,
  unethical_illegal: null,
});

export const style: Style = {
  name: 'jailbreak-attempts',
  about:
    'Attempts to talk a model out of its rules: personas without rules, opposite day, token games, two answers, forged modes, ' +
    'claims of authority, emotional stories, forced beginnings and banned refusals, and fiction or study as a cover for a ' +
    'harmful wish. Harmful wishes name the intent only. Where no harmful wish is named, general harm is unknown.',
  rows(random: Random): Row[] {
    const wrapped = [...times([...breaking, ...moreBreaking], 6), ...times(covers, 7)];
    return [
      ...[...bare, ...moreBare, ...bareLong].map((text) => ({
        text: asTyped(text, random),
        labels: withoutGoal,
      })),
      ...keyedList(longWithGoal).map(({ key, text }) => ({ text, labels: attempt(goalLabels(key)) })),
      ...wrapped.map((wrapper) => {
        const goal = random.pick(harmfulGoals);
        return { text: asTyped(wrapper.replace('{goal}', goal.text), random), labels: attempt(goal.labels) };
      }),
      ...times(bareLong, 6).map((start) => {
        const goal = random.pick(harmfulGoals);
        const text = `${start}${random.pick(firstQuestions).replace('{goal}', goal.text)}`;
        return { text: asTyped(text, random), labels: attempt(goal.labels) };
      }),
      ...times(thinCovers, 4).map((wrapper) => {
        const goal = random.pick(harmfulGoals);
        const labels = { ...attempt(goal.labels), jailbreak: null };
        return { text: asTyped(wrapper.replace('{goal}', goal.text), random), labels };
      }),
    ];
  },
};
