import { linesOf, readSeeds } from '../seeds.ts';
import { harmless, type Labels, type Row, type Style } from '../style.ts';
import type { Random } from '../../../src/base/random.ts';

const injected: Labels = harmless({
  prompt_injection: 1,
  jailbreak: null,
  general_harmful: null,
  unethical_illegal: null,
});

/** A table generated from columns and their cells, in one of three notations. */
function table(source: string, random: Random): string {
  const [head = '', ...rest] = source.split(' = ');
  const columns = head.split(' | ');
  const cells = rest
    .join(' = ')
    .split(' | ')
    .map((column) => column.split(';'));
  const rows = Array.from({ length: 3 + random.below(9) }, () => cells.map((column) => random.pick(column)));
  const notation = random.below(3);
  if (notation === 2) return [columns, ...rows].map((row) => row.join(',')).join('\n');
  const line = (row: readonly string[]) => `| ${row.join(' | ')} |`;
  const rule = notation === 0 ? [line(columns.map(() => '---'))] : [];
  return [line(columns), ...rule, ...rows.map(line)].join('\n');
}

/** One or several parts of one kind, as in a document. */
function document(parts: Record<string, readonly string[]>, kind: string, random: Random): string {
  const some = parts[kind] ?? [];
  if (kind === 'table') return table(random.pick(some), random);
  const count = kind === 'mail' ? 1 : 1 + random.below(3);
  return random.sample(some, count).join(kind === 'news' ? ' ' : '\n\n');
}

/** The instruction at the beginning, at the end, or after a line or sentence in between. */
function withOrder(text: string, order: string, random: Random): string {
  const roll = random.next();
  if (roll < 0.25) return `${order}\n${text}`;
  if (roll < 0.5) return `${text}\n${order}`;
  const places = [...text.matchAll(/\n|(?<=[.!]) /g)].map(({ index }) => index);
  if (places.length === 0) return `${text} ${order}`;
  const at = random.pick(places);
  return `${text.slice(0, at)}${random.pick(['\n', ' '])}${order}${text.slice(at)}`;
}

const kinds = ['table', 'table', 'code', 'code', 'mail', 'news'];
const count = 420;

export const style: Style = {
  name: 'tables-and-code',
  about:
    'Tables, code with advice, mails and news as an assistant is given them, clean and with an order or a request put in that has nothing to do with them: what tells an injection is the order, not the form. Parts by hand, put together by a program.',
  rows(random) {
    const seeds = readSeeds('tables-and-code', 'parts');
    const parts = Object.fromEntries(
      ['table', 'code', 'mail', 'news'].map((kind) => [kind, linesOf(seeds, kind)]),
    );
    const orders = linesOf(seeds, 'inserted');
    return Array.from({ length: count }, (_, at): Row[] => {
      const clean = document(parts, kinds[at % kinds.length] ?? 'table', random);
      const other = document(parts, kinds[at % kinds.length] ?? 'table', random);
      return [
        { text: clean, labels: harmless() },
        { text: withOrder(other, random.pick(orders), random), labels: injected },
      ];
    }).flat();
  },
};
