/** Fields of predicates as texts that a person edits, and back. */

/** What of a predicate's field decides how it is typed. */
interface TypedField {
  readonly type: 'text' | 'texts' | 'number' | 'flag' | 'things' | 'operand' | 'choice' | 'choices';
}

/** A thing: its words, those in quotes exactly so. */
interface Thing {
  readonly words: readonly string[];
  readonly exact?: readonly string[];
  readonly whole?: true;
}

/** As canonical sentences say it. */
const wholeOf = 'the whole of ';

const thingText = ({ words, exact = [], whole }: Thing) =>
  (whole === true ? wholeOf : '') + [...exact.map((word) => JSON.stringify(word)), ...words].join(' ');

function readThing(typed: string): Thing {
  const isWhole = typed.startsWith(wholeOf);
  const line = isWhole ? typed.slice(wholeOf.length) : typed;
  const exact = [...line.matchAll(/"([^"]+)"/g)].map(([, word = '']) => word);
  const words = line
    .replaceAll(/"[^"]*"/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '');
  return { words, ...(exact.length > 0 && { exact }), ...(isWhole && { whole: true }) };
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** A text that would be read as something else is shown in quotation marks. */
const plainText = (value: unknown): string =>
  typeof value === 'string' && readPlain(value) === value && !value.trim().startsWith('{')
    ? value
    : JSON.stringify(value);

const operandText = (value: unknown): string =>
  Array.isArray(value) ? value.map(plainText).join('\n') : plainText(value);

function readPlain(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^".*"$/.test(text)) return quoted(text);
  // A number as it is written; 007 is a name.
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,9})?$/.test(text) && String(Number(text)) === text
    ? Number(text)
    : text;
}

function quoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

function readOperand(text: string): unknown {
  if (text.trim().startsWith('{')) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  const values = linesOf(text).map(readPlain);
  return values.length > 1 ? values : (values[0] ?? '');
}

/** What the editor shows of a field. */
export function textOfField({ type }: TypedField, value: unknown): string {
  if (value === undefined) return '';
  if (type === 'things') return (value as readonly Thing[]).map(thingText).join('\n');
  if (type === 'texts') return (value as readonly string[]).join('\n');
  if (type === 'operand') return operandText(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The value of what was typed; undefined where nothing was. */
export function valueOfField({ type }: TypedField, text: string): unknown {
  if (text.trim() === '') return undefined;
  switch (type) {
    case 'number':
      return Number(text);
    case 'texts':
      return linesOf(text);
    case 'things':
      return linesOf(text).map(readThing);
    case 'operand':
      return readOperand(text);
    case 'flag':
      return true;
    case 'text':
    case 'choice':
    case 'choices':
      return text.trim();
  }
}
