/** Files that a project starts or loads and that neither their name nor their folder gives away as its source. */
import { findGrammar, type Grammar } from '#engine/source/parse/grammars.ts';
import type { SourceFile } from '#engine/source/types.ts';

export interface Reached {
  /** Places where it may lie, the first that exists. */
  paths: readonly string[];
  grammar: Grammar;
  /** A manifest or a configuration starts it. */
  isStarted: boolean;
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

/** `a/b/../c` without its dots; undefined where it leaves the project. */
function normalised(path: string): string | undefined {
  const parts: string[] = [];
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

const endings = ['', '.js', '.cjs', '.mjs', '.ts', '.node', '/index.js', '/index.cjs', '/index.mjs'];

function reached(from: string, given: string, grammar: Grammar, isStarted: boolean): Reached[] {
  const path = normalised(folderOf(from) + given.replace(/[?#].*$/, ''));
  if (path === undefined || path === '') return [];
  const candidates = grammar === 'tsx' ? endings.map((ending) => path + ending) : [path];
  return [{ paths: candidates, grammar: findGrammar(path) ?? grammar, isStarted }];
}

const stringsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
};

/** What npm runs by itself, and what people start. */
const startingScript = /^(?:start|serve|mcp|server)(?::|$)/;
const runByItself = /^(?:(?:pre|post)?install|prepare|start|serve|mcp|server)(?::|$)/;

/** Words of a command that may be files, and the language of what runs them. */
function ofCommand(from: string, command: string, isStarted: boolean): Reached[] {
  const grammar: Grammar = /\bpython[\d.]*\b|\buv\b/.test(command) ? 'python' : 'tsx';
  if (!/\b(?:node|bun|deno|tsx|ts-node|python[\d.]*|uv)\b/.test(command)) return [];
  return command
    .split(/[\s"'=;&|]+/)
    .filter((word) => /[./]/.test(word) && /^[\w./@-]+$/.test(word) && !word.startsWith('-'))
    .flatMap((word) => reached(from, word, grammar, isStarted));
}

function ofManifest({ path, text }: SourceFile): Reached[] {
  let manifest: Record<string, unknown>;
  try {
    manifest = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return [];
  }
  if (typeof manifest !== 'object' || manifest === null) return [];
  const named = ['main', 'module', 'bin', 'exports', 'imports'].flatMap((key) => stringsIn(manifest[key]));
  const scripts = Object.entries((manifest['scripts'] ?? {}) as Record<string, unknown>).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && runByItself.test(entry[0]),
  );
  return [
    ...named
      .filter((each) => !each.includes('*') && !/\.(?:json|d\.[cm]?ts|css|map)$/.test(each))
      .flatMap((each) => reached(path, each, 'tsx', true)),
    ...scripts.flatMap(([name, command]) => ofCommand(path, command, startingScript.test(name))),
  ];
}

function ofConfiguration({ path, text }: SourceFile): Reached[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  const commands: string[] = [];
  const visit = (each: unknown, depth: number): void => {
    if (typeof each !== 'object' || each === null || depth > 6) return;
    const { command, args } = each as { command?: unknown; args?: unknown };
    if (typeof command === 'string' && Array.isArray(args))
      commands.push([command, ...args.filter((arg) => typeof arg === 'string')].join(' '));
    for (const inner of Object.values(each)) visit(inner, depth + 1);
  };
  visit(value, 0);
  return commands.flatMap((command) => ofCommand(path, command, true));
}

const loadedBy: Readonly<Partial<Record<Grammar, readonly RegExp[]>>> = {
  tsx: [
    /\b(?:require|import|from|URL|_load|register|dlopen)\s*\(?\s*["'`](\.{0,2}\/[\w./@ -]{1,200})["'`]/g,
    /\b(?:fork|Worker|runInThisContext|eval|instantiate)\s*\(\s*(?:[\w.]+\(\s*)?["'`]([\w./@-]{1,200})["'`]/g,
  ],
  python: [
    /\b(?:spec_from_file_location|run_path|load_source)\s*\([^)\n]*?["']([\w./-]{1,200}\.[\w-]+)["']/g,
    /\b(?:exec|compile)\s*\(\s*(?:open|Path|pathlib\.Path)\(\s*["']([\w./-]{1,200})["']/g,
    /\bCDLL\s*\(\s*["']([\w./-]{1,200})["']/g,
  ],
  rust: [
    /#\[path\s*=\s*"([\w./-]{1,200})"\]/g,
    /\binclude!\s*\(\s*"([\w./-]{1,200})"/g,
    /\bLibrary::new\(\s*"([\w./-]{1,200})"/g,
  ],
  go: [/^\/\/go:embed\s+([\w./-]{1,200})$/gm, /\bplugin\.Open\(\s*"([\w./-]{1,200})"/g],
};

/** Text that is read and run: `eval(readFileSync("x.txt"))`, also in two statements of one file. */
const runsText = /\b(?:eval|Function|runIn\w*Context|_compile|exec)\s*\(/;
const readsFile = /\b(?:readFileSync|readFile)\s*\(\s*(?:new URL\(\s*)?["'`]([\w./-]{1,200})["'`]/g;

function ofSource(file: SourceFile, grammar: Grammar): Reached[] {
  const { path, text } = file;
  const javascript = grammar === 'typescript' || grammar === 'tsx';
  const kind: Grammar = javascript ? 'tsx' : grammar;
  const patterns = [...(loadedBy[kind] ?? []), ...(javascript && runsText.test(text) ? [readsFile] : [])];
  return patterns
    .flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name))
    .flatMap((name) => [
      ...reached(path, name, kind, false),
      // Of programs the folder that they are started in counts.
      ...reached('', name, kind, false),
    ]);
}

/** Of more only the manifests are looked through: it would take long. */
const mostBytes = 30_000_000;

/**
 * What manifests, configurations and loading calls name.
 *
 * @param isConfiguration whether a file says which servers are started, by its path
 */
export function reachedBy(
  files: readonly SourceFile[],
  isConfiguration: (path: string) => boolean,
): Reached[] {
  let bytes = 0;
  return files.flatMap((file) => {
    const { path } = file;
    if (/(?:^|\/)package\.json$/.test(path)) return ofManifest(file);
    if (isConfiguration(path)) return ofConfiguration(file);
    const grammar = file.grammar ?? findGrammar(path);
    if (grammar === undefined || bytes > mostBytes) return [];
    bytes += file.text.length;
    return ofSource(file, grammar);
  });
}
