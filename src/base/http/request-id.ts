import { AsyncLocalStorage } from 'node:async_hooks';
import { newUuid } from '../ids.ts';

/** Printable ASCII without a blank: harmless in a header, in a line of a log and in a message. */
const requestIdPattern = /^[\x21-\x7e]{1,128}$/;

/** A caller's own request id where it is printable and short, else a new one. */
export const requestId = (sent: string | string[] | undefined): string =>
  typeof sent === 'string' && requestIdPattern.test(sent) ? sent : newUuid();

const current = new AsyncLocalStorage<string>();

/** Runs the work of a request, so that what it asks of other services carries the same id. */
export const withRequestId = <T>(id: string, run: () => T): T => current.run(id, run);

/** The id of the request that is being answered; undefined outside of one. */
export const currentRequestId = (): string | undefined => current.getStore();
