/** Finds and removes personal data and secrets in a text. Pure, and linear in the text's length. */
import { setImmediate } from 'node:timers/promises';
import type { Mapped } from '../text/mapped.ts';
import {
  digitsInRow,
  type Finding,
  matchesSome,
  sensitiveKinds,
  type SensitiveKind,
  type Shape,
  stretchesAround,
} from './finding.ts';
import { cardsIn, ibansIn, idShapes } from './number-shapes.ts';
import { personalShapes } from './personal-shapes.ts';
import { shapesByLanguage } from './shapes-by-language.ts';
import { readable } from './readable.ts';
import { keyShapesFor, labelledSecrets, randomTokens } from './secret-shapes.ts';

export type RedactStyle = 'label' | 'mask' | 'hash';

export interface RedactOptions {
  /** Default: all. */
  readonly kinds?: readonly SensitiveKind[] | undefined;
  /** Default: `label`. */
  readonly style?: RedactStyle | undefined;
}

export interface Redacted {
  readonly text: string;
  /** In the order of the text; offsets into the original. */
  readonly findings: readonly (Finding & { readonly replacement: string })[];
}

/** Maximum distance of a keyword before a number, in characters. */
const contextCharacters = 40;

/** Whether the text surely has no match, which is cheaper to tell than to look for one. */
const lacksParts = ({ needs, digits = 0 }: Shape, text: string): boolean =>
  needs?.test(text) === false || (digits > 0 && digitsInRow(text) < digits);

/** Whether the words before it allow for a value there. */
function fitsBefore(text: string, start: number, { after, notAfter }: Shape): boolean {
  if (after === undefined && notAfter === undefined) return true;
  const before = text.slice(Math.max(0, start - contextCharacters), start);
  return after?.test(before) !== false && notAfter?.test(before) !== true;
}

const nothing: readonly Finding[] = [];

/** Nothing is made for a pattern that the text does not have: of most texts that are all of them. */
function matchesOf(text: string, pattern: Shape): Iterable<Finding> {
  if (lacksParts(pattern, text)) return nothing;
  if (pattern.anchor !== undefined) return matchesAround(text, pattern, pattern.anchor);
  return matchesSome(pattern.shape, text) ? eachMatch(text, pattern) : nothing;
}

function* matchesAround(
  text: string,
  pattern: Shape,
  { part, reach }: NonNullable<Shape['anchor']>,
): Generator<Finding> {
  if (!matchesSome(part, text)) return;
  for (const { from, to } of stretchesAround(text, part, reach)) {
    const stretch = text.slice(from, to);
    if (!matchesSome(pattern.shape, stretch)) continue;
    for (const { start, end, ...found } of eachMatch(stretch, pattern))
      yield { ...found, start: start + from, end: end + from };
  }
}

function* eachMatch(text: string, pattern: Shape): Generator<Finding> {
  const { kind, type, shape, check } = pattern;
  for (const match of text.matchAll(shape)) {
    const [start, end] = match.indices?.groups?.['value'] ?? [match.index, match.index + match[0].length];
    if (!fitsBefore(text, start, pattern)) continue;
    if (check !== undefined && !check(text.slice(start, end))) continue;
    yield { kind, type, start, end };
  }
}

function* plainSecretsIn(text: string): Generator<Finding> {
  for (const shape of keyShapesFor(text)) yield* matchesOf(text, shape);
  for (const range of labelledSecrets(text)) yield { kind: 'secret', type: 'labelled', ...range };
}

function* secretsIn(text: string): Generator<Finding> {
  yield* plainSecretsIn(text);
  yield* matchesOf(text, randomTokens);
}

/** Whether a text carries a password, a key or a token, by its form or by the word before it. */
export const holdsSecret = (text: string): boolean => findsSome(plainSecretsIn, text);

type Find = (text: string) => Iterable<Finding>;

const finders: readonly (readonly [kind: SensitiveKind, find: Find])[] = [
  ['secret', secretsIn],
  ['iban', ibansIn],
  ['payment_card', cardsIn],
  ...[...idShapes, ...personalShapes, ...shapesByLanguage].map(
    (shape) => [shape.kind, (text: string) => matchesOf(text, shape)] as const,
  ),
];

const findersByKind: ReadonlyMap<SensitiveKind, readonly Find[]> = new Map(
  sensitiveKinds.map((wanted) => [wanted, finders.flatMap(([kind, find]) => (kind === wanted ? find : []))]),
);

const findsSome = (find: Find, text: string): boolean => {
  for (const _ of find(text)) return true;
  return false;
};

/** Minimum digits of any pattern of the kind; a text with fewer can be skipped. */
const leastDigits: Readonly<Partial<Record<SensitiveKind, number>>> = {
  iban: 2,
  payment_card: 12,
  national_id: 3,
};

function hasDigits(text: string, least: number): boolean {
  let left = least;
  for (let at = 0; at < text.length && left > 0; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 48 && unit <= 57) left--;
  }
  return left === 0;
}

