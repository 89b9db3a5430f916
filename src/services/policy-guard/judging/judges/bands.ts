import { StartupError } from '#base/errors.ts';
import { detectorSlugs } from '#engine/text/engine.ts';
import type { DetectorSlug } from '#engine/text/types.ts';

/** Where the embedded engine is not sure: probabilities at medium strictness, both ends within. */
export interface Band {
  readonly from: number;
  readonly to: number;
}

export type Bands = ReadonlyMap<DetectorSlug, Band>;

const form = /^(?<who>[a-z-]+|\*)=(?<from>[\d.]+)\.\.(?<to>[\d.]+)$/;

/**
 * Bands as they are configured, such as `*=0.05..0.95` for all detectors and `self-harm=0.01..0.9` for one.
 * @throws StartupError for what cannot be read
 */
export function readBands(entries: readonly string[]): Bands {
  const bands = new Map<DetectorSlug, Band>();
  // `*` comes first, so that bands of a single detector override it.
  for (const entry of entries.toSorted((a, b) => Number(b.startsWith('*')) - Number(a.startsWith('*')))) {
    const { who, from, to } = form.exec(entry.replaceAll(' ', ''))?.groups ?? {};
    const band = { from: Number(from), to: Number(to) };
    const named = detectorSlugs.filter((slug) => who === '*' || who === slug);
    if (named.length === 0 || !(band.from >= 0 && band.from <= band.to && band.to <= 1))
      throw new StartupError(
        `policy_guard_judge.bands has ${JSON.stringify(entry)}. An entry is <detector>=<from>..<to> with numbers from ` +
          `0 to 1, and a detector is * for all, or one of ${detectorSlugs.join(', ')}.`,
      );
    for (const slug of named) bands.set(slug, band);
  }
  return bands;
}
