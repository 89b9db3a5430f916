import type { FunctionForm } from '../form/form.ts';
import { identifiers } from './captured.ts';
import type { Machine } from './frame.ts';
import type { FunctionValue, Value } from './value.ts';

/** A function of this name that knows the ranges of private addresses is a check of them. */
const ofAddresses =
  /private|internal|public|local|ssrf|block|safe|allow|valid|check|assert|ensure|reserved|forbid/i;
const throwing = /^(?:assert|validate|check|ensure|verify|guard|require|reject)/i;

/** One of this name as well asks others that know them. */
const ofHosts = /url|uri|host|addr|ip(?![a-z])|ssrf|public|private|internal|endpoint|domain/i;
const mayKnow =
  /private|internal|local|reserved|block|forbid|deny|range|cidr|public|safe|allow|ip|addr|host/i;

/** What the languages themselves know of an address: `ip.IsPrivate()`, `v4.is_private()`, `address.isSiteLocalAddress()`. */
const asksKind = /\b(?:is_?private|isSiteLocalAddress)\(|\.is_private\b/i;
const asksOther =
  /\bis_?(?:loopback|link_?local(?:_?unicast)?|global_?unicast|any_?local|unspecified)(?:Address)?\(|\.is_(?:loopback|link_local|reserved)\b/i;

/** Whether a text tells addresses of the inside from others. */
export const hasRanges = (text: string): boolean =>
  (/192\W{1,3}168/.test(text) && /169\W{1,3}254|127\W/.test(text)) ||
  (asksKind.test(text) && asksOther.test(text));

/** Constants and patterns, of a list as well. */
const written = ({ constant, pattern, fields }: Value): string =>
  [constant, pattern, ...[...(fields?.values() ?? [])].flatMap((each) => [each.constant, each.pattern])].join(
    ' ',
  );

const names = new WeakMap<FunctionForm, string>();

/** Its own, or that of what it is put into: `const isPrivate = (host) => …`. */
function nameOf({ fn, module }: FunctionValue): string {
  let name = fn.name === '' ? names.get(fn) : fn.name;
  if (name === undefined) {
    const before = module.text.slice(Math.max(0, fn.at - longestName), fn.at);
    name = /([\w$]+)\s*(?::[^=\n]*)?=\s*$/.exec(before)?.[1] ?? '';
    names.set(fn, name);
  }
  return name;
}

const known = new WeakMap<FunctionForm, boolean>();
const helperDepth = 2;
const longestCheck = 8000;
const longestName = 100;

/** Whether the ranges stand in a function, or in what it asks. */
export function knowsRanges(fn: FunctionValue, machine: Machine, depth: number): boolean {
  const { fn: form, module } = fn;
  const before = known.get(form);
  if (before !== undefined) return before;
  // One that asks itself learns nothing by that.
  known.set(form, false);
  const own = hasRanges(module.text.slice(form.at, Math.min(form.end, form.at + longestCheck)));
  const knows = own || (depth < helperDepth && ofHosts.test(nameOf(fn)) && asksOne(fn, machine, depth));
  known.set(form, knows);
  return knows;
}

function asksOne(fn: FunctionValue, machine: Machine, depth: number): boolean {
  for (const name of identifiers(fn)) {
    const value = mayKnow.test(name) && name !== fn.fn.name ? machine.global(name, fn.module) : undefined;
    if (value === undefined) continue;
    if (value.fn === undefined ? hasRanges(written(value)) : knowsRanges(value.fn, machine, depth + 1))
      return true;
  }
  return false;
}

const named = new WeakMap<FunctionForm, boolean>();

/** Whether its name is that of a check of addresses; asked at every call. */
function isNamedSo(fn: FunctionValue): boolean {
  let isNamed = named.get(fn.fn);
  if (isNamed === undefined) named.set(fn.fn, (isNamed = ofAddresses.test(nameOf(fn))));
  return isNamed;
}

/** Whether a function is a check of addresses, by its name and by the ranges that it or a helper of it knows. */
export const checksAddresses = (fn: FunctionValue, machine: Machine): boolean =>
  isNamedSo(fn) && knowsRanges(fn, machine, 0);

/** The same, whatever it is called: what a client asks before it connects. */
export const knowsAddresses = (fn: FunctionValue, machine: Machine): boolean => {
  const own = fn.module.text.slice(fn.fn.at, Math.min(fn.fn.end, fn.fn.at + longestCheck));
  return hasRanges(own) || asksOne(fn, machine, 0);
};

/** A function of Python that raises and answers neither yes nor no: to come back from it is the answer. */
function raisesAlone({ fn, module }: FunctionValue): boolean {
  if (module.grammar !== 'python') return false;
  const text = module.text.slice(fn.at, Math.min(fn.end, fn.at + longestCheck));
  return (
    /\braise\b/.test(text) &&
    !/\breturn\s+(?:True|False|not|any|all|None|\w+\.is_|\w+\s+(?:not\s+)?in)\b/.test(text)
  );
}

/** Whether it throws what it denies, by its name, or by what it does. */
export const isThrowing = (fn: FunctionValue): boolean => throwing.test(nameOf(fn)) || raisesAlone(fn);

/** Whether it says yes of addresses within, by its name. */
export const isDenying = (fn: FunctionValue): boolean =>
  /private|internal|local|block|forbid|deny|reserved|unsafe/i.test(nameOf(fn));
