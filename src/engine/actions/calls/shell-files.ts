/** Which files a command line reads and which it changes: by its redirections, and by what its programs do with their files. */
import { onlyTries } from './destroyers.ts';
import { parseShell } from './parse-shell.ts';
import { filesOf } from './program-files.ts';
import { payloadOf } from './shell.ts';
import { ShellBudget } from './shell-budget.ts';
import { readInlineCode } from './shell-code.ts';
import type { Command } from './shell-command.ts';
import { unwrap } from './shell-wrappers.ts';

/** A file that is read or changed. */
export interface UsedFile {
  readonly path: string;
  /** False for `notes.txt` where nothing says in which folder it lies. */
  readonly isPlaced: boolean;
}

export interface UsedFiles {
  readonly read: UsedFile[];
  readonly changed: UsedFile[];
}

const absolute = /^(?:[~/\\]|[a-z]:[\\/])/i;
/** No files of anybody: streams, what is thrown away, and what other machines hold. */
const isNoFile = (word: string) =>
  /^(?:-|\/dev\/(?:null|stdin|stdout|stderr|tty|zero|u?random|fd\/\d+))?$/.test(word) ||
  /^(?!file:)[a-z][\w+.-]*:\/\//i.test(word) ||
  /^[\w.@-]{2,}:(?!\/\/)/.test(word);

const home = /^\$(?:HOME|\{HOME\})(?=\/|$)/;
/** What they are told to run is no command line. */
const interpreters = /^(?:python\d?|perl|ruby|node)$/;

class FileReader {
  readonly used: UsedFiles = { read: [], changed: [] };
  readonly #budget = new ShellBudget();
  #folder: string | undefined;

  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  read(line: string, depth = 0): void {
    for (const one of parseShell(line, this.#budget)) {
      const command = unwrap(one);
      this.#add(this.used.read, one.reads);
      this.#add(this.used.changed, one.writes);
      if (onlyTries(command)) continue;
      if (command.name === 'cd' || command.name === 'pushd') this.#enter(command);
      this.#readCommand(command, depth);
    }
  }

  #readCommand(command: Command, depth: number): void {
    const code = readInlineCode(command);
    if (code !== undefined) {
      this.#add(code.deletes || code.writes ? this.used.changed : this.used.read, code.paths);
      return;
    }
    const payload = payloadOf(command);
    if (payload !== undefined && !interpreters.test(command.name)) {
      if (this.#budget.nests(depth)) this.read(payload, depth + 1);
      return;
    }
    const { read = [], changed = [] } = filesOf(command);
    this.#add(this.used.read, read);
    this.#add(this.used.changed, changed);
  }

  #enter({ rest }: Command): void {
    const [to = '~'] = rest.filter((word) => !word.startsWith('-'));
    const placed = this.#place(to);
    this.#folder = placed?.isPlaced === true ? placed.path : undefined;
  }

  #add(into: UsedFile[], words: readonly string[]): void {
    for (const word of words) {
      const placed = this.#place(word);
      if (placed !== undefined) into.push(placed);
    }
  }

  #place(word: string): UsedFile | undefined {
    const path = word.replace(/^file:\/\//i, '').replace(home, '~');
    if (isNoFile(path)) return undefined;
    if (absolute.test(path)) return { path, isPlaced: true };
    if (path.startsWith('$')) return { path, isPlaced: false };
    if (this.#folder !== undefined) return { path: `${this.#folder}/${path}`, isPlaced: true };
    // Out of the folder that one is in: wherever that is, it is elsewhere.
    return { path, isPlaced: /^\.\.(?:[/\\]|$)/.test(path) };
  }
}

/** @param folder in which the line is run, where that is known */
export function filesOfShell(line: string, folder?: string): UsedFiles {
  const reader = new FileReader(folder);
  reader.read(line);
  return reader.used;
}
