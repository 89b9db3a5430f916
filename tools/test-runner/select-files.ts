import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importsOf, reachedFrom } from '../import-graph.ts';

export interface Wanted {
  /** Parts of paths; matching files are selected in any suite. */
  readonly parts: readonly string[];
  readonly suite: 'fast' | 'slow' | 'all' | 'browser';
}

/**
 * Selects test files by their folder: files beside the code are the fast suite, `test/` the slow one, `test/e2e/` needs
 * a browser.
 */
export function selectFiles(root: string, { parts, suite }: Wanted): string[] {
  const fast = ['src/**/*.test.ts', 'dashboard/src/**/*.test.ts', 'tools/**/*.test.ts'];
  const slow = ['test/**/*.test.ts'];
  const globs = {
    fast: parts.length > 0 ? [...fast, ...slow] : fast,
    slow,
    all: [...fast, ...slow],
    browser: ['test/e2e/*.test.ts'],
  }[suite];
  return globSync(globs, { cwd: root, exclude: suite === 'browser' ? [] : ['test/e2e/**'] })
    .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
    .sort();
}

/** Modules that depend on the kind of database. */
const asksForDatabase = /process\.env(?:\.|\[')BULWARK_TEST_DATABASE\b/;

/**
 * Whether the file's result depends on the selected database: whether it, directly or indirectly, imports one of these
 * modules. All other files need only one run.
 */
export function databaseSense(root: string): (file: string) => boolean {
  const sources = new Map<string, string>();
  const imports = new Map<string, readonly string[]>();
  const sourceOf = (file: string): string => {
    const source = sources.get(file) ?? readFileSync(join(root, file), 'utf8');
    sources.set(file, source);
    return source;
  };
  const importsOfFile = (file: string): readonly string[] => {
    const found =
      imports.get(file) ??
      importsOf(file, sourceOf(file))
        .map(({ to }) => to)
        .filter((to) => /^(?:src|test|tools)\/.*\.ts$/.test(to));
    imports.set(file, found);
    return found;
  };
  return (file) => [...reachedFrom(file, importsOfFile)].some((each) => asksForDatabase.test(sourceOf(each)));
}
