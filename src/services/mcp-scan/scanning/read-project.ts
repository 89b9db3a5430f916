/** The files of a project that are looked at, from an archive or a folder; runs in a thread. */
import { type FileHandle, lstat, open, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { namesPackages } from '#engine/mcp-servers/dependencies/read-packages.ts';
import { findGrammar } from '#engine/source/parse/grammars.ts';
import type { Told } from '#engine/source/shared-file.ts';
import type { SourceFile } from '#engine/source/types.ts';
import { grammarByContent, headBytes, isUndecided } from './file-kinds.ts';
import { addNamed, Reading } from './reading.ts';

export interface ProjectSource {
  kind: 'archive' | 'folder';
  path: string;
  /** Archives of repositories have one folder around everything, which is no part of any path. */
  stripRoot: boolean;
  /** Links of a repository's archive are left out and said; elsewhere they refuse the archive. */
  skipLinks: boolean;
}

export interface ProjectLimits {
  packedBytes: number;
  unpackedBytes: number;
  files: number;
}

export interface ReadProject {
  files: readonly SourceFile[];
  /** Files that are there, and their bytes. */
  present: { files: number; bytes: number };
  /** What was not read, with the reason. */
  left: { path: string; bytes: number; reason: string }[];
  /** How many more were not read than `left` names. */
  leftMore: number;
}

const configName =
  /(?:^|\/)(?:\.?mcp(?:[._-][\w-]+)?\.json|claude_desktop_config\.json|mcp_settings\.json|mcp_config\.json|\.codex\/config\.toml)$/i;
/** Whether a file is an MCP configuration by its name. */
export const isConfiguration = (path: string): boolean => configName.test(path);

const isRead = (path: string): boolean =>
  findGrammar(path) !== undefined ||
  namesPackages(path) ||
  isConfiguration(path) ||
  /(?:^|\/)server\.json$/.test(path);

const longestFile = 20_000_000;
/** Of dependencies and build output that lie in the project. */
const foreignFolder = /^(?:.*?\/)?(?:node_modules|site-packages|\.venv|venv|\.git)\//;

async function bytesOf(content: Readable, limit: number): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of content as AsyncIterable<Buffer>) {
    size += part.length;
    if (size <= limit) parts.push(part);
  }
  return size <= limit ? Buffer.concat(parts) : undefined;
}

/** The size of what is not read, and its beginning. */
async function drained(content: Readable): Promise<{ bytes: number; head: Buffer }> {
  let [bytes, head] = [0, Buffer.alloc(0)];
  for await (const part of content as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (head.length < headBytes) head = Buffer.concat([head, part.subarray(0, headBytes)]);
  }
  return { bytes, head };
}

async function readPacked(source: ProjectSource, limits: ProjectLimits): Promise<ReadProject> {
  // Loaded for archives alone.
  const { readArchive } = await import('#base/archives/read-archive.ts');
  const reading = new Reading();
  const bounds = {
    packedBytes: limits.packedBytes,
    unpackedBytes: limits.unpackedBytes,
    entries: limits.files,
    entryBytes: limits.unpackedBytes,
  };
  const pathOf = (packed: string) => (source.stripRoot ? packed.slice(packed.indexOf('/') + 1) : packed);
  await readArchive(
    source.path,
    async ({ path: packed, kind, content }) => {
      if (kind === 'folder') return;
      const path = pathOf(packed);
      const folder = foreignFolder.exec(path)?.[0];
      if (folder !== undefined || !isRead(path)) {
        await passOver(path, content, folder, reading);
        return;
      }
      const bytes = await bytesOf(content, longestFile);
      reading.count(path, bytes?.length ?? longestFile);
      if (bytes === undefined) reading.leave(path, longestFile, 'file-too-large');
      else reading.add(path, bytes);
    },
    {
      limits: bounds,
      ...(source.skipLinks && { onLink: (path: string) => reading.leave(pathOf(path), 0, 'link') }),
    },
  );
  await addNamed(reading, isConfiguration, async (wanted) => {
    await readArchive(
      source.path,
      async ({ path: packed, kind, content }) => {
        if (kind === 'folder') return;
        const path = pathOf(packed);
        const told = wanted.get(path);
        if (told === undefined) {
          await drained(content);
          return;
        }
        const bytes = await bytesOf(content, longestFile);
        if (bytes === undefined) reading.leave(path, longestFile, 'file-too-large');
        else reading.addLoaded(path, bytes, told);
      },
      // What is counted and refused was counted and refused before.
      { limits: bounds, ...(source.skipLinks && { onLink: () => undefined }) },
    );
  });
  reading.finish();
  return reading;
}

