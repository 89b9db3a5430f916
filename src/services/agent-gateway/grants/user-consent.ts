import type { Caller } from '#identity/caller.ts';
import type { McpServer } from '../registry/servers/server.ts';

/** A user's consent to the gateway's using their account at a server. */
export interface UserConsent {
  /** Where the user gives it; the same one for some minutes. Throws AppError where none can be asked for. */
  urlFor(caller: Caller, server: McpServer): Promise<string>;
  /** Whether it is given, as soon as it is; false when the time is over. */
  waitFor(caller: Caller, server: McpServer, until: AbortSignal): Promise<boolean>;
}
