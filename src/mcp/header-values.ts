/** Values from the request body that modern clients repeat in HTTP headers (`Mcp-Name`, `Mcp-Param-*`). */
import { fieldsOf, isFields, type Fields } from './json-rpc.ts';

const prefix = '=?base64?';
const suffix = '?=';
const plain = /^[\x20-\x7e]*$/;
const canonical = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Encodes the text as a header value: unchanged if it is plain ASCII without outer white space, else as base64. */
export function encodeHeaderValue(text: string): string {
  const safe =
    plain.test(text) && text.trim() === text && !(text.startsWith(prefix) && text.endsWith(suffix));
  return safe ? text : `${prefix}${Buffer.from(text, 'utf8').toString('base64')}${suffix}`;
}

/** Without spaces and tabs at either end, as a header's value is read. */
function withoutBlanks(text: string): string {
  const isBlank = (at: number) => text[at] === ' ' || text[at] === '\t';
  let [start, end] = [0, text.length];
  while (start < end && isBlank(start)) start++;
  while (end > start && isBlank(end - 1)) end--;
  return text.slice(start, end);
}

/** Decodes a header value; undefined if its base64 form is malformed. */
export function decodeHeaderValue(sent: string): string | undefined {
  const value = withoutBlanks(sent);
  if (!value.startsWith(prefix) || !value.endsWith(suffix)) return value;
  const encoded = value.slice(prefix.length, -suffix.length);
  if (!canonical.test(encoded)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
}

/** A tool argument that must be repeated in a header. */
export interface HeaderParam {
  readonly header: string;
  readonly path: readonly string[];
}

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const primitive = new Set(['string', 'number', 'integer', 'boolean']);
const maxDepth = 8;

function collect(schema: Fields, path: readonly string[], found: HeaderParam[]): boolean {
  if (path.length > maxDepth) return true;
  return Object.entries(fieldsOf(schema['properties'])).every(([name, value]) => {
    if (!isFields(value)) return true;
    const wanted = value['x-mcp-header'];
    const here = [...path, name];
    if (wanted === undefined) return collect(value, here, found);
    if (typeof wanted !== 'string' || !headerName.test(wanted) || !primitive.has(String(value['type'])))
      return false;
    if (found.some(({ header }) => header.toLowerCase() === wanted.toLowerCase())) return false;
    found.push({ header: wanted, path: here });
    return true;
  });
}

/** The arguments that the tool's input schema maps to headers; undefined if the declaration is invalid. */
export function headerParamsOf(inputSchema: unknown): HeaderParam[] | undefined {
  const found: HeaderParam[] = [];
  return collect(fieldsOf(inputSchema), [], found) ? found : undefined;
}

/** The headers for these arguments. */
export function headersFor(params: readonly HeaderParam[], args: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { header, path } of params) {
    const value = path.reduce<unknown>((node, key) => (isFields(node) ? node[key] : undefined), args);
    if (
      typeof value === 'string' ||
      typeof value === 'boolean' ||
      Number.isSafeInteger(value) ||
      (typeof value === 'number' && Number.isFinite(value) && !Number.isInteger(value))
    )
      headers[`mcp-param-${header.toLowerCase()}`] = encodeHeaderValue(String(value));
  }
  return headers;
}

/** Describes the first header that contradicts the arguments; undefined if all match. */
export function contradiction(
  params: readonly HeaderParam[],
  args: unknown,
  headers: Readonly<Record<string, unknown>>,
): string | undefined {
  for (const [name, expected] of Object.entries(headersFor(params, args))) {
    const sent = headers[name];
    const decoded = typeof sent === 'string' ? decodeHeaderValue(sent) : undefined;
    const wanted = decodeHeaderValue(expected);
    const sameNumber = decoded !== undefined && decoded !== '' && Number(decoded) === Number(wanted);
    if (decoded !== wanted && !sameNumber)
      return `The header ${name} must repeat the argument of the body (${expected}).`;
  }
  return undefined;
}
