import type { FactName } from '../clauses.ts';

/** What a command line or a statement does. */
export interface ShellReading {
  senses: Set<string>;
  facts: Set<FactName>;
  words: string[];
  /** Some of it was not read. */
  isCut?: boolean;
  /** What nobody can tell: what code runs, or in which folder. */
  hidden?: 'code' | 'folder';
  /** It is said in which folder the line runs. */
  isPlaced?: boolean;
}

/** One simple command. */
export interface ShellCommand {
  readonly words: readonly string[];
  /** It reads what the command before it writes. */
  readonly piped: boolean;
  /** What it reads, where the line itself says it. */
  readonly input: string | undefined;
  /** Files that it writes to. */
  readonly writes: readonly string[];
  /** Files that it is given to read. */
  readonly reads: readonly string[];
}

/** One program with its arguments. */
export interface Command {
  name: string;
  rest: readonly string[];
  elevated: boolean;
  /** What it reads, where the line itself says it. */
  input?: string | undefined;
  /** It is started for each entry of a list. */
  listed?: boolean | undefined;
}

export const fetchers = new Set(['curl', 'wget', 'iwr', 'invoke-webrequest']);
export const removers = new Set([
  'rm',
  'rmdir',
  'shred',
  'unlink',
  'del',
  'erase',
  'rd',
  'ri',
  'remove-item',
  'truncate',
]);
export const protectors = new Set(['ufw', 'iptables', 'setenforce', 'auditctl', 'nft', 'csrutil', 'spctl']);

/** Whether one of the flags is among the arguments; short ones also joined (`-rf`). */
export const has = (rest: readonly string[], ...flags: string[]) =>
  rest.some(
    (word) =>
      flags.includes(word) ||
      (/^-[a-zA-Z]+$/.test(word) && flags.some((flag) => flag.length === 2 && word.includes(flag.charAt(1)))),
  );

/** Notes an act and what is known of it. */
export const add = (out: ShellReading, sense: string, ...facts: FactName[]) => {
  out.senses.add(sense);
  for (const fact of facts) out.facts.add(fact);
};
