/** For whom a connection to a server is, where the server is told who calls. */
import { hash } from 'node:crypto';
import type { Caller } from '#identity/caller.ts';
import type { IdentityScheme, McpServer } from '../registry/servers/server.ts';

/** A user, however they proved it. */
export type Person = Omit<Caller, 'via'>;

/** Who asks, as far as servers are told. */
export interface Asking {
  readonly caller: Caller;
  /** The bearer token that came with the request, whatever it is for. */
  readonly bearer?: string | undefined;
}

export interface Who extends Asking {
  /** What was opened for one is never used for another. */
  readonly key: string;
}

export const tellsWhoCalls = ({ identityScheme }: { identityScheme: IdentityScheme }): boolean =>
  identityScheme !== 'none';

/** What tells one who asks from another. */
export const keyOf = ({ caller, bearer }: Asking, byToken: boolean): string =>
  byToken && bearer !== undefined ? `${caller.userId} ${hash('sha256', bearer, 'base64url')}` : caller.userId;

/** Undefined for a server that is told nothing, or where nobody in particular asks. */
export const whoFor = (server: McpServer, asking: Asking | undefined): Who | undefined =>
  asking === undefined || !tellsWhoCalls(server)
    ? undefined
    : { ...asking, key: keyOf(asking, server.identityScheme === 'bearer') };
