import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { mcpScan, scanKey, type Finding } from '../../api/mcp-scan.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { cn } from '../../parts/cn.ts';
import { Raw } from '../../parts/facts.tsx';
import { TextArea, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { SeverityBadge } from './badges.tsx';
import { CodeFrame, Trace } from './code-frame.tsx';

const placeOf = ({ file, start_line: line, tool_name: tool }: Finding): string =>
  file === null ? (tool ?? '') : `${file}${line === null ? '' : `:${line}`}`;

/** A finding: what, where, why, how the input gets there, and what to do. */
export function FindingCard({
  finding,
  scanId,
  isOpen: isOpenFirst = false,
}: {
  finding: Finding;
  /** The scan in which it can be suppressed; undefined where it cannot. */
  scanId?: number;
  isOpen?: boolean;
}) {
  const [isOpen, setIsOpen] = useState(isOpenFirst);
  const { severity, title } = finding;
  return (
    <li className="rounded-xl border border-line bg-panel shadow-panel">
      <h3>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          className="flex w-full items-start gap-3 rounded-xl px-5 py-4 text-left hover:bg-raised"
        >
          <span className="w-16 shrink-0 pt-0.5">
            <SeverityBadge severity={severity} />
          </span>
          <span className="min-w-0 flex-1">
            <span className="block font-medium break-words">{title}</span>
            <span className="block font-mono text-[13px] font-normal break-all text-ink-soft">
              {placeOf(finding)}
            </span>
          </span>
          {doesNotCount(finding) && <Badge>does not count</Badge>}
          <ChevronDown
            className={cn('mt-1 size-4 shrink-0 text-ink-soft transition-transform', isOpen && 'rotate-180')}
            aria-hidden
          />
        </button>
      </h3>
      {isOpen && <Details finding={finding} scanId={scanId} />}
    </li>
  );
}

/** A suppression that has ended is shown, and the finding counts again. */
export const doesNotCount = ({ suppressed }: Finding): boolean =>
  suppressed !== null && (suppressed.until === null || Date.parse(suppressed.until) > Date.now());

function Details({ finding, scanId }: { finding: Finding; scanId: number | undefined }) {
  const { message, snippet, evidence, remediation, suppressed } = finding;
  return (
    <div className="grid grid-cols-1 gap-4 border-t border-line px-5 py-4">
      <p className="max-w-[85ch] text-sm break-words">{message}</p>
      <CodeFrame finding={finding} />
      {snippet === null && evidence !== null && <Raw>{evidence}</Raw>}
      <Trace trace={finding.trace} />
      <OtherPlaces places={finding.other_places} />
      {remediation !== null && (
        <div>
          <h4 className="mb-1 text-[13px] font-medium">What to do</h4>
          <p className="max-w-[85ch] text-sm break-words">{remediation}</p>
        </div>
      )}
      <Marks finding={finding} />
      {suppressed !== null && <WhyNot suppressed={suppressed} hasEnded={!doesNotCount(finding)} />}
      {!doesNotCount(finding) && scanId !== undefined && <Suppress finding={finding} scanId={scanId} />}
    </div>
  );
}

/** Where the same weakness shows as well. */
function OtherPlaces({ places }: { places: Finding['other_places'] }) {
  if (places.length === 0) return null;
  return (
    <div>
      <h4 className="mb-1 text-[13px] font-medium">Also here</h4>
      <ul className="font-mono text-[13px] break-all text-ink-soft">
        {places.map(({ file, line }) => (
          <li key={`${file}:${line}`}>{line === null ? file : `${file}:${line}`}</li>
        ))}
      </ul>
    </div>
  );
}

const Marks = ({
  finding: { rule_id: rule, cwe, owasp, confidence, file, tool_name: tool },
}: {
  finding: Finding;
}) => (
  <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
    {[rule, ...cwe, ...owasp].map((id) => (
      <Badge key={id}>{id}</Badge>
    ))}
    <Badge>{confidence} confidence</Badge>
    {file !== null && tool !== null && <Badge tone="accent">{tool}</Badge>}
  </div>
);

/** Why a finding does not count, by whom, and until when. */
const WhyNot = ({
  suppressed: { by, until, reason },
  hasEnded,
}: {
  suppressed: NonNullable<Finding['suppressed']>;
  hasEnded: boolean;
}) => (
  <p className="text-[13px] text-ink-soft">
    {by} {hasEnded ? 'let' : 'lets'} it not count
    {until !== null && ` until ${new Date(until).toLocaleDateString('en')}`}: {reason}
  </p>
);

function Suppress({ finding, scanId }: { finding: Finding; scanId: number }) {
  const [isAsking, setIsAsking] = useState(false);
  const [reason, setReason] = useState('');
  const [until, setUntil] = useState('');
  return (
    <div>
      <Button size="small" onClick={() => setIsAsking(true)}>
        Let it not count …
      </Button>
      {isAsking && (
        <FormDialog
          title="Let this finding not count"
          lead="It stays visible with the reason, in this scan and in others: in all of your tenant if you administer it, else in your own. It counts again after the date."
          action="Save"
          ready={reason.trim().length >= 3}
          onClose={() => setIsAsking(false)}
          changes={scanKey}
          run={() =>
            mcpScan.createSuppression({
              body: {
                scan_id: scanId,
                fingerprint: finding.fingerprint,
                reason: reason.trim(),
                until: until === '' ? null : new Date(`${until}T23:59:59Z`).toISOString(),
              },
            })
          }
        >
          <TextArea
            label="Reason"
            rows={3}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
            maxLength={2000}
          />
          <TextField
            label="Until"
            type="date"
            hint="Left empty it never counts again."
            value={until}
            onChange={({ target }) => setUntil(target.value)}
          />
        </FormDialog>
      )}
    </div>
  );
}
