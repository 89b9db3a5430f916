/**
 * Checks every import against the table of doors.
 *
 * `node tools/boundaries.ts` prints every import that breaks the table, and every cycle, and exits with 1;
 * `--table` prints the table as Markdown, as ARCHITECTURE.md shows it.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { doors } from './doors.ts';
import type { Door } from './service-doors.ts';
import { type Import, importsOf } from './import-graph.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Packages that tests beside the code may use in any room. */
const testPackages = [
  'fast-check',
  'openai',
  '@grpc/grpc-js',
  '@grpc/proto-loader',
  'pg',
  'zod',
  'jose',
  'smtp-server',
  'standardwebhooks',
  'ws',
  'yaml',
  '@seriousme/openapi-schema-validator',
  'ajv-draft-04',
  'ajv-formats',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/sdk',
];

/** Packages that only source within tests imports, which is analysed and not run. */
const namedInTests = ['@rekog/mcp-nest', 'dedent', 'github.com'];

const isOurs = (target: string) => /^(src|dashboard|tools|test|bench|bin|data)\//.test(target);

function packageAllowed(door: Door, name: string, isTest: boolean): boolean {
  if (isTest && (testPackages.includes(name) || namedInTests.includes(name))) return true;
  return door.packages.some((allowed) =>
    allowed.endsWith('*') ? name.startsWith(allowed.slice(0, -1)) : allowed === name,
  );
}

const serviceOf = (file: string) => /^src\/services\/[^/]+\//.exec(file)?.[0];

const isTestFile = (file: string) => file.endsWith('.test.ts') || file.includes('/fixtures/');

function oursAllowed(door: Door, { from, to }: Import, isTest: boolean): boolean {
  const here = door.files.exec(from);
  if (door.files.exec(to)?.[0] === here?.[0]) return true;
  if (isTest && /^(test|src\/(base|engine|identity|llm))\//.test(to)) return true;
  // A test may use its own service's door, regardless of its sub-room.
  if (isTest && serviceOf(to) !== undefined && serviceOf(to) === serviceOf(from)) return true;
  const self = here?.groups?.['self'] ?? '';
  return door.may.some((pattern) => new RegExp(pattern.replaceAll('$self', self)).test(to));
}

/** Why the import is not allowed; undefined if it is. */
function broken(each: Import): string | undefined {
  const { from, to } = each;
  const door = doors.find(({ files }) => files.test(from));
  if (door === undefined) return `${from} lies in no room of the table`;
  const isTest = isTestFile(from);
  if (!isOurs(to))
    return packageAllowed(door, to, isTest)
      ? undefined
      : `${to} does not come in by the door of ${door.room}`;
  return oursAllowed(door, each, isTest) ? undefined : `${door.room} may not import ${to}`;
}

/** In these folders and their subfolders, import cycles between folders are refused. */
const withoutFolderCycles = /^src\/services\//;

/** For each folder: which of its files and subfolders imports which. */
function folderGraphs(graph: ReadonlyMap<string, readonly string[]>): Map<string, Map<string, string[]>> {
  const graphs = new Map<string, Map<string, string[]>>();
  for (const [from, targets] of graph) {
    if (!withoutFolderCycles.test(from) || isTestFile(from)) continue;
    const fromParts = from.split('/');
    for (const to of targets) {
      const toParts = to.split('/');
      const common = fromParts.findIndex((part, i) => part !== toParts[i]);
      // The first differing path segment: everything above is the same.
      const folder = fromParts.slice(0, common).join('/');
      if (common < 0 || !withoutFolderCycles.test(`${folder}/`)) continue;
      const inFolder = graphs.get(folder) ?? new Map<string, string[]>();
      graphs.set(folder, inFolder);
      const [here = '', there = ''] = [fromParts, toParts].map((parts) => `${folder}/${parts[common] ?? ''}`);
      inFolder.set(here, [...(inFolder.get(here) ?? []), there]);
    }
  }
  return graphs;
}

function findCycle(graph: Map<string, string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, path: string[]): string[] | undefined => {
    const at = path.indexOf(file);
    if (at >= 0) return [...path.slice(at), file];
    if (done.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next, [...path, file]);
      if (cycle !== undefined) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const cycle = visit(file, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

/** Every violation in the given sources (path → text), one line each. */
export function checkBoundaries(sources: ReadonlyMap<string, string>): string[] {
  const problems: string[] = [];
  const graph = new Map<string, string[]>();
  for (const [file, source] of sources) {
    const imports = importsOf(file, source);
    graph.set(
      file,
      imports.map(({ to }) => to).filter((to) => sources.has(to)),
    );
    for (const each of imports) {
      const why = broken(each);
      if (why !== undefined) problems.push(`${each.from}:${each.line} ${why}`);
    }
  }
  const cycle = findCycle(graph);
  if (cycle !== undefined) problems.push(`cycle: ${cycle.join(' → ')}`);
  for (const inFolder of folderGraphs(graph).values()) {
    const ring = findCycle(inFolder);
    if (ring !== undefined) problems.push(`cycle of folders: ${ring.join(' → ')}`);
  }
  return problems;
}

/** The table as Markdown. */
export function doorsTable(): string {
  const cell = (items: string[]) => items.map((item) => `\`${item}\``).join(' ') || '–';
  const plain = (pattern: string) =>
    pattern
      .replace(/^\^src\//, '')
      .replace(/\\\.ts\$$/, '.ts')
      .replaceAll('\\.', '.');
  return [
    '| room | may import, besides itself | npm packages | note |',
    '|---|---|---|---|',
    ...doors.map(
      ({ room, may, inWords, packages, note }) =>
        `| ${room} | ${inWords ?? cell(may.map(plain).map((item) => item.replaceAll('|', '/')))} | ${cell(packages)} | ${note} |`,
    ),
  ].join('\n');
}

/** The sources of the repository. */
export function readSources(): Map<string, string> {
  const files = globSync(
    ['src/**/*.ts', 'dashboard/**/*.{ts,tsx}', 'tools/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts'],
    { cwd: root },
  );
  return new Map(files.sort().map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--table')) console.log(doorsTable());
  else {
    const problems = checkBoundaries(readSources());
    for (const problem of problems) console.error(problem);
    process.exitCode = problems.length === 0 ? 0 : 1;
  }
}
