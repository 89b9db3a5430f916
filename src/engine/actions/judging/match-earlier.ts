import type { Call } from '../calls/call.ts';
import { wordsIn } from '../calls/call-words.ts';
import type { Condition } from '../clauses.ts';
import { type Met, isMet, met } from './met.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import type { ThingPhrase } from '../things.ts';
import { areKin } from '../verbs.ts';
import { root, textWords } from '../words.ts';

const failedShape =
  /["']?\b(?:verified|valid|match(?:ed|es)?|approved|ok|success|passed|result|found|confirmed|available|exists)["']?\s*[:=]\s*["']?(?:false|null|no|failed|fail|invalid|expired)\b|\b(?:verification|identity|check|validation|authentication|backup|scan|login)\b[^.\n]{0,20}\bfailed\b|\bnot (?:verified|found|matched|valid|confirmed|passed)\b|\bno (?:[a-z]+ ){1,3}found\b|\b(?:does|do|did) not match\b|^\W*(?:failed|failure|denied|rejected|false|invalid|error|expired)\b/i;

/** A check that did not come out well is none. */
const saysFailed = ({ step: { toolOutput } }: Call): boolean =>
  toolOutput !== undefined && toolOutput !== null && failedShape.test(shortText(toolOutput));

const pendingShape =
  /\b(?:pending|in[_ -]?progress|incomplete|not[_ -](?:complete|started|done|finished)|running|queued|waiting|processing|awaiting)\b|["']?\b(?:completed?|done|passed|finished)["']?\s*[:=]\s*["']?(?:false|no)\b/i;

/** It was begun and has not come to its end. */
const isPending = ({ step: { toolOutput } }: Call): boolean =>
  toolOutput !== undefined && toolOutput !== null && pendingShape.test(shortText(toolOutput));

/** An earlier reply of the agent speaks of it. */
const saidByAgent = ({ steps }: EvaluationContext, phrases: readonly ThingPhrase[]): boolean =>
  steps.slice(0, -1).some(({ role, toolName, action }) => {
    if (role !== 'agent' || (toolName ?? '') !== '' || action === undefined) return false;
    const roots = new Set(textWords(action.slice(0, 2000)).map(root));
    const words = phrases.flatMap((phrase) => [...phrase.words, ...phrase.hard]);
    return words.filter((word) => isMet(word, roots)).length >= Math.ceil(words.length / 2);
  });

const shortText = (output: unknown): string =>
  typeof output === 'string' ? output.slice(0, 600) : (JSON.stringify(output) ?? '').slice(0, 600);

/** A step before this one did that, and did it well. */
export function earlierMet(
  context: EvaluationContext,
  { senses, phrases, wantsMost = false, said: maySay, done }: Extract<Condition, { test: 'earlier' }>,
): Met {
  if (maySay === true && saidByAgent(context, phrases)) return met(true);
  // Having looked at something is no copy of it.
  const asksToRead = senses.some((sense) => sense === 'read' || sense === 'verify' || sense === 'print');
  const hit = context.earlier.some((call) => {
    const acts =
      senses.length === 0 ||
      senses.some((sense) =>
        [...call.senses].some(
          (done) => done === sense || (areKin(done, sense) && (done !== 'read' || asksToRead)),
        ),
      );
    if (!acts && !phrasesNamed(phrases, call)) return false;
    // Lenient: asking for more than one word of the duty would forbid what the rule allows.
    const { named, said } = wordsIn(call);
    const words = phrases.flatMap((phrase) => [...phrase.words, ...phrase.hard]);
    const count = words.filter((word) => isMet(word, named) || said.has(root(word))).length;
    const isDone = words.length === 0 || count >= (wantsMost ? Math.ceil(words.length * 0.5) : 1);
    return isDone && !saysFailed(call) && !(done === true && isPending(call));
  });
  return met(hit);
}

const phrasesNamed = (phrases: readonly ThingPhrase[], call: Call) =>
  phrases.some(({ words }) => words.some((word) => call.words.map(root).includes(root(word))));
