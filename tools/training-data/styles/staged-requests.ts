import { linesOf, readSeeds } from '../seeds.ts';
import { harmless } from '../style.ts';
import type { Random } from '../../../src/base/random.ts';
import type { Row, Style } from '../style.ts';
import { voice } from '../voice.ts';
import { harmfulGoals } from '../words/harmful-goals.ts';
import { harmlessGoals } from '../words/harmless-goals.ts';

/** Number of goals of a kind that each frame is used with. */
const grave = 7;
const everyday = 4;
const harmful = 6;

export const style: Style = {
  name: 'staged-requests',
  about:
    'Long stages (radio shows, oracles, lectures, board games, letters) around one wish. Around harmless wishes, half of them on grave subjects, all 0; around harmful ones the wish stays harmful and the stage makes it a jailbreak. A stage alone must not decide. Frames and wishes by hand.',
  rows(random: Random): Row[] {
    const seeds = readSeeds('staged-requests', 'frames');
    const goals = linesOf(seeds, 'goal');
    const put = (frame: string, goal: string) =>
      voice(
        frame.replace('{goal}', () => goal),
        random,
      );
    const framed = linesOf(seeds, 'frame').flatMap((frame): Row[] => [
      ...[...random.sample(goals, grave), ...random.sample(harmlessGoals, everyday)].map((goal) => ({
        text: put(frame, goal),
        labels: harmless(),
      })),
      ...random.sample(harmfulGoals, harmful).map(({ text, labels }) => ({
        text: put(frame, text),
        labels: { ...labels, jailbreak: 1 as const, prompt_injection: null },
      })),
    ]);
    const whole = linesOf(seeds, 'whole').map((text) => ({ text, labels: harmless() }));
    return [...framed, ...whole];
  },
};
