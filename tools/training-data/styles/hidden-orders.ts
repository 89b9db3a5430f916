import type { Random } from '../../../src/base/random.ts';
import { linesOf, readSeeds } from '../seeds.ts';
import { fill, harmless, type Labels, type Row, type Style } from '../style.ts';

const injected: Labels = harmless({
  prompt_injection: 1,
  jailbreak: null,
  general_harmful: null,
  unethical_illegal: null,
});

interface Carrier {
  heads: string[];
  tails: string[];
  /** The form of a note in it, with a `{note}` mark. */
  notes: string[];
  body: string[];
}

function carriers(): Carrier[] {
  const seeds = readSeeds('hidden-orders', 'carriers');
  return [...new Set(seeds.map(({ section }) => section))].map((section) => {
    const lines = linesOf(seeds, section);
    const marked = (mark: string): string[] =>
      lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(mark.length + 1));
    return {
      heads: marked('<<'),
      tails: marked('>>'),
      notes: marked('~~'),
      body: lines.filter((line) => !/^(<<|>>|~~)/.test(line)),
    };
  });
}

/** A document of its kind, with the note before, within or after the body, or without one. */
function document({ heads, tails, notes, body }: Carrier, random: Random, note?: string): string {
  const lines = random.sample(body, 2 + Math.floor(random.next() * (body.length - 2)));
  if (note !== undefined) {
    const place = random.next();
    const at = place < 0.3 ? 0 : place < 0.6 ? lines.length : Math.floor(random.next() * (lines.length + 1));
    lines.splice(
      at,
      0,
      random.pick(notes).replace('{note}', () => note),
    );
  }
  return [random.pick(heads), ...lines, random.next() < 0.7 ? random.pick(tails) : '']
    .filter((line) => line !== '')
    .join('\n');
}

export const style: Style = {
  name: 'hidden-orders',
  about:
    'Applications, reviews, invitations, tables, commits, logs, pages, tool answers, printed pages, chats, product texts, mails, tickets and forms whose lines are drawn anew for each row: with an order to a model at the beginning, in the middle or at the end (polite, urgent, as a system message, as data), with what people ask of people, and bare. Lines, orders and requests by hand, joined at random.',
  rows(random: Random): Row[] {
    const orders = readSeeds('hidden-orders', 'orders');
    const slots = {
      model: linesOf(orders, 'slot-model'),
      act: linesOf(orders, 'slot-act'),
      cover: linesOf(orders, 'slot-cover'),
    };
    const frames = linesOf(orders, 'order');
    const asked = linesOf(orders, 'innocent');
    const order = (): string => fill(random.pick(frames), slots, random);
    return carriers().flatMap((carrier) => [
      ...Array.from({ length: 3 }, () => ({ text: document(carrier, random), labels: harmless() })),
      ...random
        .sample(asked, 10)
        .map((note) => ({ text: document(carrier, random, note), labels: harmless() })),
      ...Array.from({ length: 12 }, () => ({ text: document(carrier, random, order()), labels: injected })),
    ]);
  },
};
