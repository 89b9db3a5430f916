/** Takes what is published to us by RTMP; the port is opened for the first session that needs it. */
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { AppError, invalid } from '#base/errors.ts';
import type { Logger } from '#base/log/log.ts';
import type { LiveSession } from '../../sessions/live-session.ts';
import { messageTypes, readCommand, RtmpConnection, type RtmpCommand } from './connection.ts';
import { takeVideo } from './video.ts';

export interface RtmpListenerDeps {
  readonly host: string;
  readonly ports: Readonly<Record<'rtmp' | 'rtmps', number>>;
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
  readonly log: Logger;
  readonly mostBytes: number;
  /** The session that a stream name with its token belongs to. @throws AppError */
  readonly admit: (streamId: string, token: string, transport: 'rtmp' | 'rtmps') => Promise<LiveSession>;
}

type Transport = 'rtmp' | 'rtmps';

/** Until a sender has said which session it is for. */
const introductionMs = 10_000;
const silentMs = 60_000;
const mostConnections = 1024;
const nameOfStream = /^(vs_[\w-]{1,90})\?token=([\w-]{1,200})$/;
const ends: ReadonlySet<string> = new Set(['deleteStream', 'FCUnpublish', 'closeStream']);

export class RtmpListener implements AsyncDisposable {
  readonly #deps: RtmpListenerDeps;
  readonly #servers = new Map<Transport, Promise<Server>>();
  readonly #ports = new Map<Transport, number>();
  readonly #sockets = new Set<Socket>();

  constructor(deps: RtmpListenerDeps) {
    this.#deps = deps;
  }

  /** Where it listens; undefined while it does not. */
  port(transport: Transport): number | undefined {
    return this.#ports.get(transport);
  }

  /** @throws AppError 422 where RTMPS has no certificate, 503 where the port cannot be opened */
  async open(transport: Transport): Promise<void> {
    const opening = this.#servers.get(transport) ?? this.#listen(transport);
    this.#servers.set(transport, opening);
    try {
      await opening;
    } catch (error) {
      this.#servers.delete(transport);
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    for (const opening of this.#servers.values()) {
      const server = await opening.catch(() => undefined);
      await new Promise<void>((resolve) => {
        if (server === undefined) resolve();
        else server.close(() => resolve());
      });
    }
  }

  async #listen(transport: Transport): Promise<Server> {
    const { host, ports } = this.#deps;
    const server = this.#create(transport, (socket) => void this.#serve(socket, transport));
    server.maxConnections = mostConnections;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(ports[transport], host, resolve);
    }).catch((cause: unknown) => {
      throw new AppError(
        503,
        'port_taken',
        `Port ${ports[transport]} for ${transport} cannot be opened. Choose another one in video_moderation.${transport}_port.`,
        { cause },
      );
    });
    this.#ports.set(transport, (server.address() as AddressInfo).port);
    return server;
  }

  #create(transport: Transport, serve: (socket: Socket) => void): Server {
    if (transport === 'rtmp') return createServer(serve);
    const { certFile, keyFile } = this.#deps;
    if (certFile === undefined || keyFile === undefined)
      throw invalid(
        "'transport': rtmps without a 'source_url' needs video_moderation.rtmps_cert_file and rtmps_key_file.",
      );
    const options = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
    return createTlsServer(options, serve).on('tlsClientError', (_error, socket) => socket.destroy());
  }

  async #serve(socket: Socket, transport: Transport): Promise<void> {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.setNoDelay(true);
    socket.setTimeout(silentMs, () => socket.destroy());
    const late = setTimeout(() => socket.destroy(), introductionMs);
    try {
      const sender = new Sender(new RtmpConnection(socket, this.#deps.mostBytes), (streamId, token) =>
        this.#deps.admit(streamId, token, transport),
      );
      await sender.introduce();
      clearTimeout(late);
      await sender.publish();
    } catch (err) {
      // What a sender does wrong ends its connection; resets are everyday.
      if (!(err instanceof AppError)) this.#deps.log.debug({ err }, 'an RTMP connection has ended');
    } finally {
      clearTimeout(late);
      socket.end();
      socket.destroySoon();
    }
  }
}

/** One connection that publishes. */
class Sender {
  readonly #connection: RtmpConnection;
  readonly #admit: (streamId: string, token: string) => Promise<LiveSession>;
  #session: LiveSession | undefined;
  #streamId = 0;

  constructor(connection: RtmpConnection, admit: (streamId: string, token: string) => Promise<LiveSession>) {
    this.#connection = connection;
    this.#admit = admit;
  }

  /** Up to the command that names the session. */
  async introduce(): Promise<void> {
    await this.#connection.accept();
    while (this.#session === undefined) {
      const message = await this.#connection.next();
      if (message === undefined) throw new AppError(400, 'bad_frame', 'The sender has gone.');
      const command = readCommand(message);
      if (command !== undefined) await this.#answer(command, message.streamId);
    }
  }

  async publish(): Promise<void> {
    const session = this.#session;
    if (session === undefined) return;
    using _sender = session.attend();
    this.#status('status', 'NetStream.Publish.Start', 'Publishing.');
    while (!session.signal.aborted) {
      const message = await this.#connection.next();
      // Without a word the connection was lost: the sender may come back.
      if (message === undefined) return;
      if (message.type === messageTypes.video) await this.#video(session, message.data, message.timestampMs);
      const command = readCommand(message);
      if (command !== undefined && ends.has(command.name)) {
        await session.finish({ status: 'ended', reason: 'source_ended' });
        return;
      }
    }
  }

  async #video(session: LiveSession, data: Buffer, timestampMs: number): Promise<void> {
    try {
      takeVideo(session, data, timestampMs);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const problem = { code: 'decode_failed', message: error.detail, retryable: false } as const;
      await session.finish({ status: 'failed', reason: 'decode_failed', problem });
      throw error;
    }
  }

  async #answer({ name, transaction, values }: RtmpCommand, streamId: number): Promise<void> {
    const connection = this.#connection;
    if (name === 'connect') {
      connection.announce();
      const level = { level: 'status', code: 'NetConnection.Connect.Success', description: 'Connected.' };
      connection.command('_result', transaction, [
        { fmsVer: 'FMS/3,5,7,7009', capabilities: 31 },
        { ...level, objectEncoding: 0 },
      ]);
    } else if (name === 'createStream') connection.command('_result', transaction, [null, 1]);
    else if (name === 'publish') await this.#publishTo(values[1], streamId);
    else if (transaction > 0) connection.command('_result', transaction, [null, null]);
  }

  async #publishTo(name: unknown, streamId: number): Promise<void> {
    this.#streamId = streamId;
    const [, id, token] = nameOfStream.exec(String(name)) ?? [];
    try {
      if (id === undefined || token === undefined)
        throw new AppError(400, 'bad_name', 'The stream key is <stream_id>?token=<ingest_token>.');
      this.#session = await this.#admit(id, token);
    } catch (error) {
      const detail = error instanceof AppError ? error.detail : 'The session cannot be published to.';
      this.#status('error', 'NetStream.Publish.BadName', detail);
      throw error;
    }
  }

  #status(level: string, code: string, description: string): void {
    this.#connection.command('onStatus', 0, [null, { level, code, description }], this.#streamId);
  }
}
