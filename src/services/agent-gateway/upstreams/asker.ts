/** Who asks for a connection, what a server sees of them, and where the connection is kept. */
import { hash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { isFields, type Fields, type RpcNotification } from '#mcp/json-rpc.ts';
import type { Era } from '#mcp/protocol.ts';
import type { Asking, Who } from '../on-behalf/who.ts';
import type { Dial } from './dial.ts';

/** The caller, as far as connections depend on it. */
export interface Asker extends Asking {
  /** Session id, or a key of the caller if there are no sessions. */
  readonly key: string;
  readonly capabilities: Fields;
  /** The client's own era: a server of both eras is spoken to in it. */
  readonly era?: Era | undefined;
}

export interface Health {
  readonly state: 'unknown' | 'connected' | 'failed';
  readonly version: string | undefined;
  readonly error: string | undefined;
  /** When the server answered last, and since when it does not. */
  readonly heardMs: number | undefined;
  readonly failedSinceMs: number | undefined;
}

export interface PoolEvents {
  /**
   * @param key the owner of the connection; undefined if it is shared.
   * @param userId the user whose sessions share the connection; undefined if all users do.
   */
  notification(
    serverId: string,
    key: string | undefined,
    message: RpcNotification,
    userId: string | undefined,
  ): void;
  /** A server was connected or reconnected, so cached data may be outdated. */
  connected(serverId: string): void;
  failed(serverId: string, error: Error): void;
  noise(serverId: string, line: string): void;
}

export interface PoolSettings {
  readonly dial: Dial;
  readonly clock: Clock;
  readonly events: PoolEvents;
  /** Limit for stdio servers that need one process per client. */
  readonly maxProcesses: number;
}

const isDeclared = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

/** Whether the server may offer something, or ask something, because of these capabilities. */
const countsFor = ({ capabilities }: Pick<Asker, 'capabilities'>): boolean =>
  isDeclared(capabilities) &&
  (['elicitation', 'sampling', 'roots', 'tasks'].some((each) => capabilities[each] !== undefined) ||
    isDeclared(capabilities['extensions']) ||
    isDeclared(capabilities['experimental']));

const inOrder = (_name: string, value: unknown): unknown =>
  isFields(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/**
 * What a server may see of a client beside who it is: its capabilities and its era. Empty for clients that declare
 * nothing, which share connections and lists.
 */
export const mannerOf = (asker: Pick<Asker, 'capabilities' | 'era'> | undefined): string =>
  asker === undefined || !countsFor(asker)
    ? ''
    : `${asker.era ?? ''} ${hash('sha256', JSON.stringify(asker.capabilities, inOrder), 'base64url')}`;

export const placeOf = (serverId: string, who: Who | undefined) =>
  who === undefined ? serverId : `${serverId}\n${who.key}`;

export const nameOf = (
  place: string,
  { key, manner }: { readonly key: string | undefined; readonly manner: string },
) => `${place}\n\n${key ?? ''}\n${manner}`;

export const isPlaceOf = (place: string, serverId: string, userId?: string) => {
  const [server, key] = place.split('\n');
  // The key of a user begins with the user id; a hash of the token may follow.
  return server === serverId && (userId === undefined || key?.split(' ')[0] === userId);
};
