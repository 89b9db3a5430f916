/**
 * Orders to set aside earlier instructions: no answer of a tool has a reason to say this to who reads it, whatever else
 * the sentence orders. Pure, synchronous, and linear in the text's length.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { legible } from './passages.ts';
import { isQuotedOrDiscussed } from './quoting.ts';
import { matchesOf } from './matches.ts';

/** `data/lexicons/override-orders.json` */
interface OverrideFile {
  drop: string;
  every: string;
  earlier: string;
  orders: string;
  shapes: string[];
}

const dataFolder = join(import.meta.dirname, '../../../data');
const readJson = (path: string): unknown => JSON.parse(readFileSync(join(dataFolder, path), 'utf8'));

const drop = String.raw`(?:(?:ignore|disregard|forget|overrule|override|bypass|discard|abandon|dismiss|neglect|drop|scrap|erase|unlearn|set aside|put aside|put away)(?: about)?|never mind|pay no attention to|stop (?:following|obeying)|(?:do not|don['’]t|never) (?:follow|obey|adhere to|listen to|comply with))`;
const filler = String.raw`(?:,? (?:please|completely|entirely|fully|immediately|now))?`;
const every = String.raw`(?:(?:any|each)(?: and (?:all|every))?|all|every|everything in)(?: of)?`;
const owner = String.raw`(?: (?:the|your|my|our|these|those|other|of))*`;
const earlier = String.raw`(?:previous(?:ly)?|prior|above|earlier|preceding|foregoing|former|initial|original|existing|opening|standing|first)`;
const earlierRun = String.raw`${earlier}(?:(?:,| and| or|\/| &)* ?${earlier})*`;
const given = String.raw`(?: (?:given|stated|issued|provided|system|safety|security|user|developer|operator|default|hidden|internal))*`;
const orders = String.raw`(?:instructions?|directives?|directions|prompts?|guidelines|guidance|commands|rules|programming|constraints|restrictions|policies|safeguards|context)`;
const ownOrders = String.raw`(?:instructions|directives|guidelines|programming|safeguards|orders|rules|restrictions|system (?:prompt|message|instructions))`;
const told = String.raw`(?:that )?you(?:['’]ve| have| had| were)?(?: ever| just)?(?: been)? (?:told|asked|given|instructed|taught)`;

/** What is always meant for a program: all that was ordered, or its own orders. */
const strong = [
  String.raw`${every}${owner} ${earlierRun}${given} ${orders}`,
  String.raw`(?:everything|anything|whatever|all|what) (?:${told} (?:before|previously|above|earlier|so far|until now|up to now)|(?:that )?(?:was|is|has been) (?:said|written|stated) (?:above|before|earlier|so far|up to (?:here|now))|(?:above|before this|so far|previously said))`,
  String.raw`${every} (?:the |your )?(?:instructions|directives|guidelines)`,
  String.raw`your(?: (?:own|current|${earlier}))*${given} ${ownOrders}`,
  String.raw`(?:previous|prior|above|earlier|preceding)(?:(?: and| or|\/)* ?${earlier})*${given} (?:instructions|directives|prompts?|guidelines|commands|rules)`,
  String.raw`${every}${owner} ${orders} (?:(?:that )?(?:came|was|were)? ?(?:mentioned|given|stated|written)? ?(?:so far|above|before(?: this)?|earlier|until now|up to (?:here|now)))`,
  String.raw`(?:the |any |all )*${orders} (?:that )?(?:your \w+ (?:gave|set|wrote)|you (?:were|have been|had been)(?: given| told)?)(?: (?:to|for))? ?(?:you)?`,
  String.raw`(?:the|your) (?:operator|developer|company|owner|provider|maker|creator)['’]s ${orders}`,
].join('|');
/** What people write to each other too, of the steps of a manual. */
const weak = String.raw`(?:everything|anything|whatever|all|what) ${told}|(?:(?:the|these|those|my|any) )?${earlierRun}${given} (?:instructions?|directives?|prompts?|guidelines|orders|rules)|the (?:instructions|text|prompt) above`;

const englishAmong = (wordSigns: string, flags: string) =>
  new RegExp(
    String.raw`(?<![${wordSigns}])${drop}${filler} (?:(${strong})|${weak})(?![${wordSigns}])`,
    flags,
  );

/**
 * Texts whose only letters and digits are those of ASCII, as most are. There a pattern says the same without Unicode's
 * tables of letters, and is several times as fast.
 */
// oxlint-disable-next-line no-control-regex -- all of ASCII, and the marks of punctuation beside it.
const isSimple = (text: string): boolean => /^[\x00-\x7f\u2010-\u2027\u2030-\u205e]*$/.test(text);
const english = englishAmong(String.raw`\p{L}\p{N}_-`, 'giu');
const englishInSimple = englishAmong(String.raw`\w-`, 'gi');

