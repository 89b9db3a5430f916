/** Answers of tools, with and without an order to the program that reads them: hands, suites of agents, public sets, own rows. */
import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Random } from '#base/random.ts';
import { textsOf } from '#engine/descriptions/tool.ts';
import { fifthSuites, fifthSuitesLater } from '../../test/fixtures/action-traces/fifth-suites.ts';
import { fourthHarmless, fourthSuites } from '../../test/fixtures/action-traces/fourth-suites.ts';
import { otherSuites } from '../../test/fixtures/action-traces/other-suites.ts';
import { harmlessOrders, thirdSuites } from '../../test/fixtures/action-traces/third-suites.ts';
import { tracesOf } from '../../test/fixtures/action-traces/trace-suite.ts';
import { firstSuites } from '../../test/fixtures/action-traces/traces.ts';
import { readFixture } from '../train-descriptions/rows.ts';
import { jsonLines } from '../json-lines.ts';

export interface LabelledResult {
  text: string;
  /** 1: it tells the program that reads it what to do, against or beside its user. */
  label: 0 | 1;
  weight: number;
  /** Rows of one group are held out together. */
  group: string;
  kind: string;
  /** The words that order, or stand in the place of an order, where they are known. */
  order?: string;
}

/** In the order in which they were written. `by-a-sixth-hand` is never trained on. */
export const handNames = ['by-a-fourth-hand', 'by-a-fifth-hand'] as const;

/** Results in the manner of `test/fixtures/tool-results`. */
export function readHand(path: string | URL, group: string, weight: number): LabelledResult[] {
  const rows = jsonLines(readFileSync(path, 'utf8')) as {
    injected: boolean;
    kind: string;
    result: unknown;
    order?: string;
  }[];
  return rows.map(({ injected, kind, result, order }) => ({
    ...(order === undefined ? {} : { order }),
    text: typeof result === 'string' ? result : JSON.stringify(result),
    label: injected ? 1 : 0,
    weight,
    group,
    kind,
  }));
}

export const fixtureOf = (name: string): URL =>
  new URL(`../../test/fixtures/tool-results/${name}.jsonl`, import.meta.url);

type Suites = ReturnType<typeof tracesOf>;

/** The answers of the tools of traces; the one before the unsafe step carries the order. */
function ofSuites(group: string, { attacks, benign }: Suites, most: number): LabelledResult[] {
  const random = new Random(group);
  const ofAttack = attacks.flatMap(({ steps, from, wording }): LabelledResult[] => {
    const text = steps[from - 1]?.toolOutput;
    return typeof text === 'string' && text !== ''
      ? [{ text, label: 1, weight: 1, group, kind: wording }]
      : [];
  });
  const ofBenign = benign.flatMap(({ steps }) =>
    steps.flatMap(({ toolOutput }): LabelledResult[] =>
      typeof toolOutput === 'string' && toolOutput !== ''
        ? [{ text: toolOutput, label: 0, weight: 1, group, kind: 'harmless' }]
        : [],
    ),
  );
  return [ofAttack, ofBenign].flatMap((rows) => {
    const some = [...new Map(rows.map((row) => [row.text, row])).values()];
    return random.sample(some, most);
  });
}

/** Answers of the suites that were written for the action guard: four authors' tasks and orders. */
export const suiteRows = (most: number): LabelledResult[] => [
  ...ofSuites('first suites', tracesOf(firstSuites), most),
  ...ofSuites('other suites', tracesOf(otherSuites), most),
  ...ofSuites('third suites', tracesOf(thirdSuites), most),
  ...ofSuites('fourth suites', tracesOf(fourthSuites), most),
  ...ofSuites('fifth suites', fifthSuites(), most),
  ...ofSuites('fifth suites', fifthSuitesLater(), most),
  ...[tracesOf(harmlessOrders), tracesOf(fourthHarmless)].flatMap((suites) =>
    ofSuites('harmless orders', { ...suites, attacks: [] }, most),
  ),
];

export const definitionHands = [
  'by-another-hand',
  'by-a-second-hand',
  'by-a-fourth-hand',
  'by-a-fifth-hand',
] as const;

/**
 * Definitions of tools by other authors: what a poisoned one says to the model, an answer can say too. Harmless ones are
 * left out, since a definition may tell the model what to do.
 */
export const definitionRows = (names: readonly string[], weight: number): LabelledResult[] =>
  names.flatMap((name) =>
    readFixture(new URL(`../../test/fixtures/tool-descriptions/${name}.jsonl`, import.meta.url).pathname)
      .filter(({ label }) => label === 1)
      .map(({ tool, manner }) => ({
        text: textsOf(tool)
          .map(({ text }) => text)
          .join('\n'),
        label: 1,
        weight,
        group: name,
        kind: manner,
      })),
  );

interface TextRow {
  text: string;
  split?: string;
  labels: { prompt_injection: number | null };
}

const ofTexts = (rows: readonly TextRow[], group: string, weight: number): LabelledResult[] =>
  rows.flatMap(({ text, labels: { prompt_injection: label }, split }): LabelledResult[] =>
    label === null || split === 'eval' || text.length > 4000
      ? []
      : [{ text, label: label === 1 ? 1 : 0, weight, group, kind: group }],
  );

const ownNames = [
  'injection-carriers',
  'hidden-orders',
  'agent-injections',
  'document-orders',
  'agent-traffic',
  'about-attacks',
  'tables-and-code',
  'trigger-words-harmless',
];

/** Rows of `data/training` about orders in documents. */
export function ownRows(weight: number): LabelledResult[] {
  const folder = join(import.meta.dirname, '../../data/training');
  return ownNames.flatMap((name) =>
    ofTexts(
      (jsonLines(readFileSync(join(folder, `${name}.jsonl`), 'utf8')) as TextRow[]).filter(
        ({ labels }) => labels.prompt_injection === 0 || /carriers|hidden|agent/.test(name),
      ),
      'own rows',
      weight,
    ),
  );
}

const corpora = [
  'open-source-docs',
  'docs-other-languages',
  'reddit-posts',
  'medquad',
  'ubuntu-irc',
  'servicenow-docs',
  'splunk-security',
  'reddit-other-languages',
  'aider-chat',
  'owasp',
  'eips',
];

/**
 * Passages of ordinary text, each up to 2,000 characters, of which hardly any may be withheld: of each corpus those from
 * `first` to before `last` in a fixed random order.
 */
export function corpusRows(
  folder: string,
  [first, last]: readonly [number, number],
  weight: number,
): LabelledResult[] {
  return corpora.flatMap((name) => {
    const text = execFileSync('xz', ['-dc', join(folder, 'corpus', `${name}.txt.xz`)], {
      maxBuffer: 400_000_000,
      encoding: 'utf8',
    });
    return new Random(name)
      .sample(text.split('\n'), last)
      .slice(first)
      .flatMap((line): LabelledResult[] => {
        const body = line.replaceAll('\\n', '\n').slice(0, 2000);
        return body.length < 40
          ? []
          : [{ text: body, label: 0, weight, group: `corpus ${name}`, kind: name }];
      });
  });
}
