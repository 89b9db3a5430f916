/** Groups of sources left out one by one, in a thread of its own: see `outOfFold`. */
import { parentPort, workerData } from 'node:worker_threads';
import { type FoldInput, judgeFold } from './folds.ts';

const { folds, ...options } = workerData as FoldInput;
parentPort?.postMessage(folds.flatMap((fold) => judgeFold(fold, options)));
