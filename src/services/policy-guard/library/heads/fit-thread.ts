/** The thread that `learn.ts` starts: fits what it is given, answers once, and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { fitAtScale, fitMeasured } from '#engine/text/fit-measured.ts';
import type { FitTask } from './learn.ts';

parentPort?.postMessage(
  (workerData as FitTask[]).map(({ examples, scale }) =>
    scale === undefined ? fitMeasured(examples) : fitAtScale(examples, scale),
  ),
);
