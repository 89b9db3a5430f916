/** Which answers hold a value: several rules look for the same values in all of them. */
import { once } from '../calls/once.ts';
import { gramsOf } from '../instructions/text-signature.ts';
import type { Output } from './earlier-steps.ts';
import type { EvaluationContext } from './evaluation-context.ts';

const firstWith = once((_context: EvaluationContext) => new Map<string, number>());

// oxlint-disable-next-line no-control-regex -- all of ASCII.
const ascii = /^[\x00-\x7f]*$/;

/** The answers from the first one on that holds the value, given in lower case; none where no answer does. */
export function outputsFrom(context: EvaluationContext, value: string): readonly Output[] {
  const outputs = context.outputs();
  const known = firstWith(context);
  let first = known.get(value);
  if (first === undefined) {
    // Signatures are of ASCII; of a shorter value, and of any other, there are no grams, and each answer may hold it.
    const grams = ascii.test(value) ? gramsOf(value) : [];
    first = outputs.findIndex((output) => output.mayHold(grams) && output.lower.includes(value));
    known.set(value, first);
  }
  return first < 0 ? [] : outputs.slice(first);
}
