import { fold } from '../../src/engine/text/fold.ts';
import { tokenise } from '../../src/engine/text/tokens.ts';
import { readDocuments, vectorSources } from './corpus.ts';
import { type Sparse, leftSingular } from './svd.ts';

export interface WordVectors {
  /** Most frequent first. */
  words: string[];
  /** Count of each word in the text that the vectors come from. */
  counts: number[];
  size: number;
  /** words x size */
  rows: Float32Array;
}

export interface VectorOptions {
  corpus: string;
  /** Corpus files with the most tokens of each, in millions. */
  sources?: readonly (readonly [file: string, millions: number])[] | undefined;
  /** Texts of labelled rows that may be used for training; they are added to the corpus. */
  texts: readonly string[];
  /** Our own rows: few, and the most similar to what the engine will judge, so their words count several times. */
  ownTexts: readonly string[];
  /** Lines that equal one of these after folding are left out: evaluation texts must stay unseen. */
  unseen: ReadonlySet<string>;
  vocabulary: number;
  size: number;
  /** How far apart words count as met together: near ones tell what a word does, far ones what it is spoken of with. */
  window?: ContextWindow | undefined;
  seed: number;
  log: (line: string) => void;
}

export interface ContextWindow {
  words: number;
  /** A meeting counts 1 / distance to this power. */
  power: number;
}

const contextWords = 9000;
const nearWindow: ContextWindow = { words: 5, power: 1 };
const ownTimes = 8;
/** A token between documents, so that context windows do not cross them. */
const gap = -1;

/** Token ids of all text in order, with a word table that grows as words occur. */
class TokenStream {
  readonly ids = new Map<string, number>();
  readonly counts: number[] = [];
  tokens = new Int32Array(1 << 26);
  length = 0;

  add(text: string, unseen: ReadonlySet<string>): number {
    let added = 0;
    for (const line of text.split('\n')) {
      const folded = fold(line.slice(0, 20_000)).text.trim();
      if (folded === '' || unseen.has(folded)) continue;
      const { words } = tokenise(folded);
      for (const word of words) this.#push(this.#idOf(word));
      added += words.length;
    }
    this.#push(gap);
    return added;
  }

  #idOf(word: string): number {
    let id = this.ids.get(word);
    if (id === undefined) {
      id = this.counts.length;
      // A slice of a large string would keep the whole string in memory.
      this.ids.set(Buffer.from(word).toString(), id);
      this.counts.push(0);
    }
    this.counts[id] = (this.counts[id] ?? 0) + 1;
    return id;
  }

  #push(id: number): void {
    if (this.length === this.tokens.length) {
      const larger = new Int32Array(this.tokens.length * 2);
      larger.set(this.tokens);
      this.tokens = larger;
    }
    this.tokens[this.length++] = id;
  }
}

async function readAll({
  corpus,
  sources = vectorSources,
  texts,
  ownTexts,
  unseen,
  log,
}: VectorOptions): Promise<TokenStream> {
  const stream = new TokenStream();
  for (const [file, millions] of sources) {
    let taken = 0;
    for await (const document of readDocuments(corpus, file)) {
      taken += stream.add(document, unseen);
      if (taken >= millions * 1e6) break;
    }
    log(`${file}: ${(taken / 1e6).toFixed(1)} million tokens`);
  }
  for (const text of texts) stream.add(text, unseen);
  for (let time = 0; time < ownTimes; time++) for (const text of ownTexts) stream.add(text, unseen);
  log(`${(stream.length / 1e6).toFixed(1)} million tokens, ${stream.counts.length} words`);
  return stream;
}

/** Renumbers the tokens by descending frequency; words outside the vocabulary become `gap - 1`. */
function renumber(stream: TokenStream, vocabulary: number): { words: string[]; counts: number[] } {
  const byCount = [...stream.ids]
    .map(([word, id]) => ({ word, id, count: stream.counts[id] ?? 0 }))
    .sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1))
    .slice(0, vocabulary);
  const renumbered = new Int32Array(stream.counts.length).fill(gap - 1);
  byCount.forEach(({ id }, at) => (renumbered[id] = at));
  const { tokens, length } = stream;
  for (let i = 0; i < length; i++) {
    const id = tokens[i] ?? gap;
    if (id >= 0) tokens[i] = renumbered[id] ?? gap;
  }
  return { words: byCount.map(({ word }) => word), counts: byCount.map(({ count }) => count) };
}

