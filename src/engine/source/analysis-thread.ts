import { serveTask } from '#base/processes/serve-task.ts';
import { analyseProject } from './analyse-project.ts';
import type { AnalysisProgress, AnalysisTask } from './types.ts';

/** The thread of `analyse-in-thread.ts`. */
await serveTask<AnalysisTask, AnalysisProgress>(({ files, limits }, tell) =>
  analyseProject(files, { limits, onProgress: tell }),
);
