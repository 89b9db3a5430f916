import type { OpenedInput } from './inputs.ts';
import type { Cost } from './row-judge.ts';

const everyMs = 200;

/** A progress line on standard error; nothing if that is not a terminal. */
export class Progress {
  readonly #inputs: () => readonly OpenedInput[];
  readonly #cost: (() => Cost) | undefined;
  readonly #startedAt = performance.now();
  #rows = 0;
  #shownAt = 0;

  /** @param inputs what is read; how much of it was read is how far the run is */
  constructor(inputs: () => readonly OpenedInput[], cost?: () => Cost) {
    this.#inputs = inputs;
    this.#cost = cost;
  }

  /** A row is done. */
  tick(): void {
    this.#rows++;
    if (!process.stderr.isTTY || performance.now() - this.#shownAt < everyMs) return;
    this.#shownAt = performance.now();
    const seconds = (this.#shownAt - this.#startedAt) / 1000;
    const share = this.#share();
    const left = share > 0.01 ? ` · about ${Math.ceil((seconds / share) * (1 - share))} s left` : '';
    const perSecond = Math.round(this.#rows / seconds).toLocaleString('en');
    process.stderr.write(
      `\r\u001B[K${this.#rows.toLocaleString('en')} rows · ${Math.floor(share * 100)} % · ${perSecond} rows/s${this.#spent()}${left}`,
    );
  }

  end(): void {
    if (process.stderr.isTTY && this.#shownAt > 0) process.stderr.write('\r\u001B[K');
  }

  #spent(): string {
    if (this.#cost === undefined) return '';
    const { calls, promptTokens, completionTokens } = this.#cost();
    return ` · ${calls.toLocaleString('en')} calls, ${(promptTokens + completionTokens).toLocaleString('en')} tokens`;
  }

  #share(): number {
    const inputs = this.#inputs();
    const bytes = inputs.reduce((sum, input) => sum + input.bytes, 0);
    return inputs.reduce((sum, input) => sum + input.bytesRead, 0) / Math.max(1, bytes);
  }
}
