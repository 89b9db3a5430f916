import type { UseQueryResult } from '@tanstack/react-query';
import { dataSetNames } from '#services/model-scan/contract/names.ts';
import type { modelScan, OwnDataSet } from '../../api/model-scan.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { CheckList } from '../../parts/check-list.tsx';
import { Switch } from '../../parts/field.tsx';
import { count } from '../../parts/numbers.ts';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import type { ScanDraft } from './scan-draft.ts';

export type Offer = Awaited<ReturnType<typeof modelScan.listDataSets>> & { readonly own: OwnDataSet[] };

const areas = [
  { name: 'Regulation', sets: dataSetNames.slice(0, 7) },
  { name: 'Use case', sets: dataSetNames.slice(7, 16) },
  { name: 'Domain', sets: dataSetNames.slice(16) },
] as const;

/** Which cases are sent, and with which attacks. */
export function CasesStep({
  draft,
  change,
  offer,
}: {
  draft: ScanDraft;
  change: (part: Partial<ScanDraft>) => void;
  offer: UseQueryResult<Offer>;
}) {
  return (
    <>
      <Switch
        label="Sandbox scan"
        hint="Only 24 fixed cases, to check the connection. It is not counted as usage."
        checked={draft.isSandbox}
        onChange={(isSandbox) => change({ isSandbox })}
      />
      {!draft.isSandbox && (
        <QueryView query={offer}>
          {(found) => (
            <>
              <DataSets offer={found} chosen={draft.dataSets} onChange={(dataSets) => change({ dataSets })} />
              <Panel
                title="Attacks"
                note="Each is tried on some cases of each data set, beside the cases as they are."
              >
                <CheckList
                  choices={found.algorithms.map(({ name, attempts }) => ({
                    id: name,
                    name,
                    note: `up to ${attempts} requests a case`,
                  }))}
                  chosen={draft.algorithms}
                  onChange={(algorithms) => change({ algorithms })}
                />
              </Panel>
            </>
          )}
        </QueryView>
      )}
    </>
  );
}

function DataSets({
  offer,
  chosen,
  onChange,
}: {
  offer: Offer;
  chosen: readonly string[];
  onChange: (names: readonly string[]) => void;
}) {
  const casesOf = new Map(offer.datasets.map(({ name, cases }) => [name, cases]));
  const total = [...offer.datasets, ...offer.own]
    .filter(({ name }) => chosen.includes(name))
    .reduce((sum, { cases }) => sum + cases, 0);
  return (
    <Panel
      title="Data sets"
      note={
        chosen.length === 0 ? 'Choose at least one.' : `${count(total)} cases in ${chosen.length} data sets.`
      }
      actions={
        <>
          <Button size="small" onClick={() => onChange(offer.datasets.map(({ name }) => name))}>
            All
          </Button>
          <Button size="small" kind="quiet" onClick={() => onChange([])}>
            None
          </Button>
        </>
      }
    >
      <div className="grid gap-4 lg:grid-cols-3">
        {areas.map(({ name, sets }) => (
          <div key={name} role="group" aria-label={name}>
            <h3 className="mb-1.5 text-[13px] font-medium">{name}</h3>
            <CheckList
              choices={sets.map((set) => ({ id: set, name: set, note: count(casesOf.get(set) ?? 0) }))}
              chosen={chosen}
              onChange={onChange}
            />
          </div>
        ))}
        {offer.own.length > 0 && (
          <div role="group" aria-label="Own data sets">
            <h3 className="mb-1.5 text-[13px] font-medium">Own data sets</h3>
            <CheckList
              choices={offer.own.map(({ name, cases }) => ({
                id: name,
                name,
                mark: <Badge>own</Badge>,
                note: count(cases),
              }))}
              chosen={chosen}
              onChange={onChange}
            />
          </div>
        )}
      </div>
    </Panel>
  );
}
