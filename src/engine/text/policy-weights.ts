import { readFileSync } from 'node:fs';
import { type StanceCodes, stanceBuckets } from './stance-features.ts';
import { KnownWords } from './known-words.ts';
import {
  type StanceNetWeights,
  type StanceScales,
  netLayout,
  ownSize,
  ownWords,
  projectedSize,
  rowsOfScale,
} from './stance-net.ts';

/** From signals to the logit of a custom policy; see `policy-score.ts`. */
export interface PolicyCalibration {
  /** Added to the final logit, so that ordinary text is flagged at the rate aimed at. */
  offset: number;
  slope: number;
}

export interface PolicyHeader {
  version: string;
  /** Numbers of a vector. */
  size: number;
  words: number;
  /** Words of other languages that share the row of an English one. */
  aliases: number;
  pieceRows: number;
  stanceScale: number;
  stanceBias: number;
  /** How the n-grams' logit and the net's are joined. */
  stances: StanceScales;
  /** Policies of the background. */
  strangers: number;
  calibration: PolicyCalibration;
}

/** What custom policies are judged with: a sentence encoder and a model of how something is said. */
export interface PolicyWeights {
  header: PolicyHeader;
  words: KnownWords;
  /** (words + pieceRows) x size */
  vectors: Int8Array;
  vectorScales: Float32Array;
  stance: Int8Array;
  codes: StanceCodes;
  /** The second reader of stance. */
  net: StanceNetWeights;
  /**
   * The background: directions of `strangers` policies of many trades in 127ths, `size` numbers each. How near a text is
   * to a policy says more beside how near it is to any other.
   */
  strangers: Int8Array;
}

const magic = 'BWPM';
const sections = [
  'vocabulary',
  'aliases',
  'vectors',
  'vectorScales',
  'stance',
  'codes',
  'groups',
  'netProjection',
  'netProjectionScales',
  'netOwn',
  'netOwnScales',
  'netLayers',
  'strangers',
] as const;
type Section = (typeof sections)[number];

/** The bytes of the sections of a file. */
export type PolicyParts = Readonly<Record<Section, Uint8Array>>;

interface Stored extends PolicyHeader {
  sections: Partial<Record<Section, { at: number; bytes: number }>>;
}

const padded = (length: number) => Math.ceil(length / 8) * 8;

/**
 * The file: `BWPM`, the length of the header (32 bits, little end first), the header as JSON padded to eight bytes, then
 * the sections, each aligned to eight bytes.
 */
export function packPolicyWeights(header: PolicyHeader, parts: PolicyParts): Uint8Array {
  const places: Stored['sections'] = {};
  let at = 0;
  for (const name of sections) {
    places[name] = { at, bytes: parts[name].byteLength };
    at += padded(parts[name].byteLength);
  }
  const json = Buffer.from(JSON.stringify({ ...header, sections: places }));
  const body = padded(8 + json.length);
  const file = new Uint8Array(body + at);
  file.set(Buffer.from(magic));
  new DataView(file.buffer).setUint32(4, body - 8, true);
  file.fill(32, 8, body);
  file.set(json, 8);
  for (const name of sections) file.set(parts[name], body + (places[name]?.at ?? 0));
  return file;
}

/** @throws Error naming `path` when the file is missing or is not weights of this engine */
export function readPolicyWeights(path: string): PolicyWeights {
  const bytes = readFileSync(path);
  if (bytes.toString('latin1', 0, 4) !== magic)
    throw new Error(`${path} is not a weights file for custom policies`);
  const body = 8 + bytes.readUInt32LE(4);
  const { sections: places, ...header } = JSON.parse(bytes.toString('utf8', 8, body)) as Stored;
  const part = (name: Section) => {
    const { at, bytes: length } = places[name] ?? { at: 0, bytes: 0 };
    // A copy: sections must be aligned, and a view would keep the whole file.
    return bytes.buffer.slice(bytes.byteOffset + body + at, bytes.byteOffset + body + at + length);
  };
  const weights: PolicyWeights = {
    header,
    words: new KnownWords(
      Buffer.from(part('vocabulary')).toString('utf8').split('\n'),
      header.words,
      new Uint16Array(part('aliases')),
    ),
    vectors: new Int8Array(part('vectors')),
    vectorScales: new Float32Array(part('vectorScales')),
    stance: new Int8Array(part('stance')),
    codes: { codes: new Uint16Array(part('codes')), groups: new Uint16Array(part('groups')) },
    net: {
      projection: new Int8Array(part('netProjection')),
      projectionScales: new Float32Array(part('netProjectionScales')),
      own: new Int8Array(part('netOwn')),
      ownScales: new Float32Array(part('netOwnScales')),
      layers: new Float32Array(part('netLayers')),
    },
    strangers: new Int8Array(part('strangers')),
  };
  const fits =
    weights.words.names.length === header.words + header.aliases &&
    part('aliases').byteLength === 2 * header.aliases &&
    weights.vectors.length === (header.words + header.pieceRows) * header.size &&
    weights.stance.length === stanceBuckets &&
    weights.codes.codes.length === header.words &&
    weights.strangers.length === header.strangers * header.size &&
    netFits(weights.net, header);
  if (!fits) throw new Error(`${path} does not have the shape that this engine expects`);
  return weights;
}

function netFits(net: StanceNetWeights, { words, pieceRows }: PolicyHeader): boolean {
  const rows = words + pieceRows;
  const own = Math.min(words, ownWords);
  return (
    net.projection.length === rows * projectedSize &&
    net.projectionScales.length === Math.ceil(rows / rowsOfScale) &&
    net.own.length === own * ownSize &&
    net.ownScales.length === Math.ceil(own / rowsOfScale) &&
    net.layers.length === netLayout.length
  );
}
