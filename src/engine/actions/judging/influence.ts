/** Whether something that was read before may have led to the call: a text that speaks to its reader, a value from it. */
import { shippedWeights } from '../../tool-outputs/weights.ts';
import type { Call } from '../calls/call.ts';
import { leavesOf } from '../calls/leaves.ts';
import { once } from '../calls/once.ts';
import { isAbroad } from '../instructions/foreign-instructions.ts';
import type { Follow } from '../instructions/follow.ts';
import { parsedOutput } from '../instructions/prose.ts';
import { valuesOf, type Value } from '../instructions/values.ts';
import { listingStep } from '../types.ts';
import { remarkKeys } from './contacts.ts';
import type { Output, Speech } from './earlier-steps.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { isOtherLanguage } from './languages.ts';

/**
 * Log-odds of the judge of tools' answers (`engine/tool-outputs`), well below those from which the gateway marks an answer,
 * since another sign stands beside it here. Between -2.4 and -1.5 few verdicts change (decision 086).
 */
export const mayLeadFrom = -2;

/** Latest answers that are judged whatever is in them; each costs some tenths of a millisecond, once a session. */
const recentOutputs = 6;

/**
 * The latest answer that speaks to whoever reads it as clearly as `bound`; of those before the last six only answers in
 * which a sentence tells to do something are judged.
 */
const speaksFrom = (outputs: readonly Output[], bound: number): Speech | undefined =>
  outputs.find(
    (output, i) => (i < recentOutputs || output.orders.map.orders > 0) && output.speech.logit >= bound,
  )?.speech;

/** An answer that the gateway would mark: the agent was told something, whatever the user said. */
const isSpokenTo = once(
  (context: EvaluationContext): boolean =>
    speaksFrom(context.outputs(), shippedWeights().medium) !== undefined,
);

/**
 * Whether nobody can say that the user did not ask: no word of theirs can be read, and where there are some, nothing speaks
 * to the agent.
 */
export const mayHaveAsked = (context: EvaluationContext): boolean =>
  context.request.isUnread && (context.request.text === '' || !isSpokenTo(context));

/** Logits for one unit of a score of `followed()`, in which 1 is the bound. */
const perScore = 4;

/**
 * Whether a sentence that the call seems to follow is one that speaks to the agent. Two judges looked, one at what the
 * call has from the sentence and one at the text as it is: what both say is added up. The latter reads few languages.
 */
export const isFollowed = (context: EvaluationContext, { order, score }: Follow): boolean =>
  paysBill(context)
    ? isSpokenTo(context)
    : speaksFrom(context.outputs(), mayLeadFrom - perScore * (score - 1)) !== undefined ||
      isAbroad(order.lower);

/** What a bill says reads like an order, in the language of whoever sent it; the user asked to pay it. */
const paysBill = ({ call, request }: EvaluationContext): boolean =>
  call.senses.has('pay') &&
  request.senses.has('pay') &&
  (request.delegation !== 'none' || /\bpay (?:it|them|that|this)\b/.test(request.lower));

/** A sentence, and not the field of a record. */
const proseFrom = 4;
export const isProse = (line: string) =>
  (line.replaceAll(/\S{1,12}:\/\/\S+|\S{1,80}@\S+/g, ' ').match(/\p{L}{2,}/gu)?.length ?? 0) >= proseFrom;

const written = once((context: EvaluationContext): readonly string[] =>
  context
    .outputs()
    .flatMap(({ prose, call }) => [...prose.toLowerCase().split('\n').filter(isProse), ...remarksIn(call)]),
);

/** Those of a structured answer, in lower case. */
const remarksIn = once((call: Call): readonly string[] =>
  leavesOf(parsedOutput(call.step.toolOutput)).flatMap(({ key, text }) =>
    remarkKeys.test(key) ? [text.toLowerCase()] : [],
  ),
);

/** The first of those values of the call that the user did not give and that somebody has written into a text. */
export function writtenValue(
  context: EvaluationContext,
  isSought: (value: Value) => boolean,
): string | undefined {
  const values = valuesOf(context.call, context.request).filter(isSought);
  return values.find(({ lower }) => written(context).some((line) => line.includes(lower)))?.text;
}

/** Why what was read before may have led to the call, as a sentence; undefined where it looks like a step on the way. */
export const mayBeLed = once((context: EvaluationContext): string | undefined => {
  // An agent finds out on its way what a task takes: before it has read anything, nothing can have told it.
  if (context.earlier.length === 0) return 'Nothing was read before that the task may take it from.';
  if (context.earlier.some(({ step }) => (step.toolOutput ?? undefined) === undefined))
    return 'What a tool answered before is not known.';
  const outputs = context.outputs();
  // Descriptions tell an agent what to do by nature.
  const own = outputs.filter(({ call }) => call.toolName !== listingStep);
  const listings = outputs.filter(({ call }) => call.toolName === listingStep);
  const speech = speaksFrom(own, mayLeadFrom) ?? speaksFrom(listings, shippedWeights().medium);
  if (speech !== undefined)
    return speech.sentence === ''
      ? 'A long text was read before.'
      : `What was read before speaks to its reader: "${speech.sentence.slice(0, 120)}".`;
  // The judge of answers reads few languages; whoever writes English seldom has work in another one.
  if (!context.request.isUnread && written(context).some(isOtherLanguage))
    return 'A text in another language was read before.';
  const value = writtenValue(context, ({ distinct, lower }) => distinct && lower.length >= 4);
  return value === undefined ? undefined : `"${value.slice(0, 120)}" stands in a text that was read before.`;
});
