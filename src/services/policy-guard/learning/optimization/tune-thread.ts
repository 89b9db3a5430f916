/** The thread that `optimise.ts` starts: tunes what it is given, answers once, and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { tune, type TuneTask } from './tune.ts';

parentPort?.postMessage(tune(workerData as TuneTask));
