import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openOnnxBackend } from './onnx.ts';

let folder = '';
let model = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bulwark-onnx-'));
  model = join(folder, 'prompt-guard');
  await mkdir(model);
});
after(() => rm(folder, { recursive: true, force: true }));
const manifest = (value: unknown) => writeFile(join(model, 'bulwark.json'), JSON.stringify(value));

test('a folder without a manifest fails the start with what the manifest must contain', async () => {
  await assert.rejects(openOnnxBackend(model), {
    name: 'StartupError',
    message: /bulwark\.json cannot be used[\s\S]*"LABEL_1"/,
  });
});

test('a manifest whose labels name unknown detectors fails the start', async () => {
  await manifest({ labels: { LABEL_1: ['injections'] } });
  await assert.rejects(openOnnxBackend(model), { name: 'StartupError', message: /prompt-injection/ });
});

test('a package that is not installed is named, with the command that installs it', async () => {
  await manifest({ labels: { LABEL_1: ['prompt-injection'] } });
  using _ = packageIs(join(folder, 'missing.mjs'));
  await assert.rejects(openOnnxBackend(model), {
    name: 'StartupError',
    message: /npm install @huggingface\/transformers/,
  });
});

/** Replaces the package, which operators install themselves, with a file of the test. */
function packageIs(file: string): Disposable {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === '@huggingface/transformers'
        ? { url: pathToFileURL(file).href, shortCircuit: true }
        : next(specifier, context),
  });
  return { [Symbol.dispose]: () => hooks.deregister() };
}

/** Only the part of the package's interface that is used. */
const standIn = (parent: string) => `
  export const env = { allowRemoteModels: true, localModelPath: '/models/' };
  export async function pipeline(task, name, options) {
    if (env.allowRemoteModels) throw new Error('would download');
    if (env.localModelPath !== ${JSON.stringify(parent)}) throw new Error('elsewhere: ' + env.localModelPath);
    if (task !== 'text-classification' || name !== 'prompt-guard' || options.dtype !== 'fp32')
      throw new Error(JSON.stringify([task, name, options]));
    return async (texts, { top_k }) => {
      if (top_k !== null) throw new Error('all labels are wanted');
      if (texts.some((text) => text.includes('hang'))) await new Promise(() => {});
      return texts.map((text) => {
        const score = text.includes('needle') ? 0.97 : 0.01;
        return [{ label: 'BENIGN', score: 1 - score }, { label: 'INJECTION', score }];
      });
    };
  }`;

test('labels of the model are scores of the detectors that the manifest names', async () => {
  const file = join(folder, 'transformers.mjs');
  await writeFile(file, standIn(folder));
  await manifest({ labels: { INJECTION: ['prompt-injection', 'jailbreak-attempt'] }, dtype: 'fp32' });
  using _ = packageIs(file);
  const backend = await openOnnxBackend(model);
  const policy = (detector: 'prompt-injection' | 'violence-abuse') => ({
    name: detector,
    description: '',
    blockActivities: [],
    safeActivities: [],
    detector,
  });
  assert.equal(backend.covers(policy('prompt-injection')), true);
  assert.equal(backend.covers(policy('violence-abuse')), false);
  const judge = async (text: string, readings: string[] = [], ms = 60_000) => {
    const material = {
      tenantId: 't',
      text,
      messages: [],
      readings,
      mayCache: false,
      remainingMs: () => ms,
    };
    const [answer] = await backend.judge(material, [policy('prompt-injection')]);
    assert.ok(answer);
    return 'failure' in answer ? answer.failure : answer.probabilities.medium;
  };
  const readsWhole = async (characters: number) => {
    const material = { tenantId: 't', text: 'x'.repeat(characters), messages: [], readings: [] };
    const [answer] = await backend.judge({ ...material, mayCache: false, remainingMs: () => 60_000 }, [
      policy('prompt-injection'),
    ]);
    return answer !== undefined && 'isWhole' in answer && answer.isWhole;
  };
  assert.deepEqual([await readsWhole(98_000), await readsWhole(99_000)], [true, false]);
  assert.equal(await judge('A needle.'), 0.97);
  assert.equal(await judge('Hay.'), 0.01);
  assert.equal(await judge('aGF5', ['a needle, decoded']), 0.97);
  const hay = 'Hay and straw. '.repeat(2000);
  assert.equal(await judge(`${hay}A needle. ${hay}`), 0.97, 'a long text is judged completely');
  assert.equal(await judge('It will hang.', [], 50), 'onnx_timeout');
});
