/** Everything that is measured on the pictures themselves, for files and for live streams: flashes, movement, fire. */
import { FireMeter, type FireWindow } from './fire.ts';
import { FlashRule, type FlashWindow } from './flash.ts';
import { MovementMeter, type Movement } from './movement.ts';
import type { TimedPicture } from './picture.ts';
import { hintsOf, residualOf, type Hint } from './scene-risk.ts';
import type { ClipWindow } from './clips.ts';

/** Movement and fire are measured on about ten pictures a second, flashes on all. */
const movementStepSeconds = 0.095;
/** Clips that make up what is usual for a stream. */
const remembered = 15;

export class Flow {
  readonly #rule: FlashRule;
  readonly #movement: MovementMeter;
  readonly #fire: FireMeter;
  readonly #measuresFlashes: boolean;
  readonly #measuresMovement: boolean;
  #movements: Movement[] = [];
  #fires: FireWindow[] = [];
  #flashes: FlashWindow[] = [];
  #lastMovement = -Infinity;
  #lastSeconds = 0;
  #usual: number[] = [];
  #pictures = 0;

  constructor(
    size: { readonly width: number; readonly height: number },
    measures: { readonly flashes: boolean; readonly movement: boolean },
  ) {
    this.#rule = new FlashRule(size.width, size.height);
    this.#movement = new MovementMeter(size.width, size.height);
    this.#fire = new FireMeter(size.width, size.height);
    this.#measuresFlashes = measures.flashes;
    this.#measuresMovement = measures.movement;
  }

  get pictures(): number {
    return this.#pictures;
  }

  get lastSeconds(): number {
    return this.#lastSeconds;
  }

  /** Pictures come in the order of time; one that goes back in time is left out. */
  next(picture: TimedPicture): void {
    if (this.#pictures > 0 && picture.seconds <= this.#lastSeconds) return;
    this.#pictures += 1;
    this.#lastSeconds = picture.seconds;
    if (this.#measuresFlashes) this.#flashes.push(...this.#rule.next(picture).ended);
    if (!this.#measuresMovement || picture.seconds - this.#lastMovement < movementStepSeconds) return;
    this.#lastMovement = picture.seconds;
    const movement = this.#movement.next(picture);
    this.#movements.push(movement);
    const fire = this.#fire.next(picture, movement.isCut);
    if (fire !== undefined) this.#fires.push(fire);
  }

  /** What was measured in a clip that is over; clips are taken in the order of time, each once. */
  clip({ startSeconds, endSeconds }: ClipWindow): Hint[] {
    const movements = this.#movements.filter(
      ({ seconds }) => seconds >= startSeconds && seconds < endSeconds,
    );
    this.#movements = this.#movements.filter(({ seconds }) => seconds >= endSeconds);
    const isOfClip = (start: number, end: number) => end > startSeconds && start < endSeconds;
    const fire = this.#fires.filter((each) => isOfClip(each.startSeconds, each.endSeconds));
    const before = this.#fires.filter((each) => each.endSeconds <= startSeconds).slice(-1);
    this.#fires = [...before, ...this.#fires.filter((each) => each.endSeconds > startSeconds)];
    const all = [...this.#flashes, ...this.#rule.end()];
    const flashes = all.filter((each) => isOfClip(each.startSeconds, each.endSeconds + 1e-9));
    this.#flashes = this.#flashes.filter((each) => each.endSeconds >= endSeconds);
    const usualResidual =
      this.#usual.length < 2
        ? undefined
        : this.#usual.toSorted((a, b) => a - b)[Math.floor(this.#usual.length / 2)];
    const signals = {
      movements,
      fire: [...before, ...fire],
      flashes: this.#measuresFlashes ? flashes : [],
      usualResidual,
    };
    if (movements.length > 0) this.#usual = [...this.#usual, residualOf(movements)].slice(-remembered);
    return hintsOf(signals, endSeconds - startSeconds);
  }
}
