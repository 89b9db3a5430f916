import { expand } from '../expand.ts';
import type { Style } from '../style.ts';

export const style: Style = {
  name: 'prompt-stream',
  about:
    'What people type into an open chat demonstration: odd formats, pasted transcripts, code, tests of the model, small talk, grave subjects for school; and sexual, hateful, rude and criminal wishes in the same voice. By hand with slots.',
  rows: (random) => [
    ...expand('prompt-stream', ['harmless'], random, { perTemplate: 8, voiced: 0.5 }),
    ...expand('prompt-stream', ['harmful'], random, { perTemplate: 5, voiced: 0.5 }),
  ],
};
