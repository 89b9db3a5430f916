import type { Expression } from '../form/form.ts';
import { everythingCheck, factsOf, membershipCheck, prefixCheck } from './checks.ts';
import { pathOf } from './frame.ts';
import { normalisedBit, relativeBit } from './shown.ts';
import { type Model, sameThing, valueAt } from './model.ts';
import { allTaints, clean, type Value } from './value.ts';

export const contained: Model = ({ called, args, machine }) => {
  // Go passes both as arguments.
  const isGo = /^(?:strings|slices|bytes|lo)\.Contains$/.test(called.name);
  const [collectionValue, item] = isGo ? [args[0]?.value, args[1]?.value] : [called.object, args[0]?.value];
  if (collectionValue === undefined || item === undefined) return undefined;
  const index = called.method === 'indexOf' ? { ref: 'indexOf()' } : {};
  return { taints: [], ...index, check: membershipCheck(item, collectionValue, machine) };
};

/** A path as text, and what may have been done with the text since. */
const ofText =
  /\.(?:toString|getPath|getAbsolutePath|getCanonicalPath|to_string|to_string_lossy|to_str|display)\(\)(?:\.\w+\(\))*$/;

export const prefixed: Model = ({ called, args, machine, frame }) => {
  // Go passes both as arguments.
  const isGo = called.name === 'strings.HasPrefix';
  const [subject, prefix] = isGo ? [args[0]?.value, args[1]?.value] : [called.object, args[0]?.value];
  if (subject === undefined || prefix === undefined) return clean;
  // Paths of Java and Rust are compared part by part, and texts that were made of them letter by letter.
  const isByParts =
    (frame.module.grammar === 'java' || frame.module.grammar === 'rust') &&
    /(?:normalize|toRealPath|canonicalize|toAbsolutePath|toPath|clean|lexiclean|absolutize(?:_from)?|normpath)\(\)(?:\.\w+\(\))*$/.test(
      subject.ref ?? '',
    ) &&
    !ofText.test(subject.ref ?? '');
  return { taints: [], check: prefixCheck(subject, prefix, machine, isByParts) };
};

/** A domain of the author's, with the dot before it. */
const ofDomain = /^\.[\w-]+\.[\w.-]*\w$/;
const isHost = /(?:host(?:_?(?:name|str))?|netloc|Hostname|getHost|domain)(?:\(\))?(?:\[\])*$/i;

/** Also `"." + domain` for each domain of a list. */
const isDomain = (end: Value): boolean =>
  typeof end.constant === 'string'
    ? ofDomain.test(end.constant)
    : end.beginning?.startsWith('.') === true && allTaints(end).length === 0;

/** `host.endsWith('.example.com')` */
export const endedWith: Model = ({ called: { object, objectExpression }, args, machine }) => {
  const end = args[0]?.value;
  if (object === undefined || end === undefined || !isDomain(end)) return clean;
  const written = objectExpression === undefined ? undefined : pathOf(objectExpression)?.at(-1);
  if (!isHost.test(object.ref ?? '') && !isHost.test(written ?? '')) return clean;
  const bits = machine.rules.bitOf('server-side-request-forgery') | machine.rules.bitOf('open-redirect');
  return { taints: [], check: { yes: factsOf(object, bits, machine), no: [] } };
};

/** `isPrivate(host)` of a library that knows the ranges of addresses. */
export const inside: Model = (call) => {
  const bits = call.machine.rules.bitOf('server-side-request-forgery');
  return { taints: [], check: { yes: [], no: factsOf(valueAt(call, 0), bits, call.machine) } };
};

/** `path.isAbsolute(x)`: an absolute path is no option of a program, and any other stays behind what is put before it. */
export const absolute: Model = (call) => {
  const value =
    call.called.name.includes('.') && call.args.length > 0 ? valueAt(call, 0) : call.called.object;
  if (value === undefined) return undefined;
  const { machine } = call;
  return {
    taints: [],
    check: {
      yes: factsOf(value, machine.rules.bitOf('argument-injection'), machine),
      no: factsOf(value, relativeBit, machine),
    },
  };
};

/** `path.is_relative_to(base)`; `relative_to` throws where it is not. */
export const within: Model = ({ called, args, machine, frame }) => {
  const { object: value } = called;
  if (value === undefined || args.length === 0) return undefined;
  const isNormalised = allTaints(value).every(({ cleared: bits }) => (bits & normalisedBit) !== 0);
  const facts = isNormalised ? factsOf(value, machine.rules.bitOf('path-traversal'), machine) : [];
  if (called.method === 'relative_to') machine.learn(facts, frame);
  return called.method === 'relative_to'
    ? sameThing({
        called,
        args,
        machine,
        frame,
        expression: called.objectExpression ?? { is: 'literal', value: null, at: 0, end: 0 },
      })
    : { taints: [], check: { yes: facts, no: [] } };
};

export const numeric: Model = ({ called, args, machine }) => {
  const value = args[0]?.value ?? called.object;
  if (value === undefined) return clean;
  if (
    called.name.endsWith('isinstance') &&
    !/^\(?(?:int|float|bool|Enum)/.test(typeText(args[1]?.expression))
  )
    return clean;
  return { taints: [], check: everythingCheck(value, machine) };
};

const typeText = (expression: Expression | undefined): string =>
  expression?.is === 'name' ? expression.name : '';

export const any: Model = (call) => {
  const value = valueAt(call, 0);
  return { taints: [], ...(value.check === undefined ? {} : { check: value.check }) };
};

/** A path of Go that leads to nothing outside. */
export const local: Model = (call) => {
  const bits = call.machine.rules.bitOf('path-traversal');
  return { taints: [], check: { yes: factsOf(valueAt(call, 0), bits, call.machine), no: [] } };
};

/** What is asserted holds from here on. */
export const asserted: Model = (call) => {
  call.machine.learn(valueAt(call, 0).check?.yes ?? [], call.frame);
  return clean;
};

/** `name.isEmpty()`: nothing is in it. */
export const emptied: Model = ({ called }) => {
  const [path] = called.object?.of ?? [];
  if (path === undefined) return clean;
  return {
    taints: [],
    check: { yes: [{ path: path.split('\0'), bits: ~normalisedBit, isEmpty: true }], no: [] },
  };
};
