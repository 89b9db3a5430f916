import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const file = join(import.meta.dirname, '../../../../../data/training/assistant-traffic.jsonl');
/** Every seventh row is used: about 130 texts. */
const stride = 7;

const Row = z.object({ text: z.string(), labels: z.record(z.string(), z.int().nullable()) });

let texts: readonly string[] | undefined;

/** Harmless messages of many jobs, as an assistant gets them all day; the same ones each time. */
export function everydayTexts(): readonly string[] {
  texts ??= readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .filter((_line, i) => i % stride === 0)
    .map((line) => Row.parse(JSON.parse(line)))
    .filter(({ labels }) => Object.values(labels).every((label) => label === 0))
    .map(({ text }) => text);
  return texts;
}
