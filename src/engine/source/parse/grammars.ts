import { fileURLToPath } from 'node:url';
import { Language, Parser } from 'web-tree-sitter';
import { processorMs } from '../processor-time.ts';
import { copyTree } from './copy-tree.ts';
import { withPlainNames } from './plain-names.ts';
import type { SyntaxTree } from './syntax-tree.ts';

const grammars = ['typescript', 'tsx', 'python', 'go', 'java', 'rust'] as const;
export type Grammar = (typeof grammars)[number];

/** By ending, also those that only servers and loaders know. */
const grammarOf: Readonly<Record<string, Grammar>> = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'tsx',
  js: 'tsx',
  mjs: 'tsx',
  cjs: 'tsx',
  jsx: 'tsx',
  es: 'tsx',
  es6: 'tsx',
  jsm: 'tsx',
  py: 'python',
  pyw: 'python',
  py3: 'python',
  pyx: 'python',
  rpy: 'python',
  wsgi: 'python',
  go: 'go',
  java: 'java',
  rs: 'rust',
};

/** The grammar for a file by its ending; undefined for what is no source of the five languages. */
export function findGrammar(path: string): Grammar | undefined {
  const ending = /\.([a-z\d]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(grammarOf, ending) ? grammarOf[ending] : undefined;
}

/** Parses source of the languages that were wanted; holds their grammars in memory. */
export interface SourceParser {
  /** The tree, or undefined where one of the times was up. */
  parse: (text: string, grammar: Grammar, limits: ParseLimits) => SyntaxTree | undefined;
}

export interface ParseLimits {
  depth: number;
  /** Processor time of the thread. */
  timeMs: number;
  /** When all is to be over, as `performance.now()` counts. */
  until: number;
}

async function load(grammar: Grammar): Promise<Parser> {
  ready ??= Parser.init();
  await ready;
  const file = import.meta.resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`);
  const parser = new Parser();
  parser.setLanguage(await Language.load(fileURLToPath(file)));
  return parser;
}

let ready: Promise<void> | undefined;
const loading = new Map<Grammar, Promise<Parser>>();

/** Loads the grammars that are wanted, up to 1.4 MB of WebAssembly each, once for the process. */
export async function loadSourceParser(wanted: Iterable<Grammar> = grammars): Promise<SourceParser> {
  const parsers = new Map<Grammar, Parser>();
  for (const grammar of wanted) {
    const parser = loading.get(grammar) ?? load(grammar);
    loading.set(grammar, parser);
    parsers.set(grammar, await parser);
  }
  return {
    parse(text, grammar, { depth, timeMs, until }) {
      const parser = parsers.get(grammar);
      if (parser === undefined) return undefined;
      const end = processorMs() + timeMs;
      let asked = 0;
      // Asking for processor time is a call of the system: every few times are enough.
      const isOver = () => (asked++ & 7) === 0 && (processorMs() > end || performance.now() > until);
      const tree = parser.parse(withPlainNames(text, grammar), null, { progressCallback: isOver });
      if (tree === null) {
        parser.reset();
        return undefined;
      }
      const copy = copyTree(tree, text, depth);
      tree.delete();
      return copy;
    },
  };
}
