/** How many tools, prompts, resources and instructions a scan has seen, and how many of each are flagged. */
import type { ScannedTool, ScanResult, TextGuardItem } from './result.ts';

export type OfferKind = ScannedTool['kind'];
export type OfferCounts = Record<OfferKind, { total: number; flagged: number }>;

/** Each item counts: a server that lists a name twice has two of it. */
export function countOffers({ tools, textguard }: Pick<ScanResult, 'tools' | 'textguard'>): OfferCounts {
  const kindOf = ({ kind }: TextGuardItem, at: number): OfferKind => kind ?? tools[at]?.kind ?? 'tool';
  const count = (kind: OfferKind) => {
    const ofKind = textguard.filter((each, at) => kindOf(each, at) === kind);
    return { total: ofKind.length, flagged: ofKind.filter(({ flagged }) => flagged).length };
  };
  return {
    tool: count('tool'),
    prompt: count('prompt'),
    resource: count('resource'),
    instructions: count('instructions'),
  };
}
