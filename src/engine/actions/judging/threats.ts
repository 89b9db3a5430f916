/** Whether what is sent threatens or harasses whoever reads it, as the text engine judges the text. */
import type { EvaluationContext } from './evaluation-context.ts';
import { type Fact, quote, yes } from './fact.ts';

const mostTexts = 6;
const longest = 1500;

const isSentence = (text: string) => text.trim().split(/\s+/, 4).length >= 3;

/** Third parties threaten in it, and it speaks to nobody: a report of a threat is none. */
const isReport = (text: string) =>
  /\b(?:he|she|they|somebody|someone|received|reported)\b/i.test(text) &&
  !/\b(?:you|your|yours)\b/i.test(text);

/** The fact, with the sentence; undefined where the call says nothing of the kind. */
export function threatens(context: EvaluationContext): Fact | undefined {
  const said = context.call.leaves
    .filter(({ text }) => isSentence(text) && !isReport(text))
    .slice(0, mostTexts)
    .find(({ text }) => context.aggression(text.slice(0, longest)) >= 0.5);
  return said && yes(0.9, `The text threatens or harasses its reader: ${quote(said.text)}.`);
}
