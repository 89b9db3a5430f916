import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { AppError } from '../errors.ts';

/** A response: JSON as text, anything else as a stream. */
export type Exchanged = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
} & ({ readonly text: string } | { readonly body: Readable });

const isText = (status: number, { 'content-type': type }: Exchanged['headers']): boolean =>
  status === 200 && String(type).toLowerCase().startsWith('application/json');

export const tooLarge = (limitBytes: number) =>
  new AppError(502, 'too_large', `The other server’s response is larger than ${limitBytes} bytes.`);

/** A stream of the response body; destroying it aborts the request. */
const bodyOf = (controller: Dispatcher.DispatchController): Readable =>
  new Readable({
    read: () => controller.resume(),
    destroy(error, done) {
      // No effect if the response is complete.
      controller.abort(error ?? new Error('The response body was destroyed before its end.'));
      done(error);
    },
  });

/**
 * One request directly on the dispatcher: for short responses, the streams and promises of undici's `request` cost
 * more than the rest of it.
 * @throws AppError 502 `too_large` for JSON of more than `limitBytes`; the signal's reason; undici's error
 */
export function exchange(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  { limitBytes, signal }: { limitBytes: number; signal: AbortSignal | undefined },
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    let control: Dispatcher.DispatchController | undefined;
    let head: Pick<Exchanged, 'status' | 'headers'> = { status: 0, headers: {} };
    let body: Readable | undefined;
    const parts: Buffer[] = [];
    let size = 0;
    const abort = () => {
      control?.abort(signal?.reason as Error);
      reject(signal?.reason as Error);
    };
    const over = () => signal?.removeEventListener('abort', abort);
    if (signal?.aborted === true) {
      abort();
      return;
    }
    signal?.addEventListener('abort', abort, { once: true });
    dispatcher.dispatch(options, {
      onRequestStart(controller) {
        control = controller;
        if (signal?.aborted === true) abort();
      },
      onResponseStart(controller, status, headers) {
        // Informational responses.
        if (status < 200) return;
        head = { status, headers };
        if (isText(status, headers)) return;
        body = bodyOf(controller);
        // Destroying an unread body emits an unhandled error; readers still get theirs.
        body.on('error', () => undefined);
        resolve({ ...head, body });
      },
      onResponseData(controller, chunk) {
        if (body !== undefined) {
          if (!body.push(chunk)) controller.pause();
          return;
        }
        size += chunk.length;
        if (size > limitBytes) controller.abort(tooLarge(limitBytes));
        else parts.push(chunk);
      },
      onResponseEnd() {
        over();
        if (body !== undefined) body.push(null);
        else resolve({ ...head, text: Buffer.concat(parts).toString('utf8') });
      },
      onResponseError(_, error) {
        over();
        if (body !== undefined) body.destroy(error);
        else reject(error);
      },
    });
  });
}
