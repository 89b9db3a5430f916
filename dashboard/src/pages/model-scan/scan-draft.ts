/** What the wizard collects. Numbers are kept as they are typed. */
import type { algorithmNames } from '#services/model-scan/contract/names.ts';
import type { Visibility } from '../../parts/sharing.tsx';

export type AlgorithmName = (typeof algorithmNames)[number];

export interface ScanDraft {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly modelName: string;
  readonly temperature: string;
  readonly maxTokens: string;
  /** Lines of `name: value`. */
  readonly headers: string;
  readonly isSandbox: boolean;
  /** Empty: all of the product. */
  readonly dataSets: readonly string[];
  readonly algorithms: readonly string[];
  readonly concurrency: string;
  readonly qpm: string;
  readonly seed: string;
  readonly scanName: string;
  readonly visibility: Visibility;
}

export const firstDraft: ScanDraft = {
  baseUrl: '',
  apiKey: '',
  modelName: '',
  temperature: '0.7',
  maxTokens: '2048',
  headers: '',
  isSandbox: false,
  dataSets: [],
  algorithms: [],
  concurrency: '8',
  qpm: '',
  seed: '1',
  scanName: '',
  visibility: 'private',
};

export const numberOr = <T>(text: string, other: T): number | T =>
  text.trim() === '' ? other : Number(text);

/** Headers by their lines; a line without a colon is no header. */
const headersOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const at = line.indexOf(':');
      return at < 1 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()]];
    }),
  );

/** The model as requests have it. */
export const modelOf = (draft: ScanDraft) => ({
  base_url: draft.baseUrl.trim(),
  api_key: draft.apiKey,
  model_name: draft.modelName.trim(),
  temperature: numberOr(draft.temperature, 0.7),
  max_tokens: numberOr(draft.maxTokens, 2048),
  extra_headers: headersOf(draft.headers),
});

export const selectionOf = ({ dataSets, algorithms }: ScanDraft) => ({
  datasets: dataSets.map((name) => ({ name })),
  algorithms: algorithms as AlgorithmName[],
});
