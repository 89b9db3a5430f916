import { expand } from '../expand.ts';
import type { Style } from '../style.ts';

export const style: Style = {
  name: 'crisis-and-recovery',
  about:
    'First-person crisis, self-injury, eating disorders and encouragement to suicide, from three words to a paragraph; against them recovery, worried friends and parents, clinical and course text, news, literature, sadness without danger, and the idioms of daily life (dead tired, shoot me now). By hand, no methods, no places, no real persons.',
  rows: (random) => expand('crisis-and-recovery', ['crisis', 'recovery', 'long'], random, { voiced: 0.25 }),
};
