import { domains, riskCategories, threatModels, vectors } from '#services/red-team/contract/names.ts';
import { redTeam, redTeamKey, type Run } from '../../api/red-team.ts';
import { SelectField } from '../../parts/field.tsx';
import { count } from '../../parts/numbers.ts';
import { PagedResults, usePagedResults } from '../../parts/paged-results.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { ResultList } from './result-list.tsx';
import { domainName, spoken } from './words.ts';

const pageSize = 50;

const shownOptions = [
  { value: '', label: 'All results' },
  { value: 'failed', label: 'Failed' },
  { value: 'passed', label: 'Passed' },
  { value: 'error', label: 'Not assessed' },
  { value: 'cancelled', label: 'Cancelled' },
  { value: 'attacked', label: 'Attack succeeded' },
  { value: 'starred', label: 'Starred' },
] as const;
const statuses = ['failed', 'passed', 'error', 'cancelled'] as const;

const options = (all: string, values: readonly string[], nameOf: (id: string) => string = spoken) => [
  { value: '', label: all },
  ...values.map((value) => ({ value, label: nameOf(value) })),
];

/** The filters of the page's address, as the operation takes them. */
function useFilters() {
  const outcome = useAddress('outcome');
  const category = useAddress('category');
  const domain = useAddress('domain');
  const threat = useAddress('threat');
  const vector = useAddress('vector');
  const one = <V extends string>(values: readonly V[], [value]: readonly [string, unknown]) =>
    values.find((each) => each === value);
  const status = one(statuses, outcome);
  const riskCategory = one(riskCategories, category);
  const ofDomain = one(domains, domain);
  const threatModel = one(threatModels, threat);
  const ofVector = one(vectors, vector);
  const query = {
    ...(status !== undefined && { status }),
    ...(outcome[0] === 'attacked' && { attack_success: 'true' as const }),
    ...(outcome[0] === 'starred' && { included_report: 'true' as const }),
    ...(riskCategory !== undefined && { risk_category: riskCategory }),
    ...(ofDomain !== undefined && { domain: ofDomain }),
    ...(threatModel !== undefined && { threat_model: threatModel }),
    ...(ofVector !== undefined && { vector: ofVector }),
  };
  return { outcome, category, domain, threat, vector, query };
}

/** The results of a run by outcome, category, domain, threat model and vector. */
export function ResultsTab({ run }: { run: Run }) {
  const { outcome, category, domain, threat, vector, query: filter } = useFilters();
  const query = usePagedResults([...redTeamKey, 'results', run.run_id, filter], (offset) =>
    redTeam.listResults({
      query: { run_id: run.run_id, limit: String(pageSize), offset: String(offset), ...filter },
    }),
  );
  const shown = shownOptions.find(({ value }) => value === outcome[0])?.value ?? '';
  return (
    <>
      <div className="mb-4 grid grid-cols-2 gap-3 lg:grid-cols-5">
        <SelectField label="Show" value={shown} options={shownOptions} onChoice={outcome[1]} />
        <SelectField
          label="Category"
          value={category[0]}
          options={options('All categories', riskCategories, (id) => id)}
          onChoice={category[1]}
        />
        <SelectField
          label="Domain"
          value={domain[0]}
          options={options('All domains', domains, domainName)}
          onChoice={domain[1]}
        />
        <SelectField
          label="Threat model"
          value={threat[0]}
          options={options('All threat models', threatModels)}
          onChoice={threat[1]}
        />
        <SelectField
          label="Vector"
          value={vector[0]}
          options={options('All vectors', vectors)}
          onChoice={vector[1]}
        />
      </div>
      <PagedResults
        query={query}
        none="No task of this run has these properties."
        note={({ total }) => `${count(total)} results`}
      >
        {(results) => <ResultList results={results} />}
      </PagedResults>
    </>
  );
}
