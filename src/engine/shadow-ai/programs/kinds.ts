import { isRunner } from './runners.ts';

/** How the words after a program are to be read. */
export type Kind =
  | 'interpreter'
  | 'shell'
  | 'container'
  | 'downloader'
  | 'runner'
  | 'wrapper'
  | 'system'
  | 'editor'
  | 'other';

export const interpreters =
  /^(?:node|nodejs|bun|deno|electron|python[0-9.]*w?|pypy[0-9.]*|py|ruby|tsx|ts-node)$/;

const forms: readonly [RegExp, Kind][] = [
  [interpreters, 'interpreter'],
  [/^(?:ba|z|da|k|fi)?sh$|^cmd$|^powershell$|^pwsh$/, 'shell'],
  [/^(?:docker|podman|nerdctl)$/, 'container'],
  [/^(?:curl|wget)$/, 'downloader'],
  [/^(?:sudo|doas|env|nohup|time|timeout|nice|ionice|setsid|stdbuf|caffeinate)$/, 'wrapper'],
  [/^wsl$/, 'system'],
];
const editors = /^(?:code|code-insiders|codium|vscodium|cursor|windsurf|antigravity|kiro|trae|code-tunnel)$/;

const known = new Map<string, Kind>();
const mostNames = 10_000;

/** What kind of program it is; programs come again and again, and their kind is looked up then. */
export function kindOf(base: string): Kind {
  const before = known.get(base);
  if (before !== undefined) return before;
  if (known.size >= mostNames) known.clear();
  const kind =
    forms.find(([form]) => form.test(base))?.[1] ??
    (isRunner(base) ? 'runner' : editors.test(base) ? 'editor' : 'other');
  known.set(base, kind);
  return kind;
}
