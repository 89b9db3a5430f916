import { linesOf, readSeeds } from '../seeds.ts';
import { harmless, type Row, type Style } from '../style.ts';
import { capital, spoken } from '../voice.ts';

const families = [
  'violence',
  'weapons',
  'drugs',
  'fraud',
  'hacking',
  'theft-and-privacy',
  'harassment-and-misinformation',
  'hate-and-extremism',
  'exploitation',
];

export const style: Style = {
  name: 'intent-frames',
  about:
    'The harmful goals of `twin-requests` word by word, once in sentences that want the opposite (prevent, report, judge, refuse, understand, regret, quote) and once in sentences that want them done, also where those borrow the words of prevention. Here the goal says nothing and the frame everything, the other way round than in `twin-requests`. Frames by hand, joined at random.',
  rows(random) {
    const frames = readSeeds('intent-frames', 'frames');
    const safe = linesOf(frames, 'safe');
    const wanting = linesOf(frames, 'harmful');
    const goals = families
      .flatMap((family) => readSeeds('twin-requests', family))
      .filter(({ section, labels }) => section === 'goal' && labels.general_harmful === 1);
    return goals.flatMap(({ text, labels }): Row[] => {
      const put = (frame: string): string => spoken(capital(frame.replace('{goal}', text)), random);
      return [
        ...random.sample(safe, 2).map((frame) => ({ text: put(frame), labels: harmless() })),
        { text: put(random.pick(wanting)), labels },
      ];
    });
  },
};
