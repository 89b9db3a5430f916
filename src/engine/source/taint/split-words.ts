/** Several words of somebody else's among the arguments of a command: one of them may be an option of any program. */
import type { Taint } from './taints.ts';
import { allTaints, type Value } from './value.ts';

const splits =
  /(?:^|[.?])(?:split|shlex\.split|shell-quote\.parse|string-argv(?:\.\w+)?|argv-split|shell-words\.split|shellwords\.split|parse-spawn-args(?:\.\w+)?|args-tokenizer\.tokenizeArgs)\(\)$/;

const isSplit = ({ ref }: Value): boolean => ref !== undefined && splits.test(ref);

/** Elements of a list of the caller's, `...options`, as they were given. */
const isSpread = (name: string, { beginning, constant }: Value): boolean =>
  name.endsWith('*') && beginning === undefined && constant === undefined;

/** Taint of the words among the arguments of a command, up to `--`. */
export function taintsOfWords(value: Value): readonly Taint[] {
  if (isSplit(value)) return allTaints(value);
  const taints: Taint[] = [];
  for (const [name, field] of value.fields ?? []) {
    if (field.constant === '--' || field.constant === '--end-of-options') break;
    if (isSplit(field)) taints.push(...allTaints(field));
    else if (isSpread(name, field)) taints.push(...field.taints.filter(({ isPart }) => isPart !== true));
  }
  return taints;
}
