import type { SourceModule } from '../modules.ts';

/** A file with its text. */
type Placed = Pick<SourceModule, 'path' | 'text'>;

/** A part of a file that a bundler took from a library. */
export interface LibraryPart {
  at: number;
  end: number;
  /** The library's package. */
  name: string;
}

/** A bundle is worth cutting up from here on: what is smaller is read as its author wrote it. */
const leastBundle = 5_000;

/** What bundlers put into each file that they write, besides the names of its parts. */
const runtimes =
  /\b__commonJS\b|\b__esm\b|\b__export\b|\b__toESM\b|\b__webpack_require__\b|\b__webpack_modules__\b|^[ \t]*\/\/#region\b|\b__rspack_\w+|\b__nccwpck_require__\b/m;

/** The path of one module, as bundlers write it before its code or as its key. */
const headers: readonly RegExp[] = [
  // esbuild, Bun: `// node_modules/ajv/lib/ajv.js`; Rolldown: `//#region src/index.ts`; webpack: `;// ./src/index.js`
  /^[ \t]*;?\/\/(?:#region|[ \t]*CONCATENATED MODULE:)?[ \t]+(\/?(?:[\w@.+~$-]+\/)*[\w@.+~$-]+\.[cm]?[jt]sx?)(?:[ \t]+\+[ \t]\d+ modules?)?[ \t]*$/gm,
  // esbuild: `"node_modules/ajv/lib/ajv.js"(exports, module) {`; webpack: `"./node_modules/ajv/lib/ajv.js":`
  /^[ \t]*(?:\/\*{3}\/[ \t]*)?["']((?:[^"'\n]*\/)?[^"'\n/]+\.[cm]?[jt]sx?)["'][ \t]*(?:\(|:[ \t]*(?:$|\/\*|\(|function|async))/gm,
];

/** Where a part ends without another one beginning. */
const endings = /^[ \t]*\/\/#endregion\b/gm;

/** The package that a path leads into; undefined for the project's own files. */
function packageOf(path: string): string | undefined {
  const inModules = /(?:^|\/)node_modules\/(?!.*\/node_modules\/)((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
  return (
    inModules ?? /(?:^|\/)(?:third[-_]?party|bower_components|_?vendor(?:ed)?)\/([^/]+)/i.exec(path)?.[1]
  );
}

interface Boundary {
  at: number;
  name: string | undefined;
}

function boundariesOf(text: string): Boundary[] {
  const found: Boundary[] = [];
  for (const header of headers)
    for (const { index, 1: path = '' } of text.matchAll(header))
      found.push({ at: index, name: packageOf(path) });
  for (const { index } of text.matchAll(endings)) found.push({ at: index, name: undefined });
  return found.toSorted((a, b) => a.at - b.at);
}

/**
 * The parts of a bundle that lie in libraries, in order. Only bundlers' own marks count, and only in a file that has
 * what bundlers put into it: a comment alone makes no library.
 */
export function libraryPartsOf(text: string): readonly LibraryPart[] {
  if (text.length < leastBundle || !text.includes('node_modules/') || !runtimes.test(text)) return [];
  const parts: LibraryPart[] = [];
  const boundaries = boundariesOf(text);
  for (const [index, { at, name }] of boundaries.entries()) {
    const end = boundaries[index + 1]?.at ?? text.length;
    const last = parts.at(-1);
    if (name === undefined) continue;
    if (last?.name === name && last.end === at) last.end = end;
    else parts.push({ at, end, name });
  }
  return parts;
}

const partsOf = new WeakMap<Placed, readonly LibraryPart[]>();

/** A file that lies where projects keep the code of others. */
const libraryFile = /(?:^|\/)(?:_vendor|vendored|third-party|thirdparty|jspm_packages)\/([^/]+)/;

/** The library that a place in a file belongs to; undefined where it is the project's own. */
export function libraryAt(module: Placed, at: number): string | undefined {
  const ofFile = libraryFile.exec(module.path)?.[1];
  if (ofFile !== undefined) return ofFile;
  let parts = partsOf.get(module);
  if (parts === undefined) {
    parts = libraryPartsOf(module.text);
    partsOf.set(module, parts);
  }
  let [low, high] = [0, parts.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const part = parts[middle];
    if (part === undefined || part.at > at) high = middle - 1;
    else if (part.end <= at) low = middle + 1;
    else return part.name;
  }
  return undefined;
}
