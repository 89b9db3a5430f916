/** Whole replies by hand, of `data/replies/seeds/whole.txt`. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Reply } from './compose.ts';

const Line = z.tuple([
  z.string().length(2),
  z.enum(['full', 'partial', 'none']),
  z.string().min(1),
  z.string().min(1),
  z.string().min(1),
]);

export function readWholeReplies(): Reply[] {
  return readFileSync(new URL('../../data/replies/seeds/whole.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => {
      const [lang, label, style, request, reply] = Line.parse(line.split('¦'));
      return { lang, label, style, request, reply: reply.replaceAll('\\n', '\n'), kind: 'by-hand' };
    });
}
