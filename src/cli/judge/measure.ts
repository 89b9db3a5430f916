/** How well judges do on the probe. */
import type { loadConfig } from '#base/config/load.ts';
import { AppError } from '#base/errors.ts';
import { mcNemar } from '#engine/evaluation/comparison.ts';
import { atCut } from '#engine/evaluation/confusion.ts';
import { areaUnderRoc } from '#engine/evaluation/ranking.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import { openOfflineJudging } from '#services/policy-guard/judging/offline-judging.ts';
import type { sections } from '../../settings.ts';
import type { ProbeRow } from './probe.ts';

export type Config = ReturnType<typeof loadConfig<typeof sections>>;

/** The default of policy groups. */
const sensitivity = { threshold: 0.5, strictnessLevel: 'medium' } as const;

/** Probabilities of the rows, in their order. */
export interface Judged {
  readonly probabilities: readonly number[];
}

/** What a model did. */
export interface ModelJudged extends Judged {
  /** With the embedded engine before it, as guards have it unless they are told otherwise. */
  readonly cascade: Judged;
  /** Milliseconds of each verdict, sorted. */
  readonly ms: readonly number[];
  readonly hasLogprobs: boolean;
}

interface Figures {
  readonly right: number;
  readonly rows: number;
  readonly recall: number;
  readonly falsePositiveRate: number;
  readonly auroc: number;
}

const labelsOf = (rows: readonly ProbeRow[]) => rows.map(({ violates }) => (violates ? 1 : 0));

const rightOf = (rows: readonly ProbeRow[], { probabilities }: Judged): boolean[] =>
  rows.map(({ violates }, i) => (probabilities[i] ?? 0) >= sensitivity.threshold === violates);

/** At the default threshold and strictness. */
export function figuresOf(rows: readonly ProbeRow[], judged: Judged): Figures {
  const labels = labelsOf(rows);
  const { recall, falsePositiveRate } = atCut(judged.probabilities, labels, sensitivity.threshold);
  return {
    right: rightOf(rows, judged).filter(Boolean).length,
    rows: rows.length,
    recall,
    falsePositiveRate,
    auroc: areaUnderRoc(judged.probabilities, labels),
  };
}

/** Texts that only one of two judges got right, and how likely that is by chance. */
export const compared = (rows: readonly ProbeRow[], before: Judged, after: Judged) =>
  mcNemar(rightOf(rows, before), rightOf(rows, after));

/** The embedded engine alone. */
export function judgeEmbedded(engine: TextEngine, rows: readonly ProbeRow[]): Judged {
  const probabilities = rows.map(
    ({ policy, text }) => engine.score(engine.analyse(text), engine.compile(policy)).probability,
  );
  return { probabilities };
}

/** A model that is loaded from disk first takes its time. */
const firstAnswerMs = 120_000;

export interface ModelAddress {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: Config['llm']['apiKey'];
}

interface Limits {
  readonly concurrency: number;
  /** For all rows of one model. */
  readonly withinMs: number;
}

/**
 * Asks a model about every row, as guards with the engines `llm` and `cascade` do.
 * @throws AppError where the model cannot be asked, does not answer, or is too slow
 */
export async function judgeByModel(
  { baseUrl, model, apiKey }: ModelAddress,
  rows: readonly ProbeRow[],
  { config, engine, concurrency, withinMs }: Limits & { config: Config; engine: TextEngine },
): Promise<ModelJudged> {
  const timeoutMs = Math.min(firstAnswerMs, withinMs);
  const patient = {
    timeoutMs,
    attemptTimeoutMs: timeoutMs,
    attempts: 1,
    maxConcurrent: concurrency,
  };
  const llm = { ...config.llm, ...patient, baseUrl, model, apiKey };
  await using judging = await openOfflineJudging({ config: { ...config, llm }, engine });
  const until = performance.now() + withinMs;
  const ms: number[] = [];
  const ask = async ({ policy, text }: ProbeRow, by: 'llm' | 'cascade'): Promise<number> => {
    const startedAt = performance.now();
    if (startedAt > until)
      throw new AppError(504, 'too_slow', `It is too slow: ${ms.length} of ${rows.length} texts in time.`);
    const { probabilities } = await judging.judge({
      text,
      messages: [],
      engine: by,
      policies: [{ source: policy, compiled: engine.compile(policy) }],
      sensitivity,
    });
    if (by === 'llm') ms.push(performance.now() - startedAt);
    return probabilities[0] ?? Number.NaN;
  };
  const askAll = async (by: 'llm' | 'cascade') => ({
    probabilities: await inTurns(rows, concurrency, (row) => ask(row, by)),
  });
  const alone = await askAll('llm');
  // Equal questions are remembered: this costs no further calls.
  const cascade = await askAll('cascade');
  return { ...alone, cascade, ms: ms.sort((a, b) => a - b), hasLogprobs: judging.hasLogprobs() };
}

/** The outcomes in order, so many under way at once; none is started after a failure. */
async function inTurns<T, R>(
  items: readonly T[],
  atATime: number,
  ask: (item: T) => Promise<R>,
): Promise<R[]> {
  const outcomes: R[] = [];
  const waiting = [...items.entries()].values();
  let isOver = false;
  const worker = async () => {
    for (const [at, item] of waiting) {
      if (isOver) return;
      outcomes[at] = await ask(item);
    }
  };
  try {
    await Promise.all(Array.from({ length: atATime }, worker));
  } finally {
    isOver = true;
  }
  return outcomes;
}
