/** A process that runs files of tests, one after another, as it is told over its channel. */
import { flushCompileCache } from 'node:module';
import type { WorkerMessage } from './file-report.ts';
import { runFile } from './run-file.ts';

const { channel } = process;
const [root] = process.argv.slice(2);
if (channel === undefined || root === undefined) throw new Error('This program is started by tools/test.ts.');

const tell = (message: WorkerMessage) => process.send?.(message);

process.on('message', (file: string) => {
  // A file is over when nothing is left to wait for; the channel must not count.
  channel.unref();
  void runFile(root, file, (test) => tell({ kind: 'begun', test })).then((report) => {
    channel.ref();
    tell({ kind: 'report', report, residentBytes: process.memoryUsage.rss() });
  });
});
// However the end came: what the tests have started and left behind, which is of this group, ends too.
process.on('disconnect', () => {
  // Kept for the processes that come after, which a process that is killed does not do by itself.
  flushCompileCache();
  process.kill(-process.pid, 'SIGKILL');
});
