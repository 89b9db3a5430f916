import type { ConnectorKind } from '../credentials.ts';
import { edrA } from './edr-a.ts';
import { edrB } from './edr-b.ts';
import { edrBNgsiem } from './edr-b-ngsiem.ts';
import { edrC } from './edr-c.ts';
import type { SourceKind } from './source.ts';

export const sourceKinds: Readonly<Record<ConnectorKind, SourceKind>> = {
  'edr-a': edrA,
  'edr-b': edrB,
  'edr-b-ngsiem': edrBNgsiem,
  'edr-c': edrC,
};
