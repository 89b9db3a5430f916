import { kinOf, lexicon } from './lexicon.ts';
import { verbSenses } from './verbs.ts';
import { root, textWords } from './words.ts';

/** What a wide word of a rule takes in besides its kin; the narrow word does not take in the wide one. */
const wider: Readonly<Record<string, string>> = {
  message: 'email mail notification',
  record: 'data',
  file: 'spreadsheet presentation',
};

const kin = kinOf(lexicon.things);
for (const [word, narrow] of Object.entries(wider))
  for (const each of narrow.split(' ')) kin.get(root(word))?.add(root(each));

const takenIn = kinOf(lexicon.alike);
for (const [word, own] of takenIn) for (const other of kin.get(word) ?? []) own.add(other);
for (const [word, narrow] of Object.entries(lexicon.kinds)) {
  const wide = root(word);
  const roots = narrow.split(' ').map(root);
  takenIn.set(wide, new Set([wide, ...(kin.get(wide) ?? []), ...(takenIn.get(wide) ?? []), ...roots]));
}

/** Words for what is read and written, and for what holds it: a call that is about one is not about the other by its name. */
const fileWords = new Set('file document path'.split(' ').map(root));
const folderWords = new Set('folder directory dir'.split(' ').map(root));

const meant = new Map<string, ReadonlySet<string>>();
for (const word of [...fileWords, ...folderWords]) {
  const others = folderWords.has(word) ? fileWords : folderWords;
  // Every file and every folder has a path; what has a path need not be a file.
  const own =
    word === root('path')
      ? [...(kin.get(word) ?? [])]
      : [...(kin.get(word) ?? [])].filter((each) => !others.has(each) && each !== root('path'));
  meant.set(word, new Set([word, ...own]));
}

/**
 * Roots by which a call names what a rule means by this word. As {@link sameThings}, but that a rule about folders does not
 * mean files: users take one word for the other, names of tools do not.
 */
export const namedThings = (word: string): ReadonlySet<string> => meant.get(root(word)) ?? sameThings(word);

const alone = new Map<string, ReadonlySet<string>>();
const mostAlone = 5000;

/** Roots that stand for this word, itself among them. */
export const sameThings = (word: string): ReadonlySet<string> => {
  const own = root(word);
  return takenIn.get(own) ?? kin.get(own) ?? aloneOf(own);
};

/** Rules ask for the same words with each call. */
function aloneOf(word: string): ReadonlySet<string> {
  const known = alone.get(word);
  if (known !== undefined) return known;
  if (alone.size >= mostAlone) alone.clear();
  const made = new Set([word]);
  alone.set(word, made);
  return made;
}

/** Words that say what holds a thing; the word beside them says which. */
const containers = new Set(
  'file document folder record row table database account email mail message list page site server service system product item option class'
    .split(' ')
    .map(root),
);

/** Says what holds a thing, not which. */
export const isContainer = (word: string): boolean => containers.has(root(word));

/** Of "hr files" the `hr`; all words where each or none is a container. */
export function tellingWords(words: readonly string[]): readonly string[] {
  const telling = words.filter((word) => !containers.has(root(word)));
  return telling.length > 0 ? telling : words;
}

/** A thing as a rule names it: `hard` words must be met as they stand, of the others one is enough. */
export interface ThingPhrase {
  words: string[];
  hard: string[];
  /** Most of the words have to be met, not one of those that say just what is meant. */
  wantsAll?: boolean;
}

const hardWords = new Set(
  'production prod live staging test public private external main master root admin administrator draft archived shared legacy internal primary critical attachment attachments'.split(
    ' ',
  ),
);

/** Words that say too little to be looked for. */
const empty = new Set(
  `a an the this that these those any all some each every no not other another such own same new more most only just also
  his her its their our your my user's company's of in on at to for from by with into onto about over under via per as is
  are was were be been being has have had do does did done may might can could shall should must will would never always
  it they them he she we you i who whom which what when where if then than or and nor but so both either neither
  data information info content contents details detail thing things anything something everything anywhere nowhere elsewhere anyone anybody someone somebody nobody
  everyone nothing action actions operation operations activity activities agent agents assistant ai model bot tool tools
  system systems call calls request requests task tasks way manner kind type types amount amounts value values total
  using use used allowed permitted prohibited forbidden strictly under circumstances ever explicitly explicit directly
  immediately automatically please ensure make sure attempt try behalf company organization organisation prior first
  proper properly single one two once time times day week month hour session person sensitive without unless except
  party parties recipient recipients result results output outputs executing kinds sort including include like etc
  large big small multiple several many bulk mass unauthorized unauthorised unapproved unknown untrusted random
  connect connecting mention mentions exceed give gives gave number numbers contain contains containing fields field full whole entire outgoing incoming costing cost worth place placing placed given provide source sources list lists said arbitrary existing figures figure specific certain appropriate relevant necessary required reason purposes purpose personal
  whether before previously earlier plain work working works carry complete completing proceed use uses used using touch allow let get getting need needs needed there here out up off down back yourself themselves itself them others named name names come comes coming below above older newer year years months`.split(
    /\s+/,
  ),
);

