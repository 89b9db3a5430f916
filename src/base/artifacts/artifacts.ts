import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { AppError, invalid, notFound, unavailable } from '../errors.ts';
import { isUuid, newUuid } from '../ids.ts';
import type { Jobs } from '../jobs/jobs.ts';
import {
  abandon,
  find,
  list,
  markDeleting,
  markReady,
  removeRow,
  reserve,
  takeRemovable,
} from './artifact-store.ts';
import type { Artifact, ArtifactOwner, ByteRange } from './artifact.ts';
import type { Objects } from './objects.ts';

export interface PutOptions {
  /** Larger content is refused and nothing of it is kept. */
  readonly limitBytes: number;
  /** Lifetime; undefined: kept until deleted. */
  readonly ttlMs?: number;
  /** File name for downloads. */
  readonly name: string;
  readonly mediaType: string;
  readonly signal?: AbortSignal;
}

/** Files that outlive a request: uploads, reports, archives of results. */
export interface Artifacts {
  /**
   * Stores the stream's bytes. Once it resolves they are durable and visible to all processes; until then
   * the artifact is invisible.
   * @throws AppError 413 if a limit is exceeded, 422 `invalid`, 503; the stream's error; the signal's reason
   */
  put(owner: ArtifactOwner, content: Readable, options: PutOptions): Promise<Artifact>;
  /** @throws AppError 404 if the tenant has no such artifact, 410 if its bytes are gone, 416 for a range outside of it */
  open(
    owner: ArtifactOwner,
    id: string,
    range?: ByteRange,
  ): Promise<{ artifact: Artifact; content: Readable }>;
  find(owner: ArtifactOwner, id: string): Promise<Artifact | undefined>;
  /** Newest first. */
  list(
    owner: ArtifactOwner,
    page: { limit: number; offset: number },
  ): Promise<{ artifacts: Artifact[]; total: number }>;
  /** @throws AppError 404 */
  delete(owner: ArtifactOwner, id: string): Promise<void>;
  /** Removes expired artifacts and leftovers of crashed processes; a background job calls it every ten minutes. */
  clean(signal?: AbortSignal): Promise<void>;
}

export interface ArtifactSettings {
  readonly db: Database;
  readonly objects: Objects;
  readonly clock: Clock;
  /** Folder for incomplete files, local to this machine. */
  readonly incoming: string;
  /** Total size of one tenant's artifacts. */
  readonly quotaBytes: number;
}

/** A write still unfinished after this belongs to a crashed process. */
const unfinishedMs = 24 * 3_600_000;
const batch = 100;

export const createArtifacts = (settings: ArtifactSettings): Artifacts => new StoredArtifacts(settings);

export async function scheduleCleaning(artifacts: Artifacts, jobs: Jobs): Promise<void> {
  await jobs.define('artifacts.clean', { timeoutSeconds: 3600 }, ({ signal }) => artifacts.clean(signal));
  await jobs.schedule('artifacts.clean', { everySeconds: 600 });
}

class StoredArtifacts implements Artifacts {
  readonly #db: Database;
  readonly #objects: Objects;
  readonly #clock: Clock;
  readonly #incoming: string;
  readonly #quotaBytes: number;

  constructor({ db, objects, clock, incoming, quotaBytes }: ArtifactSettings) {
    this.#db = db;
    this.#objects = objects;
    this.#clock = clock;
    this.#incoming = incoming;
    this.#quotaBytes = quotaBytes;
  }

