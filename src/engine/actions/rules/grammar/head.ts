import { nounSenses, verbSenses } from '../../verbs.ts';
import { isEmptyWord } from '../../things.ts';
import { root } from '../../words.ts';

/** What a part of a rule says is done. */
export interface Head {
  senses: string[];
  /** Roots of the verbs as the rule has them. */
  words: string[];
  /** The same verbs as they stand there, for people to read. */
  said: string[];
  /** No verb of its own: "use", "touch", "access", or a thing alone. */
  isOpen: boolean;
  /** The words that are no longer looked for as things. */
  used: ReadonlySet<string>;
}

const setOf = (words: string) => new Set(words.split(/\s+/));
function rootsOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).map(root));
}

/** Verbs that leave the act to what follows. */
const light = rootsOf(
  `make do give issue take perform process place carry handle run execute submit provide put get have start trigger
  complete launch set apply raise post enter add create schedule file send initiate offer`,
);
/** Who authorizes a transfer lets it happen. */
const ordering = rootsOf('authorize authorise arrange request prepare instruct order');
/** Verbs that stand for whatever can be done with a thing. */
const open = setOf(
  `use uses using used touch touching touched access accessing interact interacting deal dealing work working mess messing
  play playing operate operating involve involving target targeting affect affecting concern concerning interfere
  meddle tinker fiddle include includes including included mention mentioning quote go going engage handle handling be being act acting work rely relying`,
);
/** Whatever does more than look. */
const alters = 'alter';
const openReads = setOf('access accessing open opening look looking touch touching touched use using used');
const skipped = setOf(
  `the a an any all some every each no not to also then first ever even just directly immediately knowingly silently
  blindly publicly manually ever again please either both further more other another such new existing must may can
  be been being is are was were by agent agents it you we i they only always never of for`,
);
const nounLike = setOf(
  `order orders report reports record records log logs post posts list book charge bill schedule content view access
  release transfer email mail message text check share trade trigger archive backup script change update command code
  call plan clear close complete test label tag alert comment review request query search form notice invite ticket
  price cost limit budget deal offer quote draft note file folder document photo image display contact ship sign mark`,
);

const isGerund = (word: string) =>
  word.length > 5 &&
  word.endsWith('ing') &&
  !/^(?:during|nothing|anything|something|everything|building|meeting|pricing|billing|training|marketing|banking|engineering|staging|working|morning|evening|listing|setting|settings|booking|existing|pending|outgoing|incoming|following|parking|trading|mining|accounting)$/.test(
    word,
  );
const isPast = (word: string) =>
  /(?:ed|en|sent|paid|made|sold|bought|put|read|run|set|shut|cut|told|given|shown|built)$/.test(word) &&
  word.length > 2;

const sensesOf = (word: string): readonly string[] => verbSenses(word);

const joins = setOf(', or and / nor');
const betweenVerbs = setOf('or and , to nor otherwise');

function opensWithVerb(words: readonly string[], at: number, isVerbPhrase: boolean): boolean {
  const word = words[at] ?? '';
  if (isGerund(word) || (isVerbPhrase && word !== ',')) return true;
  if (sensesOf(word).length === 0) return false;
  return (
    words[at - 1] === 'to' ||
    (!nounLike.has(word) && !word.endsWith('s') && !isPast(word) && !isNounNext(words, at))
  );
}

/** A verb of the same form as the one before the "or". */
function isAlike(opening: string, word: string, isVerbPhrase: boolean): boolean {
  if (isGerund(opening)) return isGerund(word);
  if (isPast(opening) && isVerbPhrase) return isPast(word) || sensesOf(word).length > 0;
  return sensesOf(word).length > 0 && !word.endsWith('s');
}

/** The first word of a verb phrase, and verbs joined to it. */
function verbsAtStart(words: readonly string[], isVerbPhrase: boolean): { at: number[]; end: number } {
  const first = Math.max(
    0,
    words.findIndex((word) => !skipped.has(word)),
  );
  if (words[first] === undefined || !opensWithVerb(words, first, isVerbPhrase)) return { at: [], end: first };
  const at = [first];
  let next = first + 1;
  while (joins.has(words[next] ?? '')) {
    let verb = next + 1;
    while (betweenVerbs.has(words[verb] ?? '')) verb++;
    const word = words[verb] ?? '';
    if (!isAlike(words[first], word, isVerbPhrase) || (nounLike.has(word) && !canFollow(words[verb + 1])))
      break;
    at.push(verb);
    next = verb + 1;
  }
  return { at, end: next };
}

const determiners = setOf(
  'the a an any all our your their his her its my this that these those someone anyone it them customer user or and ,',
);
const canFollow = (word: string | undefined) =>
  word !== undefined && (determiners.has(word) || word.endsWith('s'));
/** "Wire transfers", "refund requests": the first word only says which. */
const isNounNext = (words: readonly string[], at: number) => {
  const next = words[at + 1] ?? '';
  return nounSenses(next).length > 0 && next.endsWith('s') && nounSenses(words[at] ?? '').length > 0;
};

