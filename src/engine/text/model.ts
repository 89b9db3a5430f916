import { readFileSync } from 'node:fs';
import { buckets } from './features.ts';
import { detectorSlugs } from './types.ts';
import { Vocabulary } from './vocabulary.ts';

export const heads = detectorSlugs.length;

/** Turns the two models' logits of one detector into one calibrated logit. */
export interface Calibration {
  /** Mean and deviation of each model's logit on harmless text. */
  linear: { mean: number; deviation: number };
  net: { mean: number; deviation: number };
  /** Weight of the net in the sum of both; the rest is the linear model's. */
  netShare: number;
  slope: number;
  /** Added to the logit, by the number of tokens (see `lengthKnots`). */
  offsets: number[];
  /** Subtracted from the offset for a single sentence of a longer text: many sentences are many chances. */
  sentenceCost: number;
}

/** Numbers of tokens at which `offsets` are given; between them they run evenly over the logarithm. */
export const lengthKnots = [8, 24, 72, 216] as const;

interface Section {
  at: number;
  bytes: number;
}

export interface ModelHeader {
  version: string;
  size: number;
  hidden: number;
  words: number;
  strangeRows: number;
  linearScales: number[];
  linearBias: number[];
  calibration: Calibration[];
  sections: Record<SectionName, Section>;
}

export type SectionName =
  | 'vocabulary'
  | 'linear'
  | 'vectors'
  | 'vectorScales'
  | 'shift'
  | 'inner'
  | 'innerBias'
  | 'outer'
  | 'outerBias';

export interface TextModel {
  header: ModelHeader;
  vocabulary: Vocabulary;
  /** buckets x heads */
  linear: Int8Array;
  /** (words + strangeRows) x size */
  vectors: Int8Array;
  vectorScales: Float32Array;
  shift: Float32Array;
  /** hidden x 3 size */
  inner: Float32Array;
  innerBias: Float32Array;
  /** heads x hidden */
  outer: Float32Array;
  outerBias: Float32Array;
}

const magic = 'BWTX';

/**
 * The weights file: `BWTX`, the length of the header (32 bits, little end first), the header as JSON padded to
 * eight bytes, then the sections it names, each aligned to eight bytes.
 */
export function packModel(
  header: Omit<ModelHeader, 'sections'>,
  parts: Readonly<Record<SectionName, Uint8Array>>,
): Uint8Array {
  const sections: Partial<Record<SectionName, Section>> = {};
  let at = 0;
  for (const [name, bytes] of Object.entries(parts)) {
    sections[name as SectionName] = { at, bytes: bytes.byteLength };
    at += Math.ceil(bytes.byteLength / 8) * 8;
  }
  const json = Buffer.from(JSON.stringify({ ...header, sections }));
  const body = Math.ceil((8 + json.length) / 8) * 8;
  const file = new Uint8Array(body + at);
  file.set(Buffer.from(magic));
  new DataView(file.buffer).setUint32(4, body - 8, true);
  file.fill(32, 8, body);
  file.set(json, 8);
  for (const [name, bytes] of Object.entries(parts))
    file.set(bytes, body + (sections[name as SectionName]?.at ?? 0));
  return file;
}

/** @throws Error when the file is not a weights file of this engine */
export const readModel = (path: string): TextModel => parseModel(readFileSync(path), path);

/** @throws Error naming `path` when the bytes are not weights of this engine */
export function parseModel(file: Uint8Array, path: string): TextModel {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.toString('latin1', 0, 4) !== magic)
    throw new Error(`${path} is not a weights file of this engine`);
  const headerLength = bytes.readUInt32LE(4);
  const header = JSON.parse(bytes.toString('utf8', 8, 8 + headerLength)) as ModelHeader;
  const body = bytes.byteOffset + 8 + headerLength;
  // Small files share one buffer in Node: copy unless the sections are aligned.
  const buffer = body % 8 === 0 ? bytes.buffer : bytes.buffer.slice(body);
  const start = body % 8 === 0 ? body : 0;
  const place = (name: SectionName) => {
    const { at, bytes: length } = header.sections[name];
    return { at: start + at, length };
  };
  const floats = (name: SectionName) => {
    const { at, length } = place(name);
    return new Float32Array(buffer, at, length / 4);
  };
  const small = (name: SectionName) => {
    const { at, length } = place(name);
    return new Int8Array(buffer, at, length);
  };
  const text = place('vocabulary');
  const words = Buffer.from(buffer, text.at, text.length).toString('utf8').split('\n');
  const model: TextModel = {
    header,
    vocabulary: new Vocabulary(words),
    linear: small('linear'),
    vectors: small('vectors'),
    vectorScales: floats('vectorScales'),
    shift: floats('shift'),
    inner: floats('inner'),
    innerBias: floats('innerBias'),
    outer: floats('outer'),
    outerBias: floats('outerBias'),
  };
  checkShape(model, path);
  return model;
}

function checkShape({ header, linear, vectors, inner, vocabulary }: TextModel, path: string): void {
  const fits =
    linear.length === buckets * 2 * heads &&
    vectors.length === (header.words + header.strangeRows) * header.size &&
    inner.length === header.hidden * header.size * 3 &&
    vocabulary.words.length === header.words;
  if (!fits) throw new Error(`${path} does not have the shape that this engine expects`);
}
