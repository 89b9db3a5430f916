import { expand } from '../expand.ts';
import type { Style } from '../style.ts';

export const style: Style = {
  name: 'user-turns',
  about:
    'Single turns to an assistant as they are typed: code and error messages, homework, translations, texts and their second versions, health, law, devices, kitchens, work, small talk, swearing at the machine; and, as one row in eight, the sexual, hateful, violent, criminal and desperate ones between them. Frames and lines by hand with slots.',
  rows: (random) => [
    ...expand('user-turns', ['frames'], random, { perTemplate: 7, voiced: 0.45 }),
    ...expand('user-turns', ['lines'], random, { voiced: 0.2 }),
    ...expand('user-turns', ['grave'], random, { perTemplate: 3, voiced: 0.4 }),
  ],
};
