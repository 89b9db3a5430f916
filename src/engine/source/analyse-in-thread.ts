import { runThread, ThreadLimitError } from '#base/processes/run-thread.ts';
import type { AnalysisTask } from './analysis-thread.ts';
import { sent } from './shared-file.ts';
import {
  type AnalysisProgress,
  presetLimits,
  type SourceAnalysis,
  type SourceFile,
  type SourceLimits,
} from './types.ts';

export interface ThreadedAnalysis {
  limits?: Partial<SourceLimits>;
  signal?: AbortSignal | undefined;
  /** Memory of the thread, heap and parsers together; at least 128 MiB. */
  memoryBytes?: number;
  onProgress?: (progress: AnalysisProgress) => void;
}

const presetMemoryBytes = 512 * 1024 * 1024;
/** A tree is as good as always gone before this much is new. */
const youngBytes = 32 * 1024 * 1024;
/** With less the thread could not even start. */
const leastMemoryBytes = 128 * 1024 * 1024;
/** What is still followed where all of it took too much. */
const leastFollowedBytes = 2_000_000;
/** Files that may bring the thread down before the rest is given up. */
const retries = 3;
/** What a thread may take beyond its own limit before it is ended: it stops by itself where it still can. */
const graceMs = 15_000;

const bytesOf = ({ text }: SourceFile) => Buffer.byteLength(text);

/**
 * {@link analyseProject} in a thread of its own, so that a source that is too much for it brings nothing else down: a
 * file that makes the thread take too long or too much memory is left out and named in the coverage, and the others are
 * analysed without it. Where following the values takes too much, less is followed, and each file is still looked at.
 *
 * @throws the signal's reason
 */
export async function analyseInThread(
  files: readonly SourceFile[],
  options: ThreadedAnalysis = {},
): Promise<SourceAnalysis> {
  const left = new Map<SourceFile, 'memory' | 'time'>();
  let followedBytes = options.limits?.followedBytes ?? presetLimits.followedBytes;
  for (;;) {
    let last: AnalysisProgress | undefined;
    const task: AnalysisTask = {
      files: files.filter((file) => !left.has(file)).map(sent),
      limits: { ...options.limits, followedBytes, ...stepsAfter(left.size) },
    };
    try {
      const analysis = await runAnalysis(task, options, (progress) => {
        last = progress;
      });
      return withLeftOut(analysis, left);
    } catch (error) {
      if (!(error instanceof ThreadLimitError)) throw error;
      // All files were read: less of them is kept to be followed, in the end nothing.
      if (last?.stage === 'following' && followedBytes > 0) followedBytes = fewer(followedBytes);
      else if (!leaveOut(files, left, last?.path, error.limit))
        return withLeftOut(nothingRead, allLeftOut(files, left, error.limit));
    }
  }
}

const allLeftOut = (
  files: readonly SourceFile[],
  left: ReadonlyMap<SourceFile, 'memory' | 'time'>,
  limit: 'memory' | 'time',
) => new Map(files.map((file) => [file, left.get(file) ?? limit]));

/** Nothing is followed any more where many files had to be left out. */
const stepsAfter = (failures: number): { steps?: number } => (failures >= retries ? { steps: 0 } : {});

const fewer = (bytes: number): number => (bytes > leastFollowedBytes ? leastFollowedBytes : 0);

/** Leaves out the file that was at hand; false where it is not known, or where too many have been left out. */
function leaveOut(
  files: readonly SourceFile[],
  left: Map<SourceFile, 'memory' | 'time'>,
  at: string | undefined,
  limit: 'memory' | 'time',
): boolean {
  const culprit = files.find(({ path }) => path === at);
  if (culprit === undefined || left.has(culprit) || left.size >= retries) return false;
  left.set(culprit, limit);
  return true;
}

/** One attempt, in a thread of its own. */
function runAnalysis(
  task: AnalysisTask,
  { signal, memoryBytes = presetMemoryBytes, onProgress }: ThreadedAnalysis,
  noted: (progress: AnalysisProgress) => void,
): Promise<SourceAnalysis> {
  const memory = Math.max(memoryBytes, leastMemoryBytes);
  return runThread<SourceAnalysis, AnalysisProgress>(new URL('./analysis-thread.ts', import.meta.url), task, {
    signal,
    memoryBytes: memory,
    // The rest is for the parsers and for what is young.
    heapBytes: 0.65 * memory,
    youngBytes,
    timeoutMs: (task.limits.totalMs ?? presetLimits.totalMs) + graceMs,
    onProgress: (progress) => {
      noted(progress);
      onProgress?.(progress);
    },
  });
}

const nothingRead: SourceAnalysis = {
  observations: [],
  surface: [],
  limits: [],
  makesServer: false,
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