export const isEmptyWord = (word: string): boolean =>
  empty.has(word) || word.length < 2 || /^\d+$/.test(word);

export const prepositions =
  /\b(?:to|with|from|in|on|for|into|by|of|at|via|through|using|outside|about|that|which|who|within|inside|during|against|under|like|such|because|due)\b/;

export const people = new Set(
  'user users customer customers client clients person people employee employees member members staff account accounts'.split(
    ' ',
  ),
);

/** Groups of which every word says just what is meant. */
const distinct = new Set('crypto cryptocurrency bitcoin ethereum payroll salary'.split(' ').map(root));

/** Words of no group say just what is meant: `terraform`, `announcements`. */
export const isSpecific = (word: string): boolean => !kin.has(root(word)) || distinct.has(root(word));

const partsOf = (text: string): string[] => text.split(/\b(?:or|and|nor)\b|[,;:()/]/);

const environment = /^environments?$/;

/** "DROP statements": the word before says what they do. */
const commandNouns = /^(?:statements?|commands?|quer(?:y|ies)|operations?)$/;

/** "Business class", "premium tier": the word before is the value that is meant. */
const slotNouns = /^(?:class|tier|category|priority|severity|grade|cabin)$/;
const valueOf = (words: readonly string[], at: number) =>
  at >= 0 && slotNouns.test(words[at + 1] ?? '') && !slotNouns.test(words[at] ?? '');

/** "Make files, folders or buckets public": what stands behind a list is said of all of it. */
const behindList = /\b(public|private)\s*$/;

export function phrasesOf(text: string, drop: (word: string) => boolean): ThingPhrase[] {
  const shared = behindList.exec(text)?.[1];
  return partsOf(text).flatMap((part) => {
    const words = textWords(part)
      .map((word) => word.replace(/'s$/, ''))
      .filter((word) => !isEmptyWord(word) && !drop(word));
    if (
      words.length > 1 &&
      commandNouns.test(words.at(-1) ?? '') &&
      verbSenses(words.at(-2) ?? '').length > 0
    )
      words.pop();
    const hard = words.filter((word, at) => hardWords.has(word) || valueOf(words, at));
    if (shared !== undefined && !hard.includes(shared)) hard.push(shared);
    return words.length === 0
      ? []
      : [
          {
            words: words.filter(
              (word, at) =>
                !hard.includes(word) &&
                !valueOf(words, at - 1) &&
                !(hard.length > 0 && environment.test(word)),
            ),
            hard,
          },
        ];
  });
}

/**
 * The things of "delete customer records or backups in production": first those the act is about, then what the
 * rest of the sentence adds, where that is said with words of its own.
 */
export function thingGroups(
  text: string,
  drop: (word: string) => boolean,
  isImplied: (word: string) => boolean,
): { object: ThingPhrase[]; added: ThingPhrase[] } {
  const examples = /\b(?:such as|including|for example|e\.g\.|like)\s+(.+)$/.exec(text);
  const whole = examples === null ? text : text.slice(0, examples.index);
  const [head = '', ...tails] = whole.split(prepositions);
  // "Emails or messages": the wider one, which the act implies, counts as well where it stands beside another.
  const isVacuous = partsOf(head).some((part) => {
    const words = textWords(part).filter((word) => !isEmptyWord(word));
    return words.length > 0 && words.every((word) => isImplied(word));
  });
  const kept = phrasesOf(head, drop);
  const first =
    isVacuous && kept.length > 0 ? phrasesOf(head, (word) => drop(word) && !isImplied(word)) : kept;
  const other = tails.map((part) => phrasesOf(part, drop));
  const rest = examples === null ? other : [phrasesOf(examples[1] ?? '', drop)];
  const added = rest
    .flat()
    .filter(({ words, hard }) => hard.length > 0 || words.some((word) => !people.has(word)));
  return { object: first.slice(0, 12), added: added.slice(0, 12) };
}

/** All things of a text in one list. */
export const thingPhrases = (text: string, drop: (word: string) => boolean): ThingPhrase[] =>
  text
    .split(prepositions)
    .flatMap((part) => phrasesOf(part, drop))
    .slice(0, 12);
