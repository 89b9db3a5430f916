/** H.264 byte streams (ITU-T H.264, annex B) as units with lengths, which containers hold (ISO/IEC 14496-15). */

const types = { key: 5, sps: 7, pps: 8, delimiter: 9 } as const;
/** Slices of pictures, whole or in partitions. */
const pictureTypes: ReadonlySet<number> = new Set([1, 2, 3, 4, 5]);
const typeOf = (nal: Uint8Array): number => (nal[0] ?? 0) & 0x1f;

/** The parts of a byte stream, without their start codes. */
export function nalUnits(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  let start: number | undefined;
  for (let at = bytes.indexOf('\0\0\x01', 0, 'latin1'); ; at = bytes.indexOf('\0\0\x01', at + 3, 'latin1')) {
    if (start !== undefined) {
      let end = at < 0 ? bytes.length : at;
      // Zeros before a start code belong to it.
      while (end > start && bytes[end - 1] === 0) end -= 1;
      if (end > start) found.push(bytes.subarray(start, end));
    }
    if (at < 0) return found;
    start = at + 3;
  }
}

export interface ParameterSets {
  readonly sps: readonly Buffer[];
  readonly pps: readonly Buffer[];
}

export interface AccessUnit extends ParameterSets {
  /** Its parts with lengths; parameter sets that it brings stay in it, so that a decoder follows their changes. */
  readonly data: Buffer;
  readonly isKey: boolean;
}

/** Splits one access unit of a byte stream. */
export function accessUnit(parts: readonly Buffer[]): AccessUnit {
  const kept = parts.filter((part) => typeOf(part) !== types.delimiter);
  return {
    data: Buffer.concat(
      kept.flatMap((part) => {
        const length = Buffer.alloc(4);
        length.writeUInt32BE(part.length);
        return [length, part];
      }),
    ),
    isKey: kept.some((part) => typeOf(part) === types.key),
    sps: parts.filter((part) => typeOf(part) === types.sps),
    pps: parts.filter((part) => typeOf(part) === types.pps),
  };
}

/** The decoder’s configuration; undefined without parameter sets. */
function descriptionOf({ sps, pps }: ParameterSets): Buffer | undefined {
  const [first] = sps;
  if (first === undefined || pps.length === 0 || first.length < 4) return undefined;
  const list = (sets: readonly Buffer[]) =>
    sets.flatMap((set) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(set.length);
      return [length, set];
    });
  return Buffer.concat([
    // Version, profile, compatibility, level; lengths of 4 bytes.
    Buffer.of(1, first[1] ?? 0, first[2] ?? 0, first[3] ?? 0, 0xff, 0xe0 | sps.length),
    ...list(sps),
    Buffer.of(pps.length),
    ...list(pps),
  ]);
}

/** Pictures of one H.264 byte stream, with the decoder’s first configuration; later ones are in the pictures. */
export class H264Reader {
  #description: Buffer | undefined;

  /** @returns undefined while the stream has not said how to decode it, and for what is no picture */
  read(bytes: Buffer): { data: Buffer; isKey: boolean; description: Buffer } | undefined {
    const parts = nalUnits(bytes);
    const unit = accessUnit(parts);
    this.#description ??= descriptionOf(unit);
    const hasPicture = parts.some((part) => pictureTypes.has(typeOf(part)));
    if (this.#description === undefined || !hasPicture) return undefined;
    return { data: unit.data, isKey: unit.isKey, description: this.#description };
  }
}
