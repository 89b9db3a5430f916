import type { PlatformConfig } from '../config/platform.ts';
import type { SharedKey } from './key-check.ts';
import { keyFile } from './key-file.ts';

/** The secret that signs access tokens: the setting, else one generated in the data folder. */
export const jwtSecret = async ({ jwt, dataDir }: Pick<PlatformConfig, 'jwt' | 'dataDir'>): Promise<string> =>
  jwt.secret?.reveal() ?? (await keyFile(dataDir, 'jwt'));

/** The secret that encrypts secrets at rest: the setting, else one generated in the data folder. */
export const sealingSecret = async ({
  secretKey,
  dataDir,
}: Pick<PlatformConfig, 'secretKey' | 'dataDir'>): Promise<string> =>
  secretKey?.reveal() ?? (await keyFile(dataDir, 'secrets-at-rest'));

/** The keys that all processes on one database must share. */
export const sharedKeys = async (
  config: Pick<PlatformConfig, 'jwt' | 'secretKey' | 'secretKeyPrevious' | 'dataDir'>,
): Promise<SharedKey[]> => [
  {
    name: 'jwt',
    variable: 'BULWARK_JWT_SECRET',
    secret: await jwtSecret(config),
    previous: config.jwt.previousSecret,
    previousVariable: 'BULWARK_JWT_PREVIOUS_SECRET',
    harm: 'access tokens of one process would be refused by the others.',
  },
  {
    name: 'secrets-at-rest',
    variable: 'BULWARK_SECRET_KEY',
    secret: await sealingSecret(config),
    previous: config.secretKeyPrevious,
    previousVariable: 'BULWARK_SECRET_KEY_PREVIOUS',
    harm: 'secrets encrypted by other processes could not be decrypted here.',
  },
];
