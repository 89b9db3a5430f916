import type { Call } from '../calls/call.ts';
import { type Entity, entitiesOf, placeOf } from '../calls/entities.ts';
import type { Leaf } from '../calls/leaves.ts';
import { namesRole } from '../calls/party-roles.ts';
import { namesValue, type Request } from '../judging/request.ts';
import type { Order, Span } from './instructions.ts';
import { root, textWords } from '../words.ts';

/** What a call is made of, and that a sentence may have given. */
export interface Value {
  text: string;
  lower: string;
  leaf: Leaf;
  /** An address, an account, a link: a thing that one does not hit upon by chance. */
  distinct: boolean;
  place: string;
  /** Roots of its words; none where they are too many for a name. */
  roots: readonly string[];
}

const dull = /^(?:true|false|null|none|yes|no|\d{1,3}(?:\.\d{1,2})?|\d{4}-\d\d-\d\d.*)$/;
const maxValues = 60;

function valueOf(text: string, leaf: Leaf, distinct: boolean): Value {
  const lower = text.toLowerCase();
  const words = textWords(lower);
  const roots = words.length <= 12 ? words.map(root) : [];
  return { text, lower, leaf, distinct, place: placeOf(lower), roots };
}

const strongKinds = new Set<Entity['kind']>(['email', 'url', 'host', 'account', 'card', 'phone', 'path']);

/** A phone number or an account with blanks in it. */
const isNumber = (text: string) =>
  text.includes(' ') && text.length >= 9 && groupedShape.test(text.toLowerCase().replaceAll(' ', ''));
const groupedShape = /^(?:[a-z]{2}\d{2}[a-z0-9]{8,30}|\+?[\d().-]{8,22})$/;

/** What the arguments are made of: short values whole, long ones by the things named in them. */
export function valuesOf(call: Call, request: Request): Value[] {
  const values: Value[] = [];
  for (const leaf of call.leaves) {
    if (values.length >= maxValues) break;
    const text = leaf.text.trim();
    if (text.length < 2 || dull.test(text.toLowerCase()) || namesRole(text.toLowerCase())) continue;
    if (text.length <= 80 && !namesValue(request, text)) values.push(valueOf(text, leaf, isNumber(text)));
    for (const { kind, value } of entitiesOf(text.slice(0, 4000)).slice(0, 20))
      if (!namesValue(request, value)) values.push(valueOf(value, leaf, strongKinds.has(kind)));
  }
  return values;
}

/** How such a text begins, which tells most others before their blanks are taken out. */
const groupedBegin = /^ *(?:[a-z] *[a-z] *\d|[+\d().-])/;

/** Whether a sentence may have it in groups with blanks, dots or dashes between them. */
export const mayBeGrouped = (place: string): boolean =>
  groupedBegin.test(place) && groupedShape.test(place.replaceAll(' ', ''));

/** "LT12 1000 0111" in a sentence, in one piece in the call. */
const isGrouped = ({ lower }: Span, place: string) =>
  mayBeGrouped(place) && lower.replaceAll(/[ .-]/g, '').includes(place.replaceAll(/[ .-]/g, ''));

/** Whether the order has the value. */
export function isIn(order: Pick<Order, 'span' | 'context'>, value: Value): boolean {
  const { lower, distinct, place, roots } = value;
  // A word may stand in any sentence by chance.
  const span = distinct || /\d/.test(lower) ? order.context : order.span;
  if (lower.length >= 4 && span.lower.includes(lower)) return true;
  if (distinct && isGrouped(span, place)) return true;
  // The place of every entity stands in the sentence as it is.
  if (distinct && !span.lower.includes(place)) return false;
  if (distinct) return span.entities.some(({ value }) => value === lower || placeOf(value) === place);
  return roots.length > 0 && roots.every((word) => span.roots.has(word));
}
