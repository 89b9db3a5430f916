/** What has been read of a project, and what was not and why. */
import { missingRequirements } from '#engine/mcp-servers/dependencies/read-packages.ts';
import { kindOfBytes } from '#engine/source/parse/decoded.ts';
import { findGrammar } from '#engine/source/parse/grammars.ts';
import { SharedFiles, type Told } from '#engine/source/shared-file.ts';
import type { SourceFile } from '#engine/source/types.ts';
import { isOtherScript, isPointer, unreadKind } from './file-kinds.ts';
import { reachedBy } from './reached-files.ts';

export interface Left {
  path: string;
  bytes: number;
  reason: string;
}

/** Of each kind of reason, so that many harmless ones hide no other. */
const mostNamed = 200;

/** Letters that no text has, among the first ones. */
const sample = 8_000;
const fewControls = 0.1;

function isBinary(bytes: Buffer): boolean {
  // UTF-16 is text with a zero in every other byte: it is decoded.
  const text = bytes.subarray(0, sample);
  const zeros = [0, 0];
  let controls = 0;
  for (const [at, byte] of text.entries())
    if (byte === 0) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1;
    else if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) controls++;
  const [even = 0, odd = 0] = zeros;
  return controls + Math.min(even, odd) * 2 > fewControls * text.length;
}

export class Reading {
  readonly #files = new SharedFiles();
  readonly present = { files: 0, bytes: 0 };
  readonly left: Left[] = [];
  leftMore = 0;
  /** Everything that lies there and was not read, by its path. */
  readonly unread = new Set<string>();
  /** What is to be read although its name says nothing. */
  readonly wanted = new Map<string, Told>();
  readonly #counts = new Map<string, number>();
  readonly #folders = new Map<string, Left>();
  readonly #submodules: string[] = [];

  get files(): readonly SourceFile[] {
    return this.#files.all;
  }

  count(path: string, bytes: number): void {
    this.present.files += 1;
    this.present.bytes += bytes;
    this.unread.add(path);
  }

  /** A folder that is left out is named once, with the bytes of all its files. */
  leave(path: string, bytes: number, reason: string): void {
    const known = path.endsWith('/') ? this.#folders.get(path) : undefined;
    if (known !== undefined) {
      known.bytes += bytes;
      return;
    }
    const count = (this.#counts.get(reason) ?? 0) + 1;
    this.#counts.set(reason, count);
    if (count > mostNamed) {
      this.leftMore++;
      return;
    }
    const left = { path, bytes, reason };
    this.left.push(left);
    if (path.endsWith('/')) this.#folders.set(path, left);
  }

  /** What is in a language or form that is not read, said where a server may run it. */
  leaveUnread(path: string, bytes: number, head: Buffer | undefined): void {
    if (/(?:^|\/)\.gitmodules$/.test(path)) this.#addSubmodules(head?.toString('utf8') ?? '');
    const kind = unreadKind(path, head) ?? (head && isOtherScript(head) ? 'script' : undefined);
    if (kind !== undefined && bytes > 0) this.leave(path, bytes, kind);
  }

  #addSubmodules(text: string): void {
    for (const [, path = ''] of text.matchAll(/^\s*path\s*=\s*(\S+)\s*$/gm))
      this.#submodules.push(`${path.replace(/\/$/, '')}/`);
  }

  /** Submodules of which nothing came along; known once everything was seen. */
  finish(): void {
    const all = [...this.unread, ...this.files.map(({ path }) => path)];
    for (const folder of this.#submodules)
      if (!all.some((path) => path.startsWith(folder))) this.leave(folder, 0, 'submodule');
  }

  want(path: string, told: Told): void {
    this.wanted.set(path, told);
  }

  add(path: string, bytes: Buffer, told: Told = {}): void {
    this.unread.delete(path);
    if (isPointer(bytes)) this.leave(path, bytes.length, 'lfs-pointer');
    else if (kindOfBytes(bytes) !== undefined || isBinary(bytes)) this.leave(path, bytes.length, 'binary');
    else this.#files.add(path, bytes, told);
  }

  /** What something loads or starts: where it cannot be read, that weighs more than for what only lies there. */
  addLoaded(path: string, bytes: Buffer, told: Told): void {
    this.unread.delete(path);
    const at = this.left.findIndex((each) => each.path === path);
    if (at >= 0) this.left.splice(at, 1);
    const isUnreadable =
      (unreadKind(path, bytes.subarray(0, 512)) ?? (isBinary(bytes) ? 'binary' : undefined)) !== undefined;
    if (isUnreadable) this.leave(path, bytes.length, 'loaded-and-not-readable');
    else this.add(path, bytes, told);
  }

  /** Notes of files that were read already what is known now. */
  tell(path: string, told: Told): void {
    const file = this.#files.all.find((each) => each.path === path);
    if (file !== undefined) Object.assign(file, told);
  }
}

const rounds = 10;
const mostIncluded = 200;

/** Folders of others: what lies in them is no source of the project, unless it loads it. */
const unseen = /(?:^|\/)(?:node_modules|site-packages|\.?venv|__pycache__|\.git|\.hg|\.svn)\//;
const foreign =
  /(?:^|\/)(?:node_modules|site-packages|\.?venv|__pycache__|\.hg|\.svn|vendor|third_party|bower_components|target\/(?:debug|release))\//;

/** Files that have any name and that others name: requirements, what is started, what is loaded. */
export async function addNamed(
  reading: Reading,
  isConfiguration: (path: string) => boolean,
  load: (wanted: ReadonlyMap<string, Told>) => Promise<void>,
): Promise<void> {
  const tried = new Set<string>();
  let before = 0;
  for (let round = 0; round < rounds && tried.size < mostIncluded; round++) {
    const fresh = reading.files.slice(before);
    before = reading.files.length;
    const named = new Map<string, Told>([
      ...missingRequirements(reading.files).map((path) => [path, {}] as const),
      ...reading.wanted,
      ...reachedIn(reading, fresh, isConfiguration),
    ]);
    reading.wanted.clear();
    const wanted = [...named].filter(([path]) => !tried.has(path)).slice(0, mostIncluded - tried.size);
    if (wanted.length === 0) return;
    for (const [path] of wanted) tried.add(path);
    await load(new Map(wanted));
  }
}

/** What is reached and was not read; of what was read it is noted that it is reached. */
function reachedIn(
  reading: Reading,
  fresh: readonly SourceFile[],
  isConfiguration: (path: string) => boolean,
): [path: string, told: Told][] {
  const read = new Map(reading.files.map((file) => [file.path, file]));
  return reachedBy(fresh, isConfiguration).flatMap(({ paths, grammar, isStarted }) => {
    const known = paths.find((each) => read.has(each) || reading.unread.has(each));
    // What lies in folders that are passed over is found by trying.
    const tried = known === undefined ? paths.filter((each) => unseen.test(each)) : [known];
    return tried.flatMap((path): [string, Told][] => {
      const told: Told = {
        ...((findGrammar(path) === undefined || foreign.test(path)) && { grammar }),
        ...(isStarted && { isStarted }),
      };
      if (!read.has(path)) return [[path, told]];
      if (Object.keys(told).length > 0) reading.tell(path, told);
      return [];
    });
  });
}
