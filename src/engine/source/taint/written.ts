/** What is written of a text that is not known as a whole: the words of all its branches and parts. */
import type { Called, Given } from './frame.ts';
import type { Value } from './value.ts';

/** Words of a text as far as they stand in the source. */
export interface Written {
  text: string;
  /** Every part of it is written somewhere. */
  isWhole: boolean;
}

/** Longer than any description that servers have. */
const mostWritten = 20_000;
const nothing: Written = { text: '', isWhole: false };
const empty: Written = { text: '', isWhole: true };

/** What is written of a value that is used as a text. */
export function writtenOf(value: Value | undefined): Written {
  if (value === undefined) return nothing;
  const { constant, written } = value;
  if (constant === undefined) return written ?? nothing;
  return constant === null || typeof constant === 'boolean'
    ? empty
    : { text: String(constant), isWhole: true };
}

/** Parts one behind the other. */
export function writtenIn(parts: readonly Value[], between = ''): Written | undefined {
  const all = parts.map(writtenOf);
  const text = all
    .map((part) => part.text)
    .join(between)
    .slice(0, mostWritten);
  return text === '' ? undefined : { text, isWhole: all.every(({ isWhole }) => isWhole) };
}

/** One or the other: both are read, each once. */
export function writtenOfEither(a: Value, b: Value): Written | undefined {
  if (a.constant !== undefined && a.constant === b.constant) return undefined;
  if (!saysWords(a) && !saysWords(b)) return undefined;
  const [one, other] = [writtenOf(a), writtenOf(b)];
  const isWhole = one.isWhole && other.isWhole;
  if (one.text.includes(other.text)) return reused(a, one.text, isWhole);
  if (other.text.includes(one.text)) return reused(b, other.text, isWhole);
  return { text: `${one.text}\n${other.text}`.slice(0, mostWritten), isWhole };
}

const saysWords = ({ constant, written }: Value) => typeof constant === 'string' || written !== undefined;

/** The same object where nothing is new, so that values stay comparable. */
const reused = ({ written }: Value, text: string, isWhole: boolean): Written | undefined => {
  if (text === '') return undefined;
  return written?.text === text && written.isWhole === isWhole ? written : { text, isWhole };
};

/** Functions and methods that give the words of what they are given, in any of the languages. */
const keepsWords =
  /^(?:join|concat|trim|trimStart|trimEnd|strip|lstrip|rstrip|dedent|outdent|stripIndent|stripIndents|oneLine|heredoc|indoc|cleandoc|format|format_map|formatted|Sprintf|Sprint|Sprintln|Join|TrimSpace|Trim|toString|to_string|to_owned|into|as_str|String|str|raw|fill|normalize|replace|replaceAll|stripIndentation|strip_indent|repeat|padEnd|html|markdown|md|text|prompt)$/;

/** Lists and texts among the parts, each with what it is made of. */
const partsOf = (value: Value): Value[] =>
  value.fields === undefined || value.constant !== undefined
    ? [value]
    : [...value.fields.values()].flatMap((each) =>
        each.fields === undefined ? [each] : [...each.fields.values()],
      );

/** `parts.join('\n')`, `"\n".join(parts)`, `String.join(" ", parts)`, `strings.Join(parts, " ")` */
function joinedWords(all: readonly Value[]): Written | undefined {
  const list = all.find(({ fields, constant }) => fields !== undefined && constant === undefined);
  if (list === undefined) return undefined;
  const separator = all.find(({ constant }) => typeof constant === 'string');
  return writtenIn(partsOf(list), String(separator?.constant ?? ' '));
}

function wordsOfCall({ method, object }: Called, args: readonly Given[]): Written | undefined {
  const given = args.map((arg) => arg.value);
  const own = object === undefined ? [] : [object];
  const joined = /^join$/i.test(method) ? joinedWords([...own, ...given]) : undefined;
  // What `replace` looks for is no part of the text.
  const said = method.startsWith('replace') ? given.slice(1) : given;
  return joined ?? writtenIn([...own, ...said].flatMap(partsOf));
}

/** The value that a call gives, with the words of what it was made of. */
export function withWords(value: Value, called: Called, args: readonly Given[]): Value {
  if (value.constant !== undefined || value.written !== undefined || !keepsWords.test(called.method))
    return value;
  const written = wordsOfCall(called, args);
  return written === undefined ? value : { ...value, written };
}
