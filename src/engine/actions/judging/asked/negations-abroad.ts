/** What is forbidden in other languages, as far as their imperatives are known. */
import { actsOfForm } from '../../instructions/foreign-instructions.ts';
import type { Directive, Read } from './directive.ts';
import { actsOf } from './senses.ts';
import { type Token, tokensOf } from './tokens.ts';

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

const negators = setOf(
  `nicht kein keine keinen keiner keinem keines nie niemals ohne statt anstatt keinesfalls pas jamais aucun aucune sans plutôt
  no nunca jamás sin ningún ninguna ninguno non mai senza nessun nessuna nessuno não nunca jamais sem nenhum nenhuma niet geen
  nooit zonder nie nigdy bez inte aldrig ikke aldri не никогда без değil asla`,
);
/** "Vergiss nicht", "n'hésite pas", "non solo": that is wanted. */
const wanted =
  /(?:verg(?:iss|esst|essen|eet)|zöger\w*|scheu\w*|oubli\w*|hésit\w*|olvid\w*|dud[ea]\w*|dimentic\w*|esit\w+|esque[çc]\w*|hesit\w+|aarzel\w*|glöm\w*|glem\w*|zapomn\w*|nicht nur|pas seulement|no (?:solo|sólo|solamente)|non (?:solo|soltanto)|não (?:só|apenas|somente)|niet alleen|nie tylko)/u;
const joins = setOf(
  `und aber sondern et mais puis ensuite y e pero sino luego ma poi invece mas depois maar en daarna i ale och men og но и`,
);

type ForeignPart = Directive & { readonly senses: ReadonlySet<string> };

interface Clause {
  readonly from: number;
  readonly tokens: readonly Token[];
}

function clausesOf(tokens: readonly Token[]): Clause[] {
  const starts = tokens.flatMap(({ gap, word }, index) => (gap !== '' || joins.has(word) ? [index] : []));
  return starts.map((from, order) => ({ from, tokens: tokens.slice(from, starts[order + 1]) }));
}

/** "L'envoyer", "n'efface". */
const elided = /^(?:[ldnjmts]|qu)'/;

const valueShape = /\d|[\p{L}\d][._/@][\p{L}\d]/u;

const actsIn = (words: readonly string[], of: (word: string) => readonly string[]): Set<string> =>
  new Set(words.flatMap((word) => of(word)));

/** What a clause wants or forbids; what it names can only be told by names that are the same in every language. */
function directiveOf({ from, tokens }: Clause, turn: number, before: ReadonlySet<string>): ForeignPart {
  const words = tokens.map(({ word }) => word.replace(elided, ''));
  const isForbidden = words.some((word) => negators.has(word)) && !wanted.test(words.join(' '));
  const values = words.filter((word) => valueShape.test(word));
  const exact = actsIn(words, actsOf);
  const forms = isForbidden && exact.size === 0 ? actsIn(words, actsOfForm) : exact;
  const senses = isForbidden && forms.size === 0 && values.length > 0 ? before : forms;
  return { isForbidden, senses, things: new Set(), values, isOthers: false, turn, at: from };
}

/** A turn in another language than English, in lower case. */
export function readForeignTurn(lower: string, turn: number): Read {
  const parts: Directive[] = [];
  let text = '';
  let before: ReadonlySet<string> = new Set();
  for (const clause of clausesOf(tokensOf(lower))) {
    const part = directiveOf(clause, turn, before);
    if (part.senses.size === 0 && part.isForbidden) continue;
    parts.push(part);
    if (part.isForbidden) continue;
    if (part.senses.size > 0) before = part.senses;
    text += ` ${lower.slice(clause.tokens[0]?.from, clause.tokens.at(-1)?.to)} .`;
  }
  const forbids = parts.some(({ isForbidden }) => isForbidden);
  return { wanted: forbids ? text : lower, parts };
}
