/** What a rule is about: the operation that it names, and what prepositions add to it. */
import type { Predicate } from '../../predicates/catalog.ts';
import type { Expression } from '../../rule-form.ts';
import { countryCodes } from './countries.ts';
import type { Named } from './named-words.ts';

const parties = new Set(
  `user customer client person people employee staff member child children citizen resident patient supporter tenant guest
  donor pupil student visitor candidate applicant buyer player participant passenger driver author`.split(
    /\s+/,
  ),
);

/** Those for whom something is done: which one it is stands in a call as an id. */
export const isParty = (name: string): boolean => parties.has(name) || parties.has(name.replace(/s$/, ''));

/** "Location data is for emergency services only", "records of ward 7 are out of bounds": whatever is done with it. */
const accessShape =
  /\b(?:confidential|private|secret|sacred|out of bounds|off[- ]limits|nobody's business|taboo|own affair)\b|\b(?:is|are) (?:only )?for\b/;

/**
 * The operation that a scope names; undefined where it names none.
 * @param sentence the whole sentence: it may say that nothing at all may be done with the thing
 */
export function operationOf({ verbs, things }: Named, sentence: string): Predicate | undefined {
  if (verbs.length === 0 && things.length === 0) return undefined;
  const told = things.filter((name) => !isParty(name));
  const on = told.length > 0 || verbs.length > 0 ? told : things;
  const anything = accessShape.test(sentence) ? 'access' : 'change';
  return {
    is: 'operation',
    verbs: verbs.length > 0 ? verbs : [anything],
    ...(on.length > 0 && { on }),
  };
}

/** Places and states that tell one thing from another wherever they stand. */
const telling =
  /^(?:production|prod|live|main|master|staging|test|sandbox|public|internal|external|business|first|premium|root|admin|trunk|emergency)$/;
const isTelling = (name: string) => name.split(' ').some((word) => telling.test(word));
const mostTails = 2;

/**
 * What prepositions add. Of a plain prohibition ("no payments to Iran") they say what is forbidden; of one that is bound
 * to something else most of them only describe.
 */
export function tailTests({ tails }: Named, isBound: boolean): Expression[] {
  const wanted = tails.filter(({ names }) => (isBound ? names.every(isTelling) : !names.every(isParty)));
  return wanted.slice(0, mostTails).map(({ names }) => withCodes(names.filter((name) => !isParty(name))));
}

/** Things by their names; a country also by its code. */
function withCodes(names: readonly string[]): Expression {
  const things: Expression = { is: 'resource', things: names.map((name) => ({ words: name.split(' ') })) };
  const codes = names.flatMap((name) => countryCodes(name));
  if (codes.length === 0) return things;
  const value = [...codes, ...codes.map((code) => code.toLowerCase())];
  return { any: [things, { is: 'argument', path: '*', operator: 'in', value }] };
}

const outsideShape =
  /\b(?:to |with )?(?:anybody |anyone |nobody |somebody |people |services? |parties )?outside (?:of )?(?:the |our |this )?(?:company|university|team|organi[sz]ation|firm|house|practice|school|hospital|clinic|domain|group|bank|business|office|studio|department)\b|\b(?:to |with )?(?:outsiders|third parties|externals|external (?:parties|people|addresses|recipients|services|domains))\b|\bexternally\b/;
const relativeShape =
  /^(.+?)\s+(?:who|that|which|whose|with|marked|labelled|labeled|flagged|tagged|listed)\s+(.+?)(?=\s+(?:may|must|are|is|cannot|never|not|can|shall|will|do)\b)/;

export interface Scope {
  readonly text: string;
  /** It goes to somebody outside. */
  readonly isOutside: boolean;
  /** "Files that are encrypted": what is said of the thing. */
  readonly relation: string | undefined;
}

/** Takes apart what a scope says of whom it reaches and of its thing. */
export function scopeOf(source: string): Scope {
  const isOutside = outsideShape.test(source);
  const text = isOutside ? source.replace(outsideShape, ' ') : source;
  const found = relativeShape.exec(text);
  const relation = found?.[2];
  if (found === null || relation === undefined || /\d/.test(relation))
    return { text, isOutside, relation: undefined };
  return { text: `${found[1] ?? ''} ${text.slice(found[0].length)}`, isOutside, relation };
}
