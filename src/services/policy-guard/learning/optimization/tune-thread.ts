/** The worker thread that `optimise.ts` starts: tunes its input, returns one result, and ends. */
import { serveTask } from '#base/processes/serve-task.ts';
import { tune, type TuneTask } from './tune.ts';

await serveTask((task: TuneTask) => tune(task));
