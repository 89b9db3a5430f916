import type { SourceModule } from '../modules.ts';

type Placed = Pick<SourceModule, 'path' | 'text'>;

/** What code is that nobody wrote as it stands: made small for a page, or for a server. */
export type Minified = 'page' | 'bundle';

const leastBytes = 20_000;
/** Letters of a line, on average, above which nobody wrote it by hand. */
const longLines = 200;

const known = new WeakMap<Placed, Minified | 'none'>();

const ofPages = /\bdocument\.(?:createElement|getElementById|querySelector|body|addEventListener)\b/;
/** Modules that only a server has. */
const ofServers =
  /(?:\bfrom|\brequire\(|\bimport\(?)\s*["'](?:node:)?(?:fs|path|http|https|net|os|child_process|process|url|crypto|stream|util|events|module|@modelcontextprotocol\/[^"']*)(?:\/promises)?["']/;

/** Where builders of pages put what browsers fetch. */
const pageFolder = /(?:^|\/)(?:assets|static|public|frontend|www|webapp)\//;

function look({ path, text }: Placed): Minified | 'none' {
  if (text.length < leastBytes) return 'none';
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  if (text.length / lines < longLines) return 'none';
  return ofPages.test(text) && (pageFolder.test(path) || !ofServers.test(text)) ? 'page' : 'bundle';
}

/** Whether a file was made small by a machine, so that libraries in it cannot be told from the rest. */
export function minifiedAs(module: Placed): Minified | undefined {
  let found = known.get(module);
  if (found === undefined) known.set(module, (found = look(module)));
  return found === 'none' ? undefined : found;
}
