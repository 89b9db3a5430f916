import type { Caller } from '#identity/caller.ts';
import type { McpServer } from '../registry/servers/server.ts';

/** A user's consent to the gateway's use of their account at a server. */
export interface UserConsent {
  /** The URL where the user consents; stable for some minutes. Throws AppError if consent cannot be requested. */
  urlFor(caller: Caller, server: McpServer): Promise<string>;
  /** Resolves to true as soon as consent is given, to false after the timeout. */
  waitFor(caller: Caller, server: McpServer, until: AbortSignal): Promise<boolean>;
}
