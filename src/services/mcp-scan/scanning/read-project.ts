/** The files of a project that are looked at, from an archive or a folder; runs in a thread. */
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { findGrammar } from '#engine/source/parse/grammars.ts';
import { SharedFiles } from '#engine/source/shared-file.ts';
import type { SourceFile } from '#engine/source/types.ts';
import { missingRequirements, namesPackages } from '#engine/mcp-servers/dependencies/read-packages.ts';

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
}

const configName =
  /(?:^|\/)(?:\.?mcp(?:[._-][\w-]+)?\.json|claude_desktop_config\.json|mcp_settings\.json|mcp_config\.json|\.codex\/config\.toml)$/i;
/** Whether a file is an MCP configuration by its name. */
export const isConfiguration = (path: string): boolean => configName.test(path);

/** Archives within a project are not opened, and said to be there: source can hide in them. */
const archiveName = /\.(?:zip|jar|war|whl|egg|vsix|mcpb|dxt|tar|tgz|tar\.gz|7z|rar|asar)$/i;

const isRead = (path: string): boolean =>
  findGrammar(path) !== undefined ||
  namesPackages(path) ||
  isConfiguration(path) ||
  /(?:^|\/)server\.json$/.test(path);

const longestFile = 20_000_000;
const mostNamed = 200;
/** Of dependencies and build output that lie in the project. */
const foreignFolder = /(?:^|\/)(?:node_modules|site-packages|\.venv|venv|\.git)\//;

class Reading {
  readonly #files = new SharedFiles();
  readonly present = { files: 0, bytes: 0 };
  readonly left: ReadProject['left'] = [];

  get files(): readonly SourceFile[] {
    return this.#files.all;
  }

  count(bytes: number): void {
    this.present.files += 1;
    this.present.bytes += bytes;
  }

  leave(path: string, bytes: number, reason: string): void {
    if (this.left.length < mostNamed) this.left.push({ path, bytes, reason });
  }

  add(path: string, bytes: Buffer): void {
    if (bytes.subarray(0, 8000).includes(0)) this.leave(path, bytes.length, 'binary');
    else this.#files.add(path, bytes);
  }
}

async function bytesOf(content: Readable, limit: number): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of content as AsyncIterable<Buffer>) {
    size += part.length;
    if (size <= limit) parts.push(part);
  }
  return size <= limit ? Buffer.concat(parts) : undefined;
}

async function drained(content: Readable): Promise<number> {
  let bytes = 0;
  for await (const part of content as AsyncIterable<Buffer>) bytes += part.length;
  return bytes;
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
      if (!isRead(path) || foreignFolder.test(path)) {
        const bytes = await drained(content);
        reading.count(bytes);
        if (foreignFolder.test(path) && isRead(path)) reading.leave(path, bytes, 'dependency');
        else if (archiveName.test(path)) reading.leave(path, bytes, 'archive');
        return;
      }
      const bytes = await bytesOf(content, longestFile);
      reading.count(bytes?.length ?? longestFile);
      if (bytes === undefined) reading.leave(path, longestFile, 'file-too-large');
      else reading.add(path, bytes);
    },
    {
      limits: bounds,
      ...(source.skipLinks && { onLink: (path: string) => reading.leave(path, 0, 'link') }),
    },
  );
  await addIncluded(reading, async (paths) => {
    await readArchive(
      source.path,
      async ({ path: packed, kind, content }) => {
        if (kind === 'folder') return;
        const path = pathOf(packed);
        const bytes = paths.has(path) ? await bytesOf(content, longestFile) : await drained(content);
        if (bytes === undefined) reading.leave(path, longestFile, 'file-too-large');
        else if (typeof bytes !== 'number') reading.add(path, bytes);
      },
      // What is counted and refused was counted and refused before.
      { limits: bounds, ...(source.skipLinks && { onLink: () => undefined }) },
    );
  });
  return reading;
}

const rounds = 10;
const mostIncluded = 200;

/** Files of requirements have any name: those that others name are read when that is known, and what these name again. */
async function addIncluded(
  reading: Reading,
  load: (paths: ReadonlySet<string>) => Promise<void>,
): Promise<void> {
  const tried = new Set<string>();
  for (let round = 0; round < rounds && tried.size < mostIncluded; round++) {
    const wanted = missingRequirements(reading.files)
      .filter((path) => !tried.has(path))
      .slice(0, mostIncluded - tried.size);
    if (wanted.length === 0) return;
    for (const path of wanted) tried.add(path);
    await load(new Set(wanted));
  }
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
        if (skippedFolders.has(entry.name))
          reading.leave(`${path}/`, 0, entry.name === '.git' ? 'history' : 'dependency');
        else if (depth > 60) reading.leave(path, 0, 'too-deeply-nested');
        else await walk(place, path, depth + 1);
      } else if (entry.isFile()) await readOne(place, path, reading);
    }
  };
  const stats = await lstat(root);
  if (stats.isDirectory()) {
    await walk(root, '', 0);
    await addIncluded(reading, async (paths) => {
      for (const path of paths) await readIncluded(root, path, reading);
    });
  } else await readOne(root, root.split('/').at(-1) ?? root, reading, true);
  return reading;
}

async function readOne(place: string, path: string, reading: Reading, isNamed = false): Promise<void> {
  await using file = await open(place);
  const { size } = await file.stat();
  reading.count(size);
  if (!isNamed && !isRead(path)) {
    if (archiveName.test(path)) reading.leave(path, size, 'archive');
    return;
  }
  if (size > longestFile) reading.leave(path, size, 'file-too-large');
  else reading.add(path, await file.readFile());
}

/** A file that requirements name, if it lies in the folder itself and not behind a link; it has been counted. */
async function readIncluded(root: string, path: string, reading: Reading): Promise<void> {
  const place = join(await realpath(root), path);
  const isInside = (await realpath(place).catch(() => undefined)) === place;
  if (!isInside || !(await lstat(place)).isFile()) return;
  await using file = await open(place);
  const { size } = await file.stat();
  if (size > longestFile) reading.leave(path, size, 'file-too-large');
  else reading.add(path, await file.readFile());
}

/** @throws ArchiveError for an archive that must not be unpacked */
export const readProject = (source: ProjectSource, limits: ProjectLimits): Promise<ReadProject> =>
  source.kind === 'archive' ? readPacked(source, limits) : readFolder(source.path, limits);
