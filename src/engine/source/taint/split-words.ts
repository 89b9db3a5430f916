/** Words that a text was split into: each is an argument of its own, and may be an option of any program. */
import type { Taint } from './taints.ts';
import { allTaints, type Value } from './value.ts';

const splits =
  /(?:^|[.?])(?:split|shlex\.split|shell-quote\.parse|string-argv(?:\.\w+)?|argv-split|shell-words\.split|shellwords\.split|parse-spawn-args(?:\.\w+)?|args-tokenizer\.tokenizeArgs)\(\)$/;

const isSplit = ({ ref }: Value): boolean => ref !== undefined && splits.test(ref);

/** Taint of the words among the arguments of a command, up to `--`. */
export function taintsOfWords(value: Value): readonly Taint[] {
  if (isSplit(value)) return allTaints(value);
  const taints: Taint[] = [];
  for (const field of value.fields?.values() ?? []) {
    if (field.constant === '--' || field.constant === '--end-of-options') break;
    if (isSplit(field)) taints.push(...allTaints(field));
  }
  return taints;
}
