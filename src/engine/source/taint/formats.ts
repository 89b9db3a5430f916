import type { Machine } from './frame.ts';
import type { Model } from './model.ts';
import { textOf } from './texts.ts';
import type { Value } from './value.ts';

const verb = /%(?:\((\w+)\))?(?:\d+\$)?[-+# 0,]*(?:\d+|\*)?(?:\.\d+)?([a-zA-Z%])/g;

/** Verbs that only a number gets through. */
const ofNumbers = /[dixXobcfFeEgGu]/;

/** A text of a format, with values in the places of its verbs; undefined where the format is not known. */
export function filled(format: Value, values: readonly Value[], machine: Machine): Value | undefined {
  if (typeof format.constant !== 'string') return undefined;
  const parts: Value[] = [];
  const literal = (text: string) => parts.push({ taints: [], constant: text });
  let [at, next] = [0, 0];
  for (const match of format.constant.matchAll(verb)) {
    if (match[2] === '%') continue;
    literal(format.constant.slice(at, match.index));
    const value = values[next++];
    parts.push(value === undefined || ofNumbers.test(match[2] ?? '') ? { taints: [] } : value);
    at = match.index + match[0].length;
  }
  literal(format.constant.slice(at));
  return textOf(parts, machine);
}

/** `fmt.Sprintf("%s %d", a, b)`: a text of parts, where numbers carry nothing. */
export const sprintf: Model = ({ args, machine }) => {
  const [format, ...rest] = args.map(({ value }) => value);
  return format === undefined ? undefined : filled(format, rest, machine);
};

/** `"…".formatted(a, b)`. */
export const formattedBy: Model = ({ called, args, machine }) =>
  called.object === undefined
    ? undefined
    : filled(
        called.object,
        args.map(({ value }) => value),
        machine,
      );
