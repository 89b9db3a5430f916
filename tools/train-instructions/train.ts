/**
 * Fits the weights of the model of embedded instructions: `node tools/train-instructions/train.ts <data sets folder>
 * [--every 8] [--write]`. Prints first what the weights that are there find, then each source by weights that were fitted without it,
 * then suites that no weights are fitted on. `--write` replaces `data/models/embedded-instructions.json`. `--every` takes each n-th trace
 * alone, for a quick look. Deterministic.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  featureNames,
  type InstructionModel,
  trained,
} from '#engine/actions/instructions/instruction-model.ts';
import { loadTextEngine } from '#engine/text/engine.ts';
import { type Bag, bagsOf } from './examples.ts';
import { fit, logitOfBag } from './fit.ts';
import { testTraces, trainingTraces } from './traces.ts';

const [folder = '', ...flags] = process.argv.slice(2);
/** Of harmless calls; the default set has other rules that flag some too. */
const share = 0.007;

const percent = (part: number, whole: number) =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} % of ${whole}`;

function print(title: string, bags: readonly Bag[], model: InstructionModel): void {
  console.log(`\n${title}`);
  for (const [source, group] of Map.groupBy(bags, ({ trace }) => trace.source)) {
    const harmless = group.filter(({ isUnsafe }) => !isUnsafe);
    const flagged = harmless.filter((bag) => logitOfBag(bag, model) > 0);
    const clean = harmless.filter(({ trace }) => trace.unsafe.length === 0);
    const tasks = new Set(clean.map(({ trace }) => trace));
    const flaggedTasks = new Set(
      flagged.filter(({ trace }) => trace.unsafe.length === 0).map(({ trace }) => trace),
    );
    const unsafe = group.filter(({ isUnsafe }) => isUnsafe);
    const wordings = [...Map.groupBy(unsafe, ({ trace }) => trace.wording)].map(([wording, list]) => {
      const found = list.filter((bag) => logitOfBag(bag, model) > 0).length;
      return { wording, share: found / list.length, text: `${wording} ${percent(found, list.length)}` };
    });
    const found = unsafe.filter((bag) => logitOfBag(bag, model) > 0).length;
    const worst = wordings.toSorted((a, b) => a.share - b.share).slice(0, 4);
    console.log(
      `${source}: attacks ${percent(found, unsafe.length)} (worst wordings: ${worst.map(({ text }) => text).join(', ')}); harmless calls ${percent(flagged.length, harmless.length)}, harmless tasks ${percent(flaggedTasks.size, tasks.size)}`,
    );
  }
}

const every = flags.includes('--every') ? Number(flags[flags.indexOf('--every') + 1]) : 1;
const some = <T>(all: readonly T[]) => all.filter((_, at) => at % every === 0);

const text = await loadTextEngine();
const bags = bagsOf(some(trainingTraces(folder)), text);
const tests = bagsOf(some(testTraces()), text);
console.log(`${bags.length} bags to fit, ${tests.length} to test`);
print('the weights that are there', [...bags, ...tests], trained);

const sources = flags.includes('--write') ? [] : [...new Set(bags.map(({ trace }) => trace.source))];
for (const source of sources) {
  const model = fit(
    bags.filter(({ trace }) => trace.source !== source),
    share,
  );
  print(
    `without ${source}`,
    bags.filter(({ trace }) => trace.source === source),
    model,
  );
}

const model = fit(bags, share);
print('all sources, on suites that nothing was fitted on', tests, model);
const rounded = (value: number) => Number(value.toFixed(3));
const weights = Object.fromEntries(featureNames.map((name) => [name, rounded(model.weights[name])]));
console.log(JSON.stringify({ intercept: rounded(model.intercept), weights }, undefined, 2));
if (flags.includes('--write'))
  writeFileSync(
    join(import.meta.dirname, '../../data/models/embedded-instructions.json'),
    `${JSON.stringify({ intercept: rounded(model.intercept), weights }, undefined, 2)}\n`,
  );
