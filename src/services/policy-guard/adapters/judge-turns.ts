import { setImmediate as othersFirst } from 'node:timers/promises';
import { invalid } from '#base/errors.ts';
import type { ContextMessage } from '#engine/text/types.ts';
import type { Evaluate } from '../evaluate/evaluate.ts';
import type { Asked } from '../evaluate/verdict.ts';
import type { Guard } from '../guards/guard.ts';
import type { Turn } from './chat-turns.ts';

export interface Violation {
  readonly groupUuid: string;
  readonly policy: string;
  /** The highest of all texts. */
  readonly probability: number;
  readonly threshold: number;
}

export interface TurnsVerdict {
  readonly guard: Guard;
  readonly flagged: boolean;
  /** Each policy of each group that a flagged text violates, once. */
  readonly violations: readonly Violation[];
  readonly textsJudged: number;
  /** Each judged text as it is without sensitive pieces; empty for a guard that does not redact. */
  readonly redacted: ReadonlyMap<string, string>;
  readonly latencyMs: number;
}

/** Texts of one call at most: a conversation that is longer is refused rather than judged in part. */
const maxTexts = 2000;
/** Turns that are given with the last one: as many as POST /api/topic_guard takes. */
const maxContext = 200;
const maxContextCharacters = 100_000;

/** What a text is judged with: the turns before it that are part of the conversation. */
const contextOf = (turns: readonly Turn[]): ContextMessage[] =>
  turns
    .flatMap(({ role, text }) =>
      role === 'tool' ? [] : [{ role, content: text.slice(0, maxContextCharacters) }],
    )
    .slice(-maxContext);

/**
 * Judges every text of a conversation once; the last one with those before it as context, since what a model will
 * answer to is the last. Whoever sends a conversation can write every turn of it, so none is passed over.
 * @param before turns that are context alone, having been judged when they were sent.
 * @throws AppError 422 for more texts than {@link maxTexts}.
 */
export async function judgeTurns(
  evaluate: Evaluate,
  guard: Guard,
  turns: readonly Turn[],
  asked: Asked,
  before: readonly Turn[] = [],
): Promise<TurnsVerdict> {
  const start = performance.now();
  const said = turns.filter(({ text }) => text.trim() !== '');
  if (said.length > maxTexts)
    throw invalid(`The conversation has ${said.length} texts; at most ${maxTexts} are judged in one call.`);
  const last = said.at(-1);
  const earlier = new Set(said.slice(0, -1).map(({ text }) => text));
  const violations = new Map<string, Violation>();
  const redacted = new Map<string, string>();
  let flagged = false;
  let textsJudged = 0;
  const judge = async (text: string, context: readonly ContextMessage[]) => {
    if (textsJudged > 0) await othersFirst();
    textsJudged += 1;
    const verdict = await evaluate.judgeText(guard, text, context, asked);
    if (verdict.redactedText !== undefined) redacted.set(text, verdict.redactedText);
    if (!verdict.flagged) return;
    flagged = true;
    for (const { groupUuid, threshold, policies } of verdict.groups)
      for (const { name, probability, violated } of policies) {
        const key = `${groupUuid} ${name}`;
        if (violated && probability > (violations.get(key)?.probability ?? -1))
          violations.set(key, { groupUuid, policy: name, probability, threshold });
      }
  };
  for (const text of earlier) await judge(text, []);
  if (last !== undefined) await judge(last.text, contextOf([...before, ...said.slice(0, -1)]));
  return {
    guard,
    flagged,
    violations: [...violations.values()].sort((a, b) => b.probability - a.probability),
    textsJudged,
    redacted,
    latencyMs: performance.now() - start,
  };
}
