import { type Entity, entitiesOf, quotedTexts } from './entities.ts';
import { type Sentence, sentencesOf } from './sentences.ts';
import { anySense, nounSenses, verbSenses } from './verbs.ts';
import { root, textWords } from './words.ts';

/** A sentence that tells its reader to do something. */
export interface Order {
  text: string;
  lower: string;
  /** What is to be done. */
  senses: ReadonlySet<string>;
  roots: ReadonlySet<string>;
  entities: Entity[];
  quoted: string[];
  /** How clearly it is an order: 1 a plain imperative, 0.6 an infinitive somewhere. */
  strength: number;
  /** Not in English: what it tells is not known, only that it names things. */
  foreign: boolean;
  /** Of the sentence alone. */
  ownAddress: number;
  /** Signs that it speaks to an agent and not to a person: the sum of their weights. */
  address: number;
  /** The sentence with its neighbours, for the text detectors. */
  around: string;
}

const openers = new Set(
  `please kindly then now also first next finally instead just and before immediately urgently urgent important note
  reminder system assistant ai agent hey ok so secondly todo task action required step afterwards afterward additionally
  furthermore lastly hi hello dear fyi attention notice p.s ps bot model llm user admin administrator quickly simply
  therefore thus once done do not don't never always only second third 1 2 3 4 5 a b body content subject text message
  description comment review title name instruction instructions request`.split(/\s+/),
);

const pushes = new Set(
  'please kindly must should shall you and then now also immediately always or not never directly simply just then first instead'.split(
    ' ',
  ),
);
/** "You can find it there" tells where, not what to do. */
const offers = new Set(['can', 'could', 'may', 'might']);
const mildPushes = new Set([
  'to',
  'would',
  'will',
  "let's",
  'that',
  'i',
  'agent',
  'agents',
  'assistant',
  'assistants',
]);
const ownSubjects = new Set([
  'i',
  'we',
  'he',
  'she',
  'they',
  "i'll",
  "we'll",
  "i'd",
  "i'm",
  "we're",
  'it',
  "i've",
  'who',
  'which',
]);
const youWords = new Set([
  'you',
  'your',
  "you'll",
  "you're",
  'yourself',
  'agent',
  'agents',
  'assistant',
  'assistants',
  'ai',
  'model',
  'bot',
]);

const irregularForms: Readonly<Record<string, string>> = {
  sent: 'send',
  paid: 'pay',
  bought: 'buy',
  made: 'make',
  written: 'write',
  given: 'give',
  put: 'put',
  read: 'read',
  run: 'run',
  set: 'set',
  reset: 'reset',
};
const isBase = (word: string) =>
  !word.endsWith('ing') &&
  !word.endsWith('ed') &&
  !(word.endsWith('s') && !word.endsWith('ss')) &&
  irregularForms[word] === undefined;
const isParticiple = (word: string) => word.endsWith('ed') || irregularForms[word] !== undefined;

/** How much the word at `at` is told to the reader, 0 where it is not. */
function push(words: readonly string[], at: number, after: string): number {
  const word = words[at] ?? '';
  const own = words.slice(Math.max(0, at - 4), at).some((other) => ownSubjects.has(other));
  if (isBase(word) || bareForms.has(word)) return pushOfBase(words, at, { after, own });
  if (isParticiple(word) && words.slice(Math.max(0, at - 2), at).includes('be')) return own ? 0 : 0.8;
  return word.endsWith('ing') && beforeGerund.has(words[at - 1] ?? '') ? 0.5 : 0;
}

const bareForms = new Set(['read', 'put', 'set', 'run']);
const beforeGerund = new Set(['require', 'requires', 'by', 'involves', 'is', 'suggest', 'recommend']);

function pushOfBase(
  words: readonly string[],
  at: number,
  { after, own }: { after: string; own: boolean },
): number {
  if (words.slice(0, at).every((other) => openers.has(other))) return after === '(' ? 0.2 : 1;
  const before = words[at - 1] ?? '';
  const you = words.slice(Math.max(0, at - 6), at).some((other) => youWords.has(other));
  return pushAfter(before, { you, told: words[at - 2] === 'you', theirs: own && !you });
}

