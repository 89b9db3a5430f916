/** Lines of a stream in bounded memory. */
import type { Readable } from 'node:stream';

export interface LongLine {
  /** The first and the last {@link endBytes} of the line. */
  readonly head: string;
  readonly tail: string;
  readonly bytes: number;
}

export interface LineHandlers {
  line(text: string): void;
  /** A line of more than `limitBytes`, at its end; the stream goes on with the next one. */
  tooLong(line: LongLine): void;
}

/** What is kept of a line that is too long: its sender may say at either end what it is about. */
const endBytes = 1024;

/** Calls the handlers for each line that ends. */
export function eachLine(stream: Readable, limitBytes: number, handlers: LineHandlers): void {
  let parts: Buffer[] = [];
  let size = 0;
  let head: Buffer | undefined;

  const add = (part: Buffer) => {
    size += part.length;
    parts.push(part);
    if (size <= limitBytes) return;
    const all = Buffer.concat(parts);
    head ??= Buffer.from(all.subarray(0, endBytes));
    // Copied, so that the rest of the line is not kept.
    parts = [Buffer.from(all.subarray(-endBytes))];
  };
  const end = () => {
    const text = Buffer.concat(parts).toString('utf8');
    if (head === undefined) handlers.line(text);
    else handlers.tooLong({ head: head.toString('utf8'), tail: text, bytes: size });
    parts = [];
    size = 0;
    head = undefined;
  };

  stream.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, at));
      end();
      from = at + 1;
    }
    if (from < chunk.length) add(chunk.subarray(from));
  });
}
