import { kinOf, lexicon } from '../lexicon.ts';

const kin = new Map(
  [...kinOf(lexicon.acts)].map(([word, same]) => [word, [...same].filter((one) => one !== word)]),
);
const none: readonly string[] = [];

/** Roots of verbs that say the same as this root, in rules and in names of tools. */
export const sameActs = (word: string): readonly string[] => kin.get(word) ?? none;
