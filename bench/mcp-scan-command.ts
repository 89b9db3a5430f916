/**
 * How long `bulwark scan` takes from the command line, and how much memory: `node bench/mcp-scan-command.ts [PATH…]`.
 *
 * Goals: 1.5 s in the median of real servers and less than 600 MB for 100 MB of source. Without a path, the servers of
 * the Model Context Protocol that lie in `node_modules` are scanned, each three times, and the median of each counts;
 * the ratio to a start of the command that does nothing does not depend on the machine. Memory is the sum of the peaks of the command's processes.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const given = process.argv.slice(2);
const targets =
  given.length > 0 ? given : globSync(join(root, 'node_modules/@modelcontextprotocol/server-*')).toSorted();
const rounds = given.length > 0 ? 1 : 3;

/** Threads share the memory of their process: the main one tells it. */
const tellPeak = `import { isMainThread } from 'node:worker_threads';
if (isMainThread) process.on('exit', () => process.stderr.write('peak ' + process.resourceUsage().maxRSS + '\\n'));`;

interface Run {
  seconds: number;
  megabytes: number;
}

function run(args: readonly string[]): Run {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'bin/bulwark.mjs'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(tellPeak)}"` },
    maxBuffer: 1 << 30,
  });
  const seconds = (performance.now() - start) / 1000;
  // 10: something serious was found.
  if (status !== 0 && status !== 10)
    throw new Error(`bulwark ${args.join(' ')} ended with ${status}: ${stderr}`);
  const peaks = [...stderr.matchAll(/^peak (\d+)$/gm)].map(([, kilobytes]) => Number(kilobytes));
  return { seconds, megabytes: peaks.reduce((sum, each) => sum + each, 0) / 1000 };
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The first start compiles, and keeps what it compiled. */
run(['scan', '--help']);
const idle = medianOf([1, 2, 3].map(() => run(['scan', '--help']).seconds));
const medians = targets.map((target) => {
  const runs = Array.from({ length: rounds }, () => run(['scan', target]));
  const seconds = medianOf(runs.map((each) => each.seconds));
  const megabytes = Math.max(...runs.map((each) => each.megabytes));
  console.log(`${seconds.toFixed(2).padStart(7)} s ${megabytes.toFixed(0).padStart(6)} MB  ${target}`);
  return seconds;
});
const median = medianOf(medians);
console.log(
  `${median.toFixed(2)} s in the median of ${targets.length}: ${(median / idle).toFixed(1)} times the start of the command alone`,
);
