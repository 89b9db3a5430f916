import { createClient, type Client } from '#base/contract/client.ts';
import { moreScanOperations, scanOperations } from '#services/model-scan/contract/scans.ts';
import { keyOrLocalKey, modelScanUrlOf, type SignInOptions } from '../connection.ts';

export interface ModelScanOptions extends SignInOptions {
  json?: boolean;
}

const operations = { ...scanOperations, ...moreScanOperations };
export type ModelScanClient = Client<typeof operations>;

export async function openModelScan(options: ModelScanOptions): Promise<ModelScanClient> {
  const baseUrl = modelScanUrlOf(options);
  return createClient(operations, { baseUrl, headers: await keyOrLocalKey({ ...options, baseUrl }) });
}
