/** Extracts imports from the sources. */
import { posix } from 'node:path';

export interface Import {
  from: string;
  /** A path relative to the root, or a package name. */
  to: string;
  line: number;
}

const importPattern =
  /^\s*(?:import|export)\s+(?:type\s+)?(?:[^'"]*?\sfrom\s+)?['"](?<static>[^'"]+)['"]|\bimport\(\s*['"](?<dynamic>[^'"]+)['"]\s*\)/gm;

const packageName = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** The imports of a file, without Node's built-in modules. */
export function importsOf(file: string, source: string): Import[] {
  const found: Import[] = [];
  for (const match of source.matchAll(importPattern)) {
    const specifier = match.groups?.['static'] ?? match.groups?.['dynamic'] ?? '';
    const line = source.slice(0, match.index).split('\n').length;
    if (specifier.startsWith('node:')) continue;
    if (specifier.startsWith('#')) found.push({ from: file, to: `src/${specifier.slice(1)}`, line });
    else if (specifier.startsWith('.'))
      found.push({ from: file, to: posix.join(posix.dirname(file), specifier), line });
    else found.push({ from: file, to: packageName(specifier), line });
  }
  return found;
}

/** The files among the sources that `file` imports, directly or indirectly, and itself. */
export function reachedFrom(
  file: string,
  importsOfFile: (file: string) => readonly string[],
): ReadonlySet<string> {
  const reached = new Set([file]);
  for (const each of reached) for (const next of importsOfFile(each)) reached.add(next);
  return reached;
}
