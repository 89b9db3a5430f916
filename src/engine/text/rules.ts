import { type DetectorSlug, detectorSlugs } from './types.ts';

/**
 * The file format of `data/rules/*.json`.
 *
 * A pattern is a row of slots: `<class>` (any word of that class), `word`, or `one|other`; `~n` before a slot
 * lets up to n other tokens lie between. Slots are matched nearest first, without going back, so the cost of a
 * rule is bounded by its own length whatever the text holds.
 */
export interface RuleFile {
  about?: string;
  classes: Record<string, string[]>;
  rules: RuleSource[];
}

export interface RuleSource {
  id: string;
  patterns: string[];
  /** Logits added to each named detector when the rule matches; negative ones speak for harmlessness. */
  effects: Partial<Record<DetectorSlug, number>>;
  /** Where it matches, harm in general is no more likely than the likeliest kind of harm. */
  boundsGeneral?: boolean;
  /** Completes the sentence "The text …". */
  reason: string;
}

interface Slot {
  /** Number of the class of words that fit. */
  fits: number;
  gap: number;
}

export interface Rule {
  id: string;
  index: number;
  effects: Float64Array;
  boundsGeneral: boolean;
  reason: string;
}

interface Pattern {
  rule: Rule;
  slots: Slot[];
}

/** A rule found in a text: from token `first` to token `last`, both included. */
export interface RuleHit {
  rule: Rule;
  first: number;
  last: number;
}

export class RuleSet {
  readonly rules: Rule[] = [];
  /** Word → numbers of the classes that hold it. */
  readonly #classesOf = new Map<string, number[]>();
  readonly #classNumbers = new Map<string, number>();
  /** Class number → patterns that begin with it. */
  readonly #byFirst: Pattern[][] = [];

  /** @throws RangeError naming a rule whose pattern uses an unknown class or is empty */
  constructor(files: readonly RuleFile[]) {
    for (const { classes } of files)
      for (const [name, words] of Object.entries(classes)) this.#addClass(`<${name}>`, words);
    for (const { rules } of files) for (const rule of rules) this.#addRule(rule);
  }

  #addClass(name: string, words: readonly string[]): number {
    const known = this.#classNumbers.get(name);
    const number = known ?? this.#classNumbers.size;
    this.#classNumbers.set(name, number);
    for (const word of words) {
      const list = this.#classesOf.get(word) ?? [];
      if (!list.includes(number)) list.push(number);
      this.#classesOf.set(word, list);
    }
    return number;
  }

  #addRule(source: RuleSource): void {
    const effects = Float64Array.from(detectorSlugs, (slug) => source.effects[slug] ?? 0);
    const { id, boundsGeneral = false, reason } = source;
    const rule: Rule = { id, index: this.rules.length, effects, boundsGeneral, reason };
    this.rules.push(rule);
    for (const text of source.patterns) {
      const slots = this.#parse(source.id, text);
      const first = slots[0]?.fits ?? 0;
      (this.#byFirst[first] ??= []).push({ rule, slots });
    }
  }

  #parse(id: string, text: string): Slot[] {
    const slots: Slot[] = [];
    let gap = 0;
    for (const part of text.split(/\s+/)) {
      if (part === '') continue;
      if (/^~\d$/.test(part)) {
        gap = Number(part.slice(1));
        continue;
      }
      slots.push({ fits: this.#slotClass(id, part), gap });
      gap = 0;
    }
    if (slots.length === 0) throw new RangeError(`rule ${id} has an empty pattern`);
    return slots;
  }

  #slotClass(id: string, part: string): number {
    const known = this.#classNumbers.get(part);
    if (known !== undefined) return known;
    if (/^<[a-z-]+>$/.test(part) && part !== '<url>' && part !== '<user>')
      throw new RangeError(`rule ${id} uses the unknown class ${part}`);
    return this.#addClass(part, part === '|' ? ['|'] : part.split('|'));
  }

  /** Every place where a rule matches, at most one per pattern and starting token. */
  match(words: readonly string[]): RuleHit[] {
    const hits: RuleHit[] = [];
    const classesAt = words.map((word) => this.#classesOf.get(word));
    for (let at = 0; at < words.length; at++) {
      const classes = classesAt[at];
      if (classes === undefined) continue;
      for (const number of classes)
        for (const { rule, slots } of this.#byFirst[number] ?? none) {
          const last = lastToken(classesAt, slots, at);
          if (last >= 0) hits.push({ rule, first: at, last });
        }
    }
    return hits;
  }
}

const none = [] as const;

/** For each token the numbers of the classes that hold it. */
type ClassesAt = readonly (readonly number[] | undefined)[];

function lastToken(classesAt: ClassesAt, slots: readonly Slot[], from: number): number {
  let at = from;
  for (let i = 1; i < slots.length; i++) {
    const slot = slots[i];
    if (slot === undefined) return -1;
    const next = find(classesAt, slot, at + 1);
    if (next < 0) return -1;
    at = next;
  }
  return at;
}

function find(classesAt: ClassesAt, { fits, gap }: Slot, from: number): number {
  for (let at = from; at <= from + gap && at < classesAt.length; at++)
    if (classesAt[at]?.includes(fits)) return at;
  return -1;
}
