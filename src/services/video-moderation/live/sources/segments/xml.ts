/** The little of XML that manifests use: elements, attributes, text. Documents with a DTD are refused. */
import { AppError } from '#base/errors.ts';

export interface XmlElement {
  /** Without its namespace. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  text: string;
}

const mostElements = 100_000;
const deepest = 32;

const broken = () => new AppError(422, 'decode_failed', 'The manifest is not well-formed XML.');

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const decoded = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,6})|(\w{2,4}));/g, (whole, code: string | undefined, name: string) =>
    code === undefined ? (entities[name] ?? whole) : String.fromCodePoint(Math.min(Number(code), 0x10ffff)),
  );

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

function attributesOf(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', double, single = ''] of text.matchAll(
    /([\w:.-]{1,64})\s{0,64}=\s*(?:"([^"<]*)"|'([^'<]*)')/g,
  ))
    found.set(localName(name), decoded(double ?? single));
  return found;
}

/** The root element. @throws AppError 422 */
export function readXml(text: string): XmlElement {
  const root: XmlElement = { name: '', attributes: new Map(), children: [], text: '' };
  const open = [root];
  let count = 0;
  for (let at = 0; at < text.length;) {
    const start = text.indexOf('<', at);
    const current = open.at(-1);
    if (current === undefined) throw broken();
    if (start < 0) break;
    current.text += decoded(text.slice(at, start));
    if (text.startsWith('<!--', start)) at = after(text, '-->', start);
    else if (text.startsWith('<![CDATA[', start)) {
      at = after(text, ']]>', start);
      current.text += text.slice(start + 9, at - 3);
    } else if (text.startsWith('<!', start)) throw broken();
    else if (text.startsWith('<?', start)) at = after(text, '?>', start);
    else {
      at = after(text, '>', start);
      count += 1;
      if (count > mostElements || open.length > deepest) throw broken();
      takeTag(text.slice(start + 1, at - 1), open);
    }
  }
  const [found] = root.children;
  if (found === undefined || open.length !== 1) throw broken();
  return found;
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  if (at < 0) throw broken();
  return at + mark.length;
}

function takeTag(tag: string, open: XmlElement[]): void {
  if (tag.startsWith('/')) {
    if (open.length < 2 || open.pop()?.name !== localName(tag.slice(1).trim())) throw broken();
    return;
  }
  const isClosed = tag.endsWith('/');
  const name = /^[\w:.-]+/.exec(tag)?.[0];
  if (name === undefined) throw broken();
  const attributes = attributesOf(tag.slice(name.length));
  const element: XmlElement = { name: localName(name), attributes, children: [], text: '' };
  open.at(-1)?.children.push(element);
  if (!isClosed) open.push(element);
}

export const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter((each) => each.name === name) ?? [];
