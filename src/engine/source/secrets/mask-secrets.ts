/** No finding repeats a secret of its file, whichever finding it is and whether the secret has one of its own. */
import type { FlowStep, Location, Observation } from '#findings/finding.ts';
import { keyOf } from '#findings/fingerprint.ts';
import { firstLineOf, lineOf, longestLine } from '../locations.ts';
import { masked } from '../observe.ts';
import type { SourceModule } from '../modules.ts';

type Placed = Pick<SourceModule, 'path' | 'text'>;

interface Span {
  at: number;
  end: number;
}

/** The secrets of one file. */
interface FileSecrets {
  /** Lines with a secret in them as they are shown, by number. */
  lines: ReadonlyMap<number, string>;
  words: Words;
}

/** Shorter than this a text is no secret that could be told from other words. */
const shortest = 6;

/** Spans in order, those that overlap as one. */
function merged(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const { at, end } of spans.toSorted((a, b) => a.at - b.at)) {
    const last = all.at(-1);
    if (last !== undefined && at < last.end) last.end = Math.max(last.end, end);
    else all.push({ at, end });
  }
  return all;
}

/** The lines that a span lies on, with the part of it on each. */
function* partsByLine(text: string, { at, end }: Span): Generator<Span> {
  for (let from = at; from < end;) {
    const stop = text.indexOf('\n', from);
    const to = stop < 0 ? end : Math.min(stop, end);
    if (to > from) yield { at: from, end: to };
    from = to + 1;
  }
}

/** Where the line around a place begins. */
const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

function maskedLines(module: Placed, spans: readonly Span[]): Map<number, string> {
  const { text } = module;
  const byStart = new Map<number, Span[]>();
  for (const span of spans)
    for (const part of partsByLine(text, span)) {
      const start = lineStart(text, part.at);
      byStart.set(start, [...(byStart.get(start) ?? []), part]);
    }
  const lines = new Map<number, string>();
  for (const [start, parts] of byStart) {
    const stop = text.indexOf('\n', start);
    let shown = '';
    let from = start;
    for (const { at, end } of parts) {
      shown += text.slice(from, at) + masked(text.slice(at, end));
      from = end;
    }
    // A line that a machine wrote is shown in part: what is behind that is not needed.
    const rest = text.slice(from, Math.min(stop < 0 ? text.length : stop, from + longestLine));
    lines.set(lineOf(module, start), (shown + rest).slice(0, longestLine));
  }
  return lines;
}

/** Without the quotation marks that may stand around it. */
const bare = (word: string): string => word.replace(/^["'`]+|["'`]+$/g, '').trim();

/** Secrets by how they begin, the longest first: one may begin with another. */
type Words = ReadonlyMap<string, readonly string[]>;

function wordsOf(text: string, spans: readonly Span[]): Words {
  const words = new Set(spans.flatMap(({ at, end }) => text.slice(at, end).split('\n').map(bare)));
  const long = [...words].filter((word) => word.length >= shortest).toSorted((a, b) => b.length - a.length);
  return Map.groupBy(long, (word) => word.slice(0, shortest));
}

/** How long the secret is that begins at a place of a text; texts of places are cut short, so that they may end within one. */
function lengthAt(text: string, at: number, words: Words): number {
  const all = words.get(text.slice(at, at + shortest)) ?? [];
  const whole = all.find((word) => text.startsWith(word, at));
  if (whole !== undefined) return whole.length;
  const rest = text.slice(at);
  return all.some((word) => word.startsWith(rest)) ? rest.length : 0;
}

function withoutWords(text: string, words: Words): string {
  let shown = '';
  let from = 0;
  for (let at = 0; at + shortest <= text.length;) {
    const length = lengthAt(text, at, words);
    if (length > 0) {
      shown += text.slice(from, at) + masked(text.slice(at, at + length));
      from = at + length;
    }
    at += Math.max(1, length);
  }
  return from === 0 ? text : shown + text.slice(from);
}

/** The secrets of all files that were read, to be taken out of what is told about them. */
export class SecretMask {
  readonly #files = new Map<string, FileSecrets>();

  /** Notes where secrets stand in a file. */
  add(module: Placed, spans: readonly Span[]): void {
    if (spans.length === 0) return;
    const all = merged(spans);
    this.#files.set(module.path, { lines: maskedLines(module, all), words: wordsOf(module.text, all) });
  }

  /**
   * Observations without secrets in what they show and say. One that changes keeps the key that it had before, so that
   * its fingerprint depends on the code alone and not on what is known of secrets.
   */
  apply(observations: readonly Observation[]): Observation[] {
    return this.#files.size === 0 ? [...observations] : observations.map((each) => this.#without(each));
  }

  #without(observation: Observation): Observation {
    const { location, otherPlaces, flow, evidence, description } = observation;
    const files = this.#filesOf(observation);
    if (files.length === 0) return observation;
    const shown: Observation = {
      ...observation,
      description: this.#texts(description, files),
      ...(evidence !== undefined && { evidence: this.#texts(evidence, files) }),
      ...(location !== undefined && { location: this.#shown(location) }),
      ...(otherPlaces !== undefined && { otherPlaces: otherPlaces.map((each) => this.#shown(each)) }),
      ...(flow !== undefined && { flow: flow.map((step) => this.#step(step, files)) }),
    };
    const isSame = shown.location?.snippet === location?.snippet && shown.evidence === evidence;
    return isSame ? shown : { ...shown, fingerprintKey: keyOf(observation) };
  }

  #texts(text: string, files: readonly FileSecrets[]): string {
    return files.reduce((shown, { words }) => withoutWords(shown, words), text);
  }

  /** Secrets of the files that an observation has places in. */
  #filesOf({ location, otherPlaces = [], flow = [] }: Observation): FileSecrets[] {
    const paths = [location, ...otherPlaces, ...flow.map((step) => step.location)].map(
      (each) => each?.path ?? '',
    );
    return [...new Set(paths)].map((path) => this.#files.get(path)).filter((file) => file !== undefined);
  }

  #step(step: FlowStep, files: readonly FileSecrets[]): FlowStep {
    return {
      ...step,
      location: this.#shown(step.location),
      ...(step.text !== undefined && { text: this.#texts(step.text, files) }),
    };
  }

  #shown(location: Location): Location {
    const { path, snippet } = location;
    const lines = this.#files.get(path)?.lines;
    const first = firstLineOf(location);
    if (lines === undefined || snippet === undefined || first === undefined) return location;
    const shown = snippet.split('\n').map((line, at) => lines.get(first + at) ?? line);
    return { ...location, snippet: shown.join('\n').trimEnd() };
  }
}
