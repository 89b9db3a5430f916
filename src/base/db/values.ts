/**
 * Converts values between JavaScript and PostgreSQL the same way for both drivers. Neither driver's own conversion
 * is used: they disagree on int8, dates, arrays and bytea, and PGlite miscounts the bytes of an ill-formed string.
 */
import pg from 'pg';

/** A parameter that is sent as JSON, whatever its type. */
class Json {
  readonly text: string | null;
  constructor(text: string | null) {
    this.text = text;
  }
}

/** Marks a list, a string or a number as a json or jsonb parameter; a plain object needs no mark. */
export const json = (value: unknown): object => new Json(encodeJson(value));

/** The same for JSON text that `JSON.stringify` has made. */
export const jsonText = (text: string): object => new Json(storableJson(text));

/**
 * Encodes a parameter in PostgreSQL's text form.
 *
 * - `undefined` and `null` → null; numbers, bigints and booleans → their literal; `Date` → ISO 8601;
 * - `Uint8Array` → bytea; an array → a PostgreSQL array; another object → JSON; `json(value)` → JSON.
 *
 * PostgreSQL can hold neither NUL nor half of a surrogate pair: each becomes U+FFFD, in texts and inside JSON,
 * so that hostile input is stored and never breaks the statement.
 */
export function encode(value: unknown): string | null {
  switch (typeof value) {
    case 'undefined':
      return null;
    case 'string':
      return storable(value);
    case 'object':
      return value === null ? null : encodeObject(value);
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'symbol':
    case 'function':
    default:
      throw new TypeError(`A ${typeof value} cannot be a parameter of a query.`);
  }
}

function encodeObject(value: object): string | null {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array)
    return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
  if (Array.isArray(value)) return encodeArray(value);
  return value instanceof Json ? value.text : encodeJson(value);
}

const encodeArray = (items: readonly unknown[]): string => `{${items.map(encodeElement).join(',')}}`;

function encodeElement(item: unknown): string {
  if (Array.isArray(item)) return encodeArray(item);
  const text = encode(item);
  return text === null ? 'NULL' : `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

const encodeJson = (value: unknown): string | null => {
  // JSON.stringify returns undefined for values without a JSON form, despite its type.
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? null : storableJson(text);
};

const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

/**
 * Output of `JSON.stringify` with what jsonb refuses replaced. In it a surrogate is escaped only
 * if it is unpaired, so every `\ud…` is ill-formed.
 */
const storableJson = (text: string): string =>
  text.includes('\\u')
    ? text.replace(/\\(?:u(?:0000|d[89a-f][0-9a-f]{2})|.)/gi, (escape) =>
        escape.length === 2 ? escape : '\\ufffd',
      )
    : text;

/** Parses the text form of a value into a JavaScript value. */
export type Parse = (text: string) => unknown;
export type Parsers = Readonly<Record<number, Parse>>;

const asText: Parse = (text) => text;
const asNumber: Parse = Number;
const asBoolean: Parse = (text) => text === 't';
const asJson: Parse = (text) => JSON.parse(text);
const asBytes: Parse = (text) => Buffer.from(text.slice(2), 'hex');

function asInteger(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

function asDate(text: string): Date | number {
  if (text.endsWith('infinity')) return text.startsWith('-') ? -Infinity : Infinity;
  return new Date(text);
}

/** The parser of text[] (1009, missing in pg's types) splits every array; its elements are parsed afterwards. */
const splitArray = (pg.types.getTypeParser as (oid: number) => (text: string) => unknown[])(1009);

const listOf = (element: Parse): Parse => {
  const read = (item: unknown): unknown => {
    if (Array.isArray(item)) return item.map(read);
    return typeof item === 'string' ? element(item) : item;
  };
  return (text) => splitArray(text).map(read);
};

/** Keyed by the type's oid (`select oid, typname from pg_type`); other types stay text. */
const scalars: readonly (readonly [oid: number, arrayOid: number, parse: Parse])[] = [
  [16, 1000, asBoolean], // bool
  [17, 1001, asBytes], // bytea
  [20, 1016, asInteger], // int8
  [21, 1005, asNumber], // int2
  [23, 1007, asNumber], // int4
  [26, 1028, asNumber], // oid
  [25, 1009, asText], // text
  [1043, 1015, asText], // varchar
  [19, 1003, asText], // name
  [2950, 2951, asText], // uuid
  [700, 1021, asNumber], // float4
  [701, 1022, asNumber], // float8
  [114, 199, asJson], // json
  [3802, 3807, asJson], // jsonb
  [1184, 1185, asDate], // timestamptz
  // Text on purpose: JavaScript has no decimal, date-only or local time type.
  [1700, 1231, asText], // numeric
  [1082, 1182, asText], // date
  [1114, 1115, asText], // timestamp
  [1083, 1183, asText], // time
  [1186, 1187, asText], // interval
];

/** oid → parser, for `query()`: timestamptz as `Date`, json parsed, int8 as a number if safe. */
export const parsers: Parsers = Object.fromEntries(
  scalars.flatMap(([oid, arrayOid, parse]) => [
    [oid, parse],
    [arrayOid, listOf(parse)],
  ]),
);
