/**
 * What the convolutional reader of stance costs custom policies: processor time of encoding texts of 1,000 characters with
 * the net and without it, taken in turns, and beside it the time of the nine detectors on the same texts.
 *
 * `node bench/custom-policy-stance.ts [rounds] [weights]`
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadTextEngine } from '../src/engine/text/engine.ts';
import { fold } from '../src/engine/text/fold.ts';
import { readPolicyWeights } from '../src/engine/text/policy-weights.ts';
import { SentenceEncoder, runsOf } from '../src/engine/text/sentence-encoder.ts';
import { tokenise } from '../src/engine/text/tokens.ts';

const root = join(import.meta.dirname, '..');
const rounds = Number(process.argv[2] ?? 9);
const weights = readPolicyWeights(process.argv[3] ?? join(root, 'data/models/policies.bin'));
if (weights.net === undefined) throw new Error('these weights have no net');

const prose = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md']
  .map((name) => readFileSync(join(root, name), 'utf8'))
  .join('\n');
const texts = Array.from({ length: Math.floor(prose.length / 1000) }, (_, i) =>
  prose.slice(i * 1000, (i + 1) * 1000),
);
const words = texts.map((text) => tokenise(fold(text).text).words);
const engine = await loadTextEngine();

const encodeWith = (encoder: SentenceEncoder) => () => {
  for (const each of words) for (const [from, to] of runsOf(each.length)) encoder.run(each, from, to);
};
const ways = {
  without: encodeWith(new SentenceEncoder({ ...weights, net: undefined })),
  with: encodeWith(new SentenceEncoder(weights)),
  detectors: () => {
    for (const text of texts) engine.analyse(text);
  },
};

/** Milliseconds of processor time a text. */
function costOf(way: () => void): number {
  const before = process.cpuUsage();
  way();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / texts.length;
}

const names = Object.keys(ways) as (keyof typeof ways)[];
for (const name of names) for (let i = 0; i < 3; i++) ways[name]();
const costs = { without: [], with: [], detectors: [] } as Record<keyof typeof ways, number[]>;
for (let i = 0; i < rounds; i++) for (const name of names) costs[name].push(costOf(ways[name]));
const median = (name: keyof typeof ways) =>
  costs[name].sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
const [without, withNet, detectors] = [median('without'), median('with'), median('detectors')];
console.log(`encoding 1,000 characters: ${without.toFixed(3)} ms, with the net ${withNet.toFixed(3)} ms`);
console.log(`ratio ${(withNet / without).toFixed(2)}`);
console.log(
  `nine detectors ${detectors.toFixed(3)} ms; custom policies add ${(withNet / detectors).toFixed(2)} of that, without the net ${(without / detectors).toFixed(2)}`,
);