/** What is not read by its name: said where it may matter, and read after all where its first line tells a language. */
async function passOver(
  path: string,
  content: Readable,
  folder: string | undefined,
  reading: Reading,
): Promise<void> {
  const { bytes, head } = await drained(content);
  reading.count(path, bytes);
  if (folder !== undefined) reading.leave(folder, bytes, folder.endsWith('.git/') ? 'history' : 'dependency');
  else if (isUndecided(path) && grammarByContent(path, head) !== undefined)
    reading.want(path, { grammar: grammarByContent(path, head) ?? 'tsx' });
  else reading.leaveUnread(path, bytes, head);
}

const skippedFolders = new Set([
  '.git',
  'node_modules',
  '.venv',
  'venv',
  'site-packages',
  '__pycache__',
  '.hg',
  '.svn',
]);

const histories = new Set(['.git', '.hg', '.svn']);
const ofFolder = (name: string): string => (histories.has(name) ? 'history' : 'dependency');

async function readFolder(root: string, limits: ProjectLimits): Promise<ReadProject> {
  const reading = new Reading();
  const walk = async (folder: string, within: string, depth: number): Promise<void> => {
    for (const entry of (await readdir(folder, { withFileTypes: true })).toSorted((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      const path = within === '' ? entry.name : `${within}/${entry.name}`;
      const place = join(folder, entry.name);
      if (reading.present.files >= limits.files || reading.present.bytes >= limits.unpackedBytes) {
        reading.leave(path, 0, 'limit of files or bytes');
        return;
      }
      if (entry.isSymbolicLink()) reading.leave(path, 0, 'link');
      else if (entry.isDirectory()) {
        if (skippedFolders.has(entry.name)) reading.leave(`${path}/`, 0, ofFolder(entry.name));
        else if (depth > 60) reading.leave(path, 0, 'too-deeply-nested');
        else await walk(place, path, depth + 1);
      } else if (entry.isFile()) await readOne(place, path, reading);
      else reading.leave(path, 0, 'special-file');
    }
  };
  const stats = await lstat(root);
  if (stats.isDirectory()) {
    await walk(root, '', 0);
    const real = await realpath(root);
    await addNamed(reading, isConfiguration, async (wanted) => {
      for (const [path, told] of wanted) await readNamed(real, path, told, reading);
    });
  } else await readOne(root, root.split('/').at(-1) ?? root, reading, true);
  reading.finish();
  return reading;
}

/** A file that cannot be opened is said, and the others are read. */
async function readOne(place: string, path: string, reading: Reading, isNamed = false): Promise<void> {
  const file = await opened(place);
  if (file === undefined) {
    reading.leave(path, 0, 'unreadable');
    return;
  }
  await using _closed = file;
  const { size } = await file.stat();
  reading.count(path, size);
  if (isNamed || isRead(path)) {
    if (size > longestFile) reading.leave(path, size, 'file-too-large');
    else reading.add(path, await file.readFile());
    return;
  }
  const head = isUndecided(path) ? await beginningOf(file) : undefined;
  const grammar = head && grammarByContent(path, head);
  if (grammar === undefined) reading.leaveUnread(path, size, head);
  else if (size > longestFile) reading.leave(path, size, 'file-too-large');
  else reading.add(path, await file.readFile(), { grammar });
}

const opened = (place: string): Promise<FileHandle | undefined> =>
  open(place).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES' || error.code === 'EPERM') return undefined;
    throw error;
  });

async function beginningOf(file: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  // What is read whole afterwards begins at its beginning.
  return buffer.subarray(0, bytesRead);
}

/** A file that another one names, if it lies in the folder itself and not behind a link; it has been counted. */
async function readNamed(root: string, path: string, told: Told, reading: Reading): Promise<void> {
  const place = join(root, path);
  const isInside = (await realpath(place).catch(() => undefined)) === place;
  if (!isInside || !(await lstat(place)).isFile()) return;
  await using file = await open(place);
  const { size } = await file.stat();
  if (size > longestFile) reading.leave(path, size, 'file-too-large');
  else reading.addLoaded(path, await file.readFile(), told);
}

/** @throws ArchiveError for an archive that must not be unpacked */
export const readProject = (source: ProjectSource, limits: ProjectLimits): Promise<ReadProject> =>
  source.kind === 'archive' ? readPacked(source, limits) : readFolder(source.path, limits);