/** What makes the order one of a manual, or the words a name: "… for version 2", "… attacks". */
const bounded =
  /^\s?(?:for(?! the rest)|on|about|regarding|concerning|within|inside|found|contained|embedded|when|where|whenever|unless|until|by|at|to|of|are|is|was|were|should|must|will|can|could|would|may|might|has|have|had|did|does|attacks?|payloads?|injections?|phrases?|strings?|patterns?|styles?|which|who|whose|sent|e?-?mails?|marked|(?:in|if|with|from|that)(?! (?:your|this (?:chat|conversation|session|context)|the (?:chat|conversation|session|context|user|system|developer|operator|following)|you\b)))\b/iu;

const reader = String.raw`(?:(?:ai|llm|language model|ai assistant|assistant|model|agent|chatbot|bot|claude|chatgpt|gpt|gemini|copilot|system)s?)`;
/** Loud words and names of the reader: behind them an order is not one person's to another. */
const address = new RegExp(
  String.raw`(?:^|[^\p{L}])(?:important|attention|urgent|critical|warning|override|instructions?|${reader})(?:[^\p{L}\n]{1,6}(?:(?:please|now|update|message|notice|note|to you|reading this|you must|you should)[^\p{L}\n]{0,3})*)$`,
  'iu',
);
/** What may stand before an order within its clause. */
const opening = new RegExp(
  String.raw`^(?:(?:please|kindly|now|first|so|ok|okay|hey|hi|hello|dear|and|then|but|or|also|just|simply|next|instead|actually|immediately|all|from now on|at this point|${reader}|(?:any |every |the )?${reader} (?:must|should|shall|has to|have to|reading this)|you (?:must|should|shall|will|may|can|are to|need to|have to|are (?:hereby )?(?:instructed|ordered|required|asked|told) to)|i (?:want|need|order|command|ask|instruct) you to|it is (?:important|imperative|necessary|required) (?:to|that you)|important|attention|urgent|warning)[\s,!:-]*)*$`,
  'iu',
);
const clauseStart = /[.!?;:,\n\r<>()[\]{}|*#"“”„«»‘`\u2014\u2013…\\/=~-]/u;
const longestOpening = 80;

/** The words before a place within its clause. */
function openingBefore(text: string, at: number): string {
  let from = at;
  while (from > 0 && at - from < longestOpening && !clauseStart.test(text.charAt(from - 1))) from--;
  return text.slice(from, at).trim();
}

/** Conventional commits begin with what they are about; what they say of an order is no order. */
const commit = /(?:^|\n|[\da-f]{7} )[a-z]{2,9}(?:\([\w /-]{1,30}\))?!?: $/u;
/** An apostrophe opens a quotation, or is one within a word. */
const behindApostrophe = /(?:^|[^\p{L}])['’]$/u;

function isOrder(text: string, match: RegExpExecArray): boolean {
  const { index, 0: said } = match;
  const before = text.slice(Math.max(0, index - longestOpening), index);
  const end = index + said.length;
  if (bounded.test(text.slice(end, end + 40))) return false;
  const words = behindApostrophe.test(before) ? '' : openingBefore(text, index);
  if (!opening.test(words)) return false;
  const isStrong = match[1] !== undefined;
  if (commit.test(before)) return false;
  return isStrong || address.test(before);
}

const letters: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
};
/** Stands in every text with such a word: within it a letter meets another sign. */
const mayBeLeet = /[a-z][\d_@$]|[\d_@$][a-z]/i;
const leet = /(?<![\w.@$-])(?=[\w@$]*[a-z])(?=[\w@$]*[013457@$])[a-z013457@$]{2,20}(?![\w-])/gi;
/** Words with digits or signs for letters, read as these; of the same length. */
const unleeted = (text: string): string =>
  mayBeLeet.test(text)
    ? text.replaceAll(leet, (word) => word.replaceAll(/[013457@$]/g, (sign) => letters[sign] ?? sign))
    : text;

/** Runs of spaces as one each; few texts have any. */
const evenlySpaced = (text: string): string =>
  /[^\S\n ]|[^\S\n]{2}/.test(text) ? text.replaceAll(/[^\S\n]+/g, ' ') : text;

/** Letters that are set apart, so many or more in a row. */
const spaced = /(?<![\p{L}\p{N}])(?:\p{L}[ ._*-]{1,3}){12,}\p{L}(?![\p{L}\p{N}])/gu;
const joined =
  /^(?:please)?(?:ignore|disregard|forget|override)(?:(?:all|any|every)(?:of)?(?:the|your|my)?|your|the)?(?:previous|prior|above|earlier|preceding|system)+(?:instructions?|directives?|prompts?|guidelines|orders|rules)/iu;

function findSpaced(text: string): string | undefined {
  for (const [run] of matchesOf(text, spaced)) if (joined.test(run.replaceAll(/[ ._*-]/g, ''))) return run;
  return undefined;
}

interface Abroad {
  readonly shape: RegExp;
  /** Words that begin an order. */
  readonly drop: RegExp;
}

interface AllAbroad {
  readonly any: Abroad;
  /** The same for texts that are {@link isSimple}. */
  readonly inSimple: Abroad;
  /** An order has one word of each. */
  readonly needed: readonly RegExp[];
}

/** Whether a shape begins with a word that has letters beyond ASCII, whichever of its words it begins with. */
const beginsAbroad = (shape: string): boolean => {
  const first = /^\(\?:([^()[\]\\?*+{}]+)\)(?![?*{])/.exec(shape)?.[1]?.split('|') ?? [''];
  return first.every((word) => !isSimple(word));
};

let loaded: AllAbroad | undefined;

function abroad(): AllAbroad {
  if (loaded !== undefined) return loaded;
  const file = readJson('lexicons/override-orders.json') as OverrideFile;
  const { classes } = readJson('rules/instructions.json') as { classes: Record<string, string[]> };
  const words = (own: string, ...names: string[]) => [
    ...new Set([...own.split(' '), ...names.flatMap((name) => classes[name] ?? [])]),
  ];
  const among = (list: readonly string[]) =>
    new RegExp(String.raw`(?<!\p{L})(?:${list.join('|')})(?!\p{L})`, 'iu');
  const begins = (list: readonly string[], wordSigns: string, flags: string) =>
    new RegExp(String.raw`(?<![${wordSigns}])(${list.join('|')})(?![${wordSigns}])([^.!?;:\n]{0,60})`, flags);
  // Read as texts are: some letters of Thai are two in that form.
  const shapes = file.shapes.map((shape) => shape.normalize('NFKC'));
  const drops = words(file.drop, 'drop-abroad');
  loaded = {
    any: {
      shape: new RegExp(shapes.join('|'), 'giu'),
      drop: begins(drops, String.raw`\p{L}_-`, 'giu'),
    },
    inSimple: {
      shape: new RegExp(shapes.filter((shape) => !beginsAbroad(shape)).join('|') || '(?!)', 'giu'),
      drop: begins(
        drops.filter((word) => isSimple(word)),
        'a-z_-',
        'gi',
      ),
    },
    needed: [
      among(words(`${file.every} ${file.earlier}`, 'before-abroad')),
      among(words(file.orders, 'orders-abroad')),
    ],
  };
  return loaded;
}

const openingAbroad =
  /^(?:(?:bitte|und|dann|jetzt|sofort|s'il vous plaît|veuillez|et|por favor|y|ahora|per favore|e|ora|agora|alsjeblieft|en|nu|proszę|i|teraz|пожалуйста|и|теперь|будь ласка|lütfen|och|prosím|a|please|assistant|assistent|ki|ia|ai|ии)[\s,!:-]*)*$/iu;

/** In other languages than English. */
function* ordersAbroad(text: string, simple: boolean): Generator<Said> {
  const { any, inSimple, needed } = abroad();
  const { shape, drop: dropping } = simple ? inSimple : any;
  for (const { 0: said, index } of matchesOf(text, shape)) yield { said, index };
  for (const { 1: said = '', 2: rest = '', index } of matchesOf(text, dropping))
    if (needed.every((words) => words.test(rest)) && openingAbroad.test(openingBefore(text, index)))
      yield { said, index };
}

interface Said {
  readonly said: string;
  readonly index: number;
}

function* ordersIn(text: string): Generator<Said> {
  const simple = isSimple(text);
  for (const match of matchesOf(text, simple ? englishInSimple : english))
    if (isOrder(text, match)) yield { said: match[0], index: match.index };
  yield* ordersAbroad(text, simple);
}

const mostShown = 200;

/** The order with what follows it in its sentence; undefined where there is none, or where it is only spoken of. */
export function findOverrideOrder(given: string): string | undefined {
  const text = unleeted(evenlySpaced(legible(given)));
  for (const { said, index } of ordersIn(text)) {
    if (isQuotedOrDiscussed(text, index, index + said.length)) continue;
    const sentence = /^[\s\S][^\n]*?(?:[.!?。！？](?=\s|$)|\n|$)/u.exec(text.slice(index, index + mostShown));
    return (sentence?.[0] ?? said).trim();
  }
  return findSpaced(text);
}
