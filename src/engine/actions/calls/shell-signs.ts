import type { FactName } from '../clauses.ts';
import { type Command, type ShellReading, fetchers, has, protectors, removers } from './shell-command.ts';

const scanners = new Set(
  'nmap masscan zmap rustscan nikto sqlmap hydra xmrig minerd cpuminer cgminer ethminer nbminer t-rex'.split(
    ' ',
  ),
);
const listeners = new Set(['nc', 'ncat', 'netcat', 'socat']);
const skips = /^--no-(?:verify|gpg-sign|check\w*|hooks?)$|^--skip-\w+|^-D?skip/i;
const logFile = /(?:^|\/)(?:log|logs|\.\w+_history)(?:\/|$)|\.log\b/;
const dumpers = /^(?:pg_dump\w*|mysqldump|mongodump|sqldump)$/;

interface Sign {
  shows: (command: Command) => boolean;
  senses?: readonly string[];
  facts?: readonly FactName[];
  words?: readonly string[];
}

/** What single programs and flags tell, whatever they come with. */
const signs: readonly Sign[] = [
  { shows: ({ name }) => scanners.has(name), senses: ['execute'], facts: ['scans_or_mines'] },
  {
    shows: ({ name, rest }) =>
      listeners.has(name) &&
      (has(rest, '-e', '-c', '-l') || rest.some((word) => /exec:|listen:/i.test(word))),
    senses: ['execute'],
    facts: ['reverse_shell'],
  },
  { shows: ({ rest }) => rest.some((word) => skips.test(word)), facts: ['skips_checks'] },
  {
    shows: ({ rest }) => has(rest, '-EncodedCommand', '-encodedcommand', '-enc'),
    senses: ['execute'],
    facts: ['obfuscated_command'],
  },
  {
    shows: ({ name, rest }) => name === 'history' && has(rest, '-c', '-w'),
    senses: ['delete'],
    facts: ['erases_traces'],
  },
  {
    shows: ({ name, rest }) => removers.has(name) && rest.some((word) => logFile.test(word)),
    facts: ['erases_traces'],
  },
  { shows: ({ name }) => protectors.has(name), words: ['firewall', 'port'] },
  { shows: ({ name }) => name === 'echo' || name === 'printf', senses: ['print'] },
  {
    shows: ({ name }) => name === 'env' || name === 'printenv',
    senses: ['print'],
    words: ['environment', 'variables', 'credentials'],
  },
  { shows: ({ name }) => dumpers.test(name), senses: ['export'], words: ['database', 'dump'] },
];

/** Notes what one command of a line shows. */
export function readSigns(command: Command, out: ShellReading): void {
  for (const { shows, senses = [], facts = [], words = [] } of signs) {
    if (!shows(command)) continue;
    for (const sense of senses) out.senses.add(sense);
    for (const fact of facts) out.facts.add(fact);
    out.words.push(...words);
  }
}

const lastPart = (path: string) =>
  path.replace(/[?#].*$/, '').slice(path.replace(/[?#].*$/, '').lastIndexOf('/') + 1);

/** `-o setup.sh`, `-O setup.sh`, else the end of the address. */
const savedBy = ({ rest }: Command): string[] =>
  rest.flatMap((word, at) =>
    /^-[oO]$|^--output(?:-document)?$/.test(rest[at - 1] ?? '') || /^https?:/i.test(word)
      ? [lastPart(word)]
      : [],
  );

const starters = /^(?:sh|bash|zsh|dash|ksh|source|\.|python\d?|perl|ruby|node)$/;

/** A file is fetched, made executable or named, and started on the same line. */
export function runsFetched(line: string, earlier: readonly Command[]): boolean {
  const fetched = earlier.filter(({ name }) => fetchers.has(name));
  if (fetched.length === 0) return false;
  if (/(?:^|[;&|]\s*)(?:sudo )?\.\/[\w.-]+/.test(line)) return true;
  const saved = new Set(fetched.flatMap(savedBy).filter((name) => name.length > 1));
  return earlier.some(
    ({ name, rest }) => starters.test(name) && rest.some((word) => saved.has(lastPart(word))),
  );
}