/** Whether a text carries something of the kind. */
export const holdsKind = (text: string, wanted: SensitiveKind): boolean =>
  hasDigits(text, leastDigits[wanted] ?? 0) &&
  findersByKind.get(wanted)?.some((find) => findsSome(find, text)) === true;

// oxlint-disable-next-line no-control-regex -- what is read as it stands.
const plainText = /^[\t\n\r\x20-\x7f]*$/;

/** In the original: a folded character stands for all that it was made from. */
const inOriginal = (finding: Finding, { starts, ends }: Mapped): Finding => ({
  ...finding,
  start: starts[finding.start] ?? 0,
  end: ends[finding.end - 1] ?? 0,
});

/** Searches pattern by pattern; the caller may yield to the event loop in between. */
function* search(text: string, kinds: readonly SensitiveKind[]): Generator<undefined, Finding[]> {
  // Plain text is read as it stands, and so needs no way back.
  const mapped = plainText.test(text) ? undefined : readable(text);
  const read = mapped?.text ?? text;
  const wanted = new Set(kinds);
  const found: Finding[] = [];
  for (const [kind, find] of finders) {
    // Kinds that are not wanted are looked for where they could hide a wanted one: a card is no telephone.
    if (kind === 'name' && !wanted.has(kind)) continue;
    for (const finding of find(read)) if (finding.end > finding.start) found.push(finding);
    yield undefined;
  }
  const kept = merged(found.sort((a, b) => a.start - b.start)).filter(({ kind }) => wanted.has(kind));
  return mapped === undefined ? kept : kept.map((finding) => inOriginal(finding, mapped));
}

/**
 * The sensitive pieces of a text, in its order, none over another: two that overlap are one, of the kind that stands
 * first in {@link sensitiveKinds}.
 */
export function findSensitive(text: string, kinds: readonly SensitiveKind[] = sensitiveKinds): Finding[] {
  const steps = search(text, kinds);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

async function findInTurns(
  text: string,
  kinds: readonly SensitiveKind[] = sensitiveKinds,
): Promise<Finding[]> {
  const steps = search(text, kinds);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await setImmediate();
  }
}

const rank = new Map(sensitiveKinds.map((kind, i) => [kind, i]));
const rankOf = ({ kind }: Finding) => rank.get(kind) ?? 0;

/** Two that overlap are one, of the kind that ranks first: nothing of either stays. */
function merged(found: readonly Finding[]): Finding[] {
  const out: Finding[] = [];
  for (const finding of found) {
    const last = out.at(-1);
    if (last === undefined || finding.start >= last.end) out.push(finding);
    else {
      const { kind, type } = rankOf(finding) < rankOf(last) ? finding : last;
      out[out.length - 1] = { kind, type, start: last.start, end: Math.max(last.end, finding.end) };
    }
  }
  return out;
}

const labelOf = (kind: SensitiveKind) => kind.toUpperCase();
/** Number of last characters to keep, so that users recognise their card. */
const keptAtEnd: Partial<Record<SensitiveKind, number>> = { payment_card: 4, iban: 4, phone: 2 };

/** A star for each letter and digit; what separates them stays, but in secrets. */
function masked(value: string, kind: SensitiveKind): string {
  if (kind === 'secret' || kind === 'name' || kind === 'address') return '*'.repeat(8);
  const keep = keptAtEnd[kind] ?? 0;
  let left = value.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return value.replaceAll(/[\p{L}\p{N}]/gu, (sign) => (left-- > keep ? '*' : sign));
}

/** Longer texts yield to the event loop while they are searched. */
const longAtOnce = 8000;

/**
 * The text without its sensitive pieces. `hash` gives the short name that stands for a value in the style `hash`:
 * it must be keyed, since telephone numbers are few enough to try them all.
 */
export async function redact(
  text: string,
  { kinds, style = 'label' }: RedactOptions,
  hash: (value: string) => string,
): Promise<Redacted> {
  let out = '';
  let copied = 0;
  const found = text.length > longAtOnce ? await findInTurns(text, kinds) : findSensitive(text, kinds);
  const findings = found.map((finding) => {
    const value = text.slice(finding.start, finding.end);
    const replacement = replacementOf(finding.kind, value, style, hash);
    out += text.slice(copied, finding.start) + replacement;
    copied = finding.end;
    return { ...finding, replacement };
  });
  return { text: out + text.slice(copied), findings };
}

function replacementOf(
  kind: SensitiveKind,
  value: string,
  style: RedactStyle,
  hash: (value: string) => string,
): string {
  if (style === 'mask') return masked(value, kind);
  // Equal values get equal names, whatever their formatting.
  if (style === 'hash')
    return `[${labelOf(kind)}:${hash(
      `${kind} ${readable(value)
        .text.toLowerCase()
        .replaceAll(/[\s./()-]/g, '')}`,
    )}]`;
  return `[${labelOf(kind)}]`;
}
