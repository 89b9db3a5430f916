import { expand } from '../expand.ts';
import type { Style } from '../style.ts';

export const style: Style = {
  name: 'threats-and-hyperbole',
  about:
    'Threats, praise of violence, calls to it, abuse at home told by the one who does it; against them hyperbole (my mum will kill me), sport, games, news and history, people who ask for help, and fiction. By hand, without slots.',
  rows: (random) =>
    expand('threats-and-hyperbole', ['threats', 'harmless', 'second'], random, { voiced: 0.3 }),
};
