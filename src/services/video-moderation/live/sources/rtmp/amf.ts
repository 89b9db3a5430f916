/** AMF0, the values of RTMP’s commands: what is needed of it, with limits. */

export type AmfValue =
  | number
  | boolean
  | string
  | null
  | undefined
  | AmfValue[]
  | { [name: string]: AmfValue };

const markers = {
  number: 0,
  boolean: 1,
  text: 2,
  object: 3,
  nothing: 5,
  missing: 6,
  map: 8,
  end: 9,
  list: 10,
  date: 11,
  longText: 12,
} as const;
const deepest = 8;
const mostValues = 256;

const broken = () => new RangeError('A command of RTMP cannot be read.');

/** All values of a command. @throws RangeError for what cannot be read */
export function readAmf(bytes: Buffer): AmfValue[] {
  const reader = new AmfReader(bytes);
  const values: AmfValue[] = [];
  while (!reader.isAtEnd && values.length < mostValues) values.push(reader.value(0));
  return values;
}

class AmfReader {
  readonly #bytes: Buffer;
  readonly #readers: ReadonlyMap<number, (depth: number) => AmfValue>;
  #at = 0;
  #values = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#readers = new Map<number, (depth: number) => AmfValue>([
      [markers.number, () => this.#take(8).readDoubleBE(0)],
      [markers.boolean, () => this.#take(1)[0] !== 0],
      [markers.text, () => this.#text(2)],
      [markers.longText, () => this.#text(4)],
      [markers.nothing, () => null],
      [markers.missing, () => undefined],
      // And a time zone, which is reserved.
      [markers.date, () => this.#take(10).readDoubleBE(0)],
      [markers.object, (depth) => this.#object(depth)],
      [markers.map, (depth) => this.#take(4) && this.#object(depth)],
      [markers.list, (depth) => this.#list(depth)],
    ]);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  value(depth: number): AmfValue {
    this.#values += 1;
    if (depth > deepest || this.#values > mostValues) throw broken();
    const read = this.#readers.get(this.#take(1)[0] ?? -1);
    if (read === undefined) throw broken();
    return read(depth);
  }

  #list(depth: number): AmfValue[] {
    const count = this.#take(4).readUInt32BE(0);
    if (count > mostValues) throw broken();
    return Array.from({ length: count }, () => this.value(depth + 1));
  }

  #object(depth: number): { [name: string]: AmfValue } {
    const found = Object.create(null) as { [name: string]: AmfValue };
    for (;;) {
      const name = this.#text(2);
      if (name === '' && this.#bytes[this.#at] === markers.end) {
        this.#at += 1;
        return found;
      }
      found[name] = this.value(depth + 1);
    }
  }

  #text(lengthBytes: 2 | 4): string {
    const length = this.#take(lengthBytes).readUIntBE(0, lengthBytes);
    return this.#take(length).toString('utf8');
  }

  #take(size: number): Buffer {
    if (this.#at + size > this.#bytes.length) throw broken();
    this.#at += size;
    return this.#bytes.subarray(this.#at - size, this.#at);
  }
}

const counted = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

function writeValue(value: AmfValue): Buffer {
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(9);
    bytes.writeDoubleBE(value, 1);
    return bytes;
  }
  if (typeof value === 'boolean') return Buffer.of(markers.boolean, value ? 1 : 0);
  if (typeof value === 'string') return Buffer.concat([Buffer.of(markers.text), counted(value)]);
  if (value === null || value === undefined) return Buffer.of(markers.nothing);
  return Buffer.concat([
    Buffer.of(markers.object),
    ...Object.entries(value).flatMap(([name, each]) => [counted(name), writeValue(each as AmfValue)]),
    Buffer.of(0, 0, markers.end),
  ]);
}

export const writeAmf = (...values: readonly AmfValue[]): Buffer => Buffer.concat(values.map(writeValue));
