/** Worker thread that leaves out groups of sources one by one: see `outOfFold`. */
import { parentPort, workerData } from 'node:worker_threads';
import { type FoldInput, judgeFold } from './folds.ts';

const { folds, ...options } = workerData as FoldInput;
parentPort?.postMessage(folds.flatMap((fold) => judgeFold(fold, options)));
