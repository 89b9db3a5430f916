/** The user of a connection to a server that learns who calls. */
import { hash } from 'node:crypto';
import type { Caller } from '#identity/caller.ts';
import type { IdentityScheme, McpServer } from '../registry/servers/server.ts';

/** A user, regardless of how they authenticated. */
export type Person = Omit<Caller, 'via'>;

/** The caller, as far as servers may learn it. */
export interface Asking {
  readonly caller: Caller;
  /** The bearer token of the request, whatever its audience. */
  readonly bearer?: string | undefined;
}

export interface Who extends Asking {
  /** Connections opened for one user are never used for another. */
  readonly key: string;
}

export const tellsWhoCalls = ({ identityScheme }: { identityScheme: IdentityScheme }): boolean =>
  identityScheme !== 'none';

/** Key that distinguishes callers. */
export const keyOf = ({ caller, bearer }: Asking, byToken: boolean): string =>
  byToken && bearer !== undefined ? `${caller.userId} ${hash('sha256', bearer, 'base64url')}` : caller.userId;

/** Whether what is sent to the server depends on the token that the caller sends. */
export const dependsOnToken = ({ identityScheme }: { identityScheme: IdentityScheme }): boolean =>
  identityScheme === 'bearer' || identityScheme === 'enterprise_managed';

/** Undefined for servers without an identity scheme, and if there is no specific caller. */
export const whoFor = (server: McpServer, asking: Asking | undefined): Who | undefined =>
  asking === undefined || !tellsWhoCalls(server)
    ? undefined
    : { ...asking, key: keyOf(asking, dependsOnToken(server)) };
