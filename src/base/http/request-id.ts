import { AsyncLocalStorage } from 'node:async_hooks';
import { newUuid } from '../ids.ts';

/** Printable ASCII without spaces: safe in headers, log lines and messages. */
const requestIdPattern = /^[\x21-\x7e]{1,128}$/;

/** The caller's request id if it is printable and short, else a new one. */
export const requestId = (sent: string | string[] | undefined): string =>
  typeof sent === 'string' && requestIdPattern.test(sent) ? sent : newUuid();

const current = new AsyncLocalStorage<string>();

/** Runs the work of a request, so that its calls to other services carry the same id. */
export const withRequestId = <T>(id: string, run: () => T): T => current.run(id, run);

/** The current request's id; undefined outside of a request. */
export const currentRequestId = (): string | undefined => current.getStore();
