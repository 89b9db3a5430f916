/**
 * The processes of the gateway over one database. A session of the older era lives in the process that began it, and its
 * id says which: any other process passes its requests on to that one, so that no load balancer has to be sticky.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { deleteProcess, findAddress, saveProcess } from './peers-store.ts';

export interface Peers extends AsyncDisposable {
  /** An id for a session of this process. */
  newSessionId(): string;
  /**
   * Where the session lives, if that is another process.
   * @returns undefined for a session of this process, and for one whose process is gone or was never there
   */
  addressOf(sessionId: string): Promise<string | undefined>;
  /** Proves to the other process for a moment that this request comes from one of us. */
  pass(sessionId: string): string;
  /** Whether the request was passed on by one of us: it is answered here or nowhere, and has been counted. */
  isPassedOn(pass: string | undefined, sessionId: string): boolean;
  /** The process can be reached from now on. */
  begin(address: string): Promise<void>;
}

export interface PeersDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** Shared by all processes. */
  readonly secret: string;
  readonly onError: (error: unknown) => void;
}

const heartbeatMs = 10_000;
/** Three heartbeats missed, and the process is taken for dead. */
const deadAfterSeconds = 35;
const passMs = 30_000;

const processOf = (sessionId: string): string | undefined => /^([\w-]{16})\.[\w-]{32}$/.exec(sessionId)?.[1];

export function openPeers({ db, clock, secret, onError }: PeersDeps): Peers {
  const processId = randomBytes(12).toString('base64url');
  const key = createHmac('sha256', secret).update('bulwark agent gateway: passing sessions on').digest();
  let heartbeat: NodeJS.Timeout | undefined;

  const sign = (sessionId: string, untilMs: number): Buffer =>
    createHmac('sha256', key).update(`${sessionId}\0${untilMs}`).digest();

  return {
    newSessionId: () => `${processId}.${randomBytes(24).toString('base64url')}`,
    async addressOf(sessionId) {
      const owner = processOf(sessionId);
      if (owner === undefined || owner === processId) return undefined;
      return findAddress(db, owner, deadAfterSeconds);
    },
    pass(sessionId) {
      const untilMs = clock.now() + passMs;
      return `${untilMs}.${sign(sessionId, untilMs).toString('base64url')}`;
    },
    isPassedOn(pass, sessionId) {
      const [, until, signature] = /^(\d{1,16})\.([\w-]{43})$/.exec(pass ?? '') ?? [];
      if (until === undefined || signature === undefined) return false;
      const isNow = Math.abs(Number(until) - clock.now()) <= 2 * passMs;
      return isNow && timingSafeEqual(Buffer.from(signature, 'base64url'), sign(sessionId, Number(until)));
    },
    async begin(address) {
      const say = () => saveProcess(db, processId, address);
      heartbeat ??= setInterval(() => void say().catch(onError), heartbeatMs).unref();
      await say();
    },
    async [Symbol.asyncDispose]() {
      if (heartbeat === undefined) return;
      clearInterval(heartbeat);
      await deleteProcess(db, processId).catch(onError);
    },
  };
}
