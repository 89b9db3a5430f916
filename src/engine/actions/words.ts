import { confusable } from '#engine/text/confusables.ts';
import { isInvisible } from '#engine/text/fold.ts';
import { stem } from '#engine/text/stems.ts';

const wordShape = /[\p{L}\p{N}]+(?:['’][\p{L}]{1,3})?/gu;

/** Lower-case words of running text. */
export function textWords(text: string): string[] {
  return text.toLowerCase().match(wordShape) ?? [];
}

const isUpper = (unit: number) => unit >= 65 && unit <= 90;
const isLower = (unit: number) => (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57);

const wordsOfNames = new Map<string, readonly string[]>();
const [mostNames, longestName] = [5000, 64];

/** `sendMoneyNow`, `send_money-now`, `HTTPPost` → their lower-case words; remembered, for names come again and again. */
export function nameWords(name: string): readonly string[] {
  if (name.length > longestName) return partName(name);
  const known = wordsOfNames.get(name);
  if (known !== undefined) return known;
  const words = partName(name);
  if (wordsOfNames.size >= mostNames) wordsOfNames.clear();
  wordsOfNames.set(name, words);
  return words;
}

const longestRead = 300;

function partName(given: string): string[] {
  const isPlain = !/[^\0-~]/.test(given);
  const name = isPlain ? given : shown(given.slice(0, longestRead));
  let spaced = '';
  for (let at = 0; at < Math.min(name.length, longestRead); at++) {
    const unit = name.charCodeAt(at);
    const before = name.charCodeAt(at - 1);
    const starts =
      isUpper(unit) && (isLower(before) || (isUpper(before) && isLower(name.charCodeAt(at + 1) || 0)));
    spaced += starts ? ` ${name.charAt(at)}` : name.charAt(at);
  }
  const words = textWords(spaced.replaceAll('_', ' '));
  return isPlain ? words : words.map(asLatin);
}

/** Full-width letters as plain ones, without what shows nothing. */
const shown = (name: string): string =>
  Array.from(name.normalize('NFKC'))
    .filter((letter) => !isInvisible(letter.codePointAt(0) ?? 0))
    .join('');

/** `dеlete` with a Cyrillic letter as it looks; words of another script, and those with accents, stay. */
function asLatin(word: string): string {
  let latin = '';
  for (const letter of word) {
    const unit = letter.length === 1 ? confusable(letter.charCodeAt(0)) : 0;
    latin += unit === 0 ? letter : String.fromCharCode(unit);
  }
  return /^[a-z0-9]+$/.test(latin) ? latin : word;
}

const irregular: Record<string, string> = {
  sent: 'send',
  sending: 'send',
  paid: 'pay',
  paying: 'pay',
  bought: 'buy',
  written: 'write',
  wrote: 'write',
  made: 'make',
  making: 'make',
  ran: 'run',
  running: 'run',
  gave: 'give',
  given: 'give',
  read: 'read',
  hidden: 'hide',
  shown: 'show',
  data: 'data',
  people: 'person',
  children: 'child',
  deletion: 'delete',
  cancelling: 'cancel',
  cancelled: 'cancel',
  transferring: 'transfer',
  transferred: 'transfer',
  resetting: 'reset',
  submitting: 'submit',
  registering: 'register',
  salaries: 'salary',
  sold: 'sell',
  removal: 'remove',
  approval: 'approve',
  refunds: 'refund',
  emails: 'email',
  'e-mail': 'email',
  mails: 'mail',
  ids: 'id',
  keys: 'key',
  apis: 'api',
  databases: 'database',
  invoices: 'invoice',
  purchases: 'purchase',
  messages: 'message',
  files: 'file',
  tables: 'table',
  addresses: 'address',
  accessed: 'access',
  accessing: 'access',
  processes: 'process',
};

/** Short verbs on -e, whose stem would lose it in some forms and keep it in others. */
for (const verb of 'wire hire fire save wipe mute vote rate dose tune fake move type tape'.split(' ')) {
  irregular[`${verb.slice(0, -1)}ing`] = verb;
  irregular[`${verb}d`] = verb;
}

for (const word of ['replies', 'replied', 'replying']) irregular[word] = 'reply';

/** Who sends a message is a thing of its own: "send the report" speaks of no sender. */
const ownThings = new Set(
  `sender reporter contractor visitor renter trainer trainee learner lender borrower traveler traveller follower
  accounting mailing recording replacement installment`.split(/\s+/),
);

/** "CVs", "PRs". */
const shortPlural = /^(?!dns|css|tls|gps|sms|cms|rss|dms|crs|hrs|mrs)[^aeiou\d\W]{2}s$/;

const roots = new Map<string, string>();
const rootLimit = 20_000;
/** Numbers hardly come again with another call, but many times with one; they would soon fill the other memory. */
const rootsOfNumbers = new Map<string, string>();
/** Longer ones are kept by the runtime as parts of their text, which would stay with them. */
const [numberLimit, longestNumber] = [256, 12];

/** The root that brings the forms of one word together; remembered, for the same words come again and again. */
export function root(word: string): string {
  const isNumber = word.charCodeAt(0) <= lastDigit;
  const known = (isNumber ? rootsOfNumbers : roots).get(word);
  if (known !== undefined) return known;
  const found = rootOf(word);
  if (!isNumber && roots.size < rootLimit) roots.set(word, found);
  if (!isNumber || word.length > longestNumber) return found;
  if (rootsOfNumbers.size >= numberLimit) rootsOfNumbers.clear();
  rootsOfNumbers.set(word, found);
  return found;
}

const lastDigit = 57;

function rootOf(word: string): string {
  // "Answered" and "answer", whose stem loses its end, come together by the verb.
  const base =
    (Object.hasOwn(irregular, word) ? irregular[word] : undefined) ??
    (shortPlural.test(word) ? word.slice(0, -1) : undefined) ??
    (/[a-z]{2}[eo]r(?:ed|ing)$/.test(word) ? word.replace(/(?:ed|ing)$/, '') : undefined) ??
    (/[^s][eo]rs$|^[a-z]{2,3}[^sxzho]es$/.test(word) ? word.slice(0, -1) : word);
  return ownThings.has(base) ? base : stem(base);
}
