import type { Taint } from './taints.ts';
import type { Value } from './value.ts';

/** Fields nested deeper do not count where calls are told apart. */
const signatureDepth = 2;
/** Reading a few is faster than remembering how they read. */
const fewFields = 6;
const fieldSignatures = new WeakMap<ReadonlyMap<string, Value>, string[]>();

function signatureOfFields(fields: ReadonlyMap<string, Value>, depth: number): string {
  const isLong = fields.size > fewFields;
  const known = isLong ? (fieldSignatures.get(fields) ?? []) : undefined;
  const remembered = known?.[depth];
  if (remembered !== undefined) return remembered;
  let signature = '';
  for (const [name, field] of fields)
    signature += `${signature === '' ? '' : ';'}${name}=${signatureOf(field, depth + 1)}`;
  if (known !== undefined) {
    known[depth] = signature;
    fieldSignatures.set(fields, known);
  }
  return signature;
}

const namesOfAlso = ({ also }: Value): string =>
  also === undefined
    ? ''
    : `|${also.map(({ instance }) => `${instance?.form.name ?? ''}${instance?.site ?? ''}`).join('|')}`;

const namesOfClasses = ({ cls, classes = [] }: Value): string =>
  `class ${[cls, ...classes].map((each) => each?.form.name ?? '').join('|')}`;

/** What tells two taints apart: each caller's text is a weakness of its own, though one function runs them all. */
const signatureOfTaint = ({ source, cleared: bits, builtAt }: Taint): string =>
  builtAt === undefined ? `${source.id}:${bits}` : `${source.id}:${bits}@${builtAt.at}`;

/** The same for several. */
export function signatureOfTaints(taints: readonly Taint[]): string {
  let signature = '';
  for (const taint of taints) signature += `${signature === '' ? '' : ','}${signatureOfTaint(taint)}`;
  return signature;
}

function signatureOfKind(value: Value): string {
  const { fn, instance } = value;
  if (fn !== undefined) return `fn${fn.fn.at}`;
  if (value.cls !== undefined) return namesOfClasses(value);
  if (instance === undefined && value.also === undefined) return value.ref ?? '';
  return `${instance?.form.name ?? value.ref ?? ''}${value.isGuarded === true ? '!' : ''}${instance?.site ?? ''}${namesOfAlso(value)}`;
}

/** What tells two values apart where a function's result could differ. */
export function signatureOf(value: Value, depth = 0): string {
  const { taints, constant, fields: inner } = value;
  const written = constant === undefined ? '' : JSON.stringify(constant).slice(0, 60);
  const fields = inner === undefined || depth > signatureDepth ? '' : signatureOfFields(inner, depth);
  return `${signatureOfTaints(taints)}|${signatureOfKind(value)}|${written}|${fields}`;
}
