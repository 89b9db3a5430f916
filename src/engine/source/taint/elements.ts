import { endsInSeparator } from './texts.ts';
import { join, type Value } from './value.ts';

const elements = new WeakMap<Value, Value>();
/** Joining a few is faster than remembering what they came to. */
const fewElements = 8;

/** An element of what is gone through; of a long table, which many go through, it is put together once. */
export function elementOf(over: Value): Value {
  const { taints, ref, fields } = over;
  const isLong = fields !== undefined && fields.size > fewElements;
  const known = isLong ? elements.get(over) : undefined;
  if (known !== undefined) return known;
  const all = fields === undefined ? [] : [...fields.values()];
  let element: Value = ref === undefined ? { taints } : { taints, ref: `${ref}[]` };
  for (const field of all) element = join(element, field);
  // Folders of a list that all end in a separator.
  if (all.length > 0 && all.every(endsInSeparator)) element = { ...element, endsInSeparator: true };
  if (isLong) elements.set(over, element);
  return element;
}
