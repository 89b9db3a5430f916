/** Texts whose signature was compared: what the server has signed itself is its own. */
import { type Model, valueAt } from './model.ts';
import type { Check, Fact, Value } from './value.ts';
import { isTainted } from './value.ts';

const signature = 'signature()';

/** The text that a signature is made of, under its names. */
const signed = (text: Value, key: Value): Value => ({
  taints: [],
  // Who chose the key can sign anything.
  ...(isTainted(key) || text.of === undefined ? {} : { of: text.of }),
  ref: signature,
});

/** `hmac.new(key, text, …)`, `hmac.digest(key, text, …)` */
const made: Model = (call) => {
  const named = (name: string) => call.args.find((arg) => arg.name === name)?.value;
  return signed(named('msg') ?? valueAt(call, 1), valueAt(call, 0));
};

/** Its digest, as bytes or as text. */
const digest: Model = ({ called: { object } }) => (object?.ref === signature ? object : undefined);

/** What it shows that a signature is the right one. */
export function signatureFacts(values: readonly Value[]): Fact[] {
  return values
    .filter(({ ref }) => ref === signature)
    .flatMap(({ of = [] }) => of.map((path): Fact => ({ path: path.split('\0'), bits: ~0 })));
}

/** `hmac.compare_digest(a, b)` */
const compared: Model = ({ args }) => {
  const check: Check = { yes: signatureFacts(args.map(({ value }) => value)), no: [] };
  return check.yes.length === 0 ? undefined : { taints: [], check };
};

export const ofSignature: readonly (readonly [names: string, model: Model])[] = [
  ['hmac.new hmac.HMAC hmac.digest', made],
  ['signature().hexdigest signature().digest', digest],
  ['hmac.compare_digest secrets.compare_digest', compared],
];
