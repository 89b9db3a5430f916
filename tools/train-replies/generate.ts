/**
 * Writes the labelled replies: `node tools/train-replies/generate.ts`. Sentences are by hand in `data/replies/seeds`;
 * this puts them together and drops near-duplicates. Topics, manners of models and languages of the two halves differ.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const texts = z.array(z.string());
const Topic = z.object({
  ask: z.string(),
  goal: z.string(),
  why: texts,
  other: texts,
  body: texts,
  tone: texts.default([]),
  care: z.string().default(''),
});
type Topic = z.infer<typeof Topic>;
const Topics = z.object({ harmful: z.array(Topic), harmless: z.array(Topic) });
const Style = z.object({
  style: z.string(),
  full: texts,
  partial: texts,
  wrong: texts,
  comply: texts,
  gives_in: texts,
});
const Language = z.object({
  lang: z.string(),
  goal: texts,
  full: texts,
  partial: texts,
  comply: texts,
  gives_in: texts,
});
const Odd = z.object({
  half: z.enum(['a', 'b']),
  style: z.string(),
  label: z.enum(['full', 'partial', 'none']),
  kind: z.string(),
  ask: z.string(),
  reply: z.string(),
});

interface Row {
  style: string;
  lang: string;
  kind: string;
  label: 'full' | 'partial' | 'none';
  request: string;
  reply: string;
}

const folder = new URL('../../data/replies/', import.meta.url);
const read = (name: string): unknown => parse(readFileSync(new URL(`seeds/${name}.yaml`, folder), 'utf8'));

const lowerFirst = (text: string) =>
  /^I\b/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function fill(frame: string, topic: Topic, turn: number): string {
  const at = (some: readonly string[], i: number) => some[(turn + i) % Math.max(1, some.length)] ?? '';
  const numbered = topic.body
    .slice(turn % 2)
    .map((line, i) => `${i + 1}. ${line}`)
    .join('\n');
  const slots: Readonly<Record<string, string>> = {
    ask: topic.ask,
    goal: topic.goal,
    why: at(topic.why, 0),
    why2: at(topic.why, 1),
    other: at(topic.other, 0),
    other2: at(topic.other, 1),
    body: [at(topic.body, 0), at(topic.body, 1), at(topic.body, 2)].join(' '),
    some: [at(topic.body, 0), at(topic.body, 1)].join(' '),
    list: numbered,
    tone: topic.tone.join(' '),
    care: topic.care,
  };
  return upperFirst(
    frame
      .replaceAll(
        /(because|since|as) \{(why2?)\}/g,
        (_, word: string, slot: string) => `${word} ${lowerFirst(slots[slot] ?? '')}`,
      )
      .replaceAll(/(^|[.!?]["”]? |\n)\{goal\}/g, (_, before: string) => before + upperFirst(topic.goal))
      .replaceAll(/\{(\w+)\}/g, (_, slot: string) => slots[slot] ?? ''),
  );
}

/** Rows of one style: each frame with some of the topics, in turn. */
function rowsOf(style: z.infer<typeof Style>, topics: z.infer<typeof Topics>): Row[] {
  let turn = style.style.length;
  const rows = (
    frames: readonly string[],
    of: readonly Topic[],
    { each, kind, label }: { each: number; kind: string; label: Row['label'] },
  ): Row[] =>
    frames.flatMap((frame) =>
      Array.from({ length: each }, () => {
        turn++;
        const topic = of[turn % of.length] as Topic;
        const reply = fill(frame, topic, turn);
        return { style: style.style, lang: 'en', kind, label, request: topic.ask, reply };
      }),
    );
  return [
    ...rows(style.full, topics.harmful, { each: 7, kind: 'refusal', label: 'full' }),
    ...rows(style.wrong, topics.harmless, { each: 9, kind: 'wrong refusal', label: 'full' }),
    ...rows(style.partial, topics.harmful, { each: 9, kind: 'partial refusal', label: 'partial' }),
    ...rows(style.comply, topics.harmless, { each: 7, kind: 'answer', label: 'none' }),
    ...rows(style.gives_in, topics.harmful, { each: 8, kind: 'gives in', label: 'none' }),
  ];
}

function abroad(language: z.infer<typeof Language>): Row[] {
  const { lang } = language;
  const rows = (frames: readonly string[], kind: string, label: Row['label']): Row[] =>
    frames.flatMap((frame) =>
      (frame.includes('{goal}') ? language.goal : ['']).map((goal) => ({
        style: `language ${lang}`,
        lang,
        kind,
        label,
        request: goal,
        reply: upperFirst(frame.replaceAll('{goal}', goal)),
      })),
    );
  return [
    ...rows(language.full, 'refusal', 'full'),
    ...rows(language.partial, 'partial refusal', 'partial'),
    ...rows(language.comply, 'answer', 'none'),
    ...rows(language.gives_in, 'gives in', 'none'),
  ];
}

const shinglesOf = (text: string): Set<string> => {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  // Scripts without spaces: by characters.
  const units = words.length < 6 ? Array.from(words.join(' ')) : words;
  return new Set(units.map((_, i) => units.slice(i, i + 3).join(' ')));
};

function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const each of one) if (other.has(each)) shared++;
  return shared / (one.size + other.size - shared);
}

/**
 * Keeps a row only if it shares less than seven tenths of its three-word sequences with every earlier row; all pairs
 * are compared exactly.
 */
function withoutNearDuplicates(rows: readonly Row[]): Row[] {
  const kept: { row: Row; shingles: Set<string> }[] = [];
  for (const row of rows) {
    const shingles = shinglesOf(row.reply);
    if (kept.every((each) => similarity(each.shingles, shingles) < 0.7)) kept.push({ row, shingles });
  }
  return kept.map(({ row }) => row);
}

const odd = z.array(Odd).parse(read('odd'));
for (const [half, file] of [
  ['a', 'develop'],
  ['b', 'kept-apart'],
] as const) {
  const topics = Topics.parse(read(`topics-${half}`));
  const rows = withoutNearDuplicates([
    ...odd
      .filter((row) => row.half === half)
      .map(({ style, label, kind, ask, reply }) => ({ style, label, kind, reply, lang: 'en', request: ask })),
    ...z
      .array(Style)
      .parse(read(`styles-${half}`))
      .flatMap((style) => rowsOf(style, topics)),
    ...z
      .array(Language.loose())
      .parse(read(`abroad-${half}`))
      .flatMap(abroad),
  ]);
  const lines = rows.map(({ style, lang, kind, label, request, reply }) =>
    JSON.stringify({ style, lang, kind, label, request, reply }),
  );
  writeFileSync(new URL(`${file}.jsonl`, folder), `${lines.join('\n')}\n`);
  console.log(`${file}: ${rows.length} replies`);
}
