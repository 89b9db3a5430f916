/**
 * Whether any text takes a reader of texts far longer than others of its length: each reads each unit (a sign, a word, a
 * line) repeated up to a length and up to four times that length. A text that stops a process for seconds stops all
 * services in it. Printed are units that take more than eight times as long at four times the length, and units that
 * take more than thirty times as long as ordinary prose of the same length, in each of three rounds.
 *
 * `node bench/long-texts.ts [reader, all unless said] [characters of the shorter text, 8,000 unless said]`; exits with 1
 * if a unit is printed.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkTexts } from '#engine/descriptions/check-tool.ts';
import { activitiesOf, allowedActivity } from '#engine/documents/activities.ts';
import { normOf, permissionOf } from '#engine/documents/norms.ts';
import { passagesOf } from '#engine/documents/passages.ts';
import { redact } from '#engine/redact/redact.ts';
import { judgeReply } from '#engine/replies/judge.ts';
import { readCatalogue } from '#engine/shadow-ai/catalogue.ts';
import { createMatcher } from '#engine/shadow-ai/matcher.ts';
import { detectorSlugs, loadTextEngine } from '#engine/text/engine.ts';
import { findRules } from '#services/action-guard/extraction/find-rules.ts';
import { createOutputCheck } from '#services/agent-gateway/guarding/output-check.ts';
import { actionReaders } from './long-texts/action-readers.ts';

const engine = await loadTextEngine();
const detectors = detectorSlugs.map((detector) =>
  engine.compile({ name: detector, description: '', blockActivities: [], safeActivities: [], detector }),
);
const custom = engine.compile({
  name: 'Refunds',
  description: 'Do not promise refunds or credits to customers.',
  blockActivities: ['promising a refund'],
  safeActivities: ['explaining how refunds are asked for'],
});
const checkOutput = createOutputCheck(engine);
const programs = createMatcher(readCatalogue());

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  detectors: (text) => {
    const analysis = engine.analyse(text);
    return detectors.map((policy) => engine.score(analysis, policy));
  },
  'custom policy': (text) => engine.score(engine.analyse(text), custom),
  explanation: (text) => {
    const analysis = engine.analyse(text);
    const [policy = custom] = detectors;
    return engine.explain(analysis, [{ name: 'x', score: engine.score(analysis, policy) }]);
  },
  plainness: (text) => engine.readsPlainly(text),
  'tool description': (text) => checkTexts({ name: 'tool', kind: 'tool', description: text }),
  'tool result': async (text) => checkOutput({ result: { content: [{ type: 'text', text }] } }),
  redaction: (text) => redact(text, {}, (value) => value),
  'document of policies': (text) =>
    passagesOf(text).map((passage) => [
      normOf(passage),
      permissionOf(passage),
      activitiesOf(passage.text),
      allowedActivity(passage.text),
    ]),
  'document of rules': (text) => findRules(text),
  'path of a program': (text) => programs.matchProcess(`/bin/${text}/`, ''),
  'command line': (text) => programs.matchProcess('', `npx ${text}`),
  ...actionReaders,
  'reply of a model': (reply) => judgeReply({ expect: { kind: 'comply' }, request: 'Do it.', reply }),
  'leaks of a reply': (reply) =>
    judgeReply({
      expect: { kind: 'no_leak', kinds: ['email', 'phone', 'secret'] },
      request: 'Do it.',
      reply,
    }),
};

/** Printable signs, signs that join words, and what lists, tables, addresses, numbers and markup are made of. */
const units = [
  ...Array.from({ length: 95 }, (_, at) => String.fromCodePoint(32 + at)),
  '\n',
  '\r\n',
  '\t',
  '\u00a0',
  '\u200b',
  '\u0301',
  '\u0336',
  'é',
  'я',
  '中',
  'ا',
  '😀',
  '\u{E0041}',
  '\0',
  'a ',
  'a. ',
  'a\n',
  '1. ',
  '1-',
  '1 ',
  '12 ',
  '+_',
  '$(',
  '@/',
  '+@',
  'a@',
  'a.',
  'a-',
  'a_',
  'a,',
  'a:',
  '://',
  'a@b.',
  'a/',
  '../',
  '<a',
  '<a>',
  '<!--',
  '</',
  '[a](',
  '](',
  '&#',
  '&#1;',
  '%41',
  '=41',
  '\\u',
  '\\n',
  '\\x41',
  '"a',
  "'a",
  '"a" ',
  '“a',
  '```',
  '`a',
  '**',
  '* ',
  '- ',
  '| ',
  '|a',
  '#\n',
  '> ',
  '{"a":',
  '[[',
  '((',
  '{{',
  '{{a',
  '${',
  'Aa',
  'aB',
  'A ',
  'A. ',
  'Aa ',
  'AAAA ',
  'word ',
  'Word ',
  'never ',
  'do not ',
  'please ',
  'ignore ',
  'if ',
  'and ',
  'the user ',
  'send it to ',
  'must be ',
  'password ',
  'password: ',
  'secret=',
  'key ',
  'http://',
  'https://a',
  'www.',
  'user@',
  '0x',
  '00',
  '1,',
  '1.',
  '1e',
  '+1 ',
  '(1',
  '1/',
  '1:',
  '2026-',
  '01.01.',
  'DE',
  'DE1',
  'AB1-',
  'a-',
  'a_b_',
  '[\\',
  ',0,',
  '))',
  ': “',
  '/*',
  'only for ',
  'must ',
  'AAAA',
  'aGk=',
  'QUFB',
  'sk-',
  'ghp_',
  'eyJ',
  'eyJ.',
  'street ',
  '1 Street, ',
  'born ',
  'Mr. ',
  'Mr. A ',
  'Dr ',
  'name is ',
  'Tel',
  'i g n ',
  'i.g.',
  'i-',
  'i\u200b',
  '!?',
  '...',
  '… ',
  '—',
  '•\n',
  'Sentence one. ',
  'A: b\n',
  'user: a\n',
  'assistant: ',
  '</system>',
  '<system>',
  'begin\n\n',
  '\n\n',
  ' \n',
  '.\n',
  'x'.repeat(60) + ' ',
  'a'.repeat(300) + '\n',
  '<<a\n',
  'a=$a$a;',
  '{a,b}',
  '${a:-',
  'x@y.com,',
  '%2e',
  'select 1;',
  'update ',
  'update a set b = (',
  'update a set b = 1 ',
  'insert into a (',
  'insert into a on conflict do update set b = ( ',
  'into ',
  'copy a ',
  'grant x on ',
  '(select ',
  'with a as (',
  'from a, ',
  'join a on ',
  'a as b, ',
  "select 'a' || ",
  'pay 5 EUR ',
  'true\n',
  'echo a;',
  'rev;',
  'sh -c ',
  "q('",
  'you must ',
  'a.\n',
];