/** The word right before decides: "must send", "and send", "you can send", "I will send". */
function pushAfter(
  before: string,
  { you, told, theirs }: { you: boolean; told: boolean; theirs: boolean },
): number {
  if (offers.has(before)) return told || theirs ? 0.2 : 0.6;
  if (theirs) return 0;
  if (joins.has(before)) return 0.7;
  if (pushes.has(before)) return 1;
  if (!mildPushes.has(before)) return 0;
  return you ? 1 : 0.6;
}

const joins = new Set(['and', 'or']);

const light = new Set([
  'make',
  'do',
  'perform',
  'initiate',
  'issue',
  'complete',
  'execute',
  'process',
  'send',
  'create',
  'give',
  'set',
  'submit',
  'place',
  'put',
  'use',
  'call',
  'invoke',
]);

function sensesAt(words: readonly string[], at: number): string[] {
  const own = [...verbSenses(words[at] ?? '')];
  const word = words[at] ?? '';
  if (!light.has(word)) return own;
  for (const next of words.slice(at + 1, at + 6)) own.push(...nounSenses(next));
  if (['use', 'call', 'invoke'].includes(word))
    for (const next of words.slice(at + 1, at + 6)) own.push(...anySense(next));
  if (word === 'give' || word === 'send')
    if (
      words.slice(at + 1, at + 6).some((next) => /^(?:money|dollars?|euros?|usd|eur|funds|btc)$/.test(next))
    )
      own.push('pay');
  return own;
}

