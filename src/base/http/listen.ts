import { type AddressInfo, isIP, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { StartupError } from '../errors.ts';

export interface ListenSettings {
  service: string;
  host: string;
  /** 0 picks a free one. */
  port: number;
  /** The environment variable of the port, for the error message. */
  portSetting: string;
}

/** Whether only this machine can reach the address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** The host name or address in a URL authority such as a `Host` header; undefined if invalid. */
export function hostnameOf(authority: string): string | undefined {
  const url = `http://${authority}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : undefined;
}

/** Whether a URL authority such as a `Host` header can only mean this machine. */
export const namesThisMachine = (authority: string): boolean => isLoopback(hostnameOf(authority) ?? '');

/** The URL of a host or an address of either family, without a slash at its end. */
export const originOf = (host: string, port: number): string =>
  `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;

const reasons: Record<string, (settings: ListenSettings) => string> = {
  EADDRINUSE: ({ service, host, port, portSetting }) =>
    `Port ${port} on ${host}, for ${service}, is in use by another program. ` +
    `Stop that program, or choose another port with ${portSetting} (0 picks any free one).`,
  EACCES: ({ service, port, portSetting }) =>
    `This user may not listen on port ${port}, for ${service}. Choose one above 1023 with ${portSetting}.`,
  EADDRNOTAVAIL: ({ service, host }) =>
    `${service} cannot listen on ${host}: this machine has no such address. Change BULWARK_HOST.`,
};

/** Explains a system error code such as `EADDRINUSE`; undefined for other codes. */
export function listenProblem(
  code: string,
  settings: ListenSettings,
  cause: unknown,
): StartupError | undefined {
  const reason = reasons[code];
  return reason && new StartupError(reason(settings), { cause });
}

const explained = (error: unknown, settings: ListenSettings): unknown =>
  listenProblem(String((error as { code?: unknown }).code), settings, error) ?? error;

/**
 * Starts to listen.
 * @returns the address with the real port, without a slash at its end.
 * @throws StartupError if the port or address is unavailable.
 */
export async function listen(app: FastifyInstance, settings: ListenSettings): Promise<string> {
  try {
    await app.listen({
      host: settings.host,
      port: settings.port,
      listenTextResolver: (address) => `listening on ${address}`,
    });
  } catch (error) {
    throw explained(error, settings);
  }
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error(`${settings.service} listens nowhere`);
  return originOf(address.address, address.port);
}

/**
 * Lets a server of Node's own listen, for this machine alone.
 * @returns the address with the real port, without a slash at its end.
 * @throws StartupError if the port is unavailable.
 */
export async function listenHere(server: Server, settings: Omit<ListenSettings, 'host'>): Promise<string> {
  const host = '127.0.0.1';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(settings.port, host, resolve);
  }).catch((error: unknown) => {
    throw explained(error, { ...settings, host });
  });
  return originOf(host, (server.address() as AddressInfo).port);
}
