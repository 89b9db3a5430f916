import type { Metadata, Preview } from '../../api/red-team.ts';
import { Button } from '../../parts/button.tsx';
import { CheckList } from '../../parts/check-list.tsx';
import { count } from '../../parts/numbers.ts';
import { Panel } from '../../parts/page.tsx';
import type { Filter, Filters } from './evaluation-draft.ts';

type Item = Pick<Metadata['domains'][number], 'id' | 'name'>;
type Offer = Metadata & { readonly environments: readonly Item[] };

const sections: readonly { readonly filter: Filter; readonly title: string; readonly note: string }[] = [
  {
    filter: 'threat_models',
    title: 'Threat models',
    note: 'Ordinary work, a malicious user, or planted text.',
  },
  {
    filter: 'risk_categories',
    title: 'Risk categories',
    note: 'What an attack would do. Benign tasks have none.',
  },
  { filter: 'domains', title: 'Domains', note: 'Fields of work.' },
  { filter: 'environments', title: 'Environments', note: 'The systems that the agent works in.' },
  { filter: 'vectors', title: 'Vectors', note: 'Where planted text stands.' },
  { filter: 'templates', title: 'Wordings', note: 'How planted text is put.' },
];

/** A list of check boxes for each filter; each value shows how many tasks choosing it would give. */
export const FilterLists = ({
  metadata,
  facets,
  filters,
  onChange,
}: {
  metadata: Offer;
  facets: Preview['facets'] | undefined;
  filters: Filters;
  onChange: (filters: Filters) => void;
}) => (
  <div className="grid gap-6 lg:grid-cols-2">
    {sections.map(({ filter, title, note }) => (
      <Panel
        key={filter}
        title={title}
        note={note}
        actions={
          filters[filter].length > 0 && (
            <Button size="small" kind="quiet" onClick={() => onChange({ ...filters, [filter]: [] })}>
              Clear<span className="sr-only"> {title}</span>
            </Button>
          )
        }
      >
        <div role="group" aria-label={title}>
          <CheckList
            choices={itemsOf(metadata, filter).map(({ id, name }) => ({
              id,
              name: filter === 'risk_categories' ? `${id} ${name}` : name,
              note: facets === undefined ? '' : count(facets[filter][id] ?? 0),
            }))}
            chosen={filters[filter]}
            onChange={(ids) => onChange({ ...filters, [filter]: ids })}
          />
        </div>
      </Panel>
    ))}
  </div>
);

const itemsOf = (metadata: Offer, filter: Filter): readonly Item[] => metadata[filter];
