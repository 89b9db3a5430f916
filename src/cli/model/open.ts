import { createClient, type Client } from '#base/contract/client.ts';
import { ownDataSetOperations } from '#services/model-scan/contract/own-data-sets.ts';
import { moreScanOperations, scanOperations } from '#services/model-scan/contract/scans.ts';
import { keyOrLocalKey, modelScanUrlOf, type SignInOptions } from '../connection.ts';

export interface ModelScanOptions extends SignInOptions {
  json?: boolean;
}

const operations = { ...scanOperations, ...moreScanOperations, ...ownDataSetOperations };
export type ModelScanClient = Client<typeof operations>;

export async function openModelScan(options: ModelScanOptions): Promise<ModelScanClient> {
  const baseUrl = modelScanUrlOf(options);
  return createClient(operations, { baseUrl, headers: await keyOrLocalKey({ ...options, baseUrl }) });
}
