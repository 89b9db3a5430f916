import { senseNames } from '../../actions/verbs.ts';

/** In the third person, where a plain "s" or "es" would be wrong. */
const irregular: Readonly<Record<string, string>> = {
  execute: 'executes code',
  login: 'signs in',
  commit: 'commits',
  click: 'clicks or types',
  deploy: 'deploys',
  pay: 'pays',
  buy: 'buys',
  ship: 'ships goods',
  read: 'reads or looks something up',
  reply: 'replies to the user',
  backup: 'makes a backup',
  grant: 'grants rights',
  book: 'makes a booking',
};

/** Every act that a rule can name; `reply`: the agent says something to the user. */
export const actNames: readonly string[] = [...senseNames, 'reply'];

/** Acts as the field of a rule has them, with the words by which a sentence says them. */
export const actWords: Readonly<Record<string, string>> = Object.fromEntries(
  actNames.map((act) => [act, irregular[act] ?? thirdPerson(act)]),
);

function thirdPerson(verb: string): string {
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`;
  return /(?:s|sh|ch|x|o)$/.test(verb) ? `${verb}es` : `${verb}s`;
}

/** The plain form of each: "after a step to verify". */
export const plainActs: Readonly<Record<string, string>> = Object.fromEntries(
  actNames.map((act) => [act, act]),
);
