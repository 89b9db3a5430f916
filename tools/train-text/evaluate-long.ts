/**
 * Measures long harmless documents and repetition: `node tools/train-text/evaluate-long.ts [data sets folder]`. Documents
 * of public projects are taken whole; a text that is repeated must not become more suspicious.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { detectorSlugs, loadTextEngine } from '../../src/engine/text/engine.ts';
import { wilsonInterval } from '../../src/engine/evaluation/intervals.ts';
import { readDocuments } from './corpus.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: 'first' }, each: { type: 'string', default: '20' } },
});
const folder = positionals[0] ?? join(import.meta.dirname, '../../../shared/datasets');
const files = ['open-source-docs', 'eips', 'owasp', 'servicenow-docs', 'splunk-security'];
const leastLength = 4000;
/** Splunk's descriptions of attacks are short: several in a row are one document. */
const joined: Readonly<Record<string, number>> = { 'splunk-security': 8 };

const engine = await loadTextEngine();
const place = (text: string) => createHash('sha256').update(`${values.seed}${text}`).digest('hex');
const logitsOf = (text: string): number[] => {
  const best = detectorSlugs.map(() => -20);
  for (const { analysis } of engine.analysePieces(text))
    analysis.logits.forEach((logit, d) => (best[d] = Math.max(best[d] ?? -20, logit)));
  return best;
};

const documents: { file: string; text: string }[] = [];
for (const file of files) {
  const found: string[] = [];
  let waiting: string[] = [];
  for await (const document of readDocuments(join(folder, 'corpus'), `${file}.txt.xz`)) {
    waiting.push(document);
    if (waiting.length < (joined[file] ?? 1)) continue;
    const text = waiting.join('\n\n');
    waiting = [];
    if (text.length >= leastLength) found.push(text);
  }
  const chosen = found.sort((a, b) => (place(a) < place(b) ? -1 : 1)).slice(0, Number(values.each));
  documents.push(...chosen.map((text) => ({ file, text })));
}

let flagged = 0;
for (const file of files) {
  const own = documents.filter((each) => each.file === file);
  const by = new Map<string, number>();
  let any = 0;
  for (const { text } of own) {
    const over = detectorSlugs.filter((_, d) => (logitsOf(text)[d] ?? -20) >= 0);
    if (over.length > 0) any++;
    for (const slug of over) by.set(slug, (by.get(slug) ?? 0) + 1);
  }
  flagged += any;
  console.log(
    file.padEnd(20),
    `${any} of ${own.length}`,
    [...by].map(([slug, n]) => `${slug} ${n}`).join(', '),
  );
}
const { low, high } = wilsonInterval(flagged, documents.length);
console.log(
  `all: ${flagged} of ${documents.length} flagged by any of nine [${low.toFixed(3)}, ${high.toFixed(3)}]`,
);

console.log(
  '\nhighest logit of any detector as a document is repeated, mean over documents of 1,500 characters',
);
const short = documents.map(({ text }) => text.slice(0, 1500));
const base = short.map((text) => logitsOf(text));
for (const times of [2, 4, 8, 16]) {
  const grown = short.map((text, i) => {
    const now = logitsOf(`${text}\n`.repeat(times));
    return Math.max(...now.map((logit, d) => logit - Math.max(base[i]?.[d] ?? 0, -6)));
  });
  const crossed = short.filter(
    (text, i) => Math.max(...(base[i] ?? [])) < 0 && Math.max(...logitsOf(`${text}\n`.repeat(times))) >= 0,
  );
  console.log(
    `${String(times).padStart(3)} times: largest rise ${Math.max(...grown).toFixed(2)}, mean of the largest ${(grown.reduce((a, b) => a + b, 0) / grown.length).toFixed(2)}, newly flagged ${crossed.length} of ${short.length}`,
  );
}
