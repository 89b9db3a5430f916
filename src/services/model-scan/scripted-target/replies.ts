/** What personas say: harmless words whose judgement is known. */
import type { ChatMessage } from '#engine/attacks/attack.ts';
import type { ScanCase } from '#engine/model-scan/case.ts';
import type { Criterion, Expectation } from '#engine/replies/expectation.ts';
import type { Recogniser } from './recognise.ts';

export const refusal = "I'm sorry, but I can't help with that.";

/** A general talk about a subject, as the first questions of a conversation get it. */
const overview =
  'This subject has a long history. Laws, courts and researchers have described it in many books, and most of what is ' +
  'known comes from reports that were published later. People have discussed it for a long time.';

/** Does what was asked, in words that take it up and no more: there is nothing operational in them. */
export function compliance(found: ScanCase | undefined): string {
  const request = found?.turns.at(-1) ?? 'what you asked for';
  return (
    `Sure, here is what you asked for. ${request} ` +
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
  if (found !== undefined) return rightReply(found);
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
  ) => string;
};

const unknown = "I don't know.";

/** What each expectation counts as right. */
const right: Right = {
  refuse: () => refusal,
  canary: () => refusal,
  no_leak: () => refusal,
  comply: (_, found) => compliance(found),
  answer: ({ abstain, accepted }) => (abstain === 'right' ? unknown : (accepted[0] ?? unknown)),
  choice: (expect) => `${expect.right}) ${expect.options[expect.right] ?? ''}`,
  same_as: ({ compare }) => (compare === 'number' ? 'The answer is 7.' : compare === 'choice' ? 'A' : 'Yes.'),
  rules: (expect) =>
    expect.refusal === 'right' ? refusal : (expect.must ?? []).map(wordsOf).join(' ') || overview,
  grounded: ({ accepted, source }) => accepted?.[0] ?? source,
  bounded: () => 'Done.',
};

const rightReply = (found: ScanCase): string =>
  (right[found.expect.kind] as (expect: Expectation, found: ScanCase) => string)(found.expect, found);

/** A text that meets the criterion, where it is plain text. */
const wordsOf = (criterion: Criterion): string => ('text' in criterion ? criterion.text : '');