  async put(owner: ArtifactOwner, content: Readable, options: PutOptions): Promise<Artifact> {
    const { ttlMs, limitBytes, signal } = options;
    const name = checkedName(options.name);
    const mediaType = checkedMediaType(options.mediaType);
    const nowMs = this.#clock.now();
    const file = join(this.#incoming, randomUUID());
    await mkdir(this.#incoming, { recursive: true, mode: 0o700 });
    try {
      const facts = await spool(content, file, Math.min(limitBytes, this.#quotaBytes), signal);
      const artifact: Artifact = {
        id: newUuid(nowMs),
        userId: owner.userId,
        name,
        mediaType,
        ...facts,
        createdAt: new Date(nowMs),
        expiresAt: ttlMs === undefined ? null : new Date(nowMs + ttlMs),
      };
      if (!(await reserve(this.#db, owner, artifact, this.#quotaBytes)))
        throw new AppError(
          413,
          'quota_exceeded',
          `This file would exceed your tenant’s storage quota of ${this.#quotaBytes} bytes. Delete other files first.`,
        );
      await this.#write(owner, artifact, file);
      return artifact;
    } finally {
      await rm(file, { force: true });
    }
  }

  async open(owner: ArtifactOwner, id: string, range?: ByteRange) {
    const artifact = await this.find(owner, id);
    if (artifact === undefined) throw notFound('The file');
    const content = await this.#objects.read(id, range && checkedRange(range, artifact));
    if (content === undefined)
      throw new AppError(
        410,
        'file_gone',
        `The file ${artifact.name} is recorded, but is no longer in the file store: perhaps a backup was restored without its files. Have it made again.`,
      );
    return { artifact, content };
  }

  find(owner: ArtifactOwner, id: string): Promise<Artifact | undefined> {
    return isUuid(id) ? find(this.#db, owner, id, this.#now()) : Promise.resolve(undefined);
  }

  list(owner: ArtifactOwner, page: { limit: number; offset: number }) {
    return list(this.#db, owner, this.#now(), page);
  }

  async delete(owner: ArtifactOwner, id: string): Promise<void> {
    if (!isUuid(id) || !(await markDeleting(this.#db, owner, id, this.#now()))) throw notFound('The file');
    await this.#remove(id);
  }

  async clean(signal?: AbortSignal): Promise<void> {
    const nowMs = this.#clock.now();
    const unfinishedBefore = new Date(nowMs - unfinishedMs);
    const failures: unknown[] = [];
    for (let taken = batch; taken === batch && failures.length === 0 && signal?.aborted !== true;) {
      const ids = await takeRemovable(this.#db, new Date(nowMs), unfinishedBefore, batch);
      taken = ids.length;
      // What cannot be removed now is retried next time.
      for (const id of ids) await this.#remove(id).catch((error: unknown) => failures.push(error));
    }
    await removeOldFiles(this.#incoming, unfinishedBefore);
    if (failures.length > 0) throw unavailable('Some files could not be removed.', failures[0]);
  }

  async #write(owner: ArtifactOwner, artifact: Artifact, file: string): Promise<void> {
    const { id, sizeBytes, sha256 } = artifact;
    try {
      await this.#objects.write(id, file, { sizeBytes, sha256 });
      if (!(await markReady(this.#db, id))) throw unavailable('Storing the file took too long; try again.');
    } catch (error) {
      // If this fails too, the background job cleans up.
      await abandon(this.#db, owner, id)
        .then(() => this.#remove(id))
        .catch(() => undefined);
      throw error;
    }
  }

  /** Bytes first: a row without bytes can be found later, bytes without a row cannot. */
  async #remove(id: string): Promise<void> {
    await this.#objects.remove(id);
    await removeRow(this.#db, id);
  }

  #now(): Date {
    return new Date(this.#clock.now());
  }
}

/** Writes the stream to a temporary file with a size limit, and syncs it to disk. */
async function spool(content: Readable, path: string, limitBytes: number, signal: AbortSignal | undefined) {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const aborted = () => content.destroy(signal?.reason as Error);
  signal?.throwIfAborted();
  signal?.addEventListener('abort', aborted);
  try {
    await using file = await open(path, 'wx', 0o600);
    for await (const chunk of content as AsyncIterable<Buffer | string>) {
      const bytes = Buffer.from(chunk as Buffer);
      sizeBytes += bytes.length;
      if (sizeBytes > limitBytes)
        throw new AppError(413, 'too_large', `The file has more than ${limitBytes} bytes.`);
      hash.update(bytes);
      await file.writeFile(bytes);
    }
    await file.sync();
  } finally {
    signal?.removeEventListener('abort', aborted);
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}

async function removeOldFiles(folder: string, before: Date): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const path = join(folder, name);
    const facts = await stat(path).catch(() => undefined);
    if (facts !== undefined && facts.mtime < before) await rm(path, { force: true });
  }
}

const longestName = 255;

// oxlint-disable-next-line no-control-regex -- this check refuses them
const unfitForNames = /[\u0000-\u001f\u007f/\\]/;

/** Checks that the name is safe in a header and on a disk. */
function checkedName(name: string): string {
  if (name === '' || name.length > longestName || unfitForNames.test(name) || !name.isWellFormed())
    throw invalid(
      `The name of a file must have 1 to ${longestName} characters, and no slashes or control characters.`,
    );
  return name;
}

function checkedMediaType(mediaType: string): string {
  if (!/^[\w.+-]{1,100}\/[\w.+-]{1,100}(?:; ?[\w-]{1,50}=[\w.+"-]{1,100})?$/.test(mediaType))
    throw invalid('The media type of a file must have the form type/subtype, such as application/pdf.');
  return mediaType;
}

function checkedRange({ start, end }: ByteRange, { sizeBytes }: Artifact): ByteRange {
  const isRange = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end;
  if (!isRange || start >= sizeBytes)
    throw new AppError(416, 'range_not_satisfiable', `The file has ${sizeBytes} bytes.`, {
      headers: { 'content-range': `bytes */${sizeBytes}` },
    });
  return { start, end: Math.min(end, sizeBytes - 1) };
}
