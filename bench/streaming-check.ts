/**
 * Measures what a streaming check adds to each piece of a model's output: pieces of four characters, about the size
 * of tokens, through the nine detectors with the standard window. Limit: 2 ms per piece, on average and for 99 of 100
 * pieces. Also prints how the time per character grows from a short text to one sixteen times as long: 1 is linear.
 *
 *   node bench/streaming-check.ts
 *
 * Measures wall-clock time: results mean nothing on a machine that is busy with other work.
 */
import { detectorSlugs, loadTextEngine } from '#engine/text/engine.ts';
import type { DetectorSlug } from '#engine/text/types.ts';
import { judge } from '#services/policy-guard/judging/embedded/judge.ts';
import { WindowedCheck } from '#services/policy-guard/apis/stream/windowed-check.ts';
import { texts } from './policy-guard-server.ts';

const limitMs = 2;
const bounds = { window: 1000, step: 200, holdBack: 0 };
const tokenCharacters = 4;

const engine = await loadTextEngine();
const sourceOf = (detector: DetectorSlug) => ({
  name: detector,
  description: '',
  blockActivities: [],
  safeActivities: [],
  detector,
});
const policies = detectorSlugs.map((detector) => ({
  name: detector,
  source: sourceOf(detector),
  compiled: engine.compile(sourceOf(detector)),
}));
const sets = [{ policies, sensitivity: { threshold: 1, strictnessLevel: 'medium' } as const }];
const judgeWindow = async (text: string) => {
  await judge(engine, { text, messages: [] }, sets);
  return undefined;
};

/** Milliseconds of each piece. */
async function stream(text: string): Promise<number[]> {
  const check = new WindowedCheck<never>(bounds, judgeWindow);
  const times: number[] = [];
  for (let at = 0; at < text.length; at += tokenCharacters) {
    const begun = performance.now();
    await check.append(text.slice(at, at + tokenCharacters), () => undefined);
    times.push(performance.now() - begun);
  }
  return times;
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
const all = texts.join(' ');
await stream(all);
const times = await stream(all);
const sorted = times.toSorted((a, b) => a - b);
const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
const mean = sum(times) / times.length;
const short = all.slice(0, all.length / 16);
const perCharacter = async (text: string) => sum(await stream(text)) / text.length;
await perCharacter(short);
const growth = (await perCharacter(all)) / (await perCharacter(short));

const judged = times.filter((_, i) => ((i + 1) * tokenCharacters) % bounds.step === 0).sort((a, b) => a - b);
const median = judged[Math.floor(judged.length / 2)] ?? 0;

console.log(`${times.length} pieces of ${tokenCharacters} characters:`);
console.log(`added to a piece, mean ${mean.toFixed(3)} ms (${(mean / limitMs).toFixed(2)} of its limit)`);
console.log(`added to a piece, p99  ${p99.toFixed(3)} ms (${(p99 / limitMs).toFixed(2)} of its limit)`);
console.log(
  `a piece that is judged with its window, median ${median.toFixed(3)} ms, most ${(judged.at(-1) ?? 0).toFixed(3)} ms`,
);
console.log(`a character of ${all.length} costs ${growth.toFixed(2)} times one of ${short.length}`);
process.exitCode = mean <= limitMs && p99 <= limitMs ? 0 : 1;
