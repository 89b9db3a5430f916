import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { agentGateway, gatewayKeys, type DescriptionFinding, type Gateway } from '../../api/agent-gateway.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { LineDifference } from '../../parts/line-difference.tsx';
import { MarkedText, type Mark } from '../../parts/marked-text.tsx';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { messageOf } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';

const notes: Record<Gateway['description_guard'], string> = {
  off: 'Descriptions are not looked at here: the description guard of this gateway is off.',
  warn: 'What is listed here is offered to agents all the same; the description guard only warns.',
  quarantine:
    'What is listed here is hidden from agents, and its calls are refused, until somebody approves it.',
};

const kindNames = {
  tools: 'tool',
  prompts: 'prompt',
  resources: 'resource',
  templates: 'template',
  instructions: 'instructions',
};

/** Descriptions that speak to the model behind its user’s back, with the words that carried the verdict. */
export function DescriptionReview({ gateway }: { gateway: Gateway }) {
  const findings = useQuery({
    queryKey: gatewayKeys.descriptions(gateway.id),
    queryFn: () => agentGateway.listDescriptionFindings({ params: { gateway_id: gateway.id } }),
    refetchInterval: 15_000,
  });
  return (
    <Panel title="Descriptions that speak to the model" note={notes[gateway.description_guard]}>
      <QueryView query={findings}>
        {({ findings: all }) => {
          const waiting = all.filter(({ status }) => status === 'waiting');
          const approved = all.filter(({ status }) => status === 'approved');
          return (
            <>
              {waiting.length === 0 ? (
                <p className="text-sm text-ink-soft">No description waits for a review.</p>
              ) : (
                <List label="Waiting for review" gatewayId={gateway.id} findings={waiting} />
              )}
              {approved.length > 0 && (
                <details className="mt-4 border-t border-line pt-3">
                  <summary className="cursor-pointer text-[13px] text-ink-soft">
                    Approved ({approved.length})
                  </summary>
                  <div className="mt-3">
                    <List label="Approved" gatewayId={gateway.id} findings={approved} />
                  </div>
                </details>
              )}
            </>
          );
        }}
      </QueryView>
    </Panel>
  );
}

const List = ({
  label,
  gatewayId,
  findings,
}: {
  label: string;
  gatewayId: string;
  findings: readonly DescriptionFinding[];
}) => (
  <ul aria-label={label} className="grid grid-cols-1 gap-3">
    {findings.map((finding) => (
      <li
        key={`${finding.server_id} ${finding.kind} ${finding.name} ${finding.hash}`}
        className="min-w-0 rounded-lg border border-line p-4 text-sm"
      >
        <Finding gatewayId={gatewayId} finding={finding} />
      </li>
    ))}
  </ul>
);

/** Where the quotes stand in the text, as far as they stand there literally. */
const marksIn = (text: string, { issues }: DescriptionFinding): Mark[] =>
  issues.flatMap(({ quote, says }) => {
    const start = quote === '' ? -1 : text.indexOf(quote);
    return start < 0 ? [] : [{ start, end: start + quote.length, title: says }];
  });

function Finding({ gatewayId, finding }: { gatewayId: string; finding: DescriptionFinding }) {
  const { definition, issues, difference, name } = finding;
  const description = typeof definition['description'] === 'string' ? definition['description'] : '';
  return (
    <>
      <div className="flex items-start justify-between gap-3">
        <span className="min-w-0">
          <span className="flex flex-wrap items-center gap-2">
            <code className="font-mono break-words">{name}</code>
            <Badge>{kindNames[finding.kind]}</Badge>
          </span>
          <span className="block text-[13px] text-ink-soft">
            {finding.server_name ?? 'unknown server'}, found <Ago at={finding.found_at} />
            {finding.approved_at !== null && `, approved by ${finding.approved_by_name ?? 'unknown user'}`}
          </span>
        </span>
        {finding.status === 'waiting' && <Approve gatewayId={gatewayId} finding={finding} />}
      </div>
      <ul aria-label={`What speaks to the model in ${name}`} className="mt-3 grid grid-cols-1 gap-2">
        {issues.map((issue) => (
          <li
            key={`${issue.code} ${issue.field} ${issue.quote}`}
            className="min-w-0 border-l-2 border-flag/50 pl-3"
          >
            <q className="font-medium break-words text-flag">{issue.quote}</q>
            <span className="block text-[13px] text-ink-soft">
              {issue.says} In {issue.field}; {issue.code}, {issue.category.replaceAll('_', ' ')}.
            </span>
          </li>
        ))}
      </ul>
      {description !== '' && (
        <details className="mt-3">
          <summary className="cursor-pointer text-[13px] text-ink-soft">The whole description</summary>
          <div className="mt-2 rounded-lg bg-raised p-3 text-[13px]">
            <MarkedText text={description} marks={marksIn(description, finding)} />
          </div>
        </details>
      )}
      {difference.length > 0 && (
        <details className="mt-3">
          <summary className="cursor-pointer text-[13px] text-ink-soft">
            What differs from the definition that was first seen
          </summary>
          <div className="mt-2">
            <LineDifference label={`Difference of ${name}`} lines={difference} />
          </div>
        </details>
      )}
    </>
  );
}

function Approve({ gatewayId, finding }: { gatewayId: string; finding: DescriptionFinding }) {
  const queries = useQueryClient();
  const { server_id: serverId, kind, name, hash } = finding;
  const approve = useMutation({
    mutationFn: () =>
      agentGateway.approveDescription({
        params: { gateway_id: gatewayId },
        body: { server_id: serverId, kind, name, hash },
      }),
    onSuccess: () => toast.success('This wording is approved.'),
    onSettled: () => queries.invalidateQueries({ queryKey: gatewayKeys.gateways }),
    onError: (error) => toast.error(messageOf(error)),
  });
  return (
    <Button
      size="small"
      busy={approve.isPending}
      aria-label={`Approve the description of ${name}`}
      onClick={() => approve.mutate()}
    >
      Approve this wording
    </Button>
  );
}