/** The last act noun of a noun phrase: "large wire transfers", "data exports". */
function actNoun(
  words: readonly string[],
  until: number,
): { at: number; senses: readonly string[] } | undefined {
  for (let at = until - 1; at >= 0; at--) {
    const word = words[at] ?? '';
    if (isEmptyWord(word) || word === 'access') continue;
    const senses =
      nounSenses(word).length > 0
        ? nounSenses(word)
        : isGerund(word) || /(?:ion|ment|al)s?$/.test(word)
          ? sensesOf(word)
          : nounVerbs.has(root(word))
            ? sensesOf(word)
            : [];
    if (senses.length > 0) return { at, senses };
  }
  return undefined;
}
/** Nouns of acts that are written as their verbs are. */
const nounVerbs = new Set(
  'export upload download deploy refund transfer purchase payment restart reboot reset edit delete update upgrade install push merge commit trade purge wipe release rollback copy import backup change print query lookup search login call invite dispatch ship move rename'
    .split(' ')
    .map(root),
);

const pastForms: Readonly<Record<string, string>> = {
  sent: 'send',
  paid: 'pay',
  made: 'make',
  sold: 'sell',
  bought: 'buy',
  given: 'give',
  told: 'tell',
  shown: 'show',
  written: 'write',
  put: 'put',
  taken: 'take',
};

/** Light verbs that say nothing where no noun says the act. */
const hollow = rootsOf('make do give take put get have provide carry handle process set start apply offer');

const openHead = (used: Set<string>, senses: string[] = [], words: string[] = []): Head => ({
  senses,
  words,
  said: [],
  isOpen: true,
  used,
});

/** "Offer credit products": the noun only says which. */
function saysWhich(words: readonly string[], at: number, until: number, behindVerb: boolean): boolean {
  const next = at + 1 < until ? (words[at + 1] ?? '') : '';
  if (channels.test(words[at] ?? '') && sentThings.test(next)) return true;
  return behindVerb && /^[a-z]{3,}s$/.test(next) && nounSenses(next).length === 0 && !isEmptyWord(next);
}

/** "Email campaigns", "SMS templates" are no mails. */
const channels = /^(?:e?mails?|sms|text|message|order|transfer|payment|export|access)$/;
const sentThings =
  /^(?:campaigns?|templates?|lists?|accounts?|settings?|address(?:es)?|rules?|filters?|signatures?|forms?|terms|history|logs?|keys?|polic(?:y|ies)|methods?|details|status(?:es)?)$/;

/** "Issue refunds", "large transfers": the noun says what is done. */
function byNoun(
  words: readonly string[],
  until: number,
  start: { at: number[]; end: number },
  used: Set<string>,
): Head | undefined {
  const noun = actNoun(words.slice(0, Math.max(until, start.end)), until);
  if (noun === undefined || start.at.includes(noun.at)) return undefined;
  if (saysWhich(words, noun.at, until, start.at.length > 0)) return undefined;
  const word = root(words[noun.at] ?? '');
  used.add(word);
  return { senses: [...noun.senses], words: [word], said: [words[noun.at] ?? ''], isOpen: false, used };
}

/** "Authorize transfers" is either. */
const withOrder = (verb: string, noun: Head): Head => ({
  ...noun,
  senses: [...sensesOf(verb), ...noun.senses],
  words: [root(verb), ...noun.words],
  said: [verb, ...noun.said],
});

/** Verbs that name no act of their own. */
function openOf(verbs: readonly string[], isLight: boolean, used: Set<string>): Head | undefined {
  const [first = ''] = verbs;
  if (first === '' || first === alters) return openHead(used);
  if (isLight && hollow.has(root(first))) return openHead(used, [], [root(first)]);
  if (!verbs.every((verb) => open.has(verb))) return undefined;
  return openHead(used, verbs.some((verb) => openReads.has(verb)) ? ['read'] : []);
}

/** Reads who does what: the words of a part up to its first preposition come first. */
export function headOf(words: readonly string[], until: number, isVerbPhrase: boolean): Head {
  const start = verbsAtStart(words, isVerbPhrase);
  const verbs = start.at.map((at) => pastForms[words[at] ?? ''] ?? words[at] ?? '');
  const used = new Set(verbs.map(root));
  const [first = ''] = verbs;
  const isLight = verbs.length === 1 && light.has(root(first));
  const orders = verbs.length === 1 && ordering.has(root(first));
  const noun = first === '' || isLight || orders ? byNoun(words, until, start, used) : undefined;
  if (noun !== undefined) return orders ? withOrder(first, noun) : noun;
  const empty = openOf(verbs, isLight, used);
  if (empty !== undefined) return empty;
  const senses = verbs.flatMap((verb) => (sensesOf(verb).length > 0 ? sensesOf(verb) : nounSenses(verb)));
  return { senses: [...new Set(senses)], words: [...used], said: verbs, isOpen: false, used };
}
