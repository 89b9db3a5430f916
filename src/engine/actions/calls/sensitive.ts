import type { DataClass } from '../clauses.ts';
import { entitiesOf } from './entities.ts';
import { argumentReach } from './reach.ts';
import { root, textWords } from '../words.ts';
import { holdsKind, holdsSecret as hasSecret } from '../../redact/redact.ts';

const longest = argumentReach.text + 1;

const oneTimeCode =
  /\b(?:one[- ]time|verification|security|login|auth\w*) (?:code|pin|password)\b\D{0,12}\d{4,8}\b/i;

const known = new Map<string, boolean>();
const [mostKnown, longestKnown] = [64, 4000];

/**
 * Whether the beginning of a text carries a password, a key or a token by shape, and not only the word. Remembered of the
 * last short ones: several rules ask it of the same arguments.
 */
export function holdsSecret(text: string): boolean {
  const before = known.get(text);
  if (before !== undefined) return before;
  const part = text.slice(0, longest);
  const holds = hasSecret(part) || oneTimeCode.test(part);
  if (text.length > longestKnown) return holds;
  if (known.size >= mostKnown) known.clear();
  known.set(text, holds);
  return holds;
}

const birthShape =
  /\b(?:date of birth|dob|born on|birth ?date|passport(?: number| no)?|driver'?s? licen[cs]e|social security|ssn|national id|tax id)\b/i;

/** `SSN ***-**-6789`: the word for a number of which nothing but its end is left. */
const maskedNumber =
  /\b(?:passport(?: number| no)?|driver'?s? licen[cs]e|social security(?: number| no)?|ssn|national id|tax id)\W{0,4}[*•#x]{2}[*•#x -]{0,40}\d{0,4}(?![\w*•#-])/gi;

/** Without numbers of persons that are masked, which say nothing. */
export const withoutMasked = (text: string): string =>
  /[*•#x]{2}/i.test(text) ? text.replaceAll(maskedNumber, ' ') : text;

/** Ten digits are an order as often as a telephone: it takes the signs of one, or a word for it beside them. */
const isDialled = (value: string, text: string): boolean =>
  /^\+|^\(\d|^0\d{2,4}[-./]\d|^\d{3}[-.]\d{3}[-.]\d{4}$/.test(value) ||
  /\b(?:phones?|tele(?:phone)?|mobile|cell|call|dial|ring|reach|whatsapp|sms|fax)\b/i.test(
    text.slice(0, 4000),
  );

const spacedPhone = /(?:^|[^\w])\+\d{1,3}[ ().-]?\d[\d ().-]{6,16}\d\b/;
const streetShape =
  /\b\d{1,4}[a-z]? (?:[A-Z][\p{L}]+ ){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Drive|Boulevard|Way|Court|Square)\b/u;

/** A number with a plus before it: one in ten has the checksum of a card. */
const onlyPhone = /^\s*\+[\d ().-]{7,20}\s*$/;

const shapesOf: Readonly<Record<DataClass, (text: string) => boolean>> = {
  secret: holdsSecret,
  personal: (text) =>
    birthShape.test(withoutMasked(text)) || streetShape.test(text) || holdsKind(text, 'national_id'),
  contact: (text) =>
    spacedPhone.test(text) ||
    streetShape.test(text) ||
    entitiesOf(text).some(
      ({ kind, value }) => kind === 'email' || (kind === 'phone' && isDialled(value, text)),
    ),
  health: () => false,
  card: (text) =>
    !onlyPhone.test(text) &&
    (entitiesOf(text).some(({ kind }) => kind === 'card') ||
      hasSpacedCard(text) ||
      holdsKind(text, 'payment_card')),
  bank: (text) => entitiesOf(text).some(({ kind }) => kind === 'account') || holdsKind(text, 'iban'),
  source_code: (text) =>
    /(?:^|\n)\s{0,8}(?:import |from \w+ import|def \w+\(|function \w+\(|class \w+|#include|public static)/.test(
      text,
    ),
  customer: () => false,
  confidential: () => false,
};

function hasSpacedCard(text: string): boolean {
  // Behind `AT61` the groups are those of an account.
  return /(?<![A-Z]{2}\d{2}[ -](?:\w{4}[ -]){0,4})\b\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{1,7}\b/.test(text);
}

const wordsOf: Readonly<Record<DataClass, string>> = {
  secret:
    'password passwd pwd credential secret token apikey passphrase otp pin ssh pem env id_rsa keychain shadow kubeconfig passcode',
  personal: 'ssn passport dob birth birthday pii personal salary payroll national',
  contact: 'phone email contact address',
  health:
    'medical patient diagnosis health prescription medication hospital disease hiv therapy clinical phi illness treatment lab allergy diabetes hepatitis cancer asthma depression epilepsy hypertension schizophrenia leukemia pneumonia tumor tumour dementia bipolar autism chemotherapy pregnancy pregnant oncology psychiatric',
  card: 'card cvv cvc pan cardholder creditcard',
  bank: 'iban bank account swift',
  source_code: 'source code repository repo codebase',
  customer: 'customer client user subscriber',
  confidential: 'confidential internal proprietary secret private restricted nda roadmap',
};

const wordSets = new Map(
  Object.entries(wordsOf).map(([name, words]) => [name, new Set(words.split(' ').map(root))]),
);

/** Words that share their root with one that names data: `customs` are no customers. */
const otherWords = new Set(['accounting', 'custom', 'customs', 'customize', 'customise']);

/** What is counted in tokens, and where a list goes on: `max_tokens`, `next_page_token`. */
const counting = new Set(
  'max min maximum minimum num number count total used prompt completion input output budget remaining cached reasoning context per'.split(
    ' ',
  ),
);
const counted = new Set('count counts limit budget usage length window per'.split(' '));
const paging = new Set(
  'page next previous prev continuation continue pagination cursor sync resume start starting idempotency'.split(
    ' ',
  ),
);

/** A word for a secret that is none here, by the words beside it. */
function isOtherToken(word: string, before: string, after: string): boolean {
  if (word !== 'token' && word !== 'tokens') return false;
  if (paging.has(before) || counted.has(after)) return true;
  return word === 'tokens' ? counting.has(before) : /^(?:max|min|num)$/.test(before);
}

const feasts = new Set(
  'party parties cake gift gifts present presents card cards dinner lunch brunch celebration celebrations greeting greetings wish wishes surprise song bash drinks invitation invitations flowers event'.split(
    ' ',
  ),
);

/** "A birthday party" is held on a day of which it says nothing. */
const isFeast = (word: string, before: string, after: string) =>
  word === 'birthday' && (feasts.has(after) || before === 'happy');

/** The words of a text, read once for all classes of data. */
export interface SpokenText {
  readonly text: string;
  readonly words: readonly string[];
  readonly roots: ReadonlySet<string>;
}

export function spokenText(text: string): SpokenText {
  const words = textWords(text.replaceAll('_', ' '));
  const telling = words.filter((word, at) => {
    const [before = '', after = ''] = [words[at - 1], words[at + 1]];
    return (
      !word.startsWith('accountan') &&
      !otherWords.has(word) &&
      !isOtherToken(word, before, after) &&
      !isFeast(word, before, after)
    );
  });
  return { text, words, roots: new Set(telling.map(root)) };
}

/** Whether the words of a text (a file name, a key, a subject) speak of this class of data. */
export const namesClass = (text: string, dataClass: DataClass): boolean =>
  speaksOfClass(spokenText(text), dataClass);

/** As `namesClass`, of a text whose words have been read. */
export function speaksOfClass({ text, words, roots }: SpokenText, dataClass: DataClass): boolean {
  const set = wordSets.get(dataClass);
  const found = set !== undefined && !set.isDisjointFrom(roots);
  // "Routing number", and no route.
  if (
    dataClass === 'bank' &&
    words.some((word, at) => word === 'routing' && /^(?:number|no|code)$/.test(words[at + 1] ?? ''))
  )
    return true;
  if (found || dataClass !== 'secret') return found;
  return (
    words.some(
      (word, at) =>
        word === 'key' &&
        ['api', 'private', 'ssh', 'access', 'secret', 'encryption', 'signing'].includes(words[at - 1] ?? ''),
    ) || /(?:^|[/\\\s"'])(?:\.env|id_rsa|id_ed25519|\.aws|\.ssh|\.netrc|\.pgpass|\.npmrc)\b/.test(text)
  );
}

/** Whether the text carries data of the class by its shape. */
export const holdsClass = (text: string, dataClass: DataClass): boolean =>
  shapesOf[dataClass](text.slice(0, longest));
