/**
 * An act that the user did not ask for, and that a text which was read speaks of: most attackers give no order, they state
 * what is done from now on, and name the thing.
 */
import type { Call } from '../calls/call.ts';
import { mayBeGrouped, type Value, valuesOf } from '../instructions/values.ts';
import { listingStep } from '../types.ts';
import { root, textWords } from '../words.ts';
import type { Output } from './earlier-steps.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { actsAbroad } from '../instructions/foreign-instructions.ts';
import { isProse, mayLeadFrom } from './influence.ts';
import type { Request } from './request.ts';

/** Log-odds from which a passage speaks so clearly that a word of it is enough. */
const loudFrom = -0.5;
const mostOutputs = 12;
const mostText = 500;
const shortestWord = 4;

/** The lines of an answer in which its loudest sentence stands. */
function passageOf({ prose, speech: { sentence } }: Output): string {
  const at = prose.indexOf(sentence);
  if (sentence === '' || at < 0) return sentence;
  const from = prose.lastIndexOf('\n', at) + 1;
  const to = prose.indexOf('\n', at + sentence.length);
  return prose.slice(from, to < 0 ? prose.length : to);
}

/** Words of the call that say what it is done to, and that the user did not use. */
const ownWords = ({ leaves, words }: Call, { roots }: Request): Set<string> =>
  new Set(
    [...words, ...leaves.flatMap(({ text }) => textWords(text.slice(0, mostText)))]
      .filter((word) => word.length >= shortestWord && /\p{L}/u.test(word))
      .map(root)
      .filter((word) => !roots.has(word)),
  );


const isHeld = (lower: string, even: string, { lower: value, place }: Value): boolean =>
  value.length >= 3 &&
  (lower.includes(value) || (mayBeGrouped(place) && even.includes(place.replaceAll(blanks, ''))));
const blanks = /[ .-]/g;

/** Whether the call has something from the passage that the user did not give: a value, or words for its things. */
function takesFrom(passage: string, { call, request }: EvaluationContext): boolean {
  const lower = passage.toLowerCase();
  const even = lower.replaceAll(blanks, '');
  const values = valuesOf(call, request).filter((value) => isHeld(lower, even, value));
  if (makesOnly(call)) return values.some(({ distinct, roots }) => distinct || roots.length >= wordsOfPlace);
  if (values.length > 0) return true;
  const told = new Set(textWords(lower).map(root));
  return [...ownWords(call, request)].some((word) => told.has(word));
}

/** As many as an address or a name in full has: they stand in two texts by no chance. */
const wordsOfPlace = 3;

/** It makes something new, for nobody else: a note, a draft, a record of what was done. */
const makesOnly = ({ senses }: Call): boolean =>
  senses.size > 0 && [...senses].every((sense) => sense === 'write' || sense === 'create');

/** Two things of the call that stand in one sentence are there for a reason, however quietly it says so. */
const together = 2;
const longestLine = 2000;
const grave = new Set([
  ...['cancel', 'disable', 'delete', 'pay', 'buy', 'book', 'refund', 'grant', 'enable', 'invite', 'approve'],
  ...['share', 'send', 'export', 'commit', 'update'],
]);

function standTogether({ prose }: Output, { call, request }: EvaluationContext): string | undefined {
  const values = new Set(valuesOf(call, request).map(({ lower }) => lower).filter((lower) => lower.length >= 3));
  if (values.size < together) return undefined;
  return prose
    .split('\n')
    .find(
      (line) =>
        line.length < longestLine && isProse(line) && [...values].filter((value) => line.toLowerCase().includes(value)).length >= together,
    );
}

/** What a tool of another language does by its name. */
const actsOfCall = ({ senses, words }: Call): readonly string[] =>
  senses.size > 0 ? [...senses] : words.flatMap(actsAbroad);

/** A line that has a value or a word of the call. */
function spokenOf({ prose }: Output, { call, request }: EvaluationContext): string | undefined {
  const values = valuesOf(call, request).filter(({ lower }) => lower.length >= 3);
  const words = ownWords(call, request);
  return prose
    .split('\n')
    .filter((line) => line.length < longestLine && isProse(line))
    .find((line) => {
      const lower = line.toLowerCase();
      return (
        values.some((value) => lower.includes(value.lower)) ||
        textWords(lower).some((word) => words.has(root(word)))
      );
    });
}

/** The passage that speaks of what the call does. */
export function toldBy(context: EvaluationContext): string | undefined {
  const isGrave = actsOfCall(context.call).some((sense) => grave.has(sense));
  const findQuiet = context.request.onlyAsks ? spokenOf : standTogether;
  for (const output of context.outputs().slice(0, mostOutputs)) {
    if (output.call.toolName === listingStep) continue;
    if (output.speech.logit >= loudFrom) {
      const passage = passageOf(output);
      if (passage !== '' && takesFrom(passage, context)) return output.speech.sentence;
    }
    const line = isGrave ? findQuiet(output, context) : undefined;
    if (line !== undefined) return line;
  }
  return undefined;
}

const fileShape = /^[^\n]{1,80}\.[a-z][a-z0-9]{1,4}$/i;

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
  if (files.length === 0) return undefined;
  const loud = context
    .outputs()
    .slice(0, mostOutputs)
    .filter(({ speech }) => speech.logit >= mayLeadFrom)
    .map((output) => passageOf(output).toLowerCase());
  return files.find(({ lower }) => loud.some((passage) => passage.includes(lower)))?.text;
}

/** Words for an account that is another one than before. */
const changed =
  /\b(?:chang\w+|new|closed?|moved?|switch\w*|instead|no longer|updated?|former|previous|old|migrat\w+|replac\w+|from now on|neue\w*|geändert\w*|nouve\w+|nuev\w+|nuov\w+|novo|nova)\b/;
const banks = /\b(?:bank\w*|accounts?|iban|konto|kontoverbindung|compte|cuenta|conto|conta|rekening)\b/;

/** Whether the account of a payment is one that a text which speaks to the agent gives out for a new one. */
export const isRedirected = (context: EvaluationContext): boolean =>
  context.call.effects.has('pay') &&
  context.outputs().some((output) => {
    if (output.speech.logit < loudFrom) return false;
    const passage = passageOf(output).toLowerCase();
    if (!changed.test(passage) || !banks.test(passage)) return false;
    const even = passage.replaceAll(blanks, '');
    return valuesOf(context.call, context.request).some(
      (value) => mayBeGrouped(value.place) && isHeld(passage, even, value),
    );
  });

/** Acts that stand for one another less freely than `areKin` has it: who wants an answer wants no list exported. */
const near: readonly (readonly string[])[] = [
  ['send', 'share', 'answer'],
  ['send', 'pay'],
  ['pay', 'buy', 'refund', 'charge', 'book'],
  ['delete', 'cancel', 'disable'],
  ['create', 'update', 'write', 'schedule', 'rename', 'move', 'enable', 'close'],
  ['create', 'schedule', 'book', 'invite'],
  ['execute', 'install', 'deploy', 'restart', 'download'],
  ['grant', 'invite', 'enable'],
  ['login', 'click', 'impersonate'],
  ['update', 'cancel'],
];
export const asksNearly = (request: Request, senses: Iterable<string>): boolean => {
  for (const sense of senses)
    for (const asked of request.senses)
      if (sense === asked || near.some((group) => group.includes(sense) && group.includes(asked))) return true;
  return false;
};
