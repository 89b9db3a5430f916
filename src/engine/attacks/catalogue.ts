import type { Attack } from './attack.ts';
import { bestOfN } from './best-of-n.ts';
import { bijectionLearning } from './bijection.ts';
import { crescendoAttack } from './crescendo.ts';
import { darkCite } from './dark-cite.ts';
import { emojiAttack } from './emoji.ts';
import { flipAttack } from './flip.ts';
import { humorAttack } from './humor.ts';
import { languageGame } from './language-game.ts';

/** The algorithms in the order of the documents. */
export const attacks: readonly Attack[] = [
  darkCite,
  bijectionLearning,
  crescendoAttack,
  flipAttack,
  languageGame,
  bestOfN,
  humorAttack,
  emojiAttack,
];
