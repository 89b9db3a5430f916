/**
 * Answers by people and by one model to real questions, whole, as what complying looks like: long, careful, with
 * warnings and advice. Of the unlabelled corpus of the data sets folder.
 */
import { createHash } from 'node:crypto';
import type { Random } from '#base/random.ts';
import type { Reply } from './compose.ts';
import { linesOf } from './corpus.ts';

const files = ['medquad', 'counsel-chat', 'aider-chat'];
const each = 250;
const leastCharacters = 80;
const mostCharacters = 1600;

/** The other half of the lines is for measuring. */
const isForMeasuring = (line: string) => createHash('sha256').update(line).digest().readUInt8() % 2 === 1;

const asked = /^([^\n]{4,300}\?)\s*\n+([\s\S]+)$/;

/** A line is a question, an empty line and the answer; other lines are left out. */
function* answersOf(folder: string, name: string, measuring: boolean): Generator<Reply> {
  for (const line of linesOf(folder, name)) {
    if (isForMeasuring(line) !== measuring) continue;
    const [, request, reply] = asked.exec(line.replaceAll('\\n', '\n').replaceAll(' - ', '\n- ')) ?? [];
    if (request === undefined || reply === undefined || reply.length < leastCharacters) continue;
    yield { lang: 'en', label: 'none', style: name, kind: 'answer', request, reply: reply.trim() };
  }
}

/** Some are cut off in the middle, as where a model had no more tokens. */
export const readAnswers = (folder: string, random: Random, measuring = false): Reply[] =>
  files.flatMap((name) =>
    random.sample([...answersOf(folder, name, measuring)], each).map((answer) => ({
      ...answer,
      reply: answer.reply.slice(
        0,
        random.next() < 0.5 ? leastCharacters + random.below(mostCharacters) : mostCharacters,
      ),
    })),
  );
