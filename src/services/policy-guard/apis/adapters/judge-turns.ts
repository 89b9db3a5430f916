import { invalid } from '#base/errors.ts';
import type { ContextMessage } from '#engine/text/types.ts';
import type { Evaluate, TextInContext } from '../../judging/evaluate/evaluate.ts';
import type { Asked, Verdict } from '../../judging/verdicts/verdict.ts';
import type { Guard } from '../../guards/guard.ts';
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
  const earlier = said.slice(0, -1);
  const texts = [...new Set(earlier.map(({ text }) => text))].map((text): TextInContext => ({
    text,
    messages: [],
  }));
  if (last !== undefined) texts.push({ text: last.text, messages: contextOf([...before, ...earlier]) });
  const verdicts = await evaluate.judgeTexts(guard, texts, asked);
  const redacted = new Map<string, string>();
  for (const [i, { redactedText }] of verdicts.entries())
    if (redactedText !== undefined) redacted.set(texts[i]?.text ?? '', redactedText);
  return {
    guard,
    flagged: verdicts.some(({ flagged }) => flagged),
    violations: violationsIn(verdicts),
    textsJudged: texts.length,
    redacted,
    latencyMs: performance.now() - start,
  };
}

/** Each once, at its highest; the strongest first. */
function violationsIn(verdicts: readonly Verdict[]): Violation[] {
  const found = new Map<string, Violation>();
  for (const { groupUuid, threshold, policies } of verdicts.flatMap(({ groups }) => groups))
    for (const { name, probability, violated } of policies) {
      const key = `${groupUuid} ${name}`;
      if (violated && probability > (found.get(key)?.probability ?? -1))
        found.set(key, { groupUuid, policy: name, probability, threshold });
    }
  return [...found.values()].sort((a, b) => b.probability - a.probability);
}
