/** The kinds, in order of precedence for overlapping findings. */
export const sensitiveKinds = [
  'secret',
  'iban',
  'payment_card',
  'email',
  'national_id',
  'ip_address',
  'date_of_birth',
  'phone',
  'address',
  'name',
] as const;

export type SensitiveKind = (typeof sensitiveKinds)[number];

/** One sensitive piece of a text. */
export interface Finding {
  readonly kind: SensitiveKind;
  /** More exactly, such as `github_token` or `us_ssn`. */
  readonly type: string;
  /** Offsets in UTF-16 code units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/**
 * A pattern of a kind. Every repetition in `shape` is bounded, so that matching is linear in the text's length.
 * The group `value`, where there is one, is what is sensitive.
 */
export interface Shape {
  readonly kind: SensitiveKind;
  readonly type: string;
  /** With the flags `g` and `d`. */
  readonly shape: RegExp;
  /** Of the sensitive part. */
  readonly check?: (value: string) => boolean;
  /** Must stand in the forty characters before it. */
  readonly after?: RegExp;
  /** Must not stand in the forty characters before it. */
  readonly notAfter?: RegExp;
  /** A part of all that `after` can be: no text without it is looked at, where nearly every word has the shape. */
  readonly needs?: RegExp;
  /**
   * What stands in every match, where looking for that is much cheaper: only what is around it is searched, `reach`
   * characters on both sides. A match with all that `shape` looks at must be shorter than that.
   */
  readonly anchor?: { readonly part: RegExp; readonly reach: number };
  /** So many digits in a row it has at least, as {@link digitsInRow} counts them. */
  readonly digits?: number;
}

let counted = '';
let inRow = 0;

/** The most digits in a row, with one other sign at most between two of them. Many patterns ask it of one text. */
export function digitsInRow(text: string): number {
  if (text === counted) return inRow;
  let most = 0;
  let count = 0;
  let last = -2;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 48 || unit > 57) continue;
    count = at - last <= 2 ? count + 1 : 1;
    last = at;
    if (count > most) most = count;
  }
  counted = text;
  inRow = most;
  return most;
}

/**
 * Whether a text has a match, in the same time as looking for the first one, without what a search for all of them makes:
 * most texts have none of most patterns.
 * @param shape with whatever flags
 */
export function matchesSome(shape: RegExp, text: string): boolean {
  let plain = withoutState.get(shape);
  if (plain === undefined) {
    plain = new RegExp(shape.source, shape.flags.replaceAll(/[dgy]/g, ''));
    withoutState.set(shape, plain);
  }
  return plain.test(text);
}

const withoutState = new WeakMap<RegExp, RegExp>();

/** A stretch of a text. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * The stretches around all places of a part, `reach` characters on both sides; those that touch are one. What holds the
 * part and is shorter than that is found in them as it is in the whole text.
 * @param part with the flag `g`
 */
export function* stretchesAround(text: string, part: RegExp, reach: number): Generator<Stretch> {
  let [from, to] = [0, -1];
  for (const { 0: found, index } of text.matchAll(part)) {
    const begin = Math.max(0, index - reach);
    if (begin > to) {
      if (to > 0) yield { from, to };
      from = begin;
    }
    to = Math.min(text.length, index + found.length + reach);
  }
  if (to > 0) yield { from, to };
}
