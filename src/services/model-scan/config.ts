import { integer } from '#base/config/setting.ts';

/** The slice of the model safety scan of the configuration. */
export const modelScanSections = {
  modelScan: {
    attackCases: integer(
      10,
      { min: 1, max: 1000 },
      'Cases of each data set that each attack algorithm is tried on; they are spread over its subcategories.',
    ),
    scansAtOnce: integer(4, { min: 1, max: 64 }, 'Scans that a process runs at a time; others wait.'),
    requestTimeoutSeconds: integer(
      120,
      { min: 1, max: 3600 },
      'Timeout of one request to a model under test, with its reply.',
    ),
    retentionDays: integer(
      0,
      { min: 0, max: 36_500 },
      'Days after which a scan that has stopped is deleted with its results, and is no usage any more; 0 keeps them.',
    ),
    mostConcurrency: integer(256, { min: 1, max: 10_000 }, 'Largest `concurrency` that a scan may ask for.'),
  },
} as const;
