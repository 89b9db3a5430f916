import { type ThingPhrase, isContainer, isSpecific } from '../../things.ts';

const european =
  'eu europe eea austria belgium bulgaria croatia cyprus denmark estonia finland france germany greece hungary ireland italy latvia lithuania luxembourg malta netherlands poland portugal romania slovakia slovenia spain sweden frankfurt dublin paris stockholm amsterdam';

const wider: Readonly<Record<string, string>> = {
  eu: european,
  eea: european,
  europe: european,
  european: european,
  us: 'us usa america states virginia oregon ohio california',
  usa: 'us usa america states virginia oregon ohio california',
  uk: 'uk gb britain england london',
  states: 'us usa america states virginia oregon ohio california',
  kingdom: 'uk gb britain england london kingdom',
  weekend: 'saturday sunday',
};

const nameOfPlace: Readonly<Record<string, string>> = {
  eu: 'the EU',
  us: 'the United States',
  uk: 'the United Kingdom',
};

/** What a list of places that stand for one is called. */
export const placeName = (words: readonly string[]): string | undefined =>
  words.length > 4 ? nameOfPlace[words.find((word) => nameOfPlace[word] !== undefined) ?? ''] : undefined;

/** Words before a noun that a call seldom repeats. */
const optional = new Set(
  `student students staff customer customers client clients patient patients employee employees candidate candidates guest guests user users
  member members citizen passenger passengers applicant applicants tenant tenants web online digital electronic own respective relevant
  corresponding associated actual company corporate team people person account underlying entire individual particular official`.split(
    /\s+/,
  ),
);

const slots = new Set([
  'severity',
  'priority',
  'level',
  'status',
  'type',
  'state',
  'category',
  'environment',
  'mode',
]);

/** A region or a rank takes in what lies in it. */
export function placesOf({ words, hard }: ThingPhrase): ThingPhrase {
  const isWide = words.some((word) => wider[word] !== undefined);
  if (hard.length > 0 && words.every((word) => slots.has(word))) return { words: [], hard, wantsAll: true };
  return isWide
    ? { words: words.flatMap((word) => (wider[word] ?? word).split(' ')), hard }
    : { words: lightened(words), hard, wantsAll: true };
}

const lightened = (words: string[]): string[] => {
  const head = words.at(-1) ?? '';
  if (isContainer(head) || !isSpecific(head)) return words;
  const heavy = words.filter((word) => word === head || !optional.has(word));
  return words.length > 1 ? heavy : words;
};

const above: Readonly<Record<string, string>> = {
  director: 'director vp president chief ceo cfo cto coo head executive',
  manager: 'manager director vp president head chief ceo cfo cto coo executive',
  senior: 'senior principal staff lead manager director vp head chief',
};

/** The rank and those above it. */
export const ranksOf = (rank: string): ThingPhrase => ({ words: (above[rank] ?? rank).split(' '), hard: [] });
