/** Words that say nothing about a subject. */
const stopWords = new Set(
  `a an the this that these those of in on at to for from by with without about into over under and or but not no nor
  is are was were be been being am do does did done have has had having will would shall should can could may might must
  i me my mine you your yours he him his she her hers it its we us our ours they them their theirs who whom which what
  when where why how if then than so as such any all some each every other another more most very just only also too
  there here up out off again once e g etc ie eg via per`.split(/\s+/),
);

export const isStopWord = (word: string): boolean => stopWords.has(word);

const endings: readonly (readonly [ending: string, keep: number, put: string])[] = [
  ['ational', 3, 'ate'],
  ['ization', 3, 'ize'],
  ['isation', 3, 'ize'],
  ['fulness', 3, 'ful'],
  ['iveness', 3, 'ive'],
  ['ations', 3, 'ate'],
  ['ation', 3, 'ate'],
  ['ments', 4, ''],
  ['ment', 4, ''],
  ['ities', 3, 'ity'],
  ['ingly', 3, ''],
  ['iest', 3, 'y'],
  ['ness', 3, ''],
  ['ings', 3, ''],
  ['ies', 2, 'y'],
  ['ied', 2, 'y'],
  ['ing', 3, ''],
  ['ers', 4, ''],
  ['ors', 4, ''],
  ['ess', 9, ''],
  ['ed', 3, ''],
  ['er', 4, ''],
  ['or', 5, ''],
  ['ly', 3, ''],
  ['es', 3, ''],
  ["'s", 1, ''],
  ['s', 3, ''],
];

function cut(word: string): string {
  for (const [ending, keep, put] of endings)
    if (word.endsWith(ending) && word.length - ending.length >= keep) {
      if (ending === 's' && word.endsWith('ss')) return word;
      return word.slice(0, -ending.length) + put;
    }
  return word;
}

/** A rough English stem: good enough to bring the forms of one word together, stable, and fast. */
export function stem(word: string): string {
  let short = cut(word);
  if (short.length > 4 && short.at(-1) === short.at(-2) && !/[lsz]$/.test(short)) short = short.slice(0, -1);
  if (short.length > 4 && short.endsWith('e')) short = short.slice(0, -1);
  if (short.length > 3 && short.endsWith('y')) short = `${short.slice(0, -1)}i`;
  return short;
}