/** Co-occurrence of each word with the most frequent ones, weighted by the distance. */
function cooccurrence({ tokens, length }: TokenStream, words: number, window: ContextWindow): Float32Array {
  const weights = Array.from({ length: window.words + 1 }, (_, distance) => 1 / distance ** window.power);
  const dense = new Float32Array(words * contextWords);
  const count = (word: number, context: number, weight: number) => {
    if (context >= contextWords) return;
    const at = word * contextWords + context;
    dense[at] = (dense[at] ?? 0) + weight;
  };
  for (let i = 0; i < length; i++) {
    const id = tokens[i] ?? gap;
    if (id < 0) continue;
    for (let distance = 1; distance <= window.words && i + distance < length; distance++) {
      const other = tokens[i + distance] ?? gap;
      if (other === gap) break;
      if (other < 0) continue;
      const weight = weights[distance] ?? 0;
      count(id, other, weight);
      count(other, id, weight);
    }
  }
  return dense;
}

interface Sums {
  words: Float64Array;
  contexts: Float64Array;
  total: number;
}

function sumUp(dense: Float32Array, words: number): Sums {
  const sums: Sums = { words: new Float64Array(words), contexts: new Float64Array(contextWords), total: 0 };
  for (let row = 0; row < words; row++)
    for (let c = 0; c < contextWords; c++) {
      const value = dense[row * contextWords + c] ?? 0;
      if (value === 0) continue;
      sums.words[row] = (sums.words[row] ?? 0) + value;
      sums.contexts[c] = (sums.contexts[c] ?? 0) + value;
      sums.total += value;
    }
  return sums;
}

/** Positive pointwise mutual information with context counts smoothed by the power .75 (Levy et al. 2015). */
function positiveInformation(dense: Float32Array, words: number): Sparse {
  const sums = sumUp(dense, words);
  const smoothed = sums.contexts.map((sum) => sum ** 0.75);
  const smoothedTotal = smoothed.reduce((a, b) => a + b, 0);
  let entries = 0;
  for (let row = 0; row < words; row++) {
    const rowShare = (sums.words[row] ?? 0) / sums.total;
    for (let c = 0; c < contextWords; c++) {
      const at = row * contextWords + c;
      const value = dense[at] ?? 0;
      if (value === 0) continue;
      const expected = rowShare * ((smoothed[c] ?? 0) / smoothedTotal);
      const information = Math.log(value / sums.total / expected);
      dense[at] = Math.max(0, information);
      if (information > 0) entries++;
    }
  }
  return compress(dense, words, entries);
}

function compress(dense: Float32Array, words: number, entries: number): Sparse {
  const matrix: Sparse = {
    rows: words,
    columns: contextWords,
    from: new Int32Array(words + 1),
    column: new Uint16Array(entries),
    value: new Float32Array(entries),
  };
  let at = 0;
  for (let row = 0; row < words; row++) {
    for (let c = 0; c < contextWords; c++) {
      const value = dense[row * contextWords + c] ?? 0;
      if (value <= 0) continue;
      matrix.column[at] = c;
      matrix.value[at] = value;
      at++;
    }
    matrix.from[row + 1] = at;
  }
  return matrix;
}

/** Word vectors of the corpus: PPMI of words that stand near each other, factorised; scaled so that the mean length is 1. */
export async function trainVectors(options: VectorOptions): Promise<WordVectors> {
  const { size, seed, log } = options;
  const stream = await readAll(options);
  const { words, counts } = renumber(stream, options.vocabulary);
  const dense = cooccurrence(stream, words.length, options.window ?? nearWindow);
  log('counted');
  stream.tokens = new Int32Array(0);
  const matrix = positiveInformation(dense, words.length);
  log(`${(matrix.value.length / 1e6).toFixed(1)} million entries`);
  const rows = leftSingular(matrix, size, seed, log);
  let norms = 0;
  for (let r = 0; r < words.length; r++) norms += Math.hypot(...rows.subarray(r * size, (r + 1) * size));
  const scale = words.length / norms;
  for (let i = 0; i < rows.length; i++) rows[i] = (rows[i] ?? 0) * scale;
  return { words, counts, size, rows };
}
