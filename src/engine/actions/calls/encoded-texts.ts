/** Arguments that are a text in base64, as the `raw` of a mail: what they carry is read like any other argument. */

const shape = /^[A-Za-z0-9+/_-]{24,}={0,2}$/;
const lineEnd = /\r?\n/;
/** Neither bytes of another kind of file nor a name that only looks like base64. */
// oxlint-disable-next-line no-control-regex -- they tell that it is no text
const isText = (text: string) => !/[\0-\u0008\u000E-\u001F\u007F\uFFFD]/.test(text) && /[\s@]/.test(text);
const headerLine = /^([A-Za-z][A-Za-z-]{0,40}):[ \t]*(.*)$/;
const mostHeaders = 100;

/** The headers of a mail under their names, its body under `body`; of another text all of it under its own name. */
function partsOf(text: string, key: string): (readonly [key: string, text: string])[] {
  const parts: [key: string, text: string][] = [];
  const [head = ''] = text.split(/\r?\n\r?\n/, 1);
  for (const line of head.split(lineEnd, mostHeaders)) {
    const [, name, value = ''] = headerLine.exec(line) ?? [];
    const before = parts.at(-1);
    if (name !== undefined) parts.push([name.toLowerCase(), value]);
    else if (before !== undefined && /^[ \t]/.test(line)) before[1] += line;
    else return [[key, text]];
  }
  return parts.length === 0 ? [[key, text]] : [...parts, ['body', text.slice(head.length).trim()]];
}

interface Argument {
  readonly path: string;
  readonly key: string;
  readonly text: string;
}

/** What an argument carries in base64; of most nothing. */
export function decodedLeaves({ path, key, text }: Argument): (Argument & { number: undefined })[] {
  if (text.length < 24 || !shape.test(text)) return [];
  const decoded = Buffer.from(text, 'base64').toString('utf8');
  if (!isText(decoded)) return [];
  return partsOf(decoded, key).map(([name, said]) => ({
    path: `${path}.${name}`,
    key: name,
    text: said,
    number: undefined,
  }));
}
