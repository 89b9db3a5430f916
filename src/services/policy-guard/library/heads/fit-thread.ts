/** The worker thread that `learn.ts` starts: fits its input, returns one result, and ends. */
import { serveTask } from '#base/processes/serve-task.ts';
import { fitAtScale, fitMeasured } from '#engine/text/fit-measured.ts';
import type { FitTask } from './learn.ts';

await serveTask((tasks: readonly FitTask[]) =>
  tasks.map(({ examples, scale }) =>
    scale === undefined ? fitMeasured(examples) : fitAtScale(examples, scale),
  ),
);
