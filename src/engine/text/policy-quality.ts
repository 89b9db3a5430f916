/** How well custom policies can be judged from their text alone, by what was measured on others like them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seemsEnglish } from './language.ts';
import type { PolicySource } from './types.ts';

interface Share {
  value: number;
  low: number;
  high: number;
}

/** What was measured on policies of one kind that the weights were not trained on. */
export interface MeasuredQuality {
  policies: number;
  /** Area under the ROC curve of violations without the policy's words against harmless texts with them. */
  near: Share;
  /** Share found at probability .5: of violations without the policy's words, and with them. */
  found: Share;
  foundPlain: Share;
  /** Share of harmless texts with the policy's words that is flagged at .5. */
  nearFlagged: Share;
}

/** The file `policies.quality.json`, which `tools/train-policies/evaluate.ts --quality` writes. */
export interface QualityFile {
  /** Version of the weights that were measured. */
  version: string;
  kinds: Readonly<Record<PolicyKind, MeasuredQuality>>;
}

/** `short`: hardly more than a name. */
export type PolicyKind = 'english' | 'other_language' | 'short';

const file = join(import.meta.dirname, '../../../data/models/policies.quality.json');
let known: QualityFile | undefined;

/** Policies of fewer words are measured by their name alone. */
const fewestWords = 8;

function kindOf({ name, description, blockActivities }: PolicySource): PolicyKind {
  const text = [name, description, ...blockActivities].join(' ');
  if (!seemsEnglish(text)) return 'other_language';
  const words = text.match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.length < fewestWords ? 'short' : 'english';
}

/** What was measured on policies like this one. @throws Error when the file is missing */
export function qualityOf(source: PolicySource): MeasuredQuality & { kind: PolicyKind } {
  known ??= JSON.parse(readFileSync(file, 'utf8')) as QualityFile;
  const kind = kindOf(source);
  return { kind, ...known.kinds[kind] };
}
