import { modelScan, modelScanKey, type OwnDataSet, type Scan } from '../../api/model-scan.ts';
import { Sharing, type Shared } from '../../parts/sharing.tsx';

export const sharedOf = (
  resource: Pick<Scan | OwnDataSet, 'owner_id' | 'owner_name' | 'visibility'>,
): Shared => ({
  ownerId: resource.owner_id,
  ownerName: resource.owner_name,
  visibility: resource.visibility,
});

export const ScanSharing = ({ scan }: { scan: Scan }) => (
  <Sharing
    kind="scan"
    shared={sharedOf(scan)}
    changes={modelScanKey}
    save={(visibility) => modelScan.changeScan({ params: { scan_id: scan.scan_id }, body: { visibility } })}
  />
);
