import { newUuid } from '../ids.ts';

const requestIdPattern = /^[\w.:-]{8,128}$/;

/** A caller's own request id where it is harmless in a log, else a new one. */
export const requestId = (sent: string | string[] | undefined): string =>
  typeof sent === 'string' && requestIdPattern.test(sent) ? sent : newUuid();
