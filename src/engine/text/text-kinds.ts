import { readFileSync } from 'node:fs';
import { type DetectorSlug, detectorSlugs, type TextKind, textKinds } from './types.ts';

/** Added to a detector's logit where the kind of a text is known; a kind or detector that is missing adds nothing. */
export type KindShifts = Partial<Record<TextKind, Partial<Record<DetectorSlug, number>>>>;

interface KindFile {
  /** The version of the weights that the shifts were fitted for. */
  readonly weights: string;
  readonly shifts: KindShifts;
}

/**
 * Reads the shifts of operating points by kinds of text, as `tools/train-text/train.ts` writes them.
 * @throws Error where they were fitted for other weights
 */
export function readKindShifts(path: string, weights: string): KindShifts {
  const file = JSON.parse(readFileSync(path, 'utf8')) as KindFile;
  if (file.weights !== weights)
    throw new Error(
      `${path} is for the weights ${file.weights}, not ${weights}: run tools/train-text/train.ts.`,
    );
  for (const kind of textKinds)
    for (const slug of detectorSlugs)
      if (!Number.isFinite(file.shifts[kind]?.[slug] ?? 0))
        throw new Error(`${path}: the shift of ${slug} for ${kind} is no number.`);
  return file.shifts;
}
