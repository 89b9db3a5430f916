/** Dependencies of Go projects. */
import { made } from './other-files.ts';
import type { Package } from './package.ts';

const goModule = String.raw`([\w.~/-]+\.[\w.~/-]+|\.{1,2}/\S*)`;
const goRequired = new RegExp(String.raw`^${goModule}\s+v(\d[\w.+-]*)\s*(//.*)?$`);
const goReplaced = new RegExp(String.raw`^${goModule}(?:\s+v(\S+))?\s+=>\s+${goModule}(?:\s+v(\S+))?`);

interface Directive {
  word: string;
  rest: string;
  /** From 1. */
  line: number;
}

/** Directives of a file, those in brackets each for itself. */
function directivesOf(text: string): Directive[] {
  const found: Directive[] = [];
  let block: string | undefined;
  for (const [at, raw] of text.split('\n').entries()) {
    // Names of modules are short; patterns take long over long lines.
    const bare = raw.slice(0, 2000).trim();
    const opened = /^(\w+)\s*\(/.exec(bare)?.[1];
    if (opened !== undefined || bare === ')') block = opened;
    else if (block !== undefined) found.push({ word: block, rest: bare, line: at + 1 });
    else {
      const [, word = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(bare) ?? [];
      found.push({ word, rest, line: at + 1 });
    }
  }
  return found;
}

/** What is required, with what stands in its place; what is excluded or retracted is none of it. */
export function readGoMod(text: string, path: string): Package[] {
  const directives = directivesOf(text);
  const replaced = directives.flatMap(({ word, rest }) => {
    const [, name, only, by, version] = (word === 'replace' ? goReplaced.exec(rest) : undefined) ?? [];
    return name === undefined || by === undefined ? [] : [{ name, only, by, version }];
  });
  return directives.flatMap(({ word, rest, line }) => {
    const [, name, version, note = ''] = (word === 'require' ? goRequired.exec(rest) : undefined) ?? [];
    if (name === undefined || version === undefined) return [];
    const each = { name, version, line, isDirect: !note.includes('indirect') };
    const other = replaced.find((one) => one.name === name && (one.only ?? version) === version);
    if (other === undefined) return [made('Go', path, each)];
    return other.version === undefined
      ? [made('Go', path, { ...each, version: undefined, source: { kind: 'file', at: other.by } })]
      : [made('Go', path, { ...each, name: other.by, version: other.version })];
  });
}

/** `module version hash` for all that a build could have taken; the lines of go.mod files alone are none. */
export function readGoSum(text: string, path: string): Package[] {
  return text.split('\n').flatMap((line, at) => {
    const [, name, version] = /^(\S+)\s+v(\d[\w.+-]*)\s+h1:/.exec(line) ?? [];
    return name === undefined || version === undefined
      ? []
      : [made('Go', path, { name, version, line: at + 1, isDirect: false })];
  });
}
