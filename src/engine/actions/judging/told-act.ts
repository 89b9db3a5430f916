/**
 * An act that the user did not ask for, and that a text which was read speaks of: most attackers give no order, they state
 * what is done from now on, and name the thing.
 */
import type { Call } from '../calls/call.ts';
import { once } from '../calls/once.ts';
import { actsAbroad } from '../instructions/foreign-instructions.ts';
import { type Value, valuesOf } from '../instructions/values.ts';
import { root, textWords } from '../words.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { isProse } from './influence.ts';
import { answersWith, isHeld, loudFrom, passageOf, readAnswers } from './loud-passages.ts';

const mostText = 500;
const shortestWord = 4;
const shortestValue = 3;

/** What a call has that the user did not give: values, and roots of words for its things. */
interface Own {
  readonly values: readonly Value[];
  readonly words: ReadonlySet<string>;
}

const ownOf = once(({ call, request }: EvaluationContext): Own => {
  const words = [...call.words, ...call.leaves.flatMap(({ text }) => textWords(text.slice(0, mostText)))];
  return {
    values: valuesOf(call, request).filter(({ lower }) => lower.length >= shortestValue),
    words: new Set(
      words
        .filter((word) => word.length >= shortestWord && /\p{L}/u.test(word))
        .map(root)
        .filter((word) => !request.roots.has(word)),
    ),
  };
});

const hasWord = (lower: string, { words }: Own): boolean =>
  textWords(lower).some((word) => words.has(root(word)));

/** As many as an address or a name in full has: they stand in two texts by no chance. */
const wordsOfPlace = 3;

/** It makes something new, for nobody else: a note, a draft, a record of what was done. */
const makesOnly = ({ senses }: Call): boolean =>
  senses.size > 0 && [...senses].every((sense) => sense === 'write' || sense === 'create');

/** Whether the call has something from the passage. */
function takesFrom(passage: string, context: EvaluationContext): boolean {
  const own = ownOf(context);
  const values = own.values.filter((value) => isHeld(passage, value));
  if (makesOnly(context.call))
    return values.some(({ distinct, roots }) => distinct || roots.length >= wordsOfPlace);
  if (values.length > 0) return true;
  // What a tool does whose name says nothing may be what was asked for in other words, where something was.
  return (context.request.onlyAsks || actsOf(context.call).length > 0) && hasWord(passage, own);
}

/** Two things of the call that stand in one sentence are there for a reason, however quietly it says so. */
const together = 2;
const longestLine = 2000;

/** Acts that are told quietly as well; what only makes a note is none. */
const grave = new Set(
  'cancel disable delete pay buy book refund grant enable invite approve share send export commit update'.split(
    ' ',
  ),
);

/** What a tool does by its name, in another language too. */
const actsOf = ({ senses, words }: Call): readonly string[] =>
  senses.size > 0 ? [...senses] : words.flatMap(actsAbroad);

/** A line that has two values of the call; of who only asks, one or a word is enough. */
function quietLine(prose: string, context: EvaluationContext): string | undefined {
  const own = ownOf(context);
  const values = [...new Set(own.values.map(({ lower }) => lower))];
  const needed = context.request.onlyAsks ? 1 : together;
  return prose.split('\n').find((line) => {
    if (line.length > longestLine || !isProse(line)) return false;
    const lower = line.toLowerCase();
    if (values.filter((value) => lower.includes(value)).length >= needed) return true;
    return context.request.onlyAsks && hasWord(lower, own);
  });
}

/** The passage that speaks of what the call does. */
export function toldBy(context: EvaluationContext): string | undefined {
  const own = ownOf(context);
  const isGrave = actsOf(context.call).some((sense) => grave.has(sense));
  const marks = [...own.values.map(({ lower }) => lower), ...own.words];
  for (const output of answersWith(readAnswers(context), marks, own.values)) {
    if (output.speech.logit >= loudFrom && takesFrom(passageOf(output), context))
      return output.speech.sentence;
    const line = isGrave ? quietLine(output.prose, context) : undefined;
    if (line !== undefined) return line;
  }
  return undefined;
}
