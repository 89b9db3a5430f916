import { EventStream } from '#base/events/event-stream.ts';

interface Passed {
  readonly offset: number;
  readonly text?: string;
}

const joined = (waiting: Passed, { offset, text }: Passed): Passed =>
  text === undefined ? { offset } : { offset, text: (waiting.text ?? '') + text };

/** Events of one check: buffered `pass` events are merged; if they carry text, backpressure applies to the writer. */
export class EventFeed extends EventStream {
  /** The text may be shown up to this offset; `text` is shown instead of what was sent, where it is given. */
  pass(offset: number, text?: string): void {
    this.merge('pass', { offset, ...(text !== undefined && { text }) }, joined, text?.length);
  }

  /** After all that may pass until now. */
  say(event: 'open' | 'flag' | 'end' | 'error', data: object): void {
    this.offer({ event, data });
  }
}
