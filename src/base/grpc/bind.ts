/** Binds a gRPC server to a host and port; a taken port is always an error. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Server, ServerCredentials } from '@grpc/grpc-js';
import { StartupError } from '../errors.ts';
import { listenProblem, type ListenSettings } from '../http/listen.ts';

/** A name may stand for addresses that this machine does not have, such as `::1` where IPv6 is off. */
const missingAddress = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

/**
 * Binds to all addresses of the host, with the same port.
 * @returns the port
 * @throws StartupError if the port is in use on any of them
 */
export async function bind(
  server: Server,
  credentials: ServerCredentials,
  where: ListenSettings,
): Promise<number> {
  try {
    return await bindAll(server, credentials, await addressesOf(where.host), where.port);
  } catch (error) {
    throw startError(error as Error, where);
  }
}

/**
 * Binds to each address by itself: with a name, the library is content if one of its addresses is free, and calls to
 * the others would reach another program.
 * @returns the port, which the first address chooses if it is 0
 */
export async function bindAll(
  server: Server,
  credentials: ServerCredentials,
  addresses: readonly string[],
  port: number,
): Promise<number> {
  let bound: number | undefined;
  let missing: Error | undefined;
  for (const address of addresses) {
    try {
      bound = await bindOne(server, credentials, address, bound ?? port);
    } catch (error) {
      if (!missingAddress.has(codeOf(error as Error))) throw error;
      missing = error as Error;
    }
  }
  if (bound === undefined) throw missing ?? new Error('The host has no address.');
  return bound;
}

const addressesOf = async (host: string): Promise<string[]> =>
  isIP(host) === 0 ? (await lookup(host, { all: true })).map(({ address }) => address) : [host];

const bindOne = (server: Server, credentials: ServerCredentials, address: string, port: number) =>
  new Promise<number>((resolve, reject) => {
    const host = isIP(address) === 6 ? `[${address}]` : address;
    server.bindAsync(`${host}:${port}`, credentials, (error, bound) => {
      if (error === null) resolve(bound);
      else reject(error);
    });
  });

/** The library includes the system's error code only in its message. */
const codeOf = ({ message }: Error): string => /\bE[A-Z]{4,}\b/.exec(message)?.[0] ?? '';

const startError = (error: Error, where: ListenSettings): Error =>
  listenProblem(codeOf(error), where, error) ??
  new StartupError(`${where.service} cannot listen for gRPC: ${error.message}`, { cause: error });
