import { readSeeds } from '../seeds.ts';
import type { Row, Style } from '../style.ts';
import { voice } from '../voice.ts';

export const style: Style = {
  name: 'in-context',
  about:
    'Last messages that mean something only in the light of the turns before them: the same opening and the same answer, then a harmful or a harmless turn of events. The labels are those of the last message in its conversation: leave the style out where the context is not read. By hand.',
  rows: (random) =>
    readSeeds('in-context', 'turns').map(({ text, labels }): Row => {
      const turns = text.split(' >> ');
      const context = turns.slice(0, -1).map((content, at) => ({
        role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
        content,
      }));
      const last = turns.at(-1) ?? '';
      return { text: random.next() < 0.3 ? voice(last, random) : last, labels, context };
    }),
};
