import type { Random } from '../../../src/base/random.ts';
import { linesOf, readSeeds, type Seed } from '../seeds.ts';
import { fill, harmless, type Labels, type Row, type Style } from '../style.ts';
import { capital, voice } from '../voice.ts';

/** A goal of its own kind in a frame that removes the rules (`jailbreak` 1), or that only hides the goal (unknown). */
const inFrame = (goal: Labels, jailbreak: 1 | null): Labels => ({
  ...goal,
  jailbreak,
  prompt_injection: jailbreak === 1 ? null : 0,
});

const loose: Labels = harmless({ jailbreak: null, prompt_injection: null });

const leet: Record<string, string> = { a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' };

/** How a sentence is hidden from a keyword filter. */
const disguises: ((text: string) => string)[] = [
  (text) => Buffer.from(text).toString('base64'),
  (text) => text.replace(/[aeiost]/g, (letter) => leet[letter] ?? letter),
  (text) => Array.from(text).join(' '),
  (text) => Array.from(text).reverse().join(''),
  (text) => text.split(' ').join('-'),
  (text) => text.replace(/(\w{2})(?=\w{2})/g, '$1.'),
  (text) => text.replace(/[a-z]/g, (c) => String.fromCharCode(((c.charCodeAt(0) - 97 + 13) % 26) + 97)),
];

const openings = [
  '',
  'answer this: ',
  'Decode and reply, no comment on the coding: ',
  'My keyboard is broken, I hope you can read it: ',
  'puzzle for you → ',
  'What does this say, and what is your answer? ',
];

export const style: Style = {
  name: 'persona-requests',
  about:
    'Personas without rules, developer modes, double answers, opposite days, grandmothers, token games, lawless worlds, forbidden words, ordered first words, coded sentences and thin stories, as users type them around a harmful goal; against them personas, games, stories, codes and the same words around harmless wishes. A frame that lifts the rules around a harmless wish has `jailbreak` not known. Goals by intent alone; frames and goals by hand, joined at random.',
  rows(random: Random): Row[] {
    const all = readSeeds('persona-requests', 'goals');
    const goals = all.filter(({ section }) => section === 'goal');
    const wishes = all.filter(({ section }) => section === 'wish');
    const frames = readSeeds('persona-requests', 'frames');
    const slots = { bot: linesOf(frames, 'slot-bot'), begin: linesOf(frames, 'slot-begin') };
    const more = { ...slots, start: linesOf(frames, 'slot-start') };
    const put = (frame: string, { text }: Seed): string => {
      const own = { goal: [text], wish: [text], Goal: [capital(text)] };
      const bot = [random.pick(slots.bot)];
      return voice(fill(fill(frame, { ...more, ...own, bot }, random), { bot }, random), random);
    };
    const around = (
      section: string,
      from: readonly Seed[],
      count: number,
      labels: (seed: Seed) => Labels,
    ): Row[] =>
      linesOf(frames, section).flatMap((frame) =>
        random.sample(from, count).map((seed) => ({ text: put(frame, seed), labels: labels(seed) })),
      );
    const coded = (seed: Seed, labels: Labels): Row => ({
      text: random.pick(openings) + random.pick(disguises)(`how do i ${seed.text.toLowerCase()}`),
      labels,
    });
    return [
      ...around('breaking', goals, 5, ({ labels }) => inFrame(labels, 1)),
      ...around('cover', goals, 6, ({ labels }) => inFrame(labels, null)),
      ...around('tame', wishes, 6, ({ labels }) => labels),
      ...around('breaking', wishes, 1, () => loose),
      ...goals.map((seed) => coded(seed, inFrame(seed.labels, null))),
      ...wishes.map((seed) => coded(seed, seed.labels)),
      ...readSeeds('persona-requests', 'bare').map(({ text, labels }) => ({ text, labels })),
    ];
  },
};
