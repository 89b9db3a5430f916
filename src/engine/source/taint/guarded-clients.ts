/** Clients that look at the address themselves when they connect, so that no name and no redirect leads inside. */
import type { SourceModule } from '../modules.ts';
import { hasRanges, knowsAddresses } from './address-checks.ts';
import type { Called, Frame, Given, Machine } from './frame.ts';
import type { Value } from './value.ts';

const dials = ['DialContext', 'DialTLSContext', 'Dial', 'Control', 'ControlContext'];

/** Libraries whose clients are there for that. */
const ofGuards = /(?:^|[.?])(?:safeurl|ssrf\w*|safehttp|safedialer)\b/i;

/** A client with names looked up by a function of the project. */
const looksUp = /\.(?:dns|dns_resolver|setDnsResolver)\(\)/;
/** One that connects to the addresses that it is given. */
const pins = /\.(?:resolve|resolve_to_addrs)\(\)/;

/** Go's `http.Client{Transport: &http.Transport{DialContext: …}}`, and dialers and transports by themselves. */
function dialedBy({ fields }: Value, machine: Machine): boolean {
  if (fields === undefined) return false;
  const parts = [fields, fields.get('Transport')?.fields].filter((each) => each !== undefined);
  return parts.some((part) =>
    dials.some((name) => {
      const fn = part.get(name)?.fn;
      return fn !== undefined && knowsAddresses(fn, machine);
    }),
  );
}

/** Go's `dialer.DialContext`: what a dialer asks before it connects stands for it. */
export const dialOf = ({ fields }: Value, name: string): Value | undefined =>
  name === 'DialContext' || name === 'Dial'
    ? (fields?.get('Control') ?? fields?.get('ControlContext'))
    : undefined;

/** How clients are made that are known by their type alone, and how they are made to check. */
const kinds: readonly { type: RegExp; made: RegExp; guarded: RegExp }[] = [
  {
    type: /^http\.Client\(\)/,
    made: /\bhttp\.Client\{|\bhttp\.DefaultClient\b/,
    guarded: /\b(?:Control|ControlContext|DialContext|DialTLSContext)\s*[:=]/,
  },
  {
    type: /^reqwest\.(?:blocking\.)?Client\(\)/,
    made: /\bClient(?:Builder)?::(?:builder|new)\(/,
    guarded: /\.dns_resolver\(/,
  },
  { type: /^OkHttpClient\(\)/, made: /\bOkHttpClient(?:\.Builder)?\(/, guarded: /\.dns\(/ },
];

const madeGuarded = new WeakMap<readonly SourceModule[], Map<RegExp, boolean>>();

/** Whether all clients of this type that the project makes look at the address: which of them it is, a field may not tell. */
function areAllGuarded(ref: string, { finder: { modules } }: Machine): boolean {
  const kind = kinds.find(({ type }) => type.test(ref));
  if (kind === undefined) return false;
  const known = madeGuarded.get(modules) ?? new Map<RegExp, boolean>();
  madeGuarded.set(modules, known);
  let all = known.get(kind.type);
  if (all === undefined) {
    const making = modules.filter(({ text }) => kind.made.test(text));
    all =
      making.length > 0 &&
      making.every(({ text }) => kind.guarded.test(text)) &&
      modules.some(({ text }) => hasRanges(text));
    known.set(kind.type, all);
  }
  return all;
}

/** Whether what is called, or is given, is such a client. */
export function isGuarded(
  { object, name }: Called,
  args: readonly Given[],
  machine: Machine,
  frame: Frame,
): boolean {
  const ref = `${name} ${object?.ref ?? ''}`;
  if (ofGuards.test(ref) || looksUp.test(ref) || areAllGuarded(object?.ref ?? '', machine)) return true;
  if (pins.test(ref) && frame.fn !== undefined)
    return knowsAddresses({ fn: frame.fn, module: frame.module, around: undefined }, machine);
  return [object, ...args.map(({ value }) => value)].some(
    (value) => value !== undefined && dialedBy(value, machine),
  );
}
