import { linesOf, readSeeds, type Seed } from '../seeds.ts';
import type { Random } from '../../../src/base/random.ts';
import type { Row, Style } from '../style.ts';
import { voice } from '../voice.ts';

/** Sections whose lines can occur in the middle of a message, as [style, part, section]. */
const sections = [
  ['crisis-and-recovery', 'crisis', 'short'],
  ['crisis-and-recovery', 'recovery', 'recovery'],
  ['crisis-and-recovery', 'recovery', 'idiom'],
  ['crisis-and-recovery', 'recovery', 'feeling'],
  ['threats-and-hyperbole', 'threats', 'threat'],
  ['threats-and-hyperbole', 'threats', 'glorify'],
  ['threats-and-hyperbole', 'harmless', 'hyperbole'],
  ['threats-and-hyperbole', 'harmless', 'sport'],
  ['threats-and-hyperbole', 'harmless', 'news'],
  ['hate-functional', 'hateful-whole', 'whole'],
  ['hate-functional', 'harmless-whole', 'whole'],
  ['profanity-graded', 'rude', 'swear'],
  ['profanity-graded', 'rude', 'abuse'],
  ['profanity-graded', 'clean', 'anger'],
  ['sexual-graded', 'sexual', 'explicit'],
  ['sexual-graded', 'sexual', 'suggestive'],
  ['sexual-graded', 'harmless', 'relationship'],
  ['sexual-graded', 'harmless', 'health'],
] as const;

/** Number of lines taken from a section; a section has 10 to 45. */
const perSection = 26;

export const style: Style = {
  name: 'composed-messages',
  about:
    'A sentence that matters (crisis, threat, hate, swearing, sex, or its harmless counterpart) in the middle of a message about nothing in particular, so that one line among many is found and ordinary lines around it say nothing. The sentences are those of the styles by hand; those around are written for this style.',
  rows(random) {
    const around = readSeeds('composed-messages', 'around');
    const before = linesOf(around, 'before');
    const after = linesOf(around, 'after');
    const cores = sections.flatMap(([style, part, section]) =>
      random.sample(
        readSeeds(style, part).filter((seed) => seed.section === section),
        perSection,
      ),
    );
    return cores.map((core) => message(core, before, after, random));
  },
};

function message(core: Seed, before: readonly string[], after: readonly string[], random: Random): Row {
  const opening = random.sample(before, 1 + Math.floor(random.next() * 3));
  const closing = random.sample(after, Math.floor(random.next() * 3));
  const separator = random.next() < 0.25 ? '\n' : ' ';
  const text = [...opening, core.text, ...closing].join(separator);
  return { text: random.next() < 0.35 ? voice(text, random) : text, labels: core.labels };
}
