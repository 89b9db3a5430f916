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
  /** A part of all that `after` can be: no text without it is looked at, where nearly every word has the shape. */
  readonly needs?: RegExp;
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
