/** How well each category was looked for: a probability of 0 from a detector that did not run says nothing. */

export type CoverageLevel = 'model' | 'heuristic' | 'text' | 'none';

export interface Covering {
  readonly detector: string;
  readonly level: Exclude<CoverageLevel, 'none'>;
  readonly category: string;
  readonly note?: string | undefined;
}

const order: readonly CoverageLevel[] = ['model', 'heuristic', 'text', 'none'];

/** Category → the strongest level of the detectors that look for it. */
export const coverageOf = (
  categories: readonly string[],
  covering: readonly Covering[],
): Record<string, CoverageLevel> =>
  Object.fromEntries(
    categories.map((category) => {
      const levels = covering.filter((each) => each.category === category).map(({ level }) => level);
      return [category, order.find((level) => level === 'none' || levels.includes(level)) ?? 'none'];
    }),
  );

/** What the embedded detectors look for, with the limits that people must know. */
export const embeddedCovering: readonly Covering[] = [
  { detector: 'nsfw', level: 'model', category: 'Sexual' },
  {
    detector: 'flash',
    level: 'heuristic',
    category: 'Scene_Action_Risk',
    note: 'Flashes by the exact rule of WCAG 2.2.',
  },
  {
    detector: 'heuristics',
    level: 'heuristic',
    category: 'Scene_Action_Risk',
    note: 'Bursts of movement and storms of cuts; .6 at most.',
  },
  {
    detector: 'heuristics',
    level: 'heuristic',
    category: 'Disasters_Emergencies',
    note: 'Open fire alone, by colour and flicker; .6 at most.',
  },
  {
    detector: 'heuristics',
    level: 'heuristic',
    category: 'Violence_Harm_Cruelty',
    note: 'Bursts of movement alone, which are not understood; .45 at most.',
  },
  {
    detector: 'metadata',
    level: 'heuristic',
    category: 'Deepfake_Manipulation',
    note: 'What the file says of itself alone; .5 at most, and missing marks prove nothing.',
  },
];
