/** The detectors on texts that they were not trained on. */
import type { TextEngine } from '../../src/engine/text/engine.ts';
import { type DetectorSlug, detectorSlugs, type TextKind } from '../../src/engine/text/types.ts';
import { type LabelledRow, readDataSets } from '../train-text/rows.ts';
import { type Figure, type Goal, precisionOf, shareOf, type Row } from './figure.ts';
import { kindSets, type Material } from './material.ts';

/** Highest probability of each detector; a long text is judged in pieces, and the strongest counts. */
type Detect = (row: LabelledRow, kind?: TextKind) => Record<DetectorSlug, number>;

/** Weights of earlier versions of this repository come with an engine that knows less. */
export type AnyEngine = Pick<TextEngine, 'version' | 'compile' | 'analyse' | 'score'> &
  Partial<Pick<TextEngine, 'analysePieces'>>;

export function detectWith(engine: AnyEngine): Detect {
  const policies = detectorSlugs.map((detector) =>
    engine.compile({ name: detector, description: '', blockActivities: [], safeActivities: [], detector }),
  );
  return ({ text, context }, kind) => {
    const pieces =
      engine.analysePieces === undefined
        ? [engine.analyse(text, context)]
        : [...engine.analysePieces(text, context)].map(({ analysis }) => analysis);
    const best = policies.map((policy) =>
      Math.max(...pieces.map((piece) => engine.score(piece, policy, kind).probability)),
    );
    return Object.fromEntries(detectorSlugs.map((slug, d) => [slug, best[d] ?? 0])) as Record<
      DetectorSlug,
      number
    >;
  };
}

interface Judged {
  row: LabelledRow;
  score: number;
}

const lengths = [60, 160, Infinity] as const;

const bandOf = ({ text }: LabelledRow): string => {
  const at = lengths.findIndex((most) => text.length < most);
  return ['below 60 characters', '60 to 159 characters', '160 characters or more'][at] ?? '';
};

/** Ways to leave out a group; each is reported apart. */
const groupings: readonly (readonly [what: string, of: (row: LabelledRow) => string])[] = [
  ['source', ({ source }) => source.replace('own/', '')],
  ['length', bandOf],
  ['language', ({ lang }) => lang ?? 'en'],
];

const fewest = 20;

/** One row of the table for each goal of the material, and its groups with `fewest` texts or more. */
export function measureTexts(detect: Detect, material: readonly Material[]): Row[] {
  return material.flatMap((each) => {
    const judge = (rows: readonly LabelledRow[]): Judged[] =>
      rows.map((row) => {
        const scores = detect(row, each.kind);
        return { row, score: Math.max(...each.detectors.map((slug) => scores[slug])) };
      });
    const [harmless, harmful] = [judge(each.harmless), judge(each.harmful)];
    const share = (list: readonly Judged[]) =>
      shareOf(
        list.map(({ row }) => row.text),
        list.map(({ score }) => score >= 0.5),
      );
    if (each.goals.precision !== undefined) {
      const scores = (list: readonly Judged[]) => list.map(({ score }) => score);
      const now = precisionOf(scores(harmful), scores(harmless));
      return now === undefined ? [] : [{ title: `${each.title}: AUPRC`, now, goal: each.goals.precision }];
    }
    const row = (what: string, list: readonly Judged[], goal: Goal | undefined): Row[] => {
      const now = share(list);
      if (now === undefined) return [];
      return [{ title: `${each.title}: ${what}`, now, ...(goal && { goal }), groups: groupsOf(list, share) }];
    };
    return [
      ...row('harmless flagged', harmless, each.goals.flagged),
      ...row('found', harmful, each.goals.found),
    ];
  });
}

function groupsOf(list: readonly Judged[], share: (list: readonly Judged[]) => Figure | undefined) {
  return groupings.flatMap(([what, of]) => {
    const names = [...new Set(list.map(({ row }) => of(row)))].sort();
    if (names.length < 2) return [];
    return names.flatMap((name) => {
      const own = list.filter(({ row }) => of(row) === name);
      const now = share(own);
      return now === undefined || own.length < fewest ? [] : [{ what, name, now }];
    });
  });
}

/** Shares at .5 without and with the kind of text. */
export interface KindLine {
  source: string;
  kind: TextKind;
  detector: DetectorSlug;
  found: Figure | undefined;
  foundWithKind: Figure | undefined;
  flagged: Figure | undefined;
  flaggedWithKind: Figure | undefined;
}

/** The sets of `kindSets`, each judged without and with its kind. */
export function measureKinds(detect: Detect, folder: string): KindLine[] {
  const rows = readDataSets(folder).filter(({ split }) => split === 'eval');
  return kindSets.map(({ source, kind, detector }) => {
    const id = detectorSlugs.indexOf(detector);
    const of = (label: number, by?: TextKind) => {
      const list = rows.filter((row) => row.source === source && row.labels[id] === label);
      return shareOf(
        list.map(({ text }) => text),
        list.map((row) => detect(row, by)[detector] >= 0.5),
      );
    };
    return {
      source,
      kind,
      detector,
      found: of(1),
      foundWithKind: of(1, kind),
      flagged: of(0),
      flaggedWithKind: of(0, kind),
    };
  });
}

const repeats = 16;
const shortened = 1500;

/** Harmless documents that are flagged only when they are repeated. */
export function measureRepetition(detect: Detect, { harmless }: Material): Row {
  const isFlagged = (row: LabelledRow) => Math.max(...Object.values(detect(row))) >= 0.5;
  const short = harmless.map((row) => ({ ...row, text: row.text.slice(0, shortened) }));
  const flagged = short.map(
    (row) => !isFlagged(row) && isFlagged({ ...row, text: `${row.text}\n`.repeat(repeats) }),
  );
  const now = shareOf(
    short.map(({ text }) => text),
    flagged,
  );
  if (now === undefined) throw new RangeError('there are no documents');
  return { title: `documents flagged only when they are repeated ${repeats} times`, now, goal: { most: 0 } };
}
