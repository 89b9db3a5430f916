/** Labelled replies by other authors than the seeds': one hand is left out at a time, to see what the others say about it. */
import { readFileSync } from 'node:fs';
import type { Reply } from './compose.ts';

/** In the order in which they were written. `by-a-sixth-hand` is never trained on. */
export const handNames = [
  'by-another-hand',
  'by-a-third-hand',
  'by-a-fourth-hand',
  'by-a-fifth-hand',
  'by-a-seventh-hand',
] as const;

/** Content that is left out; only answers have it, so nothing may be learned from it. */
const masks = /\[[^\][]{0,80}(?:…|\.\.)[^\][]{0,80}\]/g;

export const readReplies = (path: string | URL): Reply[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ kind: '', ...(JSON.parse(line) as Partial<Reply>) }) as Reply);

/** The replies of one hand, without masks. */
export const readHand = (name: string): Reply[] =>
  readReplies(new URL(`../../test/fixtures/replies/${name}.jsonl`, import.meta.url)).map((reply) => ({
    ...reply,
    kind: name,
    reply: reply.reply.replaceAll(masks, ' '),
  }));