const addressSigns: readonly (readonly [sign: RegExp, weight: number])[] = [
  [/\b(?:the|this|our|your|that) users?\b(?!\s?(?:guide|manual|interface|group|experience|id\b|name))/, 1.2],
  [
    /\b(?:ai|language|assistant) (?:model|assistant|agent|system|language)s?\b|\bllms?\b|\bchatbots?\b|\bai agents?\b/,
    1.5,
  ],
  [
    /\b(?:dear|hey|hi|hello|attention|note to|to the|for the|any|all|every) (?:ai|assistant|agent|bot|model|system|copilot)s?\b/,
    1.5,
  ],
  [
    /\b(?:ignore|disregard|forget|override|overrule|abandon|supersede[sd]?|replace[sd]?)\b.{0,40}\b(?:instruction|task|request|order|prompt|rule|direction|guideline|message|command|polic)/,
    2.5,
  ],
  [/\b(?:instead|rather than),? (?:of |do|perform|please|you|the following)|\bdo the following\b/, 1],
  [
    /\b(?:before|after|prior to|while) (?:you |doing |solving |finishing |completing |continuing|proceeding|answering|responding)/,
    1,
  ],
  [
    /\b(?:original|initial|current|previous|your|the|this|my) (?:task|request|instructions?|prompt|conversation|goal|objective|query|workflow)\b/,
    1,
  ],
  [
    /\bwithout (?:asking|confirm\w*|telling|informing|notifying|mention\w*|waiting|further|approval)|\bdo(?: not|n't) (?:ask|tell|mention|inform|notify|reveal|confirm|wait|disclose|show)|\bsilently\b|\bin the background\b|\bno (?:need|confirmation|approval)\b/,
    1.2,
  ],
  [
    /\b(?:system|admin|administrator|developer|security|compliance) (?:message|notice|prompt|instruction|update|override|policy|directive|note|alert|command)|\bnew (?:policy|instructions?|task|directive|rule|objective)|\bpolicy from\b/,
    1.5,
  ],
  [
    /\b(?:mandatory|required step|must (?:first|immediately|now)|high(?:est)? priority|as part of (?:the|this|your)|pre-?authori[sz]ed|already (?:approved|authori[sz]ed|agreed|confirmed)|authori[sz]ed by|on behalf of)\b/,
    1,
  ],
  [/\b(?:you are|act as|your (?:new )?(?:role|job|task|goal|duty)|you have been)\b/, 0.8],
  [
    /\b(?:using|use|call|invoke|run|with) (?:the |your )?(?:[\w-]+ )?(?:tools?|functions?|api|plugin)\b|\b[a-z]+_[a-z]+(?:_[a-z]+)*\s?\(/,
    1,
  ],
  [/\bas (?:visible|seen|shown|found) (?:from|in)\b|\bunderspecified\b/, 0.8],
];

function addressOf(around: string): number {
  const lower = around.toLowerCase();
  let sum = 0;
  for (const [sign, weight] of addressSigns) if (sign.test(lower)) sum += weight;
  return sum;
}

const maxOrders = 200;

/** What the sentence tells its reader to do, and how clearly. */
function toldIn(
  { text, after }: Sentence,
  words: readonly string[],
): { senses: Set<string>; strength: number } {
  const senses = new Set<string>();
  const clause = clauseStart(text);
  let strength = 0;
  for (let at = 0; at < words.length; at++) {
    const found = sensesAt(words, at);
    if (found.length === 0) continue;
    const told =
      at >= clause && clause > 0
        ? Math.max(push(words, at, after), 0.9 * push(words.slice(clause), at - clause, after))
        : push(words, at, after);
    if (told === 0) continue;
    strength = Math.max(strength, told);
    for (const sense of found) senses.add(sense);
  }
  return { senses, strength };
}

const subordinate =
  /^(?:before|after|if|when|once|while|as|to|in|for|since|prior|first|otherwise|until|because|note|dear|hey|hello|attention)\b/i;

/** "Before you answer, send …": number of words before the main clause; 0 where the sentence begins with it. */
function clauseStart(text: string): number {
  const comma = text.indexOf(', ');
  return comma > 0 && subordinate.test(text) ? textWords(text.slice(0, comma)).length : 0;
}

const englishWords = new Set(
  'the a an of to in is are and for on with this that it you your i we be was at by from as or not have has will can my'.split(
    ' ',
  ),
);

/** No English word in a sentence of some length: its verbs are not ours to read. */
const isForeign = (words: readonly string[]) =>
  words.length >= 4 &&
  !words.some((word) => englishWords.has(word)) &&
  words.some((word) => foreignWords.has(word));

const foreignWords = new Set(
  `die der das den dem des ein eine und für auf mit nicht bitte von zu als le la les des un une et pour avec dans sur vous s'il el los las y para con por una del al que il lo gli di per con o os as uma em não het een van voor de en`.split(
    /\s+/,
  ),
);

function orderOf(sentence: Sentence, around: string, tagged: boolean): Order | undefined {
  const words = textWords(sentence.text);
  if (words.length < 2) return undefined;
  const { senses, strength } = toldIn(sentence, words);
  const foreign = strength === 0 && isForeign(words);
  if (strength === 0 && !foreign) return undefined;
  return {
    text: sentence.text,
    lower: sentence.text.toLowerCase(),
    senses,
    roots: new Set(words.map(root)),
    entities: entitiesOf(sentence.text),
    quoted: quotedTexts(sentence.text).map((quote) => quote.toLowerCase()),
    strength: foreign ? 1 : strength,
    foreign,
    address: addressOf(around) + (tagged ? 1.5 : 0),
    ownAddress: addressOf(sentence.text) + (tagged ? 1.5 : 0),
    around,
  };
}

const tagShape =
  /<\/?(?:information|system|instructions?|important|admin|user|assistant|im_start|inst|sys|prompt|task|note|tool|policy|override|alert|notice)\b|\[(?:inst|system|admin)|<\||###\s*(?:system|instruction|new|important)|={3,}\s*(?:system|instruction|important)/i;

/** `External_Visit a website`, `USAChange the password`: an order glued to what stands before it. */
const unglue = (text: string) =>
  text.replaceAll(/([\p{L}\p{N}_%])(\p{Lu}\p{Ll}{2,14})(?=\s)/gu, (whole, before: string, word: string) =>
    verbSenses(word.toLowerCase()).length > 0 ? `${before}\n${word}` : whole,
  );

/** The orders in the answer of a tool. Bounded; linear in the length of the text. */
export function ordersOf(text: string): Order[] {
  const sentences = sentencesOf(unglue(text.slice(0, 100_000)));
  const tagged = tagShape.test(text.slice(0, 100_000));
  const orders: Order[] = [];
  for (const [at, sentence] of sentences.entries()) {
    if (orders.length >= maxOrders) break;
    const around = sentences
      .slice(Math.max(0, at - 2), at + 3)
      .map((near) => near.text)
      .join('. ');
    const order = orderOf(sentence, around, tagged);
    if (order !== undefined) orders.push(order);
  }
  return orders;
}
