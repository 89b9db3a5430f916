import { splitCommandLine } from './command-line.ts';
import type { PromptGrammar } from './catalogue.ts';

/** Longer prompts are cut. */
const longestPrompt = 4096;

/**
 * The prompt of a command line by the agent's own grammar; undefined where it has none. The value of another flag is
 * never taken for one. What it answers may hold secrets: redact it before it is kept.
 */
export function promptOf(commandLine: string, grammar: PromptGrammar): string | undefined {
  const words = argumentsOf(commandLine);
  const flagged = valueOfFlag(words, grammar.flags ?? []);
  const prompt = flagged ?? (grammar.positional === true ? positional(words, grammar) : undefined);
  return prompt === undefined || prompt.trim() === '' ? undefined : prompt.slice(0, longestPrompt);
}

/** Carriers and what they run are no arguments of the agent. */
const runners = /^(?:node|bun|bunx|deno|npx|pnpm|pnpx|yarn|uvx|uv|pipx|python[0-9.]*|py)(?:\.exe|\.cmd)?$/i;

function argumentsOf(commandLine: string): string[] {
  const words = splitCommandLine(commandLine);
  const first = words[0]?.split(/[\\/]/).at(-1) ?? '';
  if (!runners.test(first)) return words.slice(1);
  const verbs = /^(?:-y|--yes|-m|dlx|exec|x|run|tool)$/;
  let i = 1;
  while (i < words.length && (verbs.test(words[i] ?? '') || words[i]?.startsWith('--') === true)) i += 1;
  return words.slice(i + 1);
}

function valueOfFlag(words: readonly string[], flags: readonly string[]): string | undefined {
  for (const [i, word] of words.entries()) {
    if (word === '--') return undefined;
    if (flags.includes(word)) {
      const value = words[i + 1];
      return value?.startsWith('-') === true ? undefined : value;
    }
    const joined = flags.find((flag) => flag.startsWith('--') && word.startsWith(`${flag}=`));
    if (joined !== undefined) return word.slice(joined.length + 1);
  }
  return undefined;
}

/** The words that are no flag, nor the value of one. */
function freeWords(words: readonly string[], boolean: readonly string[]): string[] {
  const free: string[] = [];
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? '';
    if (word === '--') return [...free, ...words.slice(i + 1)];
    if (!word.startsWith('-') || word === '-') free.push(word);
    else if (!word.includes('=') && !boolean.includes(word)) i += 1;
  }
  return free;
}

function positional(words: readonly string[], grammar: PromptGrammar): string | undefined {
  const { subcommands, boolean = [], skip = 0 } = grammar;
  const free = freeWords(words, boolean);
  if (subcommands !== undefined) {
    if (!subcommands.includes(free[0] ?? '')) return undefined;
    free.shift();
  }
  const prompt = free[skip];
  // A word without a space is a subcommand such as `login` or `mcp`, or a path, rather than a prompt.
  return subcommands === undefined && prompt?.includes(' ') !== true ? undefined : prompt;
}
