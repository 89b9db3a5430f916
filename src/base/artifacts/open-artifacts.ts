import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { PlatformConfig } from '../config/platform.ts';
import type { Database } from '../db/database.ts';
import { StartupError } from '../errors.ts';
import { createArtifacts, type Artifacts } from './artifacts.ts';
import { folderObjects } from './folder-objects.ts';
import type { Objects } from './objects.ts';
import { s3Objects } from './s3-objects.ts';

/** Opens the artifact store that is configured. @throws StartupError if its settings are incomplete */
export function openArtifacts(
  { artifacts: settings, dataDir }: Pick<PlatformConfig, 'artifacts' | 'dataDir'>,
  db: Database,
  clock: Clock,
): Artifacts {
  const folder = settings.folder ?? join(dataDir, 'artifacts');
  const objects = openS3(settings) ?? folderObjects(folder);
  return createArtifacts({
    db,
    objects,
    clock,
    incoming: join(folder, 'incoming'),
    quotaBytes: settings.quotaBytes,
  });
}

function openS3(settings: PlatformConfig['artifacts']): Objects | undefined {
  const { s3Endpoint, s3Bucket, s3AccessKeyId, s3SecretAccessKey, s3Region, s3TimeoutMs } = settings;
  if (s3Endpoint === undefined) return undefined;
  if (s3Bucket === undefined || s3AccessKeyId === undefined || s3SecretAccessKey === undefined)
    throw new StartupError(
      'artifacts.s3_endpoint is set, so artifacts.s3_bucket, artifacts.s3_access_key_id and ' +
        'artifacts.s3_secret_access_key must be set too.',
    );
  return s3Objects({
    endpoint: s3Endpoint,
    bucket: s3Bucket,
    region: s3Region,
    accessKeyId: s3AccessKeyId.reveal(),
    secretAccessKey: s3SecretAccessKey.reveal(),
    timeoutMs: s3TimeoutMs,
  });
}
