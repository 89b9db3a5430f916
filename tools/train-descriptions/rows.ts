/** What the judge of descriptions is trained on: sentences of templates, tools of public servers, evaluation servers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { DescribedTool } from '#engine/descriptions/tool.ts';
import { textsOf } from '#engine/descriptions/tool.ts';
import { type Place, type Unit, unitsOf, spelledOut } from '#engine/descriptions/units.ts';
import { Random } from '#base/random.ts';
import { expand, readTemplates, readWords, type Template } from './templates.ts';
import { jsonLines } from '../json-lines.ts';

export interface Row {
  unit: Unit;
  /** 1: steers the model against its user. */
  label: 0 | 1;
  weight: number;
  /** Rows of one group are held out together: a manner of templates, a repository, a set. */
  group: string;
}

export interface LabelledTool {
  tool: DescribedTool;
  label: 0 | 1;
  group: string;
  /** The sentence that steers, or stands in the place of one, where it is known. */
  order?: string;
}

interface SetRow {
  server_name: string;
  tool_name: string;
  tool_description: string;
  input_schema: unknown;
  label: 0 | 1;
  repo?: string;
  kind?: string;
}

/** Tools of one file of the data sets folder. */
export function readSet(folder: string, name: string): LabelledTool[] {
  const text = gunzipSync(readFileSync(join(folder, 'mcp', `${name}.jsonl.gz`))).toString('utf8');
  return (jsonLines(text) as SetRow[]).map((row) => ({
    tool: {
      name: row.tool_name,
      kind: 'tool',
      description: row.tool_description,
      inputSchema: row.input_schema,
    },
    label: row.label,
    group: name === 'public_servers' ? (row.repo ?? row.server_name) : name,
  }));
}

/** Definitions in the manner of `test/fixtures/tool-descriptions`. */
export function readFixture(path: string): (LabelledTool & { manner: string })[] {
  const rows = jsonLines(readFileSync(path, 'utf8')) as {
    poisoned: boolean;
    manner?: string;
    kind?: string;
    tool: Omit<DescribedTool, 'kind'>;
  }[];
  return rows.map(({ poisoned, kind = '', manner = kind, tool }) => ({
    tool: { ...tool, kind: 'tool' },
    label: poisoned ? 1 : 0,
    group: manner.replace(/\/.*/, ''),
    manner,
  }));
}

const unitsOfTool = (tool: DescribedTool): Unit[] => textsOf(tool).flatMap(unitsOf);

const placesOf = (manner: string, random: Random): Place | 'name' => {
  const draw = random.next();
  if (/modes-and-enums|default-enum/.test(manner)) return draw < 0.8 ? 'value' : 'argument';
  if (/argument|format/.test(manner)) return draw < 0.65 ? 'argument' : 'description';
  return draw < 0.55 ? 'description' : draw < 0.82 ? 'argument' : draw < 0.91 ? 'value' : 'name';
};

const fieldOf: Record<Place, string> = {
  description: 'description',
  argument: 'input_schema.properties.value.description',
  value: 'input_schema.properties.value.default',
};