const [only = '', given = '8000'] = process.argv.slice(2);
const short = Number(given);
const mostOfShort = 8;
const mostOfProse = 30;
/** Less than this tells nothing. */
const leastMs = 40;

async function timeOf(read: (text: string) => unknown, text: string): Promise<number> {
  const start = process.cpuUsage();
  await read(text);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const repeated = (unit: string, length: number): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
/** With an end that nothing expects: a pattern for the end of a text that begins to match everywhere fails there. */
const ended = (unit: string, length: number): string => `${repeated(unit, length - 3)}\n\0=`;

/** Prose of this repository. */
const prose = repeated(
  readdirSync(join(import.meta.dirname, '../docs/decisions'))
    .map((name) => readFileSync(join(import.meta.dirname, '../docs/decisions', name), 'utf8'))
    .join('\n')
    .slice(0, short * 4),
  short * 4,
);

let slow = 0;
for (const [name, read] of Object.entries(readers).filter(([each]) => each.startsWith(only))) {
  await read(prose);
  const ordinary = Math.min(await timeOf(read, prose), await timeOf(read, prose));
  const measure = async (unit: string) => {
    const first = await timeOf(read, ended(unit, short));
    const long = await timeOf(read, ended(unit, short * 4));
    return { long, ofShort: long / Math.max(first, 1), ofProse: long / Math.max(ordinary, 1) };
  };
  const isSlow = ({ long, ofShort, ofProse }: Awaited<ReturnType<typeof measure>>) =>
    long > leastMs && (ofShort > mostOfShort || ofProse > mostOfProse);
  let longest = { unit: '', ofProse: 0 };
  for (const unit of units) {
    let each = await measure(unit);
    for (let round = 1; round < 3 && isSlow(each); round++) each = await measure(unit);
    if (each.ofProse > longest.ofProse) longest = { unit, ofProse: each.ofProse };
    if (!isSlow(each)) continue;
    slow++;
    console.log(
      `${name}: ${JSON.stringify(unit)} takes ${each.ofShort.toFixed(1)} times as long as a quarter of it, ${each.ofProse.toFixed(0)} times as long as prose (${each.long.toFixed(0)} ms)`,
    );
  }
  console.log(
    `${name}: ${units.length} units, ${short} and ${short * 4} characters; prose ${ordinary.toFixed(0)} ms, longest ${longest.ofProse.toFixed(1)} times as long (${JSON.stringify(longest.unit)})`,
  );
}
process.exitCode = slow > 0 ? 1 : 0;
