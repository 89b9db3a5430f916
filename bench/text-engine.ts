/**
 * Measures the embedded text engine in process: time to judge a text of 1,000 characters with nine detectors, time to
 * load, size of the weights, and the longest time that a megabyte of text blocks other work. Each is printed with its
 * limit.
 *
 * `node bench/text-engine.ts [texts]`; exits with 1 if a limit is exceeded.
 */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { detectorSlugs, loadTextEngine } from '../src/engine/text/engine.ts';

const root = join(import.meta.dirname, '..');
const count = Number(process.argv[2] ?? 2000);
const textLength = 1000;

let passed = false;
function report(name: string, value: number, limit: number, unit: string): void {
  if (value > limit) passed = true;
  const ratio = (value / limit).toFixed(2);
  console.log(`${name.padEnd(44)} ${value.toFixed(3).padStart(9)} ${unit}  ${ratio} of ${limit} ${unit}`);
}

const beforeLoad = performance.now();
const engine = await loadTextEngine();
report('loading', performance.now() - beforeLoad, 200, 'ms');
report('weights', statSync(join(root, 'data/models/text.bin')).size / 1e6, 8, 'MB');

const policies = detectorSlugs.map((detector) =>
  engine.compile({ name: detector, description: '', blockActivities: [], safeActivities: [], detector }),
);

/** Texts from the repository: prose, code, lists, and our training rows. */
function texts(): string[] {
  const files = [
    ...readdirSync(join(root, 'docs/decisions')).map((name) => join('docs/decisions', name)),
    ...readdirSync(join(root, 'src/engine/text')).map((name) => join('src/engine/text', name)),
  ];
  const all = files.map((name) => readFileSync(join(root, name), 'utf8')).join('\n');
  const rows = readFileSync(join(root, 'data/training/assistant-traffic.jsonl'), 'utf8').split('\n');
  const chat = rows
    .flatMap((row) => (row === '' ? [] : (JSON.parse(row) as { text: string }).text))
    .join('\n');
  const source = chat + all;
  return Array.from({ length: Math.floor(source.length / textLength) }, (_, i) =>
    source.slice(i * textLength, (i + 1) * textLength),
  );
}

const samples = texts();
const judge = (text: string) => {
  const analysis = engine.analyse(text);
  return policies.map((policy) => engine.score(analysis, policy).probability);
};
for (let i = 0; i < 300; i++) judge(samples[i % samples.length] ?? '');
const times = Array.from({ length: count }, (_, i) => {
  const begin = performance.now();
  judge(samples[(i * 31) % samples.length] ?? '');
  return performance.now() - begin;
}).sort((a, b) => a - b);
report('1,000 characters, nine detectors, median', times[Math.floor(count / 2)] ?? 0, 1, 'ms');
report('1,000 characters, nine detectors, p99', times[Math.floor(count * 0.99)] ?? 0, 3, 'ms');

const megabyte = samples.join(' ').repeat(20).slice(0, 1_000_000);
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const begin = performance.now();
await engine.analyseInTurns(megabyte);
delay.disable();
report('1 MB in turns, whole', performance.now() - begin, 5000, 'ms');
report('1 MB in turns, longest wait of other work', delay.max / 1e6, 50, 'ms');
process.exitCode = passed ? 1 : 0;
