import { expand } from '../expand.ts';
import type { Style } from '../style.ts';

const parts = [
  'slots',
  'hateful',
  'hateful-whole',
  'harmless',
  'harmless-whole',
  'more-hateful',
  'more-harmless',
];

export const style: Style = {
  name: 'hate-functional',
  about:
    'Hate against forty groups as one would test for it: open contempt, dehumanising, calls for violence, exclusion, stereotypes, hints; against them counter-speech, quoted and discussed hate, reclaimed words, neutral and positive statements about the same groups, negation, what people experience, and anger at things and professions that no law protects. Hand-written sentences with slots for groups, places and jobs, and whole posts by hand. Slurs are left out on purpose.',
  rows: (random) => expand('hate-functional', parts, random, { perTemplate: 4 }),
};
