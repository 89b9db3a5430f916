/**
 * What a clip’s movement says: bursts of violent motion and storms of cuts. Weak hints, so their probabilities are capped
 * below what a model may say: on surveillance clips the motion of fights and of harmless scenes overlaps widely.
 */
import type { FireWindow } from './fire.ts';
import type { FlashWindow } from './flash.ts';
import type { Movement } from './movement.ts';

/** The highest probabilities that heuristics may give. */
const caps = { twoCues: 0.6, oneCue: 0.45, fire: 0.6, oneFireWindow: 0.4, violence: 0.45 } as const;

export interface ClipSignals {
  readonly movements: readonly Movement[];
  /** Those that end in the clip, and the one before them. */
  readonly fire: readonly FireWindow[];
  readonly flashes: readonly FlashWindow[];
  /** Mean residual movement of the clips before, the stream’s own usual; undefined for the first. */
  readonly usualResidual: number | undefined;
}

export interface Hint {
  readonly category: 'Scene_Action_Risk' | 'Violence_Harm_Cruelty' | 'Disasters_Emergencies';
  readonly detector: 'flash' | 'heuristics';
  readonly probability: number;
  readonly explanation: string;
}

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

const mean = (values: readonly number[]) =>
  values.length === 0 ? 0 : values.reduce((sum, each) => sum + each, 0) / values.length;

/** Movement of a clip without its cuts. */
export const residualOf = (movements: readonly Movement[]): number =>
  mean(movements.filter(({ isCut }) => !isCut).map(({ residual }) => residual));

/**
 * How much the movement of a clip is that of a burst, from 0 to 1: strong movement of a part of the picture, by fits and
 * starts rather than even, and more than is usual for the stream.
 */
export function motionBurst({
  movements,
  usualResidual,
}: Pick<ClipSignals, 'movements' | 'usualResidual'>): number {
  const within = movements.filter(({ isCut }) => !isCut);
  if (within.length < 5) return 0;
  const residuals = within.map(({ residual }) => residual).toSorted((a, b) => a - b);
  const typical = mean(residuals);
  if (typical < 0.004) return 0;
  const peak = residuals[Math.floor(residuals.length * 0.9)] ?? 0;
  const spread = Math.sqrt(mean(residuals.map((each) => (each - typical) ** 2))) / typical;
  const moving = mean(within.map(({ share }) => share));
  // A picture that changes everywhere is a cut, a pan or noise, and no people who move.
  const locality = moving > 0.6 ? 0.4 : 1;
  const unusual = usualResidual === undefined ? 0 : Math.log((typical + 0.002) / (usualResidual + 0.002));
  return locality * sigmoid(1.6 * Math.log(peak / 0.035) + 1.2 * (spread - 0.5) + 0.8 * unusual);
}

/** Cuts a second of which half of an audience would say that it is hectic; of music videos rather than of films. */
const manyCuts = 1.5;

export function hintsOf(clip: ClipSignals, seconds: number): Hint[] {
  const hints: Hint[] = [];
  const burst = motionBurst(clip);
  const cuts = clip.movements.filter(({ isCut }) => isCut).length / Math.max(seconds, 1);
  for (const { kind, transitions } of clip.flashes)
    hints.push({
      category: 'Scene_Action_Risk',
      detector: 'flash',
      probability: 1,
      explanation: `${kind === 'red' ? 'Red flashes' : 'Flashes'}: ${transitions} opposing transitions within a second; 6 are allowed (WCAG 2.2).`,
    });
  const storm = Math.min(1, cuts / manyCuts);
  // One of the two alone stays below the usual threshold.
  const hectic = Math.max(burst, storm) * caps.oneCue + Math.min(burst, storm) * (caps.twoCues - caps.oneCue);
  if (hectic >= 0.02)
    hints.push({
      category: 'Scene_Action_Risk',
      detector: 'heuristics',
      probability: hectic,
      explanation:
        cuts >= manyCuts
          ? `${cuts.toFixed(1)} cuts a second.`
          : 'A burst of movement, measured and not understood.',
    });
  if (burst >= 0.02)
    hints.push({
      category: 'Violence_Harm_Cruelty',
      detector: 'heuristics',
      probability: burst * caps.violence,
      explanation: 'A burst of movement, measured and not understood.',
    });
  const fires = longestRun(clip.fire);
  if (fires > 0)
    hints.push({
      category: 'Disasters_Emergencies',
      detector: 'heuristics',
      probability: fires >= 2 ? caps.fire : caps.oneFireWindow,
      explanation: 'Colours of fire that flicker as fire does.',
    });
  return hints;
}

/** Most windows of fire that follow each other. */
function longestRun(windows: readonly FireWindow[]): number {
  let longest = 0;
  let run = 0;
  for (const { isFire } of windows) {
    run = isFire ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}
