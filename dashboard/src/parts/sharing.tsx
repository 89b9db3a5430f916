import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import type { RowData } from '@tanstack/react-table';
import { Lock, Users } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { toast } from 'sonner';
import { useMayChange, useUser } from '../session/use-session.ts';
import { Badge } from './badge.tsx';
import { cn } from './cn.ts';
import { columnsOf } from './data-table.tsx';
import { messageOf } from './states.tsx';

export type Visibility = 'private' | 'tenant';

/** Fields of every resource that can be shared. */
export interface Shared {
  /** Null for built-in resources. */
  readonly ownerId: string | null;
  readonly ownerName: string | null;
  readonly visibility: Visibility;
}

/** What sharing does not affect, for each kind of resource, because users may expect otherwise. */
const unaffected = {
  guard: (tenant: string) =>
    `This does not decide who may ask the guard for verdicts: every user and API key of ${tenant} may.`,
  group: () => 'Guards that use the group keep judging by it, whatever you choose.',
  policy: () => 'Policy sets that contain the policy keep enforcing it, whatever you choose.',
  set: (tenant: string) =>
    `This does not decide who may have actions judged by the set: every user and API key of ${tenant} may.`,
  gateway: () => 'This does not decide who may call its MCP tools: the rules under Access do.',
  dataset: () => 'Scans that have started keep their cases, whatever you choose.',
  tasks: () => 'Evaluations keep the tasks that were made of it, whatever you choose.',
  agent: () => 'Its key and headers are shown to nobody, whatever you choose.',
  evaluation: () => 'Its runs and their results are seen by whoever sees the evaluation.',
  scan: () => 'The key of the model is shown to nobody, whatever you choose.',
  server: () =>
    'Gateways that offer the server keep doing so; their access rules decide who may call its tools.',
} as const;

export type SharedKind = keyof typeof unaffected;

const VisibilityBadge = ({ visibility }: { visibility: Visibility }) =>
  visibility === 'tenant' ? (
    <Badge tone="accent">
      <Users className="size-3" aria-hidden /> shared
    </Badge>
  ) : (
    <Badge>
      <Lock className="size-3" aria-hidden /> private
    </Badge>
  );

function Owner({ ownerId, ownerName }: Shared) {
  const isOwn = useUser().id === ownerId;
  return (
    <span className="break-words">
      {ownerName ?? 'unknown user'}
      {isOwn && <span className="text-ink-soft"> (you)</span>}
    </span>
  );
}

const OwnerCell = (shared: Shared) =>
  shared.ownerId === null ? (
    <Badge tone="accent">built in</Badge>
  ) : (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Owner {...shared} /> <VisibilityBadge visibility={shared.visibility} />
    </span>
  );

/** List columns: the owner of each resource, and who can see it. */
export const ownerColumn = <Row extends RowData>(sharedOf: (row: Row) => Shared) =>
  columnsOf<Row>().display({
    id: 'owner',
    header: 'Owner',
    cell: ({ row }) => <OwnerCell {...sharedOf(row.original)} />,
  });

/** The choice between private and shared, with an explanation. */
export function SharingChoice({
  kind,
  value,
  onChange,
  disabled = false,
  inLine = false,
}: {
  kind: SharedKind;
  value: Visibility;
  onChange: (visibility: Visibility) => void;
  disabled?: boolean;
  /** The explanation is beside the choice where there is room, and what is chosen needs no heading. */
  inLine?: boolean;
}) {
  const { tenantName } = useUser();
  const id = useId();
  const option = (visibility: Visibility, icon: ReactNode, label: string) => (
    <label
      className={cn(
        'relative flex min-w-0 cursor-pointer items-center gap-1.5 rounded-md px-2.5 py-1 text-[13px] text-ink-soft',
        'has-checked:bg-panel has-checked:font-medium has-checked:text-ink has-checked:shadow-panel',
        'has-focus-visible:outline-2 has-focus-visible:outline-accent',
        disabled && 'cursor-default opacity-60',
      )}
    >
      <input
        type="radio"
        name={id}
        className="absolute inset-0 cursor-[inherit] opacity-0"
        checked={value === visibility}
        disabled={disabled}
        aria-describedby={`${id}-note`}
        onChange={() => onChange(visibility)}
      />
      {icon} <span className="min-w-0 break-words">{label}</span>
    </label>
  );
  return (
    <fieldset className={cn('min-w-0', inLine && 'flex flex-wrap items-center gap-x-4 gap-y-1.5 sm:flex-1')}>
      <legend className={inLine ? 'sr-only' : 'mb-1.5 text-[13px] font-medium'}>Who can see it</legend>
      <div className="inline-flex max-w-full shrink-0 flex-wrap gap-0.5 rounded-lg bg-raised p-0.5">
        {option('private', <Lock className="size-3.5 shrink-0" aria-hidden />, 'Private')}
        {option(
          'tenant',
          <Users className="size-3.5 shrink-0" aria-hidden />,
          `Shared with everyone in ${tenantName}`,
        )}
      </div>
      <p
        id={`${id}-note`}
        className={cn('text-[13px] text-ink-soft', inLine ? 'min-w-72 flex-1' : 'mt-1.5 max-w-[85ch]')}
      >
        {value === 'private'
          ? `Only the owner and administrators of ${tenantName} can see and change it here.`
          : `Every user of ${tenantName} can see and use it; only the owner and administrators can change it.`}{' '}
        {unaffected[kind](tenantName)}
      </p>
    </fieldset>
  );
}

/** On the page of a resource: its owner and who can see it; a change is saved at once. */
export function Sharing({
  kind,
  shared,
  save,
  changes,
}: {
  kind: SharedKind;
  shared: Shared;
  save: (visibility: Visibility) => Promise<unknown>;
  /** The queries to load again afterwards. */
  changes: QueryKey;
}) {
  const queries = useQueryClient();
  const { tenantName } = useUser();
  const mayChange = useMayChange(shared.ownerId);
  // Set at once: the mutation reports its value slightly later, and the radio button would jump back until then.
  const [chosen, setChosen] = useState<Visibility>();
  const change = useMutation({
    mutationFn: save,
    onSuccess: async (_, visibility) => {
      await queries.invalidateQueries({ queryKey: changes });
      toast.success(
        visibility === 'private' ? 'It is private now.' : `It is shared with everyone in ${tenantName}.`,
      );
    },
    onError: (error) => toast.error(messageOf(error)),
    onSettled: () => setChosen(undefined),
  });
  if (shared.ownerId === null) return null;
  return (
    <section
      aria-label="Owner and sharing"
      className="mb-6 flex flex-wrap items-center gap-x-5 gap-y-2 text-sm"
    >
      <p>
        <span className="text-ink-soft">Owner</span> <Owner {...shared} />
      </p>
      {mayChange ? (
        <SharingChoice
          kind={kind}
          value={chosen ?? shared.visibility}
          disabled={chosen !== undefined}
          inLine
          onChange={(visibility) => {
            setChosen(visibility);
            change.mutate(visibility);
          }}
        />
      ) : (
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <VisibilityBadge visibility={shared.visibility} />
          <span className="text-[13px] text-ink-soft">
            You can see and use it. Only {shared.ownerName ?? 'its owner'} and administrators of {tenantName}{' '}
            can change it.
          </span>
        </p>
      )}
    </section>
  );
}
