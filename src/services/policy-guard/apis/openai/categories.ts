/** OpenAI's moderation categories, estimated from the built-in detectors. */
import type { DetectorSlug } from '#engine/text/types.ts';
import type { PolicyVerdict, Verdict } from '../../judging/verdicts/verdict.ts';

/**
 * How a category comes from detectors: the strongest of some; for one that is two things at once, the weaker of both;
 * nothing where no detector can distinguish it from its neighbours.
 */
type Source =
  | { readonly any: readonly DetectorSlug[] }
  | { readonly both: readonly [readonly DetectorSlug[], readonly DetectorSlug[]] }
  | 'not_covered';

const hate: readonly DetectorSlug[] = ['hate-bias-discrimination'];
const violence: readonly DetectorSlug[] = ['violence-abuse'];
const insult: readonly DetectorSlug[] = ['profanity-offensive-language'];
const crime: readonly DetectorSlug[] = ['unethical-illegal', 'general-harmful-content'];
const selfHarm: readonly DetectorSlug[] = ['suicide-self-harm'];

export const openAiCategories: Readonly<Record<string, Source>> = {
  harassment: { any: insult },
  'harassment/threatening': { both: [insult, violence] },
  hate: { any: hate },
  'hate/threatening': { both: [hate, violence] },
  illicit: { any: crime },
  'illicit/violent': { both: [crime, violence] },
  'self-harm': { any: selfHarm },
  'self-harm/instructions': { any: selfHarm },
  'self-harm/intent': { any: selfHarm },
  sexual: { any: ['sexual-suggestive'] },
  'sexual/minors': 'not_covered',
  violence: { any: violence },
  'violence/graphic': 'not_covered',
};

export interface CategoryVerdict {
  readonly name: string;
  readonly score: number;
  readonly flagged: boolean;
  /** Whether the guard has the detectors that the category comes from. */
  readonly isCovered: boolean;
}

const absent = { score: 0, flagged: false, isCovered: false };

/** The strongest of the policies that have one of the detectors, flagged where any of them is. */
function strongest(policies: readonly PolicyVerdict[], detectors: readonly DetectorSlug[]) {
  const found = policies.filter(({ detector }) => detector !== undefined && detectors.includes(detector));
  return found.reduce(
    (best, { probability, violated }) => ({
      score: Math.max(best.score, probability),
      flagged: best.flagged || violated,
      isCovered: true,
    }),
    absent,
  );
}

function verdictOf(policies: readonly PolicyVerdict[], source: Source): Omit<CategoryVerdict, 'name'> {
  if (source === 'not_covered') return absent;
  if ('any' in source) return strongest(policies, source.any);
  const [one, other] = source.both.map((detectors) => strongest(policies, detectors));
  if (one === undefined || other === undefined || !one.isCovered || !other.isCovered) return absent;
  return {
    score: Math.min(one.score, other.score),
    flagged: one.flagged && other.flagged,
    isCovered: true,
  };
}

/** Each of OpenAI's categories, in their order. */
export function categoriesOf({ groups }: Verdict): CategoryVerdict[] {
  const policies = groups.flatMap((group) => group.policies);
  return Object.entries(openAiCategories).map(([name, source]) => ({ name, ...verdictOf(policies, source) }));
}
