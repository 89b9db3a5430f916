/** What an archive may be at most. */
export interface ArchiveLimits {
  /** Of the archive itself; 100 MiB unless said. */
  readonly packedBytes: number;
  /** Of all that is in it, nested archives included; 1 GiB unless said. */
  readonly unpackedBytes: number;
  /** Of one entry; 256 MiB unless said. */
  readonly entryBytes: number;
  /** Unpacked to packed; 200 unless said. Deflate cannot do more than 1,032, ordinary text does about 10. */
  readonly ratio: number;
  /** 50,000 unless said. */
  readonly entries: number;
  /** Folders in one another; 40 unless said. */
  readonly depth: number;
  /** Of a whole path, in bytes; 1,024 unless said. */
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

/** An archive that is not read; the message is a sentence for the one who sent it, and names the entry. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
  readonly fault: ArchiveFault;
  /** Its path in the archive, where one entry is to blame. */
  readonly entry: string | undefined;

  constructor(fault: ArchiveFault, message: string, entry?: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.fault = fault;
    this.entry = entry;
  }
}

/** A name as it may stand in a message: hostile ones have control characters, or no end. */
export const shown = (name: string): string =>
  JSON.stringify(name.length > 120 ? `${name.slice(0, 120)}…` : name);

/** What is left of the limits, for an archive and all that is nested in it. */
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

  /** @param ofEntry unpacked bytes of this entry so far, with these */
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
        `The archive unpacks to more than ${unpackedBytes} bytes; the limit was met in ${shown(entry)}.`,
        entry,
      );
  }
}

/** Little data may be packed as well as it likes: the ratio counts from here on. */
const ratioFromBytes = 4 * 1024 ** 2;

export function assertRatio(packed: number, unpacked: number, ratio: number, entry?: string): void {
  if (unpacked <= ratioFromBytes || unpacked <= packed * ratio) return;
  const what = entry === undefined ? 'The archive' : `The entry ${shown(entry)}`;
  throw new ArchiveError(
    'too_large',
    `${what} unpacks to more than ${ratio} times its size, as archives do that are made to fill a disk.`,
    entry,
  );
}
