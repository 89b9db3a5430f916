/**
 * How fast source is analysed: `node bench/mcp-scan.ts FOLDER [rounds, 3 unless said]`.
 *
 * Goals: 2 MB/s a core and less than 600 MB of memory. Bandit (Python) and ESLint with eslint-plugin-security run on the
 * same files, in the same run: Bandit where it is installed (`BANDIT` names it), ESLint installed into a temporary folder
 * for the run, or found where `ESLINT_MODULES=/path/to/node_modules` says. Their time and findings stand beside ours. JSON.parse of the same bytes as strings runs too: that ratio does not depend on the machine. The
 * first round compiles and loads the grammars, the best of the others counts. Times are of processors, not of clocks.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { analyseInThread } from '#engine/source/analyse-in-thread.ts';
import { analyseProject } from '#engine/source/analyse-project.ts';

const [folder = 'src', rounds = '3'] = process.argv.slice(2);
const files = globSync('**/*.{ts,tsx,js,jsx,mjs,py,go,java,rs}', {
  cwd: folder,
  exclude: (name) => name.includes('node_modules'),
}).map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));

const megabytesOf = (endings: RegExp) =>
  files.filter(({ path }) => endings.test(path)).reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) /
  1e6;

interface Row {
  tool: string;
  megabytes: number;
  seconds: number;
  findings: number;
}

async function ours(endings: RegExp, tool: string): Promise<Row> {
  const own = files.filter(({ path }) => endings.test(path));
  let [best, findings] = [Infinity, 0];
  for (let round = 0; round <= Number(rounds); round++) {
    const start = process.cpuUsage();
    const { observations, coverage } = await analyseProject(own);
    const { user, system } = process.cpuUsage(start);
    if (round > 0) best = Math.min(best, (user + system) / 1e6);
    findings = observations.filter(({ severity }) => severity !== 'low' && severity !== 'info').length;
    if (!coverage.isComplete) console.log(`${tool}: not all ways were followed`);
  }
  return { tool, megabytes: megabytesOf(endings), seconds: best, findings };
}

/** Processor time of a child and all that it starts, by what the shell says of it. */
function timed(command: string): { seconds: number; output: string } | undefined {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', `TIMEFORMAT='%U %S'; ${command}`], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (status === null || status > 2) return undefined;
  const [user = '0', system = '0'] = stderr.trim().split('\n').at(-1)?.split(' ') ?? [];
  return { seconds: Number(user) + Number(system), output: stdout };
}

/** What ESLint reads. */
const scripts = /\.(?:m?js|[jt]sx|ts)$/;

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function bandit(): Row | undefined {
  const run = timed(`time ${process.env['BANDIT'] ?? 'bandit'} -q -r -f json ${quoted(folder)} || true`);
  const at = run?.output.indexOf('{') ?? -1;
  if (run === undefined || at < 0) return undefined;
  const { results } = JSON.parse(run.output.slice(at)) as { results: { issue_severity: string }[] };
  const findings = results.filter(({ issue_severity: severity }) => severity !== 'LOW').length;
  return { tool: 'Bandit', megabytes: megabytesOf(/\.py$/), seconds: run.seconds, findings };
}

const packages = ['eslint', 'eslint-plugin-security', 'typescript-eslint', 'typescript@5'];

/** The folder of the packages of ESLint; none where there is no registry to install them from. */
function foundEslint(home: string): string | undefined {
  const given = process.env['ESLINT_MODULES'];
  if (given !== undefined) return resolve(given);
  writeFileSync(join(home, 'package.json'), '{}');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, stderr } = spawnSync('npm', ['install', ...packages, ...options], {
    cwd: home,
    encoding: 'utf8',
  });
  if (status === 0) return join(home, 'node_modules');
  console.log(`Without ESLint, which could not be installed: ${stderr.split('\n')[0] ?? ''}`);
  return undefined;
}

/** ESLint with the rules of eslint-plugin-security alone, on JavaScript and TypeScript. */
function eslint(): Row | undefined {
  const home = mkdtempSync(join(tmpdir(), 'eslint-'));
  try {
    const modules = foundEslint(home);
    if (modules === undefined) return undefined;
    const config = join(home, 'eslint.config.mjs');
    const from = (path: string) => JSON.stringify(join(modules, path));
    writeFileSync(
      config,
      `import security from ${from('eslint-plugin-security/index.js')};
import typescript from ${from('typescript-eslint/dist/index.js')};
export default [{
  ...security.configs.recommended,
  files: ['**/*.{js,mjs,jsx,ts,tsx}'],
  languageOptions: { parser: typescript.parser, parserOptions: { ecmaFeatures: { jsx: true } } },
}];`,
    );
    const run = timed(
      `cd ${quoted(resolve(folder))} && time node ${quoted(join(modules, 'eslint/bin/eslint.js'))} --no-config-lookup -c ${quoted(config)} --no-ignore --no-inline-config -f json .`,
    );
    if (run === undefined || !run.output.startsWith('[')) return undefined;
    const results = JSON.parse(run.output) as { messages: { ruleId: string | null }[] }[];
    const findings = results.flatMap(({ messages }) =>
      messages.filter(({ ruleId }) => ruleId !== null),
    ).length;
    return {
      tool: 'eslint-plugin-security',
      megabytes: megabytesOf(scripts),
      seconds: run.seconds,
      findings,
    };
  } finally {
    rmSync(home, { recursive: true });
  }
}

// Memory first, in a thread as services run it: what other rounds leave behind is no part of it.
await analyseInThread(files, { limits: { totalMs: 600_000 } });
const memory = (process.resourceUsage().maxRSS / 1000).toFixed(0);

const json = JSON.stringify(files);
const start = process.cpuUsage();
JSON.parse(json);
const parse = process.cpuUsage(start).user / 1e6;

const all = await ours(/./, 'this, all languages');
const rows = [
  all,
  await ours(/\.py$/, 'this, Python'),
  bandit(),
  await ours(scripts, 'this, JavaScript and TS'),
  eslint(),
];
for (const row of rows) {
  if (row === undefined || row.megabytes === 0) continue;
  const { tool, megabytes, seconds, findings } = row;
  console.log(
    `${tool.padEnd(24)} ${megabytes.toFixed(2).padStart(7)} MB ${seconds.toFixed(2).padStart(7)} s ${(megabytes / seconds).toFixed(2).padStart(6)} MB/s ${String(findings).padStart(6)} findings of at least medium severity`,
  );
}
console.log(
  `${memory} MB at the peak of one analysis; all languages: ${(all.seconds / parse).toFixed(0)} times JSON.parse`,
);
