/** Plays a stream from an RTMP server; we connect, through the guard on outgoing connections. */
import type { Duplex } from 'node:stream';
import { AppError } from '#base/errors.ts';
import type { Intake } from '../../sessions/intake.ts';
import { messageTypes, readCommand, RtmpConnection, type RtmpMessage } from './connection.ts';
import { takeVideo } from './video.ts';

/** Opens a guarded connection. @throws AppError 422, 502, 504 */
export type Connect = (url: string, signal: AbortSignal) => Promise<Duplex>;

const controls = { endOfStream: 1, bufferLength: 3, ping: 6, pong: 7 } as const;
const bufferMs = 100;
const finished: ReadonlySet<string> = new Set([
  'NetStream.Play.UnpublishNotify',
  'NetStream.Play.Stop',
  'NetStream.Play.Complete',
]);

/** `rtmp://host/app/…/name`: everything but the last part is the application. */
export function rtmpPath(url: string): { app: string; name: string; tcUrl: string } {
  const { protocol, host, pathname, search } = new URL(url);
  const parts = pathname.split('/').filter((part) => part !== '');
  const name = `${decodeURIComponent(parts.pop() ?? '')}${search}`;
  const app = parts.join('/');
  return { app, name, tcUrl: `${protocol}//${host}/${app}` };
}

/**
 * Plays until the stream has finished.
 * @returns 'finished', or 'lost' where the connection ended without a word
 * @throws AppError 404 where the server has no such stream
 */
export async function play(connect: Connect, url: string, intake: Intake): Promise<'finished' | 'lost'> {
  const socket = await connect(url, intake.signal);
  const close = () => socket.destroy();
  intake.signal.addEventListener('abort', close);
  try {
    const connection = new RtmpConnection(socket, intake.mostBytes);
    await connection.begin();
    return await new Player(connection, url).play(intake);
  } finally {
    intake.signal.removeEventListener('abort', close);
    close();
  }
}

class Player {
  readonly #connection: RtmpConnection;
  readonly #url: string;

  constructor(connection: RtmpConnection, url: string) {
    this.#connection = connection;
    this.#url = url;
  }

  async play(intake: Intake): Promise<'finished' | 'lost'> {
    const { app, tcUrl } = rtmpPath(this.#url);
    const connection = this.#connection;
    connection.announce();
    const client = { app, flashVer: 'LNX 9,0,124,2', tcUrl, fpad: false, capabilities: 15 };
    connection.command('connect', 1, [{ ...client, audioCodecs: 4071, videoCodecs: 252, videoFunction: 1 }]);
    for (;;) {
      const message = await connection.next();
      if (message === undefined) return 'lost';
      if (message.type === messageTypes.video) takeVideo(intake, message.data, message.timestampMs);
      else if (message.type === messageTypes.control && this.#control(message)) return 'finished';
      else if (this.#command(message)) return 'finished';
    }
  }

  /** @returns whether the stream has finished */
  #control({ data }: RtmpMessage): boolean {
    if (data.length < 6) return false;
    const event = data.readUInt16BE(0);
    if (event === controls.ping) {
      const pong = Buffer.from(data.subarray(0, 6));
      pong.writeUInt16BE(controls.pong, 0);
      this.#connection.send(messageTypes.control, pong, { channel: 2 });
    }
    return event === controls.endOfStream;
  }

  /** @returns whether the stream has finished */
  #command(message: RtmpMessage): boolean {
    const command = readCommand(message);
    if (command === undefined) return false;
    const { name, transaction, values } = command;
    if (name === '_result' && transaction === 1) this.#connection.command('createStream', 2, [null]);
    if (name === '_result' && transaction === 2) this.#startPlaying(Number(values[1] ?? 1));
    if (name === '_error') throw refused('The server refuses the connection.');
    if (name !== 'onStatus') return false;
    const status = values[1] as { level?: unknown; code?: unknown } | null | undefined;
    const code = String(status?.code);
    if (status?.level === 'error') throw refused(`The server refuses the stream (${code.slice(0, 100)}).`);
    return finished.has(code);
  }

  #startPlaying(streamId: number): void {
    const { name } = rtmpPath(this.#url);
    this.#connection.command('play', 3, [null, name, -2000], streamId);
    const length = Buffer.alloc(10);
    length.writeUInt16BE(controls.bufferLength, 0);
    length.writeUInt32BE(streamId, 2);
    length.writeUInt32BE(bufferMs, 6);
    this.#connection.send(messageTypes.control, length, { channel: 2 });
  }
}

const refused = (detail: string) => new AppError(404, 'source_refused', detail);
