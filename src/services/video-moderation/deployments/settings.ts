import type { z } from 'zod';
import { DetectorSettings, type Deployment } from '../contract/deployments.ts';
import { categories } from '../contract/names.ts';

/** What a video is judged by; the shape of the wire, which is stored as it is. */
export interface Settings {
  /** Null: the preset of this installation. */
  readonly deploymentId: string | null;
  readonly categories: z.output<typeof Deployment>['categories'];
  readonly detectors: z.output<typeof DetectorSettings>;
}

export const presetCategories = (): Settings['categories'] =>
  categories.map((id) => ({ id, threshold: 0.5, description: '' }));

/** Without a deployment: everything that is embedded, at a threshold of one half. */
export const presetSettings = (languages: readonly string[]): Settings => ({
  deploymentId: null,
  categories: presetCategories(),
  detectors: DetectorSettings.parse({ text: { languages } }),
});

export const thresholdsOf = ({ categories: judged }: Pick<Settings, 'categories'>): Record<string, number> =>
  Object.fromEntries(judged.map(({ id, threshold }) => [id, threshold]));
