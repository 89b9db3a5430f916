import { linesOf, readSeeds } from '../seeds.ts';
import { fill, harmless, type Labels, type Row, type Style } from '../style.ts';
import { harmfulGoals } from '../words/harmful-goals.ts';
import { harmlessGoals } from '../words/harmless-goals.ts';
import { voice } from '../voice.ts';

const perSide = 8;

const inFrame = (labels: Labels, frame: string): Labels =>
  frame === 'strong' ? { ...labels, jailbreak: 1, prompt_injection: null } : { ...labels, jailbreak: null };

export const style: Style = {
  name: 'frames-around',
  about:
    'Long personas, worlds, games, plays and studies around harmless wishes, and the same frames around harmful ones. Frames that talk the model out of its rules are a jailbreak with a harmful wish in them; for a mere story around one, `jailbreak` is not known. Frames by hand with slots.',
  rows(random) {
    const seeds = readSeeds('frames-around', 'frames');
    const slots = {
      who: linesOf(seeds, 'slot-who'),
      world: linesOf(seeds, 'slot-world'),
      task: linesOf(seeds, 'slot-task'),
    };
    const everyday = [...linesOf(seeds, 'goal'), ...harmlessGoals];
    const wrap = (frame: string, goal: string): string => {
      // One name for the whole row.
      const once = { ...slots, who: [random.pick(slots.who)], goal: ['{goal}'] };
      const text = fill(fill(frame, once, random), { ...once, goal: ['{goal}'] }, random);
      return voice(fill(text, { goal: [goal] }, random), random);
    };
    return seeds
      .filter(({ section }) => section === 'strong' || section === 'soft')
      .flatMap(({ section, text }): Row[] => [
        ...random.sample(everyday, perSide).map((goal) => ({ text: wrap(text, goal), labels: harmless() })),
        ...random.sample(harmfulGoals, perSide).map((goal) => ({
          text: wrap(text, goal.text),
          labels: inFrame(goal.labels, section),
        })),
      ]);
  },
};
