/** What a user wants and forbids, part by part. */

/** A part of what the user said, with the acts and the things that it names. */
export interface Directive {
  readonly isForbidden: boolean;
  /** `any`: whatever does more than look something up. */
  readonly senses: ReadonlySet<string> | 'any';
  /** Roots of what it names, beside its acts. */
  readonly things: ReadonlySet<string>;
  /** Names with digits or dots: files, addresses, records. */
  readonly values: readonly string[];
  /** It is to stay: only what bears its very name is meant. */
  readonly isKept?: boolean;
  /** "Anything else": all but what is wanted. */
  readonly isOthers: boolean;
  readonly turn: number;
  readonly at: number;
}

/** One turn, taken apart. */
export interface Read {
  readonly wanted: string;
  readonly parts: readonly Directive[];
}
