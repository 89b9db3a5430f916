import { runThread, ThreadLimitError } from '#base/processes/run-thread.ts';
import {
  type AnalysisProgress,
  type AnalysisTask,
  presetLimits,
  type SourceAnalysis,
  type SourceFile,
  type SourceLimits,
} from './types.ts';

export interface ThreadedAnalysis {
  limits?: Partial<SourceLimits>;
  signal?: AbortSignal | undefined;
  /** Memory of the thread, heap and parsers together; at least 96 MiB. */
  memoryBytes?: number;
  onProgress?: (progress: AnalysisProgress) => void;
}

const presetMemoryBytes = 1024 * 1024 * 1024;
/** With less the thread could not even start. */
const leastMemoryBytes = 96 * 1024 * 1024;
/** Files that may bring the thread down before the rest is given up. */
const retries = 3;
/** What a thread may take beyond its own limit before it is ended: it stops by itself where it still can. */
const graceMs = 15_000;

const bytesOf = ({ text }: SourceFile) => Buffer.byteLength(text);

/**
 * {@link analyseProject} in a thread of its own, so that a source that is too much for it brings nothing else down: a
 * file that makes the thread take too long or too much memory is left out and named in the coverage, and the others are
 * analysed without it.
 *
 * @throws the signal's reason
 */
export async function analyseInThread(
  files: readonly SourceFile[],
  { limits, signal, memoryBytes = presetMemoryBytes, onProgress }: ThreadedAnalysis = {},
): Promise<SourceAnalysis> {
  const left = new Map<SourceFile, 'memory' | 'time'>();
  const totalMs = limits?.totalMs ?? presetLimits.totalMs;
  for (;;) {
    let last: AnalysisProgress | undefined;
    const task: AnalysisTask = {
      files: files.filter((file) => !left.has(file)),
      limits: { ...limits, ...(left.size >= retries ? { steps: 0 } : {}) },
    };
    try {
      const analysis = await runThread<SourceAnalysis, AnalysisProgress>(
        new URL('./analysis-thread.ts', import.meta.url),
        task,
        {
          signal,
          memoryBytes: Math.max(memoryBytes, leastMemoryBytes),
          timeoutMs: totalMs + graceMs,
          onProgress: (progress) => {
            last = progress;
            onProgress?.(progress);
          },
        },
      );
      return withLeftOut(analysis, left);
    } catch (error) {
      if (!(error instanceof ThreadLimitError)) throw error;
      const culprit = files.find(({ path }) => path === last?.path);
      if (culprit === undefined || left.has(culprit) || left.size >= retries)
        return withLeftOut(nothingRead, new Map(files.map((file) => [file, left.get(file) ?? error.limit])));
      left.set(culprit, error.limit);
    }
  }
}

const nothingRead: SourceAnalysis = {
  observations: [],
  surface: [],
  coverage: { presentBytes: 0, analysedBytes: 0, skipped: [], otherFiles: 0, isComplete: false },
};

function withLeftOut(
  analysis: SourceAnalysis,
  left: ReadonlyMap<SourceFile, 'memory' | 'time'>,
): SourceAnalysis {
  if (left.size === 0) return analysis;
  const skipped = [...left].map(([file, reason]) => ({ path: file.path, bytes: bytesOf(file), reason }));
  const { coverage } = analysis;
  return {
    ...analysis,
    coverage: {
      ...coverage,
      presentBytes: coverage.presentBytes + skipped.reduce((sum, { bytes }) => sum + bytes, 0),
      skipped: [...coverage.skipped, ...skipped],
      isComplete: false,
    },
  };
}
