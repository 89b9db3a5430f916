/** Upper limits for an archive that is read. */
export interface ArchiveLimits {
  /** Size of the archive file; default: 100 MiB. */
  readonly packedBytes: number;
  /** Total size after unpacking, nested archives included; default: 1 GiB. */
  readonly unpackedBytes: number;
  /** Unpacked size of one entry; default: 256 MiB. */
  readonly entryBytes: number;
  /** Unpacked size divided by packed size; default: 200. Deflate reaches 1,032 at most, ordinary text about 10. */
  readonly ratio: number;
  /** Number of entries; default: 50,000. */
  readonly entries: number;
  /** Levels of nested folders; default: 40. */
  readonly depth: number;
  /** Length of a whole path in bytes; default: 1,024. */
  readonly pathBytes: number;
}

export const presetLimits: ArchiveLimits = {
  packedBytes: 100 * 1024 ** 2,
  unpackedBytes: 1024 ** 3,
  entryBytes: 256 * 1024 ** 2,
  ratio: 200,
  entries: 50_000,
  depth: 40,
  pathBytes: 1024,
};

export type ArchiveFault =
  | 'unknown_format'
  | 'broken'
  | 'encrypted'
  | 'unsafe_path'
  | 'link'
  | 'duplicate'
  | 'overlap'
  | 'too_large'
  | 'too_many'
  | 'too_deep';

/** An archive that is refused; the message is written for its sender and names the entry. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
  readonly fault: ArchiveFault;
  /** Path in the archive, if one entry is the cause. */
  readonly entry: string | undefined;

  constructor(fault: ArchiveFault, message: string, entry?: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.fault = fault;
    this.entry = entry;
  }
}

/** A name made safe for a message: hostile ones contain control characters or are very long. */
export const shown = (name: string): string =>
  JSON.stringify(name.length > 120 ? `${name.slice(0, 120)}…` : name);

/** Remaining limits for an archive and everything nested in it. */
export class ArchiveBudget {
  readonly limits: ArchiveLimits;
  #entries = 0;
  #unpackedBytes = 0;

  constructor(limits: ArchiveLimits) {
    this.limits = limits;
  }

  get entries(): number {
    return this.#entries;
  }

  get unpackedBytes(): number {
    return this.#unpackedBytes;
  }

  countEntry(): void {
    this.#entries += 1;
    const { entries } = this.limits;
    if (this.#entries > entries)
      throw new ArchiveError('too_many', `The archive has more than ${entries} entries.`);
  }

  /** @param ofEntry unpacked bytes of this entry so far, including these */
  countBytes(bytes: number, ofEntry: number, entry: string): void {
    this.#unpackedBytes += bytes;
    const { unpackedBytes, entryBytes } = this.limits;
    if (ofEntry > entryBytes)
      throw new ArchiveError(
        'too_large',
        `The entry ${shown(entry)} unpacks to more than ${entryBytes} bytes.`,
        entry,
      );
    if (this.#unpackedBytes > unpackedBytes)
      throw new ArchiveError(
        'too_large',
        `The archive unpacks to more than ${unpackedBytes} bytes; the limit was reached in ${shown(entry)}.`,
        entry,
      );
  }
}

/** Small data may have any ratio: it is checked from this size on. */
const ratioFromBytes = 4 * 1024 ** 2;

export function assertRatio(packed: number, unpacked: number, ratio: number, entry?: string): void {
  if (unpacked <= ratioFromBytes || unpacked <= packed * ratio) return;
  const what = entry === undefined ? 'The archive' : `The entry ${shown(entry)}`;
  throw new ArchiveError(
    'too_large',
    `${what} unpacks to more than ${ratio} times its size, which is typical of a zip bomb.`,
    entry,
  );
}
