import { decodeCipher } from './decode-cipher.ts';
import { decodeEscapes } from './decode-escapes.ts';
import { type Payload, findPayloads } from './decode-payload.ts';
import { fold } from './fold.ts';
import { readGloss } from './gloss.ts';
import { type Mapped, throughMap } from './mapped.ts';
import { readSigns } from './read-signs.ts';
import { readLeet } from './undo-leet.ts';
import { unscramble } from './undo-scramble.ts';
import { joinSpaced, splitJoined } from './undo-spacing.ts';
import type { Vocabulary } from './vocabulary.ts';

/** One way to read a text. */
export interface View {
  /** `plain`, or what had to be undone: `spaced`, `leet`, `joined`, `scrambled`, `base64`, `rot13`, … */
  name: string;
  mapped: Mapped;
  /** Logits taken off what is found in it, where reading it took guesses. */
  doubt?: number;
}

const mostViews = 12;
/** A picture means less surely what it stands for than a word does. */
const signDoubt = 0.4;
const deepest = 2;

/**
 * Every way to read `text`: the folded text first, then the forms in which hidden words come to light. A view is
 * there only where undoing something gave ordinary words, so most texts have one. Linear in the text's length.
 */
export function viewsOf(text: string, vocabulary: Vocabulary): View[] {
  const views: View[] = [];
  addViews({ text, outer: undefined, name: '', depth: 0 }, vocabulary, views);
  return views;
}

interface Layer {
  text: string;
  /** The way from this layer's text to the original, or undefined for the original itself. */
  outer: Mapped | undefined;
  name: string;
  depth: number;
}

function addViews(layer: Layer, vocabulary: Vocabulary, views: View[]): void {
  const payloads = layer.depth < deepest ? findPayloads(layer.text) : [];
  const escapes = layer.depth < deepest ? decodeEscapes(layer.text) : undefined;
  if (!isMostlyEscapes(layer.text, escapes)) addReadings(layer, payloads, vocabulary, views);
  for (const next of innerLayers(layer, payloads, escapes))
    if (views.length < mostViews) addViews(next, vocabulary, views);
}

/** What one layer says as it stands, and with what is undone in it. */
function addReadings(
  { text, outer, name }: Layer,
  payloads: readonly Payload[],
  vocabulary: Vocabulary,
  views: View[],
): void {
  const inner = fold(withoutPayloads(text, payloads));
  const plain = outer === undefined ? inner : throughMap(inner, outer);
  const undone = undo(plain, vocabulary);
  const cipher = decodeCipher(plain, vocabulary);
  // What is letters and signs in a heap says nothing by itself: where it was read, the reading stands for it.
  if (cipher === undefined && !isMostlyChanged(plain, undone))
    views.push({ name: name === '' ? 'plain' : name, mapped: plain });
  if (undone !== undefined) views.push({ name: joinNames(name, undone.name), mapped: undone.mapped });
  if (cipher !== undefined) views.push({ name: joinNames(name, cipher.name), mapped: cipher.mapped });
  const signs = readSigns(undone?.mapped ?? plain);
  if (signs !== undefined) views.push({ name: joinNames(name, 'signs'), mapped: signs, doubt: signDoubt });
  const gloss = readGloss(plain);
  if (gloss !== undefined) views.push({ ...gloss, name: joinNames(name, 'gloss') });
}

/** The text with the runs that were decoded blanked out, of the same length. */
function withoutPayloads(text: string, payloads: readonly Payload[]): string {
  if (payloads.length === 0) return text;
  let out = '';
  let copied = 0;
  for (const { start, end } of payloads.toSorted((a, b) => a.start - b.start)) {
    out += text.slice(copied, start) + ' '.repeat(end - start);
    copied = end;
  }
  return out + text.slice(copied);
}

/** Whether escapes make up a third of the text or more. */
const isMostlyEscapes = (text: string, escapes: Mapped | undefined) =>
  escapes !== undefined && escapes.text.length * 3 < text.length * 2;

const mostlyChanged = 0.25;

/** Whether the undone view has rewritten a quarter of the words or more. */
function isMostlyChanged(plain: Mapped, undone: View | undefined): boolean {
  if (undone === undefined) return false;
  const before = new Set(plain.text.match(/[^\s]+/g));
  const after = undone.mapped.text.match(/[^\s]+/g) ?? [];
  const kept = after.filter((word) => before.has(word)).length;
  return after.length - kept >= after.length * mostlyChanged;
}

const joinNames = (outer: string, inner: string) => (outer === '' ? inner : `${outer}+${inner}`);

/** Letters set apart are joined, signs are read as letters, words run together are split, scrambled ones mended. */
function undo(plain: Mapped, vocabulary: Vocabulary): View | undefined {
  const names: string[] = [];
  let mapped = plain;
  const step = (name: string, next: Mapped | undefined) => {
    if (next === undefined) return;
    names.push(name);
    mapped = next;
  };
  step('spaced', joinSpaced(mapped));
  step('leet', readLeet(mapped, vocabulary));
  step('joined', splitJoined(mapped, vocabulary));
  step('scrambled', unscramble(mapped, vocabulary));
  return names.length === 0 ? undefined : { name: names.join('+'), mapped };
}

function innerLayers(
  { outer, name, depth }: Layer,
  payloads: readonly Payload[],
  escapes: Mapped | undefined,
): Layer[] {
  const layers: Layer[] = [];
  if (escapes !== undefined) {
    const mapped = outer === undefined ? escapes : throughMap(escapes, outer);
    layers.push({ text: escapes.text, outer: mapped, name: joinNames(name, 'escaped'), depth: depth + 1 });
  }
  for (const payload of payloads) {
    const start = outer?.starts[payload.start] ?? payload.start;
    const end = outer?.ends[payload.end - 1] ?? payload.end;
    const { length } = payload.text;
    layers.push({
      text: payload.text,
      outer: {
        text: payload.text,
        starts: new Int32Array(length).fill(start),
        ends: new Int32Array(length).fill(end),
      },
      name: joinNames(name, payload.view),
      depth: depth + 1,
    });
  }
  return layers;
}
