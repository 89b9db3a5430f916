/** What a call makes of the words of a text that is not known as a whole. */
import type { Called, Given } from './frame.ts';
import type { Value } from './value.ts';
import { writtenIn, type Written } from './written.ts';

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
