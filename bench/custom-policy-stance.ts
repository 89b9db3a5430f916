/**
 * What the convolutional reader of stance costs custom policies: processor time of encoding texts of 1,000 characters, of
 * the net's part of it, and of the nine detectors on the same texts, taken in turns.
 *
 * `node bench/custom-policy-stance.ts [rounds] [weights]`
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadTextEngine } from '../src/engine/text/engine.ts';
import { fold } from '../src/engine/text/fold.ts';
import { readPolicyWeights } from '../src/engine/text/policy-weights.ts';
import { SentenceEncoder, runsOf } from '../src/engine/text/sentence-encoder.ts';
import { StanceNet } from '../src/engine/text/stance-net.ts';
import { tokenise } from '../src/engine/text/tokens.ts';

const root = join(import.meta.dirname, '..');
const rounds = Number(process.argv[2] ?? 9);
const weights = readPolicyWeights(process.argv[3] ?? join(root, 'data/models/policies.bin'));

const prose = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md']
  .map((name) => readFileSync(join(root, name), 'utf8'))
  .join('\n');
const texts = Array.from({ length: Math.floor(prose.length / 1000) }, (_, i) =>
  prose.slice(i * 1000, (i + 1) * 1000),
);
const words = texts.map((text) => tokenise(fold(text).text).words);
const engine = await loadTextEngine();

const encoder = new SentenceEncoder(weights);
const net = new StanceNet(weights.net, weights.header);
const runs = words.flatMap((each) => [...runsOf(each.length)].map(([from, to]) => each.slice(from, to)));
const rows = runs.map((run) => Int32Array.from(run, (word) => weights.words.row(word)));
const ways = {
  encoding: () => {
    for (const run of runs) encoder.run(run, 0, run.length);
  },
  net: () => {
    for (const [i, run] of runs.entries()) net.logit(run, rows[i] ?? new Int32Array(0));
  },
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
const costs = { encoding: [], net: [], detectors: [] } as Record<keyof typeof ways, number[]>;
for (let i = 0; i < rounds; i++) for (const name of names) costs[name].push(costOf(ways[name]));
const median = (name: keyof typeof ways) =>
  costs[name].sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
const [encoding, ofNet, detectors] = [median('encoding'), median('net'), median('detectors')];
console.log(`encoding 1,000 characters: ${encoding.toFixed(3)} ms, of it the net ${ofNet.toFixed(3)} ms`);
console.log(`nine detectors ${detectors.toFixed(3)} ms; ratio ${(encoding / detectors).toFixed(2)}`);
