import { runThread } from '#base/processes/run-thread.ts';
import type { HeadExample } from '#engine/text/adapted-head.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import type { Fitted } from '#engine/text/fit-measured.ts';
import type { CompiledPolicy } from '#engine/text/types.ts';
import type { Example } from './example.ts';

/** A policy and what it is to learn from. */
export interface Lesson {
  /** With what it has learned already: the new head corrects that. */
  readonly compiled: CompiledPolicy;
  readonly examples: readonly Example[];
  /** What an earlier lesson on the same examples found best; found by cross-validation where it is not given. */
  readonly scale?: number;
}

/** What the thread is given, for each policy. */
export interface FitTask {
  readonly examples: readonly HeadExample[];
  readonly scale: number | undefined;
}

export interface Learned extends Fitted {
  /** Whether each example violates the policy, in the order of the logits. */
  readonly labels: readonly (0 | 1)[];
  /** Of each example, by the policy as it is. */
  readonly logits: readonly number[];
}

const logitOf = (probability: number) => Math.log(probability / (1 - probability));

type Reader = Pick<TextEngine, 'analyseInTurns' | 'score'>;

/** Each text is read once, whichever policies it is an example of; others have their turn after each. */
async function readExamples(engine: Reader, lessons: readonly Lesson[]): Promise<HeadExample[][]> {
  const policies = lessons.map<HeadExample[]>(() => []);
  const wanted = new Map<string, { lesson: number; label: 0 | 1 }[]>();
  lessons.forEach(({ examples }, lesson) => {
    for (const { text, violates } of examples) {
      const uses = wanted.get(text) ?? [];
      uses.push({ lesson, label: violates ? 1 : 0 });
      wanted.set(text, uses);
    }
  });
  for (const [text, uses] of wanted) {
    const analysis = await engine.analyseInTurns(text);
    const features = analysis.features();
    for (const { lesson, label } of uses) {
      const compiled = lessons[lesson]?.compiled;
      if (compiled === undefined) continue;
      const prior = logitOf(engine.score(analysis, compiled).probability);
      policies[lesson]?.push({ features, prior, label });
    }
  }
  return policies;
}

const fitThread = new URL('fit-thread.ts', import.meta.url);

/**
 * Learns a head for each lesson, without holding up the process: reading takes about a millisecond per 1,000
 * characters with pauses in between, fitting runs in a thread.
 */
export async function learn(engine: Reader, lessons: readonly Lesson[]): Promise<Learned[]> {
  const read = await readExamples(engine, lessons);
  const tasks = read.map((examples, i): FitTask => ({ examples, scale: lessons[i]?.scale }));
  const fitted = await runThread<Fitted[]>(fitThread, tasks);
  return fitted.map((each, i) => {
    const examples = read[i] ?? [];
    return {
      ...each,
      labels: examples.map(({ label }) => label),
      logits: examples.map(({ prior }) => prior),
    };
  });
}
