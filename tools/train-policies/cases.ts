/** Policies with texts that break them and texts that do not: our own in data/training/policies, and the shared ones. */
import type { PolicySource } from '../../src/engine/text/types.ts';
import { readHands } from './hands.ts';

/** What a text is to its policy; see the cards in `data/training/policies`. */
export const kinds = ['violating', 'plain', 'near', 'other'] as const;
export type Kind = (typeof kinds)[number];

export interface PolicyCase {
  source: PolicySource;
  texts: Readonly<Record<Kind, readonly string[]>>;
  /** The file: everything in it was written by one hand. */
  hand: string;
  trade: string;
  language: string;
  /** Never trained on: of a trade in `heldOutTrades`, or of a file that is kept for measuring. */
  heldOut: boolean;
}

interface RawCase {
  name: string;
  description: string;
  block_activities: string[];
  safe_activities: string[];
  violating: string[];
  violating_plain: string[];
  harmless: string[];
  harmless_other: string[];
  field: string;
  language: string;
}

/** Trades that are named differently in different files. */
const sameTrade: Readonly<Record<string, string>> = {
  'general practice': 'hospital',
  banking: 'bank',
  'retail banking': 'bank',
  payments: 'bank',
  lending: 'bank',
  'restaurant chain': 'restaurants',
  'food delivery': 'restaurants',
  'e-commerce': 'web shops',
  'marketplace sellers': 'web shops',
  'energy utility': 'energy supplier',
  'real estate agency': 'real estate',
  'elderly care': 'elder care',
  veterinary: 'veterinary practices',
  museum: 'museums',
  "museums' shops": 'museums',
  library: 'libraries',
  'toy maker': 'toy makers',
  'car maker': 'car dealers',
  farming: 'farms',
  'software vendor support': 'software companies',
  'internal coding assistant': 'software companies',
  'game studio': 'game studios',
  'forum of a hobby': 'online communities and forums',
  'social network moderation': 'online communities and forums',
  'dating app': 'dating apps',
  'news room': 'newspapers',
  'press office': 'public relations',
  'advertising law': 'advertising',
  'advertising law, alcohol': 'advertising',
  'tax office': 'tax offices',
  'police information line': 'police',
  'army recruiting': "armed forces' civil offices",
  charity: 'charities',
  'church and religious community': 'churches and religious communities',
  'youth sports club': 'sports clubs',
  'nutrition and fitness': 'gyms',
  'parcel service': 'logistics',
  'moving company': 'logistics',
  'public transport': 'railway',
  'travel agency': 'airline',
  'food labelling and health claims': 'food safety',
  'food labelling': 'food safety',
  'industrial safety, construction': 'construction',
  'alcohol and tobacco retail': 'breweries and wine trade',
  'event tickets': 'event organisers',
  "health insurer's hotline": 'insurance',
  'mental-health app': 'psychotherapy practices',
};

const tradeOf = (field: string): string => sameTrade[field] ?? field;

/** Trades of our own hands that are never trained on, in whatever file: the hash of the name chose them. */
const heldOutTrades: ReadonlySet<string> = new Set([
  'pharmacy',
  'bank',
  'hotel',
  'construction',
  'real estate',
  'housing association',
  'university',
  'supermarkets',
  'restaurants',
  'toy makers',
  'repair shops',
  'cleaning services',
  'museums',
  'libraries',
  'software companies',
  'online communities and forums',
  'public relations',
  'city administration',
  'veterinary practices',
]);

const toCase = (raw: RawCase, hand: string): PolicyCase => {
  const trade = tradeOf(raw.field);
  return {
    source: {
      name: raw.name,
      description: raw.description,
      blockActivities: raw.block_activities,
      safeActivities: raw.safe_activities,
    },
    texts: {
      violating: raw.violating,
      plain: raw.violating_plain,
      near: raw.harmless,
      other: raw.harmless_other,
    },
    hand,
    trade,
    language: raw.language,
    heldOut: heldOutTrades.has(trade) || hand.startsWith('kept'),
  };
};

/** The policies of every `.jsonl` file of a folder; hashes of the files go into `manifest`. */
export const readCases = (folder: string, manifest: Record<string, string> = {}): PolicyCase[] =>
  readHands(folder, 'policies', manifest).flatMap(({ hand, rows }) =>
    (rows as RawCase[]).map((row) => toCase(row, hand)),
  );

/** All texts of a policy. */
export const allTexts = ({ texts }: PolicyCase): string[] => kinds.flatMap((kind) => texts[kind]);
/** Everything a policy says of itself. */
export const wordingOf = ({ source }: PolicyCase): string =>
  [source.name, source.description, ...source.blockActivities, ...source.safeActivities].join('\n');
