import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { ServerCredentials } from '@grpc/grpc-js';
import type { PlatformConfig } from '../config/platform.ts';
import { StartupError } from '../errors.ts';

type Tls = Pick<PlatformConfig['grpc'], 'tlsCertFile' | 'tlsKeyFile' | 'tlsClientCaFile'>;

function readPem(variable: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new StartupError(
      `${variable} names ${path}, which cannot be read: ${(cause as Error).message}. Give the path of a PEM file.`,
      { cause },
    );
  }
}

/**
 * TLS if a certificate is configured, verifying client certificates if their CA is; else plaintext.
 * @throws StartupError when the files are not a certificate with its key.
 */
export function serverCredentials({ tlsCertFile, tlsKeyFile, tlsClientCaFile }: Tls): ServerCredentials {
  if (tlsCertFile === undefined && tlsKeyFile === undefined && tlsClientCaFile === undefined)
    return ServerCredentials.createInsecure();
  if (tlsCertFile === undefined || tlsKeyFile === undefined)
    throw new StartupError(
      'gRPC over TLS needs both BULWARK_GRPC_TLS_CERT_FILE and BULWARK_GRPC_TLS_KEY_FILE. Set both, or neither.',
    );
  const cert = readPem('BULWARK_GRPC_TLS_CERT_FILE', tlsCertFile);
  const key = readPem('BULWARK_GRPC_TLS_KEY_FILE', tlsKeyFile);
  const ca =
    tlsClientCaFile === undefined ? null : readPem('BULWARK_GRPC_TLS_CLIENT_CA_FILE', tlsClientCaFile);
  try {
    createSecureContext({ cert, key, ...(ca && { ca }) });
  } catch (cause) {
    throw new StartupError(
      `The certificate for gRPC cannot be used: ${(cause as Error).message}. ` +
        `${tlsCertFile} must hold the certificate in PEM form, ${tlsKeyFile} its private key.`,
      { cause },
    );
  }
  return ServerCredentials.createSsl(ca, [{ cert_chain: cert, private_key: key }], ca !== null);
}
