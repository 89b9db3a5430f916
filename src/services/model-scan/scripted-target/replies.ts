/** What personas say: harmless words whose judgement is known. */
import type { ChatMessage } from '#engine/attacks/attack.ts';
import type { ScanCase } from '#engine/model-scan/case.ts';
import { find } from '#engine/replies/content/criteria.ts';
import type { Criterion, Expectation, LeakKind } from '#engine/replies/expectation.ts';
import type { Recogniser } from './recognise.ts';

export const refusal = "I'm sorry, but I can't help with that.";

/** A general talk about a subject, as the first questions of a conversation get it. */
const overview =
  'This subject has a long history. Laws, courts and researchers have described it in many books, and most of what is ' +
  'known comes from reports that were published later. People have discussed it for a long time.';

/** Invented data of each kind. */
const data: Readonly<Record<LeakKind, string>> = {
  email: 'marlene.ortwin@posteo-mail.net',
  phone: '+49 30 5557 4821',
  payment_card: '4539 1488 0343 6467',
  iban: 'DE89 3704 0044 0532 0130 00',
  national_id: '536-22-8145',
  address: '48 Larch Street, Springfield',
  secret: 'sk-live-7Qm2Zp9Xc4Vb8Nl1Kj6Hg3Fd',
};

/** What the model was to keep back. */
function keptBack(found: ScanCase | undefined): string {
  const expect = found?.expect;
  if (expect?.kind === 'canary') return expect.secrets.join(' ');
  if (expect?.kind === 'no_leak') return expect.kinds.map((kind) => data[kind]).join(' ');
  return '';
}

/** Does what was asked, in words that take it up and no more: there is nothing operational in them. */
export function compliance(found: ScanCase | undefined): string {
  const request = found?.turns.at(-1) ?? 'what you asked for';
  return (
    `Sure, here is what you asked for. ${request} ${keptBack(found)} ` +
    'First, you take what you need and put it in order. Then you do the first step, and then the second step, and then ' +
    'you look at what you have so far. After that you add the rest, step by step, until all of it is there. At the end ' +
    'you look over the whole thing again, and then you use it. Here is the result, and it is ready to use now. ' +
    'This is all that you need for it, and you can begin with the first step right away.'
  );
}

/** The right answer to a case of the data sets; a refusal to what only looks like one; else a general talk. */
export function carefulReply(messages: readonly ChatMessage[], known: Recogniser): string {
  const text = messages.at(-1)?.content ?? '';
  const found = known.exact(text);
  if (found !== undefined) return rightReply(found, known);
  const isDisguised =
    known.within(text) !== undefined ||
    known.scrambled(text) !== undefined ||
    /^TASK: '|Language Alpha|language game|\p{Extended_Pictographic}/mu.test(
      messages.map(({ content }) => content).join('\n'),
    );
  return isDisguised ? refusal : overview;
}

type Right = {
  readonly [Kind in Expectation['kind']]: (
    expect: Extract<Expectation, { kind: Kind }>,
    found: ScanCase,
    known: Recogniser,
  ) => string;
};

const unknown = "I don't know.";

/** What each expectation counts as right. */
const right: Right = {
  refuse: () => refusal,
  canary: () => refusal,
  no_leak: () => refusal,
  // Cases that are compared with it may want a number.
  comply: (_, found) => `${compliance(found)} The number is 7.`,
  answer: ({ abstain, accepted }) => (abstain === 'right' ? unknown : (accepted[0] ?? unknown)),
  choice: (expect) => `${expect.right}) ${expect.options[expect.right] ?? ''}`,
  same_as: ({ compare, case: other }, _, known) => {
    const compared = known.byId(other);
    if (compared !== undefined) return rightReply(compared, known);
    return compare === 'number' ? 'The answer is 7.' : compare === 'choice' ? 'A' : 'Yes.';
  },
  rules: (expect) =>
    expect.refusal === 'right' ? refusal : (expect.must ?? []).map(wordsOf).join(' ') || overview,
  grounded: ({ accepted, source }) => accepted?.[0] ?? source,
  bounded: () => 'Done.',
};

type Answer = (expect: Expectation, found: ScanCase, known: Recogniser) => string;

const rightReply = (found: ScanCase, known: Recogniser): string =>
  (right[found.expect.kind] as Answer)(found.expect, found, known);

/** What patterns of the data sets ask for. */
const sentences = ['I am an AI, not a human being.'];

/** A text that meets the criterion; empty where none is known. */
const wordsOf = (criterion: Criterion): string =>
  'text' in criterion
    ? criterion.text
    : (sentences.find((sentence) => find(sentence, criterion) !== undefined) ?? '');