/** Carelessly written: lower case, no full stop, a letter lost. */
function careless(text: string, random: Random): string {
  const draw = random.next();
  if (draw < 0.04) return text.toUpperCase();
  if (draw < 0.12) return text.toLowerCase().replaceAll(/[.']/g, '');
  if (draw < 0.16) {
    const at = 1 + random.below(Math.max(1, text.length - 2));
    return text.slice(0, at) + text.slice(at + 1);
  }
  return text;
}

function ofTemplate(template: Template, sentence: string, random: Random): Unit {
  const place = placesOf(template.manner, random);
  if (place === 'name')
    return {
      place: 'value',
      field: fieldOf.value,
      text: spelledOut(sentence.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '_')),
    };
  return { place, field: fieldOf[place], text: careless(sentence, random) };
}

export interface RowOptions {
  /** Sentences of each template. */
  copies: number;
  seed: number;
}

const poisoned = [
  'poisoned-1',
  'poisoned-2',
  'poisoned-3',
  'poisoned-4',
  'poisoned-5',
  'poisoned-6',
  'poisoned-7',
];
const harmless = ['harmless-1', 'harmless-2', 'harmless-3', 'harmless-4', 'harmless-5'];

/** Sentences of all templates, alone and after another one. */
export function templateRows({ copies, seed }: RowOptions): Row[] {
  const random = new Random(seed);
  const words = readWords();
  const [bad, good] = [poisoned, harmless].map((files) => files.flatMap(readTemplates)) as [
    Template[],
    Template[],
  ];
  const abroad = readTemplates('abroad');
  bad.push(
    ...abroad.filter(({ manner }) => manner === 'poisoned').map((each) => ({ ...each, manner: 'abroad' })),
  );
  good.push(
    ...abroad
      .filter(({ manner }) => manner === 'harmless')
      .map((each) => ({ ...each, manner: 'abroad-harmless' })),
  );
  const plain = good.filter(({ manner }) => !/modes|abroad/.test(manner));
  const write = ({ text }: Template) => expand(text, words, random);
  const rows: Row[] = [];
  for (const [templates, label] of [
    [bad, 1],
    [good, 0],
  ] as const)
    for (const template of templates)
      for (let i = 0; i < copies; i++) {
        const sentence = write(template);
        if (!/\p{L}{2}/u.test(sentence)) continue;
        const unit = ofTemplate(template, sentence, random);
        const group = `${label === 1 ? 'bad' : 'good'} ${template.manner}`;
        rows.push({ unit, label, weight: template.manner === 'blunt' ? 2 : 1, group });
        if (i % 2 === 1) continue;
        // Some stand behind a description that has no full stop.
        const before = write(random.pick(plain)).replace(random.next() < 0.3 ? /\.$/ : /$^/, '');
        rows.push({ unit: { ...unit, text: `${before} ${unit.text}` }, label, weight: 0.7, group });
      }
  return rows;
}

/** Every sentence of tools that are known to be harmless. */
export const harmlessRows = (tools: readonly LabelledTool[], weight: number): Row[] =>
  tools
    .filter(({ label }) => label === 0)
    .flatMap(({ tool, group }) =>
      unitsOfTool(tool).map((unit) => ({ unit, label: 0 as const, weight, group })),
    );

/** Descriptions that are poisoned as a whole and short: their sentences, weakly. */
export const poisonedRows = (tools: readonly LabelledTool[], weight: number): Row[] =>
  tools
    .filter(({ label }) => label === 1)
    .flatMap(({ tool, group }) => {
      const units = unitsOfTool(tool).filter(({ place }) => place === 'description');
      return units.length > 3 ? [] : units.map((unit) => ({ unit, label: 1 as const, weight, group }));
    });

/** Authors whose definitions are learned from. The sixth author's, and the kept halves of the eighth's and ninth's, never are. */
export const handNames = [
  'by-another-hand',
  'by-a-second-hand',
  'by-a-fourth-hand',
  'by-a-fifth-hand',
  'by-an-eighth-hand-developed',
  'by-a-ninth-hand-developed',
] as const;

const fixtureOf = (name: string): string =>
  join(import.meta.dirname, `../../test/fixtures/tool-descriptions/${name}.jsonl`);

/** Tools of which a definition is kept apart: their others would make it known. */
const keptNames = (name: string): ReadonlySet<string> =>
  new Set(
    name.includes('a-ninth')
      ? readFixture(fixtureOf(name.replace('-developed', '-kept'))).map(({ tool }) => tool.name)
      : [],
  );

/** Definitions by one author, as one group. */
export function readHand(name: string): LabelledTool[] {
  const kept = keptNames(name);
  return readFixture(fixtureOf(name))
    .filter(({ tool }) => !kept.has(tool.name))
    .map(({ tool, label }) => ({ tool, label, group: `hand ${name}` }));
}

/** Rows of `data/training` about injections, by their own labels. */
export function textRows(names: readonly string[], weight: number): Row[] {
  const folder = join(import.meta.dirname, '../../data/training');
  return names.flatMap((name) =>
    (
      jsonLines(readFileSync(join(folder, `${name}.jsonl`), 'utf8')) as {
        text: string;
        labels: { prompt_injection: number | null };
      }[]
    ).flatMap(({ text, labels }): Row[] => {
      const label = labels.prompt_injection;
      if (label === null || (label === 1 && text.length > 220) || text.length > 600) return [];
      return [
        {
          unit: { place: 'description', field: 'description', text },
          label: label === 1 ? 1 : 0,
          weight,
          group: name,
        },
      ];
    }),
  );
}
