import { useQuery } from '@tanstack/react-query';
import { Database } from 'lucide-react';
import { modelScan, modelScanKey, type OwnDataSet } from '../../api/model-scan.ts';
import { columnsOf } from '../../parts/data-table.tsx';
import { DeleteRowButton } from '../../parts/delete-button.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { count } from '../../parts/numbers.ts';
import { useOwnerFilter } from '../../parts/owner-filter.tsx';
import { ownerColumn } from '../../parts/sharing.tsx';
import { Ago } from '../../parts/time.tsx';
import { DataSetCases } from './data-set-cases.tsx';
import { sharedOf } from './scan-sharing.tsx';
import { UploadDataSet } from './upload-data-set.tsx';

const column = columnsOf<OwnDataSet>();
const columns = column.columns([
  column.display({
    id: 'name',
    header: 'Data set',
    cell: ({ row }) => <span className="font-medium break-words">{row.original.name}</span>,
  }),
  column.display({ id: '#cases', header: 'Cases', cell: ({ row }) => count(row.original.cases) }),
  column.display({ id: 'licence', header: 'Licence', cell: ({ row }) => row.original.licence }),
  ownerColumn<OwnDataSet>(sharedOf),
  column.display({
    id: 'updated',
    header: 'Changed',
    cell: ({ row }) => <Ago at={row.original.updated_at} />,
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original } }) => (
      <div className="flex justify-end gap-1">
        <DataSetCases set={original} />
        <DeleteRowButton
          noun="data set"
          name={original.name}
          changes={modelScanKey}
          run={() => modelScan.deleteDataSet({ params: { dataset_id: original.dataset_id } })}
        >
          Scans that used it keep their cases and results.
        </DeleteRowButton>
      </div>
    ),
  }),
]);

/** Data sets that the tenant has brought along. */
export function ModelDataSetsPage() {
  const owner = useOwnerFilter();
  const query = useQuery({
    queryKey: [...modelScanKey, 'own-data-sets', owner],
    queryFn: () => modelScan.listOwnDataSets({ query: { owner } }),
    placeholderData: (previous) => previous,
  });
  return (
    <ListPage
      title="Data sets"
      lead="Your own cases for model scans, beside the twenty data sets of the product. JSON lines, CSV, tests of promptfoo and prompts of garak can be read."
      query={query}
      rowsOf={({ datasets }) => datasets}
      columns={columns}
      byOwner
      rowKey={({ dataset_id: id }) => id}
      create={{
        action: 'Upload',
        form: (close) => <UploadDataSet onClose={close} />,
      }}
      empty={{
        icon: Database,
        title: 'No data set of your own',
        text: 'Upload requests that your model must refuse, or questions that it must answer, and scan with them.',
      }}
    />
  );
}
