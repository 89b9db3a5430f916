/** Ordinary messages to an assistant: what a policy flags of them is flagged all day. */
import type { Analysis, TextEngine } from '#engine/text/engine.ts';
import { everydayTexts } from './everyday.ts';

/** Those used besides the examples for learning; the rest are for measuring only. */
export const learnedBeside = (): readonly string[] => everydayTexts().filter(isLearned);
const isLearned = (_: unknown, at: number) => at % 2 === 0;

type Reader = Pick<TextEngine, 'analyseInTurns'>;

/** Read once for each engine. */
const readBy = new WeakMap<Reader, Promise<Analysis[]>>();

export interface Ordinary {
  /** All of them. */
  readonly all: readonly Analysis[];
  /** Those of {@link learnedBeside}. */
  readonly learned: readonly Analysis[];
}

export async function readOrdinary(engine: Reader): Promise<Ordinary> {
  const reading = readBy.get(engine) ?? read(engine);
  readBy.set(engine, reading);
  const all = await reading;
  return { all, learned: all.filter(isLearned) };
}

async function read(engine: Reader): Promise<Analysis[]> {
  const analyses: Analysis[] = [];
  for (const text of everydayTexts()) analyses.push(await engine.analyseInTurns(text));
  return analyses;
}
