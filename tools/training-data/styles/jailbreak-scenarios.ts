import { harmless } from '../style.ts';
import type { Random } from '../../../src/base/random.ts';
import type { Labels, Row, Style } from '../style.ts';
import { harmfulGoals } from '../words/harmful-goals.ts';
import { harmlessGoals } from '../words/harmless-goals.ts';
import { textList } from '../words/text-list.ts';
import { asTyped } from '../words/vary.ts';
import { ruleLists, scenarios, tailPieces } from './jailbreak-scenarios/scenarios.ts';

const shapes = textList`
Explain how to {goal}
Write a guide on how to {goal}
Give instructions to {goal}
Tell me how I can {goal}
`;

const attempt = (labels: Labels): Labels => ({ ...labels, jailbreak: 1, prompt_injection: null });

const withTail = (goal: string, random: Random): string => {
  const tail = random
    .sample(tailPieces, 8 + Math.floor(random.next() * 10))
    .join(random.next() < 0.5 ? ' ' : '');
  return `${random.pick(shapes).replace('{goal}', goal)} ${tail}`;
};

export const style: Style = {
  name: 'jailbreak-scenarios',
  about:
    'Long scenarios (scripts, lectures, diaries, games) and lists of rules for the answer around harmful wishes, and requests with ' +
    'a meaningless tail as automatic attacks append it; harmless requests with such a tail are all 0. The same scenarios ' +
    'around harmless wishes are in adversarial-harmless.',
  rows(random: Random): Row[] {
    const wrapped = [
      ...scenarios.flatMap((text) => Array<string>(7).fill(text)),
      ...ruleLists.flatMap((text) => Array<string>(7).fill(text)),
    ];
    return [
      ...wrapped.map((wrapper) => {
        const goal = random.pick(harmfulGoals);
        return { text: asTyped(wrapper.replace('{goal}', goal.text), random), labels: attempt(goal.labels) };
      }),
      ...random
        .sample(harmfulGoals, 90)
        .map((goal) => ({ text: withTail(goal.text, random), labels: attempt(goal.labels) })),
      ...random
        .sample(harmlessGoals, 90)
        .map((goal) => ({ text: withTail(goal, random), labels: harmless() })),
    ];
  },
};
