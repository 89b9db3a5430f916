import { patternBits } from './checks.ts';
import type { Machine } from './frame.ts';
import type { Model } from './model.ts';
import { isTextBit } from './shown.ts';
import { isFreeType } from './types-of-input.ts';
import { cleared, fieldOf, isTainted, type Value } from './value.ts';

/** The parts of a schema's object are what the author said of its fields. */
export const schemaObject: Model = ({ called, args }) => {
  const fields = args[0]?.value.fields;
  return fields === undefined ? undefined : { taints: [], fields, ref: `${called.name}()` };
};

/** `z.string().regex(/…/)`. */
export const schemaPattern: Model = ({ called, args }) => {
  const pattern = args[0]?.value.pattern;
  return pattern === undefined ? undefined : { taints: [], ref: `${called.name}()`, pattern };
};

/** `z.array(z.enum([…]))` holds what its elements may be. */
export const schemaList: Model = ({ args }) => {
  const { ref, pattern } = args[0]?.value ?? {};
  if (ref === undefined) return undefined;
  return { taints: [], ref, ...(pattern === undefined ? {} : { pattern }) };
};

/** The fields of an input, with what its schema says of them: numbers and one of several words are no free text. */
export function fieldsBySchema(
  said: ReadonlyMap<string, Value>,
  input: Value,
  machine: Machine | undefined,
): Map<string, Value> {
  const fields = new Map<string, Value>();
  for (const [name, { ref = '', pattern }] of said) {
    const field = fieldOf(input, name);
    if (!isFreeType(ref)) fields.set(name, { taints: [] });
    else if (pattern === undefined || machine === undefined)
      fields.set(name, /\.string\(\)/.test(ref) ? cleared(field, isTextBit) : field);
    else fields.set(name, cleared(field, patternBits(pattern, machine)));
  }
  fields.set('*', input);
  return fields;
}

const ofLibrary = /(?:^|\.)(?:z|zod)\./;

/** `Schema.parse(input)`, and `Schema.safeParse(input).data`. */
export const parsedBySchema: Model = ({ called, args, machine }) => {
  const { object } = called;
  const input = args[0]?.value;
  if (object?.fields === undefined || !ofLibrary.test(object.ref ?? '')) return undefined;
  if (input === undefined || !isTainted(input)) return undefined;
  const data: Value = { taints: [], fields: fieldsBySchema(object.fields, input, machine) };
  if (!called.method.startsWith('safe')) return data;
  return {
    taints: [],
    fields: new Map([
      ['data', data],
      ['error', { taints: input.taints }],
    ]),
  };
};
