/** A process that runs test files one after another, as instructed over its channel. */
import { flushCompileCache } from 'node:module';
import fc from 'fast-check';
import type { WorkerMessage } from './file-report.ts';
import { runFile } from './run-file.ts';

const { channel } = process;
const [root] = process.argv.slice(2);
if (channel === undefined || root === undefined) throw new Error('This program is started by tools/test.ts.');

// The same generated cases in every run, so that a change is refused only for what it changed. A file that is run
// alone with `node --test` tries other cases each time.
fc.configureGlobal({ seed: 20_261_124 });

const tell = (message: WorkerMessage) => process.send?.(message);

process.on('message', (file: string) => {
  // The channel must not keep the event loop alive, because an empty event loop ends a file.
  channel.unref();
  void runFile(root, file, (test) => tell({ kind: 'begun', test })).then((report) => {
    channel.ref();
    tell({ kind: 'report', report, residentBytes: process.memoryUsage.rss() });
  });
});
// However the process ends, child processes of the tests, which are in its group, end too.
process.on('disconnect', () => {
  // Saves the compile cache for later processes; a killed process would not do so.
  flushCompileCache();
  process.kill(-process.pid, 'SIGKILL');
});
