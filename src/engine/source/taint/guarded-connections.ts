/** Connections that check the address when they are made: who chooses the host of a request does not get inside by it. */
import { knowsRanges } from './address-checks.ts';
import { identifiers } from './captured.ts';
import type { Called, Given, Machine } from './frame.ts';
import type { FunctionValue, Value } from './value.ts';

/** What clients call the part that makes their connections, or that looks up names for it. */
const parts = [
  'lookup',
  'dnsLookup',
  'connect',
  'createConnection',
  'dispatcher',
  'agent',
  'httpAgent',
  'httpsAgent',
  'http',
  'https',
  'transport',
  'connector',
  'resolver',
];
const isPart: ReadonlySet<string> = new Set(parts);

const libraries =
  /(?:^|[.?/])(?:ssrf-req-filter|request-filtering-agent|ssrf-agent|ssrf-agent-guard|dssrf|advocate|safehttpx|RequestFilteringHttps?Agent|useAgent)\b/;

/** A check of addresses by what it asks of them. */
const asksAddress =
  /\b(?:is_private|is_global|is_loopback|is_link_local|isPrivate\w*|is_?Loopback\w*|BlockList|\w*[bB]lock\w*\.check\(|unicast)\b|\.range\(\)/;

const longestCheck = 8000;
const helperDepth = 2;

function checks(fn: FunctionValue, machine: Machine, depth = 0): boolean {
  const { fn: form, module } = fn;
  if (asksAddress.test(module.text.slice(form.at, Math.min(form.end, form.at + longestCheck)))) return true;
  if (knowsRanges(fn, machine, depth)) return true;
  if (depth >= helperDepth) return false;
  for (const name of identifiers(fn)) {
    const helper = name === form.name ? undefined : machine.global(name, module)?.fn;
    if (helper !== undefined && checks(helper, machine, depth + 1)) return true;
  }
  return false;
}

/** A client's own class of connections. */
const checksInside = ({ instance }: Value): boolean => {
  if (instance === undefined) return false;
  const { form, module } = instance;
  return asksAddress.test(module.text.slice(form.at, Math.min(form.end, form.at + longestCheck)));
};

function isGuard(value: Value, machine: Machine, depth: number): boolean {
  const { isGuarded, fn, fields, ref } = value;
  if (isGuarded === true || (ref !== undefined && libraries.test(ref))) return true;
  if (fn !== undefined) return checks(fn, machine);
  if (checksInside(value)) return true;
  return fields !== undefined && depth < 3 && hasGuard(fields, machine, depth + 1);
}

const hasGuard = (fields: ReadonlyMap<string, Value>, machine: Machine, depth: number): boolean =>
  parts.some((name) => {
    const part = fields.get(name);
    return part !== undefined && isGuard(part, machine, depth);
  });

/** Whether what is given makes connections that check where they lead. */
export const isGuardedBy = (args: readonly Given[], machine: Machine): boolean =>
  args.some(({ name, value }) => {
    if (name !== undefined) return isPart.has(name) && isGuard(value, machine, 0);
    return value.fields !== undefined && value.fields.size > 0 && hasGuard(value.fields, machine, 0);
  });

/** Whether a request goes through such connections. */
export const isGuardedRequest = (
  { object, name }: Called,
  args: readonly Given[],
  machine: Machine,
): boolean => object?.isGuarded === true || libraries.test(name) || isGuardedBy(args, machine);
