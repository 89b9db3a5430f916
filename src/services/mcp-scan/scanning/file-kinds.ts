/** What a file is, by its name and first bytes: source, something that is said not to be read, or nothing that runs. */
import { kindOfBytes } from '#engine/source/parse/decoded.ts';
import { findGrammar, type Grammar } from '#engine/source/parse/grammars.ts';

/** Archives within a project are not opened, and said to be there: source can hide in them. */
const archiveName = /\.(?:zip|jar|war|whl|egg|vsix|mcpb|dxt|tar|tgz|tar\.gz|7z|rar|asar|pyz)$/i;
const compiledName = /\.(?:wasm|node|so(?:\.\d+)*|dll|exe|dylib|class|py[cod]|jsc|o|a|lib)$/i;
/** Programs in languages that the analyser does not know. */
const otherLanguage =
  /\.(?:rb|php|phtml|kts?|cs|fs|vb|c|cc|cpp|cxx|mm?|lua|p[lm]|swift|scala|groovy|clj[sc]?|exs?|erl|hs|dart|zig|nim|jl|coffee|ml|d|pas|ipynb|pth)$/i;
/** Scripts of a shell or a page: nearly every project has some beside its server. */
const script = /\.(?:sh|bash|zsh|fish|ps1|bat|cmd|vbs|vue|svelte)$/i;
/** What nobody starts: it is not opened to look what it is. */
const harmless =
  /\.(?:md|mdx|rst|txt|json|jsonl?5?|ya?ml|toml|lock|xml|css|s[ac]ss|less|html?|map|png|jpe?g|gif|webp|avif|ico|svg|woff2?|ttf|otf|eot|mp[34]|wav|ogg|webm|pdf|csv|tsv|sql|proto|graphql|snap|log|tmpl|hbs|ejs|tflite|onnx|safetensors|gguf|xlsx?|docx?|pptx?|ini|cfg|env|editorconfig|license|po|mo|data)$/i;

/** Whether a name alone leaves open what the file is. */
export const isUndecided = (path: string): boolean =>
  !harmless.test(path) && !archiveName.test(path) && !compiledName.test(path) && !/\.d\.[cm]?ts$/.test(path);

/** How many of a file's first bytes tell what it is. */
export const headBytes = 512;

const interpreters: readonly [name: RegExp, grammar: Grammar][] = [
  [/\b(?:node|nodejs|bun|deno|tsx|ts-node|zx)\b/, 'tsx'],
  [/\bpython[\d.]*\b|\buv\b|\bpypy/, 'python'],
];

/** The language of a file that its first line tells; a shell may hand the same file on to an interpreter. */
function grammarOfFirstLine(head: Buffer): Grammar | 'other' | undefined {
  const text = head.toString('latin1');
  if (!text.startsWith('#!')) return undefined;
  const first = text.slice(0, Math.max(0, text.indexOf('\n')) || text.length);
  const handedOn = /\bexec\b[^\n]*/.exec(text)?.[0] ?? '';
  return interpreters.find(([name]) => name.test(first) || name.test(handedOn))?.[1] ?? 'other';
}

/** Why a file that is not read is worth a word; undefined for what no server runs. */
export function unreadKind(path: string, head: Buffer | undefined): string | undefined {
  if (archiveName.test(path)) return 'archive';
  if (compiledName.test(path)) return 'compiled';
  if (otherLanguage.test(path)) return 'other-language';
  if (script.test(path)) return 'script';
  return head === undefined ? undefined : kindOfBytes(head);
}

/** The language of a file whose name says none. */
export function grammarByContent(path: string, head: Buffer): Grammar | undefined {
  if (findGrammar(path) !== undefined || unreadKind(path, undefined) !== undefined) return undefined;
  const told = grammarOfFirstLine(head);
  return told === 'other' ? undefined : told;
}

/** Large files that stand elsewhere: what lies here only names them. */
export const isPointer = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 0, 42).startsWith('version https://git-lfs.github.com/spec/v1');

/** A script without an ending whose first line names another interpreter. */
export const isOtherScript = (head: Buffer): boolean => grammarOfFirstLine(head) === 'other';
