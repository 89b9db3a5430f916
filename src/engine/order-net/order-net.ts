/**
 * A small convolutional net that reads one sentence: whether it steers the program that reads it. The judges of tool
 * descriptions and of tool results ask it beside their linear models, which see pairs of words at a distance but nothing
 * in common between words of like meaning. Pure and synchronous.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fold } from '../text/fold.ts';
import { KnownWords } from '../text/known-words.ts';
import {
  StanceNet,
  type StanceNetWeights,
  netLayout,
  ownSize,
  ownWords,
  projectedSize,
  rowsOfScale,
} from '../text/stance-net.ts';
import { tokenise } from '../text/tokens.ts';

export interface OrderNetHeader {
  /** Words with a row of their own, and words of other languages that share one of these rows. */
  words: number;
  aliases: number;
  /** Rows of the pieces of unknown words. */
  pieceRows: number;
}

export interface OrderNetWeights {
  header: OrderNetHeader;
  /** Words by row, then those that stand for one of these. */
  names: readonly string[];
  /** Rows of the names behind the first `header.words`. */
  aliasRows: Uint16Array;
  net: StanceNetWeights;
}

/** The words of a sentence as the net knows them. */
export const netWordsOf = (sentence: string): string[] => tokenise(fold(sentence).text).words;

/**
 * What the net said of the last sentences. A gateway judges each answer when it arrives, and the action guard judges it once
 * more when the agent acts on it; servers begin and end their answers with the same sentences too.
 */
const mostKnown = 1000;
const longestKnown = 1000;

/** Runs the net. */
export class OrderNet {
  readonly #words: KnownWords;
  readonly #net: StanceNet;
  /** By the sentence as it stands: most are asked about twice, and taking one apart costs most of an answer. */
  readonly #asked = new Map<string, number>();
  /** By the words as the net knows them, in which numbers are all the same. */
  readonly #known = new Map<string, number>();

  constructor({ header, names, aliasRows, net }: OrderNetWeights) {
    this.#words = new KnownWords(names, header.words, aliasRows);
    this.#net = new StanceNet(net, header);
  }

  /** Above 0, the sentence is likelier to steer than not, among those that the net learned from. */
  logit(sentence: string): number {
    const asked = this.#asked.get(sentence);
    if (asked !== undefined) return asked;
    const logit = this.#judged(sentence);
    if (this.#asked.size >= mostKnown) this.#asked.clear();
    if (sentence.length <= longestKnown) this.#asked.set(sentence, logit);
    return logit;
  }

  #judged(sentence: string): number {
    const words = netWordsOf(sentence);
    const key = words.join(' ');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const logit = this.#net.logit(
      words,
      Int32Array.from(words, (word) => this.#words.row(word)),
    );
    if (this.#known.size >= mostKnown) this.#known.clear();
    if (key.length <= longestKnown) this.#known.set(key, logit);
    return logit;
  }
}

const magic = 'BWON';
const sections = [
  'vocabulary',
  'aliases',
  'projection',
  'projectionScales',
  'own',
  'ownScales',
  'layers',
] as const;

const padded = (length: number) => Math.ceil(length / 8) * 8;

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  new Uint8Array(buffer, byteOffset, byteLength);

/**
 * The file: `BWON`, the length of the header (32 bits, little end first), the header as JSON padded to eight bytes, then
 * the sections, each aligned to eight bytes; their lengths follow from the header.
 */
export function packOrderNet({ header, names, aliasRows, net }: OrderNetWeights): Uint8Array {
  const vocabulary = Buffer.from(names.join('\n'));
  const parts = [
    vocabulary,
    ...[aliasRows, net.projection, net.projectionScales, net.own, net.ownScales, net.layers].map(bytesOf),
  ];
  const json = Buffer.from(JSON.stringify({ ...header, vocabularyBytes: vocabulary.length }));
  const body = padded(8 + json.length);
  const file = new Uint8Array(parts.reduce((size, part) => size + padded(part.length), body)).fill(
    32,
    8,
    body,
  );
  file.set(Buffer.from(magic));
  new DataView(file.buffer).setUint32(4, body - 8, true);
  file.set(json, 8);
  let at = body;
  for (const part of parts) {
    file.set(part, at);
    at += padded(part.length);
  }
  return file;
}

/** How long each section is. */
function lengthsOf({ words, aliases, pieceRows }: OrderNetHeader, vocabulary: number): number[] {
  const rows = words + pieceRows;
  const own = Math.min(words, ownWords);
  return [
    vocabulary,
    2 * aliases,
    rows * projectedSize,
    4 * Math.ceil(rows / rowsOfScale),
    own * ownSize,
    4 * Math.ceil(own / rowsOfScale),
    4 * netLayout.length,
  ];
}

/** @throws Error naming `path` when the bytes are not weights of this net */
export function parseOrderNet(bytes: Buffer, path: string): OrderNetWeights {
  const fault = new Error(`${path} is not a weights file of the net of orders, or of another shape of it`);
  if (bytes.length < 8 || bytes.toString('latin1', 0, 4) !== magic) throw fault;
  const body = 8 + bytes.readUInt32LE(4);
  const { vocabularyBytes, ...header } = JSON.parse(bytes.toString('utf8', 8, body)) as OrderNetHeader & {
    vocabularyBytes: number;
  };
  let at = body;
  const found = new Map<string, ArrayBuffer>();
  lengthsOf(header, vocabularyBytes).forEach((length, i) => {
    // Copies: numbers of four bytes must be aligned.
    found.set(sections[i] ?? '', Uint8Array.from(bytes.subarray(at, at + length)).buffer);
    at += padded(length);
  });
  if (at !== bytes.length) throw fault;
  const part = (name: (typeof sections)[number]) => found.get(name) ?? new ArrayBuffer(0);
  const names = Buffer.from(part('vocabulary')).toString('utf8').split('\n');
  if (names.length !== header.words + header.aliases) throw fault;
  return {
    header,
    names,
    aliasRows: new Uint16Array(part('aliases')),
    net: {
      projection: new Int8Array(part('projection')),
      projectionScales: new Float32Array(part('projectionScales')),
      own: new Int8Array(part('own')),
      ownScales: new Float32Array(part('ownScales')),
      layers: new Float32Array(part('layers')),
    },
  };
}

let shipped: OrderNet | undefined;
const path = join(import.meta.dirname, '../../../data/models/order-net.bin');

/** The net in `data/models`, read once. */
export const shippedOrderNet = (): OrderNet =>
  (shipped ??= new OrderNet(parseOrderNet(readFileSync(path), path)));
