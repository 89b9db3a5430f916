/** Of the answers that were read, the passages that speak to the agent, and what a call has from them. */
import { mayBeGrouped, type Value, valuesOf } from '../instructions/values.ts';
import { listingStep } from '../types.ts';
import { root, textWords } from '../words.ts';
import type { Output } from './earlier-steps.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { mayLeadFrom } from './influence.ts';

/** Log-odds from which a passage speaks so clearly that a word of it is enough. */
export const loudFrom = -0.5;

/** Judging an answer costs some tenths of a millisecond: the latest are looked at. */
const mostOutputs = 8;
const around = 300;

/** The latest answers of tools, without descriptions of them. */
export const readAnswers = (context: EvaluationContext): readonly Output[] =>
  context
    .outputs()
    .slice(0, mostOutputs)
    .filter(({ call }) => call.toolName !== listingStep);

const blanks = /[ .-]/g;

/** Whether the text, in lower case, has the value: an account also in groups. */
export const isHeld = (lower: string, { lower: value, place }: Value): boolean =>
  lower.includes(value) ||
  (mayBeGrouped(place) && lower.replaceAll(blanks, '').includes(place.replaceAll(blanks, '')));

/** Those that hold one of the marks or values at all: only they are worth judging. */
export const answersWith = (
  outputs: readonly Output[],
  marks: readonly string[],
  values: readonly Value[],
): readonly Output[] => {
  const accounts = values.filter(({ place }) => mayBeGrouped(place));
  return outputs.filter(
    ({ lower }) =>
      marks.some((mark) => lower.includes(mark)) || accounts.some((value) => isHeld(lower, value)),
  );
};

/** What stands on the lines of the loudest sentence, in lower case. */
export function passageOf({ prose, speech: { sentence } }: Output): string {
  const at = sentence === '' ? -1 : prose.indexOf(sentence);
  if (at < 0) return sentence.toLowerCase();
  const end = at + sentence.length;
  const from = Math.max(prose.lastIndexOf('\n', at) + 1, at - around);
  const to = prose.indexOf('\n', end);
  return prose.slice(from, Math.min(to < 0 ? prose.length : to, end + around)).toLowerCase();
}

const fileShape =
  /^[^\n@]{1,80}\.(?:pdf|docx?|xlsx?|pptx?|csv|tsv|txt|md|json|ya?ml|xml|html?|zip|gz|tar|7z|png|jpe?g|gif|heic|sql|db|bak|key|pem|eml|ics|vcf|log|odt|ods|pages|numbers)$/i;
const shortestWord = 4;

/** A file that goes along because a text said so, where the user left no content to say what is sent. */
export function toldFile(context: EvaluationContext): string | undefined {
  const { call, request } = context;
  if (request.delegation === 'asked' || request.delegation === 'open') return undefined;
  // "The leaflet": a file with that word in its name is the one.
  const isSpokenOf = (lower: string) =>
    textWords(lower).some((word) => word.length >= shortestWord && request.roots.has(root(word)));
  const files = valuesOf(call, request).filter(
    ({ text, lower, leaf }) => leaf.text === text && fileShape.test(text) && !isSpokenOf(lower),
  );
  return files.find((file) =>
    answersWith(readAnswers(context), [file.lower], []).some(
      (output) => output.speech.logit >= mayLeadFrom && passageOf(output).includes(file.lower),
    ),
  )?.text;
}

/** Words for an account that is another one than before. */
const changed =
  /\b(?:chang\w+|new|closed?|moved?|switch\w*|instead|no longer|updated?|former|previous|old|migrat\w+|replac\w+|from now on|neue\w*|geändert\w*|nouve\w+|nuev\w+|nuov\w+|novo|nova)\b/;
const banks = /\b(?:bank\w*|accounts?|iban|konto|kontoverbindung|compte|cuenta|conto|conta|rekening)\b/;

/** Whether the account of a payment is one that a text which speaks to the agent gives out for a new one. */
export function isRedirected(context: EvaluationContext): boolean {
  if (!context.call.effects.has('pay')) return false;
  const accounts = valuesOf(context.call, context.request).filter(({ place }) => mayBeGrouped(place));
  if (accounts.length === 0) return false;
  return answersWith(readAnswers(context), [], accounts).some((output) => {
    if (output.speech.logit < loudFrom) return false;
    const passage = passageOf(output);
    return changed.test(passage) && banks.test(passage) && accounts.some((value) => isHeld(passage, value));
  });
}
