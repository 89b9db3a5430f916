/** The thread that `optimise.ts` starts: tunes what it is given, answers once, and ends. */
import { serveTask } from '#base/processes/serve-task.ts';
import { tune, type TuneTask } from './tune.ts';

await serveTask((task: TuneTask) => tune(task));
