import { serveTask } from '#base/processes/serve-task.ts';
import { analyseProject } from './analyse-project.ts';
import { received, type SentFile } from './shared-file.ts';
import type { AnalysisProgress, SourceLimits } from './types.ts';

export interface AnalysisTask {
  files: readonly SentFile[];
  limits: Partial<SourceLimits>;
}

/** The thread of `analyse-in-thread.ts`. */
await serveTask<AnalysisTask, AnalysisProgress>(({ files, limits }, tell) =>
  analyseProject(files.map(received), { limits, onProgress: tell }),
);
