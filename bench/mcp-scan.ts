/**
 * Measures the speed of source analysis: `node bench/mcp-scan.ts FOLDER [rounds, default 3]`.
 *
 * Goals: 2 MB/s per core and less than 600 MB of memory. JSON.parse of the same bytes as strings is measured too: the
 * ratio does not depend on the machine. The first round compiles and loads the grammars; the best of the others
 * counts.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyseProject } from '#engine/source/analyse-project.ts';

const [folder = 'src', rounds = '3'] = process.argv.slice(2);
const files = globSync('**/*.{ts,tsx,js,jsx,mjs,py,go,java,rs}', {
  cwd: folder,
  exclude: (name) => name.includes('node_modules'),
}).map((path) => ({
  path,
  text: readFileSync(join(folder, path), 'utf8'),
}));
const megabytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) / 1e6;

let best = Infinity;
for (let round = 0; round <= Number(rounds); round++) {
  // CPU time of all threads of this process: other processes do not count.
  const start = process.cpuUsage();
  const { observations, coverage } = await analyseProject(files);
  const { user, system } = process.cpuUsage(start);
  const seconds = (user + system) / 1e6;
  if (round > 0) best = Math.min(best, seconds);
  const share = ((100 * coverage.analysedBytes) / Math.max(1, coverage.presentBytes)).toFixed(1);
  console.log(
    `round ${round}: ${seconds.toFixed(2)} s, ${observations.length} findings, ${share} % read, complete: ${coverage.isComplete}`,
  );
}
const json = JSON.stringify(files);
const start = process.cpuUsage();
JSON.parse(json);
const parse = process.cpuUsage(start).user / 1e6;
const memory = (process.resourceUsage().maxRSS / 1000).toFixed(0);
console.log(
  `${files.length} files, ${megabytes.toFixed(2)} MB: ${(megabytes / best).toFixed(2)} MB/s, ${memory} MB at the peak, ${(best / parse).toFixed(0)} times JSON.parse`,
);
