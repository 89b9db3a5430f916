/** Frames that are pushed over a WebSocket. */
import { z } from 'zod';
import { checkInput } from '#base/contract/check.ts';
import { AppError, badRequest } from '#base/errors.ts';
import type { Socket } from '#base/events/socket.ts';
import { PushStart } from '../../contract/streams.ts';
import type { LiveSession } from '../sessions/live-session.ts';
import { PushedFrames, type PushedFrame } from './push-frames.ts';

const headBytes = 16;
const magic = 0x564d;
const version = 1;
const keyFlag = 1;
const acknowledgeMs = 1000;

const Text = z.discriminatedUnion('type', [PushStart, z.object({ type: z.literal('end') })]);

/** Reads a binary message: a header and one frame. @throws AppError 400 */
function readFrame(message: Buffer): PushedFrame {
  if (message.length < headBytes)
    throw badRequest(`A frame begins with a header of ${headBytes} bytes; this one has ${message.length}.`);
  if (message.readUInt16BE(0) !== magic) throw badRequest('A frame begins with 0x564D.');
  if (message.readUInt8(2) !== version)
    throw badRequest(`The version of the header is ${message.readUInt8(2)}; it must be ${version}.`);
  return {
    isKey: (message.readUInt8(3) & keyFlag) !== 0,
    sequence: message.readUInt32BE(4),
    timestampMs: Number(message.readBigUInt64BE(8)) / 1000,
    data: message.subarray(headBytes),
  };
}

/** @throws AppError 400, 422 */
function readText(message: string): z.output<typeof Text> {
  let value: unknown;
  try {
    value = JSON.parse(message);
  } catch {
    throw badRequest('A text message must be JSON: {"type":"start", …} or {"type":"end"}.');
  }
  return checkInput(Text, value, 'body');
}

/**
 * Serves one sender until it ends, disconnects, or the session ends.
 * @throws AppError 400, 408, 409, which close the socket with 4400 and so on
 */
export async function servePushSocket(
  socket: Socket,
  session: LiveSession,
  { mostPixels, idleMs }: { readonly mostPixels: number; readonly idleMs: number },
): Promise<void> {
  using _sender = session.attend();
  let frames: PushedFrames | undefined;
  const acknowledging = setInterval(() => {
    if (frames !== undefined) socket.offer(JSON.stringify({ type: 'ack', ...frames.state }));
  }, acknowledgeMs);
  let lastMs = performance.now();
  const watching = setInterval(() => {
    if (performance.now() - lastMs > idleMs)
      socket.close(4408, `Nothing has been sent for ${idleMs / 1000} s.`);
  }, 1000);
  const ended = () => socket.close(1000, 'The session has ended.');
  session.signal.addEventListener('abort', ended);
  try {
    for await (const message of socket.messages()) {
      lastMs = performance.now();
      if (typeof message !== 'string') {
        if (frames === undefined) throw badRequest('The first message must be {"type":"start", …}.');
        frames.push(readFrame(message));
        continue;
      }
      const said = readText(message);
      if (said.type === 'end') {
        if (frames !== undefined) socket.offer(JSON.stringify({ type: 'ack', ...frames.state }));
        await session.finish({ status: 'ended', reason: 'source_ended' });
        return;
      }
      frames = new PushedFrames(session, said, mostPixels);
    }
  } catch (error) {
    // 422 closes with 4400 as well: a message was wrong.
    if (error instanceof AppError && error.status === 422) throw badRequest(error.detail);
    throw error;
  } finally {
    clearInterval(acknowledging);
    clearInterval(watching);
    session.signal.removeEventListener('abort', ended);
  }
}
